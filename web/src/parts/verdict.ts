/** How two algorithms are related: sentence, oracles, parameters, start, or what keeps them apart. */

import type { ComparePage } from "../../../crates/linnaeus-wasm/linnaeus";
import { type Child, complaint, copyButton, fill, h, saveLink } from "../dom";
import { thinker } from "../engine";
import { article, tex } from "../tex";

const list = (items: Child[]) => items.map((item, i) => [i ? ", " : "", item]);

/** A vector from its components. */
const column = (components: string[]) => (components.length === 1 ? components[0] : `\\begin{bmatrix} ${components.join(" \\\\ ")} \\end{bmatrix}`);

/** Rows of a definition list. */
function row(term: string, ...what: Child[]): Child[] {
  return [h("dt", {}, term), h("dd", {}, what)];
}

export function verdict(page: ComparePage): Child[] {
  const r = page.report;
  if (r.verdict !== "related") return [apart(page)];
  const rows: Child[] = [];
  for (const pair of page.pairs) {
    const shift = pair.shift === 0 ? null : [", A’s call at ", tex("k"), " being B’s at ", tex(pair.shift > 0 ? `k - ${pair.shift}` : `k + ${-pair.shift}`)];
    const filter = pair.filter ? [", query and answer in A being ", tex(pair.filter), " times those in B"] : null;
    rows.push(row("Oracle", tex(pair.first), " in A is ", tex(pair.second), " in B", shift, filter));
  }
  page.ways.forEach((way, n) => {
    const which = page.ways.length > 1 ? ` (${n + 1})` : "";
    if (way.parameters.length) rows.push(row(`B’s parameters${which}`, list(way.parameters.map((p) => tex(p)))));
    if (way.free.length) rows.push(row(`Arbitrary${which}`, list(way.free.map((p) => tex(p)))));
    if (way.conditions.length) rows.push(row(`Where${which}`, list(way.conditions.map((p) => tex(p)))));
    if (way.initialization?.length) rows.push(row(`Start of B${which}`, list(way.initialization.map((l) => tex(l)))));
  });
  if (page.readings.length) rows.push(row("Reading", page.readings.join(", ")));
  if (page.assumptions.length) rows.push(row("Assuming", page.assumptions.join(", ")));
  if (r.frozen?.length) rows.push(row("Read as constant", r.frozen.join(", ")));
  if (page.change) {
    const states = page.states && [" with ", tex(`\\xi_A = ${column(page.states.A)}`), ", ", tex(`\\xi_B = ${column(page.states.B)}`)];
    rows.push(row("Change of variables", tex(`\\xi_B = ${page.change}\\, \\xi_A`), states, h("span", { class: "soft" }, ", the states of minimal realizations when B begins")));
  }
  const first = page.ways.some((way) => way.initialization?.length) ? " (1)" : "";
  if (page.initialization.length) rows.push(row(`Start of B${first}`, list(page.initialization.map((l) => tex(l)))));
  if (r.no_state_map) rows.push(row("Start of B", `no state map: ${r.no_state_map}`));
  for (const [channel, count] of r.skipped) {
    const pair = page.pairs[r.channel_map.findIndex(([i]) => i === channel)];
    rows.push(row("Left out", `B leaves out A’s first ${count === 1 ? "call" : `${count} calls`} of `, pair ? tex(pair.first) : "it"));
  }
  if (r.recheck) rows.push(row("Re-check", r.recheck === "passed" ? "passed: both were run as written, over a prime field, with random answers" : "these algorithms cannot be run"));
  for (const other of page.otherwise) rows.push(row("Otherwise", other));
  return [h("dl", { class: "facts-list" }, rows)];
}

function apart(page: ComparePage): Child {
  const o = page.report.obstruction;
  if (!o) return null;
  const rows: Child[] = [];
  if (o.orders) rows.push(row("Orders", `${o.orders[0]} in A, ${o.orders[1]} in B`));
  const near = page.apart;
  if (near?.nearest?.parameters.length) rows.push(row("Nearest", "B’s ", list(near.nearest.parameters.map((p) => tex(p)))));
  for (const [a, b] of near?.entries ?? []) rows.push(row("Differs", tex(a), " in A, ", tex(b), " in B"));
  for (const d of near?.degenerate ?? []) {
    const all: Child[] = [...d.conditions.filter((c) => c.includes(" = ")).map((c) => tex(c)), ...d.parameters.map((p) => ["B’s ", tex(p)])];
    rows.push(row("Degenerate", "they agree where ", list(all)));
  }
  if (o.run && near?.run) {
    const { run } = o;
    const { first, second, constants, start, oracles } = near.run;
    const numbers: Child[] = [...first.map((p) => ["A’s ", tex(p)]), ...second.map((p) => ["B’s ", tex(p)]), ...constants.map((c) => tex(c))];
    const calls = run.calls.map((c, i) => h("tr", {}, h("td", {}, String(c.iteration + run.origin)), h("td", {}, tex(oracles[i])), h("td", {}, c.query), h("td", {}, c.answer)));
    rows.push(row("A run", h("p", {}, list(numbers), numbers.length && start.length ? "; " : "", start.length ? ["A starts with ", list(start.map((s) => tex(s)))] : ""),
      h("table", {}, h("thead", {}, h("tr", {}, ["k", "oracle", "query", "answer"].map((t) => h("th", { scope: "col" }, t)))), h("tbody", {}, calls)),
      h("p", {}, run.message + ".")));
  } else if (o.no_run) rows.push(row("A run", `none is shown: ${o.no_run}`));
  if (o.renamed && near?.renamed) {
    const all: Child[] = [...near.renamed.conditions.filter((c) => c.includes(" = ")).map((c) => tex(c)), ...near.renamed.parameters.map((p) => ["B’s ", tex(p)]), ...o.renamed.assumptions.map((a) => `assuming ${a}`)];
    rows.push(row("Otherwise", `if what has one name need not be the same, they are related (${o.renamed.relation}): `, list(all)));
  }
  for (const other of page.otherwise) rows.push(row("Otherwise", other));
  return h("dl", { class: "facts-list" }, rows);
}

/** A part that is computed when it is opened. */
export function later(title: string, make: () => Promise<Child[]>): HTMLDetailsElement {
  const body = h("div", { class: "body" });
  const details = h("details", { class: "later" }, h("summary", {}, title), body);
  let started = false;
  details.addEventListener("toggle", async () => {
    if (!details.open || started) return;
    started = true;
    fill(body, h("p", { class: "soft" }, "Computing…"));
    try {
      fill(body, await make());
    } catch (error) {
      started = false;
      fill(body, complaint((error as Error).message));
    }
  });
  return details;
}

/** Statement and proof, to read and to take along. */
export function proof(a: string, b: string): HTMLDetailsElement {
  return later("Statement and proof", async () => {
    const latex = await thinker.text("proof", [a, b, "latex"]);
    return [
      h("div", { class: "actions" }, copyButton(() => latex, "Copy LaTeX"), " ", saveLink("proof.tex", "application/x-tex", () => latex, "Save LaTeX"), " ",
        scriptButton(a, b)),
      article(latex),
    ];
  });
}

function scriptButton(a: string, b: string): HTMLElement {
  const button = h("button", { type: "button", class: "small" }, "Save a SymPy check");
  button.addEventListener("click", async () => {
    const link = h("a", { download: "check.py" });
    try {
      const script = await thinker.text("proof", [a, b, "sympy"]);
      link.href = URL.createObjectURL(new Blob([script], { type: "text/x-python" }));
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    } catch (error) {
      button.textContent = (error as Error).message;
    }
  });
  return button;
}
