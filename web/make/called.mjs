/** `called.mjs COUNTED.wasm OUT.json`: which functions of the engine read what is typed. The engine tells of every call. */

import { readFile, writeFile } from "node:fs/promises";
import typescript from "typescript";
import init, * as engine from "../pkg/linnaeus.js";

/** Of so many cards one is read. More of them change little: what is common is called by any of them. */
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
const some = cards.filter((_, i) => i % EVERY === 0).map(({ id }) => JSON.parse(engine.zoo_card(id)).equations);
for (const text of [...(await examples()), ...some, ...some.flatMap(papers)]) engine.page_read(text);
await writeFile(output, JSON.stringify([...called.keys()].filter((i) => called[i])));

/** A text as a paper may have it. */
function papers(text) {
  const { lines } = JSON.parse(engine.page_read(text));
  return [`\\begin{align*}${lines.join(" \\\\ ")}\\end{align*}`, ...["\n", " \\\\ "].map((between) => lines.join(between).replaceAll("&", ""))];
}

/** The texts that the page offers. */
async function examples() {
  const source = await readFile(new URL("../src/examples.ts", import.meta.url), "utf8");
  const { outputText } = typescript.transpileModule(source, { compilerOptions: { module: typescript.ModuleKind.ESNext, target: typescript.ScriptTarget.ES2022 } });
  const { single } = await import(`data:text/javascript,${encodeURIComponent(outputText)}`);
  return single.map(({ text }) => text);
}
