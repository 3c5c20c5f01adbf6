/** The same cards and texts through WebAssembly as through native code. ANSWERS is what the example `answers` prints. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { ask, load } from "./engine.mjs";

const checksum = (bytes) => {
  let h = 0x811c9dc5;
  for (const byte of bytes) h = Math.imul(h ^ byte, 0x01000193);
  return h >>> 0;
};

test("every answer is that of native code", async () => {
  assert.ok(process.env.ANSWERS, "ANSWERS names the file of answers; `cargo xtask web-test` makes it");
  const engine = await load();
  const lines = (await readFile(process.env.ANSWERS, "utf8")).trimEnd().split("\n");
  assert.ok(lines.length > 1500, `${lines.length} answers`);
  const wrong = [];
  for (const line of lines) {
    const [name, args, length, sum] = line.split("\t");
    const bytes = Buffer.from(ask(engine, name, JSON.parse(args)), "utf8");
    if (bytes.length !== Number(length) || checksum(bytes) !== Number(sum)) wrong.push(`${name}(${args.slice(0, 120)})`);
  }
  assert.deepEqual(wrong, [], `${wrong.length} of ${lines.length} answers differ`);
});

test("hostile texts are answered", async () => {
  const engine = await load();
  const texts = [
    "", "\0", "(".repeat(5000), "x[k+1] = " + "(".repeat(64) + "x[k]" + ")".repeat(64), "\\frac{".repeat(3000), "x[k+1] = " + "-".repeat(3000) + "x[k]",
    "\\begin{align}".repeat(500), "𝛼".repeat(2000), "\ud800", "x[k+1] = x[k]" + " + x[k]".repeat(390), "{".repeat(100000), "a^".repeat(4000), "∇".repeat(5000),
    "x[k+1] = " + "prox_{t f}(".repeat(60) + "x[k]" + ")".repeat(60), "\\def\\a{\\a\\a}\\a", "H = " + "[".repeat(4000), "x[k+1] = prox_{" + "t*".repeat(2000) + " f}(x[k])",
  ];
  for (const text of texts) {
    for (const [name, args] of [["page_read", [text]], ["show", [text]], ["page_poles", [text, ""]], ["forms", [text, ""]], ["compare", [text, text]], ["draw", [text, ""]]]) {
      assert.equal(typeof ask(engine, name, args), "string", `${name} ${text.slice(0, 40)}`);
    }
  }
  // Requests that make no sense are refused with a sentence.
  for (const bad of ["{", "[]", '{"nonsense":1}', '{"repeat":-1}', '{"repeat":1e9}', '{"shift":"x"}', '{"set":["t=0"]}']) {
    assert.match(ask(engine, "realize", ["x[k+1] = x[k] - t*grad f(x[k])", bad]), /\w/);
  }
  assert.match(ask(engine, "simulate", ["x[k+1] = x[k] - t*grad f(x[k])", "", '{"iterations":1000000000}', true]), /error/);
});

test("a question that is rehearsed gives way, and changes no answer", async () => {
  const engine = await load();
  const asked = "x[k+1] = prox_{t f}(x[k] - t*grad g(x[k]))";
  const alone = ask(engine, "page_identify", [asked]);
  let pieces = 1;
  for (; !engine.rehearse("x[k+1] = x[k] + beta*(x[k] - x[k-1]) - alpha*grad f(x[k])"); pieces++) {
    if (pieces === 50) assert.equal(ask(engine, "page_identify", [asked]), alone);
  }
  assert.ok(pieces > 100, `${pieces} pieces`);
  assert.equal(ask(engine, "page_identify", [asked]), alone);
  assert.throws(() => engine.rehearse("x[k+1] ="));
});
