/** `called.mjs COUNTED.wasm OUT.json`: which functions of the engine answer the first questions. The engine tells of every call. */

import { readFile, writeFile } from "node:fs/promises";
import init, * as engine from "../pkg/linnaeus.js";

/** Of so many cards one is asked for. More of them change little: what is common is called by any of them. */
const EVERY = 20;

const [counted, output] = process.argv.slice(2);
const called = new Uint8Array(1 << 20);
const { instantiate } = WebAssembly;
WebAssembly.instantiate = (module, imports) => instantiate(module, { ...imports, count: { told: (i) => (called[i] = 1) } });
globalThis.linnaeusProgress = () => {};
globalThis.linnaeusRest = () => {};
await init({ module_or_path: await readFile(counted) });
engine.take_zoo(await readFile(new URL("../pkg/zoo.txt", import.meta.url), "utf8"));

const { cards } = JSON.parse(engine.zoo_list("", "", ""));
cards.forEach((_, i) => engine.prepare(i));
for (const { id } of cards.filter((_, i) => i % EVERY === 0)) {
  const { equations } = JSON.parse(engine.zoo_card(id));
  engine.page_read(equations);
  engine.page_identify(equations);
}
await writeFile(output, JSON.stringify([...called.keys()].filter((i) => called[i])));
