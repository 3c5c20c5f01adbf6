/** How fast and how large the built page is. NATIVE is what the example `answers --time` prints. */

import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { launch, serve } from "./browser.mjs";
import { ask, load } from "./engine.mjs";

const RUNS = 5;
const TEXT = "y_k = x_k + \\beta (x_k - x_{k-1}) \\\\ x_{k+1} = y_k - \\alpha \\nabla f(y_k)";

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const told = (what, value, unit, bound) => console.log(`${what.padEnd(58)} ${value.toFixed(value < 10 ? 2 : 0).padStart(6)} ${unit}${bound ? `   (at most ${bound}: ${value <= bound ? "kept" : "missed"})` : ""}`);

const wasm = await readFile(new URL("../pkg/linnaeus_bg.wasm", import.meta.url));
told("engine, MB", wasm.length / 1e6, "MB", 1.5);
told("engine, gzipped", gzipSync(wasm, { level: 9 }).length / 1e3, "KB", 600);

const server = await serve();
const browser = await launch();
const usable = [];
const reading = [];
const answer = [];
for (let i = 0; i < RUNS; i++) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(server.url);
  // Usable: the editor takes keys and the engine is ready.
  await page.waitForFunction(() => performance.getEntriesByName("usable").length && performance.getEntriesByName("engine-ready").length);
  usable.push(await page.evaluate(() => Math.max(...["usable", "engine-ready"].map((n) => performance.getEntriesByName(n)[0].startTime))));
  const [read, named] = await page.evaluate((text) => {
    const seen = (selector) => new Promise((done) => {
      const look = () => (document.querySelector(selector) ? done(performance.now()) : requestAnimationFrame(look));
      look();
    });
    const start = performance.now();
    const editor = document.querySelector(".cm-content");
    editor.focus();
    document.execCommand("insertText", false, text);
    return Promise.all([seen(".reading .facts"), seen(".match")]).then((times) => times.map((t) => t - start));
  }, TEXT);
  reading.push(read);
  answer.push(named);
  await context.close();
}
told("page usable, cold cache", median(usable), "ms", 1000);
told("then: a text is pasted and its H shown", median(reading), "ms", 100);
told("then: it is named, the pause for the next key included", median(answer), "ms");

await browser.close();
server.close();

const engine = await load();
const cards = JSON.parse(engine.zoo_relations(true)).nodes.map((n) => JSON.parse(engine.zoo_card(n.id)).equations);
cards.forEach((_, i) => engine.prepare(i));
// Once for the compiler, once for the clock; processor time, since others may be at work.
const time = (text) => {
  const start = process.cpuUsage();
  ask(engine, "page_identify", [text]);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e3;
};
cards.slice(0, 40).forEach(time);
const times = cards.map(time);
const sum = times.reduce((a, b) => a + b, 0);
told("identify in WebAssembly, all cards as inputs, median", median(times), "ms");
told("  worst", Math.max(...times), "ms");
if (process.env.NATIVE) {
  const native = JSON.parse(process.env.NATIVE);
  told("identify in native code, median", native.median, "ms");
  told("  ratio of the medians", median(times) / native.median, "", 3);
  told("  ratio of the sums", sum / native.sum, "", 3);
}
