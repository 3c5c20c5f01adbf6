/** The built page in a browser, as a reader uses it. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, afterEach, before, test } from "node:test";
import { launch, permalink, serve } from "./browser.mjs";

const NESTEROV = "\\begin{align}\ny_k &= x_k + \\beta (x_k - x_{k-1}) \\\\\nx_{k+1} &= y_k - \\alpha \\nabla f(y_k)\n\\end{align}";
const DR = "x1[k+1] = prox_{t f}(x3[k])\nx2[k+1] = prox_{t g}(2*x1[k+1] - x3[k])\nx3[k+1] = x3[k] + x2[k+1] - x1[k+1]";
const ADMM = "x[k+1] = prox_{(1/rho) f}(z[k] - u[k])\nz[k+1] = prox_{(1/rho) g}(x[k+1] + u[k])\nu[k+1] = u[k] + x[k+1] - z[k+1]";

let server, browser, page, complaints;

before(async () => {
  server = await serve();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** A fresh page; whatever its console says, and whatever leaves the server, is a failure. */
async function open(hash = "", options = {}, first = () => {}, prepare = async () => {}) {
  await page?.context().close();
  complaints = [];
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  await context.addInitScript(first);
  await prepare(context);
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && complaints.push(m.text()));
  page.on("pageerror", (e) => complaints.push(String(e)));
  page.on("requestfailed", (r) => complaints.push(`failed: ${r.url()}`));
  page.on("request", (r) => /^(http|ws)/.test(r.url()) && !r.url().startsWith(server.url) && complaints.push(`left the page: ${r.url()}`));
  await page.goto(server.url + hash);
}
afterEach(() => assert.deepEqual(complaints, []));

/** Puts a text into an editor as one pastes it. */
async function paste(text, which = 0) {
  const editor = page.locator(".cm-content").nth(which);
  await editor.click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
}

const live = () => page.locator("#live").textContent();

test("LaTeX is pasted and named", async () => {
  await open();
  await paste(NESTEROV);
  const first = page.locator(".match .name").first();
  await first.waitFor();
  assert.match(await first.textContent(), /Nesterov/);
  await page.locator(".match .ref").first().waitFor();
  assert.match(await page.locator(".answers h2").first().textContent(), /The same/);
  assert.match(await live(), /related cards/);
  // The reading is typeset, with MathML beside it and its LaTeX to copy.
  assert.ok((await page.locator(".reading .katex-mathml math").count()) >= 2);
  const annotations = await page.locator(".reading annotation").allTextContents();
  assert.ok(annotations.some((t) => t.includes("H(z)")), annotations.join());
  // How, with its proof.
  await page.locator(".match details.later > summary").first().click();
  await page.locator(".match .facts-list").first().waitFor();
  await page.locator(".match details.later details.later > summary").first().click();
  await page.locator(".match .proof").first().waitFor();
});

