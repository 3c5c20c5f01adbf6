/** Compresses the zoo, which the page loads beside the engine. The name has no ending that a server would take for an encoding. */

import { readFile, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

const at = (name) => new URL(`../pkg/${name}`, import.meta.url);
await writeFile(at("zoo.bin"), gzipSync(await readFile(at("zoo.txt")), { level: 9 }));
