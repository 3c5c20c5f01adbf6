/** The engine of the page, in Node. */

import { readFile } from "node:fs/promises";
import * as engine from "../pkg/linnaeus.js";

export async function load() {
  globalThis.linnaeusProgress = () => {};
  engine.initSync({ module: await readFile(new URL("../pkg/linnaeus_bg.wasm", import.meta.url)) });
  engine.take_zoo(await readFile(new URL("../pkg/zoo.txt", import.meta.url), "utf8"));
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
