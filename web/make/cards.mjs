/** Every card as a file of its own, `dist/zoo/ALG-0042.json`, as `linnaeus zoo show --json` prints it. */

import { mkdir, rm, writeFile } from "node:fs/promises";
import { load } from "../test/engine.mjs";

const engine = await load();
const folder = new URL("../dist/zoo/", import.meta.url);
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const list = engine.zoo_list("", "", "");
await writeFile(new URL("index.json", folder), list);
await Promise.all(JSON.parse(list).cards.map(({ id }) => writeFile(new URL(`${id}.json`, folder), engine.zoo_card(id))));