test("a name is shown as soon as it is found, and all cards in the end", async () => {
  await open("", {}, () => {
    new MutationObserver((_, observer) => {
      const name = document.querySelector(".match .name");
      if (!name) return;
      globalThis.named = { at: performance.now(), name: name.textContent };
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  });
  const marks = (...names) => page.waitForFunction((all) => all.every((m) => performance.getEntriesByName(m).length), names);
  await marks("zoo-ready");
  await paste(NESTEROV);
  await marks("answer");
  const { at, name } = await page.evaluate(() => named);
  assert.ok(at < (await page.evaluate(() => performance.getEntriesByName("answer")[0].startTime)), "the name came with the answer");
  assert.match(name, /Nesterov/);
  assert.equal(await page.locator(".match .name").first().textContent(), name);
  // What a screen has no room for is typeset later.
  const all = Number((await live()).match(/^(\d+) related/)[1]);
  await page.waitForFunction((n) => document.querySelectorAll(".match").length === n, all);
  assert.ok(await page.locator("button", { hasText: "Copy all references" }).isVisible());
  // A name in other oracles is one, too.
  await paste("");
  await page.waitForFunction(() => !document.querySelector(".match"));
  await page.evaluate(() => {
    performance.clearMarks("answer");
    globalThis.watched = new Promise((done) => new MutationObserver((_, observer) => {
      const heading = document.querySelector(".answers h2");
      if (!heading) return;
      observer.disconnect();
      document.querySelector(".match a").focus();
      done({ heading: heading.textContent, answered: performance.getEntriesByName("answer").length, stale: heading.parentElement.matches(".stale") });
    }).observe(document.querySelector(".answers"), { childList: true }));
  });
  await paste("x[k+1] = z[k] - t*prox_{(1/t) f*}((1/t)*z[k])\ny[k+1] = prox_{t g}(2*x[k+1] - z[k])\nz[k+1] = z[k] + y[k+1] - x[k+1]");
  assert.deepEqual(await page.evaluate(() => watched), { heading: "The same in other oracles", answered: 0, stale: false });
  await marks("answer");
  // The answer takes the place of the name, but not the focus of who has reached it.
  await page.locator(".match .ref").first().waitFor();
  assert.ok(await page.evaluate(() => document.activeElement.closest(".answers")));
  // What cannot be read has no answer, and what is asked of it is no complaint.
  await paste("x[k+1] = x[k] - alpha*gard f(x[k])");
  await page.locator(".remarks .error").waitFor();
  await page.waitForTimeout(300);
  assert.equal(await page.locator(".answers").textContent(), "");
  assert.equal(await page.locator(".status").textContent(), "");
});

test("the question of a permalink is answered before those that nobody asked", async () => {
  await open(await permalink("identify", { t: NESTEROV }));
  await page.locator(".match .ref").first().waitFor();
  await page.waitForFunction(() => performance.getEntriesByName("zoo-ready").length);
  const [answer, rehearsed] = await page.evaluate(() => ["answer", "zoo-ready"].map((m) => performance.getEntriesByName(m)[0].startTime));
  assert.ok(answer < rehearsed, `${answer} ${rehearsed}`);
});

test("a formula is copied as LaTeX", async () => {
  await open(await permalink("identify", { t: "x[k+1] = x[k] - t*grad f(x[k])" }));
  await page.locator(".reading .katex").first().waitFor();
  const copied = await page.evaluate(() => {
    const range = document.createRange();
    range.selectNode(document.querySelector(".reading .katex-display"));
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    const data = new DataTransfer();
    document.dispatchEvent(new ClipboardEvent("copy", { clipboardData: data, bubbles: true, cancelable: true }));
    return data.getData("text/plain");
  });
  assert.match(copied, /\\nabla f/);
});

test("Douglas–Rachford and ADMM are compared", async () => {
  await open("#/compare");
  await paste(DR, 0);
  await paste(ADMM, 1);
  const verdict = page.locator(".verdict");
  await verdict.waitFor();
  assert.match(await verdict.textContent(), /Related: A and B make the same calls with their oracles exchanged/);
  const terms = await page.locator(".answers dt").allTextContents();
  for (const term of ["Oracle", "B’s parameters", "Change of variables", "Start of B", "Re-check"]) assert.ok(terms.includes(term), `${term} in ${terms.join()}`);
  for (const part of await page.locator(".answers > details.later > summary").all()) await part.click();
  await page.locator(".proof").waitFor();
  assert.match(await page.locator(".proof").textContent(), /Proof/);
  await page.waitForFunction(() => [...document.querySelectorAll(".picture")].filter((p) => p.shadowRoot?.querySelector("svg")).length === 2);
  await page.locator(".toolbar button", { hasText: "Exchange" }).click();
  await page.waitForFunction(() => document.querySelector(".verdict")?.textContent.includes("Related"));
});

test("a permalink is followed, and back goes back", async () => {
  await open(await permalink("compare", { a: DR, b: ADMM }));
  await page.locator(".verdict.related").waitFor();
  const texts = () => page.locator(".cm-content").allInnerTexts();
  const before = await texts();
  await page.locator("nav a", { hasText: "Identify" }).click();
  await page.locator("a.example", { hasText: "Extragradient" }).click();
  await page.locator(".match").first().waitFor();
  await page.goBack();
  await page.goBack();
  await page.locator(".verdict.related").waitFor();
  assert.deepEqual(await texts(), before);
  // What is typed is in the address.
  await open("#/identify");
  await paste("x[k+1] = prox_{t f}(x[k])");
  await page.locator(".match").first().waitFor();
  await page.waitForFunction(() => location.hash.includes("/1."));
  const link = page.url();
  await open();
  await page.goto(link);
  await page.locator(".match .name", { hasText: "roximal point" }).first().waitFor();
  // Damaged and newer links say so.
  await open("#/identify/1.AAAA");
  await page.locator("[role=alert]", { hasText: "damaged" }).waitFor();
  await open("#/identify/9.AAAA");
  await page.locator("[role=alert]", { hasText: "version" }).waitFor();
});

test("a long question is cancelled, and the next one is answered", async () => {
  await open("#/identify");
  // One of the longest questions, asked before the zoo was read.
  const card = await readFile(new URL("../../zoo/primal_dual/afba.md", import.meta.url), "utf8");
  await paste(card.match(/```linnaeus\n([\s\S]*?)```/)[1]);
  const cancel = page.locator("#cancel");
  await cancel.waitFor();
  await cancel.click();
  await page.locator(".answers", { hasText: "Cancelled" }).waitFor();
  await paste("x[k+1] = x[k] - t*grad f(x[k])");
  await page.locator(".match .name", { hasText: "Gradient descent" }).first().waitFor();
});

test("by keyboard alone", async () => {
  await open("#/identify");
  await page.locator(".cm-content").waitFor();
  await page.waitForFunction(() => document.activeElement?.classList.contains("cm-content"));
  await page.keyboard.insertText("x[k+1] = x[k] - t*grad f(x[k])");
  await page.keyboard.press("Control+Enter");
  await page.locator(".match").first().waitFor();
  // Tab leaves the editor and reaches the first card.
  let name = "";
  for (let i = 0; i < 40 && !/Gradient descent/.test(name); i++) {
    await page.keyboard.press("Tab");
    name = await page.evaluate(() => document.activeElement.textContent);
    assert.ok(!(await page.evaluate(() => document.activeElement.classList.contains("cm-content"))));
  }
  assert.match(name, /Gradient descent/);
  await page.keyboard.press("Enter");
  await page.locator(".card h1", { hasText: "Gradient descent" }).waitFor();
  // Shift+Tab reaches the navigation.
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  for (let i = 0; i < 40 && (await focused()) !== "Map"; i++) await page.keyboard.press("Shift+Tab");
  assert.equal(await focused(), "Map");
  await page.keyboard.press("Enter");
  await page.locator(".map .node").first().waitFor();
});

test("a mistake is underlined and mended by its help", async () => {
  await open("#/identify");
  // Characters of two UTF-16 units before the mistake must not move the line under it.
  await paste("# 𝛼 𝛽\nx[k+1] = x[k] - alpha*gard f(x[k])");
  const underlined = page.locator(".cm-lintRange-error");
  await underlined.waitFor();
  assert.equal(await underlined.textContent(), "gard");
  await page.locator(".remarks .apply").click();
  await page.locator(".match .name", { hasText: "Gradient descent" }).first().waitFor();
  assert.match(await page.locator(".cm-content").textContent(), /alpha\*grad f/);
  await paste("𝛼 = 1/2\nx[k+1] = x[k] - grad f(x[k]");
  await page.locator(".remarks .apply").click();
  await page.locator(".match").first().waitFor();
});

test("words are completed", async () => {
  await open("#/identify");
  await page.locator(".cm-content").click();
  await page.keyboard.type("x[k+1] = pro");
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "prox_{t f}" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText("x[k+1] = prox_{t f}(x[k])");
  await page.locator(".match").first().waitFor();
});

test("the word that is typed is not offered for itself", async () => {
  await open("#/identify");
  await page.locator(".cm-content").click();
  const offered = async () => {
    await page.locator(".cm-tooltip-autocomplete li").first().waitFor();
    return page.locator(".cm-tooltip-autocomplete li .cm-completionLabel").allTextContents();
  };
  await page.keyboard.type("x[k+1] = x[k] - step*gr", { delay: 130 });
  assert.deepEqual(await offered(), ["grad", "subgrad"]);
  // Names that stand elsewhere are.
  await page.keyboard.press("Escape");
  await page.keyboard.type("ad f(x[k]) + st", { delay: 130 });
  assert.equal((await offered())[0], "step");
});

test("mistakes are said, and what no longer holds is not", async () => {
  const says = (part) => page.waitForFunction((p) => document.getElementById("live").textContent.includes(p), part);
  const MISTAKE = "x[k+1] = x[k] - alpha*gard f(x[k])";
  await open(await permalink("identify", { t: NESTEROV }));
  await says("related card");
  await paste("");
  await says("");
  assert.equal(await live(), "");
  await paste(MISTAKE);
  await says("Error in the algorithm, line 1: there is no oracle gard.");
  // Another view says nothing of it.
  for (const view of ["Map", "Ideas"]) {
    await page.locator("nav a", { hasText: "Zoo" }).click();
    await says("cards");
    await page.locator("nav a", { hasText: view }).click();
    await page.waitForFunction(() => document.querySelector(".map, .idea"));
    assert.equal(await live(), "");
  }
  await open("#/zoo");
  await says("cards");
  await page.locator("#oracles").fill("nonsense");
  await says("no kind");
  await page.locator("#oracles").fill("");
  await says("cards");
  await open(await permalink("compare", { a: DR, b: ADMM }));
  await says("Related");
  await paste(MISTAKE, 1);
  assert.equal(await live(), "");
  await says("Error in algorithm B, line 1");
  await open(await permalink("explore", { t: DR }));
  await says("1 vector is stored");
  await page.locator("input[aria-label=Shift]").fill("0,7");
  await says("with this shift");
  await paste(MISTAKE);
  await says("Error in the algorithm");
});

test("what calls no oracle has no name", async () => {
  await open(await permalink("identify", { t: "x[k+1] = x[k] - a*gr" }));
  await page.locator(".answers h2", { hasText: "No oracle is called" }).waitFor();
  assert.match(await page.locator(".answers").textContent(), /told apart by their calls/);
  assert.ok(!/New/.test(await page.locator(".answers").textContent()));
});

test("the zoo is searched", async () => {
  await open("#/zoo");
  const rows = page.locator(".cards tbody tr");
  await rows.first().waitFor();
  const all = await rows.count();
  assert.ok(all > 200, String(all));
  await page.locator("#words").fill("inertial proximal");
  await page.waitForFunction((n) => document.querySelectorAll(".cards tbody tr").length < n, all);
  assert.match(await rows.first().textContent(), /nertial/);
  await page.locator("#words").fill("");
  await page.locator("#oracles").fill("prox, prox, grad");
  await page.waitForFunction(() => [...document.querySelectorAll(".cards tbody td:last-child")].every((c) => c.textContent.split("prox").length === 3));
  await page.locator("#family").selectOption("splitting");
  await page.locator("#oracles").fill("nonsense");
  await page.locator(".cards .bad").waitFor();
  await page.locator("#oracles").fill("");
  await rows.first().locator("a").click();
  await page.locator(".card h1").waitFor();
  assert.match(page.url(), /#\/zoo\/ALG-\d{4}$/);
});

test("a card has an address, and its JSON", async () => {
  await open("#/zoo/ALG-0128");
  await page.locator(".card h1", { hasText: "Douglas–Rachford" }).waitFor();
  // Its JSON is a file with an address of its own, below the page's.
  const address = await page.locator("a", { hasText: /^JSON$/ }).evaluate((a) => a.href);
  assert.equal(address, `${server.url}zoo/ALG-0128.json`);
  const response = await fetch(address);
  assert.equal(response.headers.get("content-type"), "application/json");
  const json = await response.json();
  assert.deepEqual([json.id, json.slug], ["ALG-0128", "douglas_rachford"]);
  assert.ok(json.related.length > 0 && json.show.transfer.length === 2);
  // Links to comparisons are links: what is opened in another tab is the comparison, too.
  const compare = page.locator(".related a", { hasText: "compare" }).first();
  await page.waitForFunction(() => [...document.querySelectorAll(".related a.small")].every((a) => /^#\/compare\/1\./.test(a.getAttribute("href"))));
  const [tab] = await Promise.all([page.context().waitForEvent("page"), compare.click({ modifiers: ["ControlOrMeta"] })]);
  await tab.locator(".verdict.related").waitFor();
  await tab.close();
  assert.match(page.url(), /ALG-0128$/);
  await compare.click();
  await page.locator(".verdict.related").waitFor();
  await open("#/zoo/douglas_rachford");
  await page.locator(".card h1", { hasText: "Douglas–Rachford" }).waitFor();
  await open("#/zoo/%");
  await page.locator("h1", { hasText: "No such card" }).waitFor();
  await open("#/zoo/ALG-9999");
  await page.locator("h1", { hasText: "No such card" }).waitFor();
});

test("the map is looked at and clicked", async () => {
  await open("#/map");
  const node = page.locator('.map .node[data-card="ALG-0128"]');
  await node.waitFor();
  await node.locator("circle").hover();
  await page.locator("#told", { hasText: "Douglas–Rachford" }).waitFor();
  assert.ok((await page.locator(".edge.lit").count()) > 0);
  const before = await page.locator(".map svg").getAttribute("viewBox");
  await page.mouse.wheel(0, -300);
  await page.waitForFunction((b) => document.querySelector(".map svg").getAttribute("viewBox") !== b, before);
  await node.locator("circle").click();
  await page.locator(".card h1", { hasText: "Douglas–Rachford" }).waitFor();
});

test("an algorithm is explored", async () => {
  await open(await permalink("explore", { t: DR }));
  await page.locator(".later").first().waitFor();
  for (const part of await page.locator(".answers > details.later > summary").all()) await part.click();
  await page.locator("table.forms tbody tr").first().waitFor();
  await page.locator("h3", { hasText: "Poles" }).waitFor();
  await page.locator("select[aria-label=Format]").waitFor();
  for (const format of ["unicode", "latex", "algorithmic", "python", "julia", "sympy", "pepit"]) {
    await page.locator("select[aria-label=Format]").selectOption(format);
    await page.waitForFunction(() => document.querySelector("details:last-child .body pre.code")?.textContent.length > 20);
  }
  await page.locator(".chip", { hasText: "conjugate g" }).click();
  await page.locator("pre.code", { hasText: "g*" }).first().waitFor();
  await page.locator("input[aria-label=Shift]").fill("0,7");
  await page.keyboard.press("Enter");
  await page.locator(".answers .bad").first().waitFor();
});

test("a shift is in what is written, its H and its code, while one types", async () => {
  await open(await permalink("explore", { t: DR }));
  const written = page.locator(".answers pre.code").first();
  const transfer = () => page.locator(".answers .reading annotation").last().textContent();
  await written.waitFor();
  const [before, own] = [await written.textContent(), await transfer()];
  const shift = page.locator("input[aria-label=Shift]");
  await shift.pressSequentially("0,1");
  await page.locator(".answers .facts", { hasText: "2 vectors stored" }).waitFor();
  assert.ok(await shift.evaluate((e) => e === document.activeElement));
  const after = await written.textContent();
  assert.ok(after !== before && after.indexOf("prox_{t g}") < after.indexOf("prox_{t f}"), after);
  assert.notEqual(await transfer(), own);
  assert.match(await transfer(), /z \(z - 1\)|z\^\{2\}|z \\left/);
  await page.locator("summary", { hasText: "Export" }).click();
  await page.locator("select[aria-label=Format]").waitFor();
  assert.equal(await page.locator("details:last-child .body pre.code").textContent(), after);
  // What is wrong with a change is said in the words of the page, and is not kept for a text that it does not speak of.
  await shift.fill("0");
  await page.locator(".answers .bad", { hasText: "one per call; write 0,1 for the shift" }).waitFor();
  await shift.fill("0,9");
  await page.locator(".answers .bad", { hasText: "“Forms” without it" }).waitFor();
  await page.locator("input[aria-label^=Set]").fill("t=1/2");
  await paste("x[k+1] = x[k] - s*grad f(x[k])");
  await page.locator(".answers .facts", { hasText: "1 vector stored" }).waitFor();
  assert.equal(await page.locator(".answers .bad").count(), 0);
  assert.deepEqual(await page.locator(".chips input").evaluateAll((all) => all.map((e) => e.value)), ["", "1", ""]);
  await page.locator("input[aria-label^=Set]").fill("s=1/3");
  await page.locator(".answers pre.code", { hasText: "1/3" }).waitFor();
});

test("a table has a heading over every column", async () => {
  await open(await permalink("explore", { t: DR }));
  await page.locator("summary", { hasText: /^Forms$/ }).click();
  await page.locator("table.forms tbody tr").first().waitFor();
  const headings = await page.locator("table.forms th").allTextContents();
  assert.ok(headings.length === 9 && headings.every((t) => t.trim()), headings.join());
});

test("what is distinct, and a change of variables, are in formulas", async () => {
  await open(await permalink("compare", { a: "y[k] = x[k] + beta*(x[k] - x[k-1])\nx[k+1] = y[k] - alpha*grad f(y[k])", b: "x[k+1] = x[k] + b*(x[k] - x[k-1]) - a*grad f(x[k])" }));
  await page.locator(".verdict.distinct").waitFor();
  const run = page.locator(".answers dt:text-is('A run') + dd");
  assert.match((await run.locator("annotation").allTextContents()).join(), /\\alpha = /);
  assert.ok(!/alpha =/.test((await run.locator("p").first().textContent()).replace(/\\alpha/g, "")));
  await open(await permalink("compare", { a: DR, b: ADMM }));
  await page.locator(".verdict.related").waitFor();
  const change = page.locator(".answers dt:text-is('Change of variables') + dd");
  const formulas = (await change.locator("annotation").allTextContents()).join("; ");
  assert.match(formulas, /\\xi_A = .*x_\{3\}/);
  assert.match(formulas, /\\xi_B = .*[uz]/);
});

test("reading needs the first part of the engine alone, and what is missing is told", async () => {
  const without = (context) => context.route("**/linnaeus_rest*", (route) => route.abort());
  const other = () => complaints.filter((c) => !/linnaeus_rest|ERR_FAILED/.test(c));
  await open("", {}, () => {}, without);
  await paste(NESTEROV);
  await page.locator(".reading .katex").first().waitFor();
  await page.locator(".answers .bad", { hasText: "could not be loaded" }).first().waitFor();
  assert.deepEqual(other(), []);
  await open(await permalink("explore", { t: DR }), {}, () => {}, without);
  await page.locator(".reading .katex").first().waitFor();
  await page.locator(".answers .bad", { hasText: "could not be loaded" }).first().waitFor();
  complaints = other();
});

test("the page that explains is alive", async () => {
  await open("#/ideas");
  await page.waitForFunction(() => document.querySelectorAll(".idea .verdict").length === 5);
  assert.equal(await page.locator(".idea .verdict.related").count(), 4);
  // What differs is typeset, as what is related is.
  assert.ok((await page.locator(".idea dt:text-is('Differs') + dd .katex").count()) >= 2);
  await paste("x[k+1] = x[k] - 1/3*grad f(x[k])", 0);
  await page.locator(".idea .verdict.distinct").first().waitFor();
});

test("every example runs when it is clicked", async () => {
  for (const [view, shown] of [["compare", ".verdict.related"], ["identify", ".match"]]) {
    await open(`#/${view}`);
    const examples = page.locator("a.example");
    await examples.first().waitFor();
    const names = await examples.allTextContents();
    assert.ok(names.length >= 8, names.join());
    for (const name of names) {
      await page.evaluate((v) => (location.hash = `#/${v}`), view);
      await page.waitForFunction(() => !document.querySelector(".verdict, .match, .remarks li"));
      await page.locator("a.example", { hasText: name }).first().click();
      await page.locator(name.startsWith("Not") ? ".verdict.distinct" : name.startsWith("A mistake") ? ".remarks .error" : shown).first().waitFor();
    }
  }
});

test("references are copied as BibTeX", async () => {
  await open(await permalink("identify", { t: NESTEROV }), { permissions: ["clipboard-read", "clipboard-write"] });
  await page.locator(".match button", { hasText: "BibTeX" }).first().click();
  await page.locator("button", { hasText: "Copied" }).waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^@\w+\{[\s\S]*title/);
  assert.equal(await live(), "Copied");
});

test("poles and zeros are drawn, and follow the numbers", async () => {
  await open(await permalink("explore", { t: "x[k+1] = x[k] + beta*(x[k] - x[k-1]) - alpha*grad f(x[k])" }));
  await page.locator("summary", { hasText: "Poles and zeros" }).click();
  const plane = page.locator(".plane .picture");
  await plane.waitFor();
  const label = () => plane.getAttribute("aria-label");
  assert.match(await label(), /pole at 1;.*zero at 0/);
  // Crosses are two lines each, rings one; and there are two axes and a circle.
  const lines = () => plane.evaluate((p) => p.shadowRoot.querySelectorAll("path.line").length);
  assert.equal(await lines(), 2 + 1 + 2 * 2 + 1);
  await page.locator('input[aria-label="Value of beta"]').fill("0.25");
  await page.locator(".places li", { hasText: "pole at 0.25" }).waitFor();
  await page.locator('input[aria-label="Value of beta"]').fill("1");
  await page.locator(".places li", { hasText: "pole at 1, 2 times" }).waitFor();
  assert.equal(await lines(), 2 + 1 + 2 + 1);
});

test("colors follow the system, and the button", async () => {
  const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await open("#/zoo", { colorScheme: "light" });
  const light = await paper();
  await page.locator("#theme").click();
  const dark = await paper();
  assert.notEqual(light, dark);
  await open("#/zoo", { colorScheme: "dark" });
  assert.equal(await paper(), dark);
});

test("what is printed is dark on light", async () => {
  for (const [colorScheme, button] of [["light", true], ["dark", false]]) {
    await open(await permalink("compare", { a: DR, b: ADMM }), { colorScheme });
    await page.locator(".verdict").waitFor();
    if (button) await page.locator("#theme").click();
    const ink = () => page.evaluate(() => getComputedStyle(document.querySelector(".verdict")).color.match(/\d+/g).map(Number)[0]);
    assert.ok((await ink()) > 128);
    await page.emulateMedia({ media: "print" });
    assert.ok((await ink()) < 128, `${colorScheme} ${button}`);
  }
});

test("what is printed is the question and the answer", async () => {
  await open(await permalink("compare", { a: DR, b: ADMM }));
  await page.locator(".verdict").waitFor();
  await page.emulateMedia({ media: "print" });
  for (const gone of [".top", ".examples", ".toolbar", ".foot"]) assert.ok(!(await page.locator(gone).first().isVisible()), gone);
  for (const kept of [".cm-content", ".reading .katex", ".verdict", ".facts-list"]) assert.ok(await page.locator(kept).first().isVisible(), kept);
  assert.ok((await page.pdf()).length > 10_000);
});

test("the map on a phone", async () => {
  await open("#/map", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const node = page.locator('.map .node[data-card="ALG-0128"]');
  await node.waitFor();
  const width = () => page.locator(".map svg").evaluate((s) => Number(s.getAttribute("viewBox").split(" ")[2]));
  const all = await width();
  const box = await page.locator(".map svg").boundingBox();
  assert.ok(box.width <= 390 && box.height >= 300 && box.height <= 844, JSON.stringify(box));
  // The buttons bring what was looked at last nearer, and it stays in sight.
  await node.dispatchEvent("pointerenter");
  await page.locator("button", { hasText: "Nearer" }).tap();
  await page.locator("button", { hasText: "Nearer" }).tap();
  assert.ok((await width()) < all / 2);
  const mark = await node.locator("circle").boundingBox();
  assert.ok(mark.x > box.x && mark.x < box.x + box.width && mark.y > box.y && mark.y < box.y + box.height, JSON.stringify(mark));
  await page.locator("button", { hasText: "All" }).tap();
  assert.equal(await width(), all);
  await node.locator("circle").tap({ force: true });
  await page.locator(".card h1").waitFor();
});

test("what is wide is scrolled in its own box on a phone", async () => {
  for (const [hash, least] of [[await permalink("explore", { t: DR }), 5], [await permalink("compare", { a: DR, b: ADMM }), 2]]) {
    await open(hash, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await page.locator(".later").first().waitFor();
    for (const part of await page.locator(".answers > details.later > summary").all()) await part.click();
    await page.waitForFunction((n) => document.querySelectorAll(".picture, .scroll").length >= n, least);
    const boxes = await page.locator(".picture, .scroll").evaluateAll((all) => all.map((box) => {
      const inner = box.shadowRoot?.querySelector("svg") ?? box.firstElementChild;
      const natural = Number.parseFloat(inner.getAttribute("width"));
      box.scrollLeft = 1e4;
      const [outer, seen] = [box, inner].map((e) => e.getBoundingClientRect());
      return { what: box.getAttribute("aria-label"), outer: outer.right, reached: seen.right, shrunk: seen.width / natural };
    }));
    for (const { what, outer, reached, shrunk } of boxes) {
      assert.ok(outer <= 390 && reached <= outer + 1, `${what}: ${reached} of ${outer}`);
      // Small, but to be read.
      assert.ok(!(shrunk < 0.45), `${what} is shrunk to ${shrunk}`);
    }
    assert.ok(boxes.some(({ what }) => /Block diagram:|Both/.test(what)), hash);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), `${hash} is too wide`);
  }
});

test("nothing moves while the page comes up", async () => {
  const views = [
    [await permalink("identify", { t: NESTEROV }), ".match"], [await permalink("compare", { a: DR, b: ADMM }), ".verdict"], ["#/compare", ".reading p"],
    ["#/zoo", ".cards a"], ["#/zoo/ALG-0128", ".card h1"], ["#/map", ".map .node"],
  ];
  for (const [hash, ready] of views) {
    await open(hash, {}, () => {
      globalThis.shift = 0;
      new PerformanceObserver((list) => list.getEntries().forEach((e) => !e.hadRecentInput && (globalThis.shift += e.value))).observe({ type: "layout-shift", buffered: true });
    });
    await page.locator(ready).first().waitFor();
    await page.waitForTimeout(200);
    const shift = await page.evaluate(() => globalThis.shift);
    assert.ok(shift < (hash.startsWith("#/compare") ? 0.01 : 0.1), `${hash} moves by ${shift}`);
  }
});

test("no serious violation of accessibility, in light and dark, on a desk and on a phone", async () => {
  const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  const views = [
    [await permalink("identify", { t: NESTEROV }), ".match"],
    [await permalink("identify", { t: "x[k+1] = x[k] - gard f(x[k])" }), ".remarks .error"],
    [await permalink("compare", { a: DR, b: ADMM }), ".verdict"],
    [await permalink("explore", { t: DR }), ".later"],
    ["#/zoo", ".cards a"],
    ["#/zoo/ALG-0128", ".card h1"],
    ["#/map", ".map .node"],
    ["#/ideas", ".verdict"],
  ];
  for (const [colorScheme, width] of [["light", 1280], ["dark", 390]]) {
    for (const [hash, ready] of views) {
      await open(hash, { colorScheme, viewport: { width, height: 900 } });
      await page.locator(ready).first().waitFor();
      await page.waitForTimeout(300);
      const { violations } = await page.evaluate(`${axe}; axe.run({ resultTypes: ["violations"] })`);
      const serious = violations.filter((v) => ["serious", "critical"].includes(v.impact));
      const told = serious.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | ")}`);
      assert.deepEqual(told, [], `${hash} ${colorScheme} ${width}`);
      // Nothing sticks out to the side.
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), `${hash} is too wide at ${width}`);
      assert.deepEqual(complaints, []);
    }
  }
});
