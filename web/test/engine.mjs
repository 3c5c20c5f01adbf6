/** The engine of the page, in Node. */

import { readFile } from "node:fs/promises";
import * as engine from "../pkg/linnaeus.js";

const pkg = (name, encoding) => readFile(new URL(`../pkg/${name}`, import.meta.url), encoding);

/** Both parts, as the page loads them; `rest.loads` counts how often the second was asked for. */
export const rest = { loads: 0 };
export async function load() {
  const second = new WebAssembly.Module(await pkg("linnaeus_rest.wasm"));
  globalThis.linnaeusProgress = () => {};
  globalThis.linnaeusRest = () => {
    if (rest.loads++ === 0) new WebAssembly.Instance(second, { first: { ...first } });
  };
  const first = engine.initSync({ module: await pkg("linnaeus_first.wasm") });
  engine.take_zoo(await pkg("zoo.txt", "utf8"));
  return engine;
}

/** What the page gets: an answer, or why there is none. */
export function ask(engine, name, args) {
  try {
    return engine[name](...args);
  } catch (error) {
    if (typeof error !== "string") throw error;
    return `error: ${error}`;
  }
}
