/** The types beside the Rust are those of its answers: answers, as literals, are given to the compiler. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { load } from "./engine.mjs";

const DR = "x1[k+1] = prox_{t f}(x3[k])\nx2[k+1] = prox_{t g}(2*x1[k+1] - x3[k])\nx3[k+1] = x3[k] + x2[k+1] - x1[k+1]";
const ADMM = "x[k+1] = prox_{(1/rho) f}(z[k] - u[k])\nz[k+1] = prox_{(1/rho) g}(x[k+1] + u[k])\nu[k+1] = u[k] + x[k+1] - z[k+1]";
const GRADIENT = "x[k+1] = x[k] - t*grad f(x[k])";
const BALL = "x[k+1] = x[k] + b*(x[k] - x[k-1]) - a*grad f(x[k])";
const MISTAKE = "x[k+1] = x[k] - gard f(x[k])";
const WORDS = "operator A: X -> Y\noperator B: X -> Z\nx[k+1] = x[k] - t*(grad h(x[k]) + A'*u[k] + B'*v[k])\nu[k+1] = prox_{s f*}(u[k] + s*A*(2*x[k+1] - x[k]))\nv[k+1] = prox_{s g*}(v[k] + s*B*(2*x[k+1] - x[k]))";
const FISTA = "t[k+1] = (1 + sqrt(1 + 4*t[k]^2))/2\ny[k] = x[k] + ((t[k] - 1)/t[k+1])*(x[k] - x[k-1])\nx[k+1] = prox_{s g}(y[k] - s*grad f(y[k]))";
const CONSTANT = "constant b: Y\noperator A: X -> Y\nx[k+1] = x[k] - A'*(A*x[k] - b) - grad f(x[k])";
const NEW = "x[k+1] = x[k] - t*grad f(x[k]) - s*grad f(x[k-3]) + r*x[k-2]";

test("answers have the types that are written down", async () => {
  const engine = await load();
  const samples = [
    ...[DR, MISTAKE, WORDS, FISTA, CONSTANT, ""].flatMap((t) => [["Show", engine.show(t)], ["ReadPageWithEdits", engine.page_read(t)]]),
    ["Identify", engine.identify(BALL)], ["IdentifyPage", engine.page_identify(BALL)], ["IdentifyPage", engine.page_identify(NEW)], ["Identify", engine.identify(NEW)], ["IdentifyPage", engine.page_identify(FISTA)],
    ["Compare", engine.compare(DR, ADMM)], ["Compare", engine.compare(GRADIENT, BALL)], ["Unread", engine.compare(DR, MISTAKE)],
    ["ComparePage", engine.page_compare(DR, ADMM)], ["ComparePage", engine.page_compare(GRADIENT, BALL)], ["ComparePage", engine.page_compare(WORDS, WORDS)],
    ["Forms", engine.forms(DR, "")], ["Realize", engine.realize(DR, "")], ["Realize", engine.realize(MISTAKE, "")], ["Realize", engine.realize("x[k+1] = x[k] - 1/2*grad f(x[k])", "")],
    ["List", engine.zoo_list("douglas", "", "")], ["Card", engine.zoo_card("douglas_rachford")], ["CardPage", engine.page_card("pd3o")], ["Graph", engine.zoo_relations(false)],
    ["Poles", engine.page_poles(BALL, "")], ["Poles", engine.page_poles(DR, '{"t":2}')],
  ];
  const web = fileURLToPath(new URL("..", import.meta.url));
  const folder = await mkdtemp(join(web, "node_modules/.types-"));
  const types = fileURLToPath(new URL("../../crates/linnaeus-wasm/linnaeus", import.meta.url));
  try {
    const shorter = ([type, json]) => [type, type === "Graph" ? JSON.stringify((({ schema, nodes, edges }) => ({ schema, nodes: nodes.slice(0, 3), edges: edges.slice(0, 20) }))(JSON.parse(json))) : json];
    const lines = samples.map(shorter).map(([type, json], i) => `export const a${i}: T.${type} = ${json};`);
    await writeFile(join(folder, "answers.ts"), `import type * as T from ${JSON.stringify(types)};\n${lines.join("\n")}\n`);
    const tsc = join(web, "node_modules/typescript/bin/tsc");
    const flags = ["--noEmit", "--strict", "--skipLibCheck", "--module", "esnext", "--moduleResolution", "bundler", "--target", "es2022"];
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, ...flags, join(folder, "answers.ts")], { maxBuffer: 1 << 24 }).catch((e) => e);
    assert.equal(stdout.slice(0, 4000), "");
  } finally {
    await rm(folder, { recursive: true });
  }
});
