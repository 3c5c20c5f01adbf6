/** How fast and how large the built page is. NATIVE is what the example `answers --time` prints, ENGINE the engine before its names were removed. */

import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { launch, serve } from "./browser.mjs";
import { bytes } from "./bytes.mjs";

const RUNS = 5;
/** None of them is what the page rehearses. */
const TEXTS = {
  "Nesterov (LaTeX)": "y_k = x_k + \\beta (x_k - x_{k-1}) \\\\ x_{k+1} = y_k - \\alpha \\nabla f(y_k)",
  "Douglas–Rachford": "x1[k+1] = prox_{t f}(x3[k])\nx2[k+1] = prox_{t g}(2*x1[k+1] - x3[k])\nx3[k+1] = x3[k] + x2[k+1] - x1[k+1]",
  "Chambolle–Pock": "operator A: X -> Y\nx[k+1] = prox_{tau f}(x[k] - tau*A'*y[k])\ny[k+1] = prox_{sigma g*}(y[k] + sigma*A*(2*x[k+1] - x[k]))",
};

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
/** What the page says of itself: the editor takes keys; the engine answers; all cards are read and one question was rehearsed. */
const MARKS = ["usable", "engine-ready", "zoo-ready"];

/** Every run has a page of its own, with nothing in a cache. A text is pasted at the moment at which the page has said `ready`. */
async function firstAnswer(text, ready) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(([text, ready]) => {
    const said = (mark) => performance.getEntriesByName(mark).length > 0;
    const seen = (what) => new Promise((done) => {
      const look = () => {
        const is = what();
        if (is) done(performance.now());
        else requestAnimationFrame(look);
      };
      look();
    });
    globalThis.measured = seen(() => ready.every(said)).then(() => {
      const start = performance.now();
      document.querySelector(".cm-content").focus();
      document.execCommand("insertText", false, text);
      const shown = [() => document.querySelector(".reading .facts"), () => document.querySelector(".match .name"), () => document.querySelector(".match .ref")];
      return Promise.all(shown.map(seen)).then((times) => times.map((t) => t - start));
    });
  }, [text, ready]);
  await page.goto(server.url);
  await page.waitForFunction(() => globalThis.measured);
  const [read, named, answered] = await page.evaluate(() => globalThis.measured);
  await page.waitForFunction((marks) => marks.every((m) => performance.getEntriesByName(m).length), MARKS);
  const marks = await page.evaluate((marks) => marks.map((m) => performance.getEntriesByName(m)[0].startTime), MARKS);
  await context.close();
  return { read, named, answered, marks };
}

const all = [];
const early = [];
for (let i = 0; i < RUNS; i++) {
  for (const [name, text] of Object.entries(TEXTS)) {
    all.push({ name, ...(await firstAnswer(text, MARKS)) });
    early.push({ name, ...(await firstAnswer(text, MARKS.slice(0, 2))) });
  }
}
console.log(`The page, cold cache, from the start of the navigation; median of ${all.length} runs:`);
["  the editor takes keys", "  the engine is ready: H is computed", "  the zoo is ready: all cards are read, a question was rehearsed"].forEach((what, i) =>
  told(what, median(all.map((r) => r.marks[i])), "ms", i ? 1000 : 0));
for (const [when, runs] of [["the zoo", all], ["the engine", early]]) {
  console.log(`The first answer: from a paste when ${when} is ready to the frame in which it is seen; median of ${RUNS} runs:`);
  for (const name of Object.keys(TEXTS)) {
    const own = runs.filter((r) => r.name === name);
    const bound = when === "the zoo" ? 100 : 0;
    told(`  ${name}: H`, median(own.map((r) => r.read)), "ms", bound);
    told(`  ${name}: the name of a card that it is proved to be`, median(own.map((r) => r.named)), "ms", bound);
    told(`  ${name}: all groups, when all cards were compared`, median(own.map((r) => r.answered)), "ms");
  }
}

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
