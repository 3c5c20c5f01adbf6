/** How fast and how large the built page is. NATIVE is what the example `answers --time` prints, ENGINE the engine before its names were removed. */

import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { launch, serve } from "./browser.mjs";
import { bytes } from "./bytes.mjs";

const RUNS = 5;
const TEXT = "y_k = x_k + \\beta (x_k - x_{k-1}) \\\\ x_{k+1} = y_k - \\alpha \\nabla f(y_k)";

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const told = (what, value, unit, bound) => console.log(`${what.padEnd(66)} ${value.toFixed(value < 10 ? 2 : 0).padStart(6)} ${unit}${bound ? `   (at most ${bound}: ${value <= bound ? "kept" : "missed"})` : ""}`);

const pkg = (name) => readFile(new URL(`../pkg/${name}`, import.meta.url));
const sizes = async (what, name, ...bounds) => {
  const wasm = await pkg(name);
  told(what, wasm.length / 1e6, "MB", bounds[0]);
  told(`${what}, gzipped`, gzipSync(wasm, { level: 9 }).length / 1e3, "KB", bounds[1]);
};
await sizes("engine, what is loaded before the page can be used", "linnaeus_first.wasm", 1.5, 600);
await sizes("engine, what is loaded after that", "linnaeus_rest.wasm");
await sizes("engine, undivided", "linnaeus_bg.wasm");
told("zoo, compressed, loaded beside it", (await pkg("zoo.bin")).length / 1e3, "KB");
if (process.env.ENGINE) {
  const { code, data, modules } = bytes(await readFile(process.env.ENGINE));
  told("  code", code / 1e3, "KB");
  told("  data", data / 1e3, "KB");
  const largest = [...modules].sort((a, b) => b[1] - a[1]);
  for (const [module, size] of largest.slice(0, 12)) told(`    ${module}`, size / 1e3, "KB");
  told(`    ${largest.length - 12} more`, largest.slice(12).reduce((sum, [, size]) => sum + size, 0) / 1e3, "KB");
}

const server = await serve();
const browser = await launch();
const MARKS = ["usable", "engine-ready", "zoo-ready"];
const since = { usable: [], "engine-ready": [], "zoo-ready": [] };
const reading = [];
const answer = [];
const early = [];
for (let i = 0; i < 2 * RUNS; i++) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(server.url);
  // Usable: the editor takes keys, and the engine answers. Every other time the text is pasted before the zoo was read.
  const waits = i % 2 ? MARKS : MARKS.slice(0, 2);
  await page.waitForFunction((marks) => marks.every((m) => performance.getEntriesByName(m).length), waits);
  const [read, named] = await page.evaluate((text) => {
    const seen = (selector) => new Promise((done) => {
      const look = () => (document.querySelector(selector) ? done(performance.now()) : requestAnimationFrame(look));
      look();
    });
    const start = performance.now();
    document.querySelector(".cm-content").focus();
    document.execCommand("insertText", false, text);
    return Promise.all([seen(".reading .facts"), seen(".match")]).then((times) => times.map((t) => t - start));
  }, TEXT);
  if (i % 2) {
    const marks = await page.evaluate((marks) => marks.map((m) => performance.getEntriesByName(m)[0].startTime), MARKS);
    MARKS.forEach((m, j) => since[m].push(marks[j]));
    reading.push(read);
    answer.push(named);
  } else early.push(named);
  await context.close();
}
told("page shown, cold cache", median(since.usable), "ms");
told("  engine ready: H is computed", median(since["engine-ready"]), "ms", 1000);
told("  zoo read: all questions are answered", median(since["zoo-ready"]), "ms", 1000);
told("then: a text is pasted and its H shown", median(reading), "ms", 100);
told("then: it is named", median(answer), "ms", 100);
told("a text is pasted as soon as the engine is ready: it is named", median(early), "ms");

// Every fourth card is identified in that browser, against the whole zoo. Processor time, since others may be at work.
const page = await browser.newPage();
await page.goto(`${server.url}pkg/`);
const system = await browser.newBrowserCDPSession();
const processor = async () => {
  const { processInfo } = await system.send("SystemInfo.getProcessInfo");
  return processInfo.filter((p) => p.type === "renderer").reduce((sum, p) => sum + p.cpuTime, 0);
};
await page.evaluate(async () => {
  globalThis.linnaeusProgress = () => {};
  globalThis.engine = await import("./linnaeus.js");
  const second = await WebAssembly.compileStreaming(fetch("./linnaeus_rest.wasm"));
  let complete = false;
  globalThis.linnaeusRest = () => {
    if (!complete) new WebAssembly.Instance(second, { first: { ...first } });
    complete = true;
  };
  const first = await engine.default({ module_or_path: fetch("./linnaeus_first.wasm") });
  engine.take_zoo(await (await fetch("./zoo.txt")).text());
  const { cards: all } = JSON.parse(engine.zoo_list("", "", ""));
  globalThis.cards = all.filter((_, i) => i % 4 === 0).map((c) => JSON.parse(engine.zoo_card(c.id)).equations);
  globalThis.round = (texts) => texts.map((text) => {
    const start = performance.now();
    engine.page_identify(text);
    return performance.now() - start;
  });
  // Once for the compiler.
  round(cards.filter((_, i) => i % 8 === 0));
});
const before = await processor();
const times = await page.evaluate(() => round(cards));
const spent = (await processor()) - before;
told("identify in the browser, every fourth card as input, median", median(times), "ms");
told("  worst", Math.max(...times), "ms");
told("  processor time in all", spent, "s");
if (process.env.NATIVE) {
  const native = JSON.parse(process.env.NATIVE);
  told("identify in native code, median", native.median, "ms");
  told("  processor time in all", native.sum / 1e3, "s");
  told("  ratio of the browser to native code", (1e3 * spent) / native.sum, "", 3);
}
await browser.close();
server.close();
