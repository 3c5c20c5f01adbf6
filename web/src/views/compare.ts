/** Are these two algorithms the same? */

import type { ComparePage, Unread } from "../../../crates/linnaeus-wasm/linnaeus";
import { announce, type Child, complaint, fill, h, picture } from "../dom";
import { thinker } from "../engine";
import { pairs } from "../examples";
import { later, proof, verdict } from "../parts/verdict";
import { source } from "../parts/source";
import { Work } from "../parts/work";
import { linkElement, remember, textOf, type View } from "../view";

const WORDS = { related: "Related", distinct: "Distinct", undecided: "Undecided" };

export const compare: View = (main, state) => {
  const answer = h("section", { class: "answers", id: "answers", "aria-label": "Verdict", tabindex: -1 });
  const work = new Work();
  let asked = "";
  const texts = () => [a.editor.text, b.editor.text];
  const ask = (again = false) => {
    remember("compare", { a: texts()[0], b: texts()[1] });
    if (!a.page()?.show.channels || !b.page()?.show.channels) {
      asked = "";
      work.drop(answer);
      answer.replaceChildren();
      return;
    }
    const key = texts().join("\u0000");
    if (key === asked && !again) return;
    asked = key;
    const [first, second] = texts();
    void work.run<ComparePage | Unread>("page_compare", [first, second], (page) => {
      if ("unread" in page) return [];
      announce(`${WORDS[page.report.verdict]}: ${page.sentence}`);
      return shown(page, first, second);
    }, answer);
  };
  const again = () => ask(true);
  const a = source("algorithm A", textOf(state, "a"), () => ask(), again);
  const b = source("algorithm B", textOf(state, "b"), () => ask(), again);
  const examples = h("p", { class: "examples" }, "Try ", pairs.map((p, i) => [i ? " · " : "", linkElement(h("a", { class: "example" }, p.name), "compare", { a: p.a, b: p.b })]));
  const exchange = h("button", { type: "button", class: "small", onclick: () => {
    const [first, second] = texts();
    a.editor.text = second;
    b.editor.text = first;
  } }, "Exchange A and B");
  main.append(
    h("h1", {}, "Are these two the same?"),
    h("p", { class: "lede" }, "With the same calls, up to a shift in time, in other oracles of the same functions, as several iterations in one, or under an assumption."),
    examples,
    h("div", { class: "pair" },
      h("div", {}, h("h2", {}, "A"), a.box, a.reading),
      h("div", {}, h("h2", {}, "B"), b.box, b.reading)),
    h("div", { class: "toolbar" }, exchange, work.status),
    answer,
  );
  return () => work.drop(answer);
};

function shown(page: ComparePage, a: string, b: string): Child[] {
  const related = page.report.verdict === "related";
  return [
    h("p", { class: `verdict ${page.report.verdict}` }, h("strong", {}, WORDS[page.report.verdict]), ": ", page.sentence, "."),
    verdict(page),
    page.report.verdict === "undecided" ? null : proof(a, b),
    related ? later("Both unrolled in time", async () => [picture(await thinker.text("unrolled", [a, b]), "Both algorithms unrolled in time; dashed lines join calls that are the same")]) : null,
    simulation(a, b),
  ];
}

const PROBLEMS = ["lasso", "logistic", "quadratic", "bilinear"];

export function simulation(a: string, b: string): HTMLElement {
  return later("A run on a test problem", async () => {
    const place = h("div");
    const problem = h("select", { "aria-label": "Test problem" }, PROBLEMS.map((p) => h("option", { value: p }, p)));
    const iterations = h("input", { type: "number", value: 80, min: 1, max: 10000, "aria-label": "Iterations" });
    const draw = async () => {
      try {
        const run = JSON.stringify({ problem: problem.value, iterations: Math.max(1, Number(iterations.value) || 80) });
        fill(place, picture(await thinker.text("simulate", [a, b, run, true]), `Distance to the solution on the problem ${problem.value}, by iteration`));
      } catch (error) {
        fill(place, complaint((error as Error).message));
      }
    };
    problem.addEventListener("change", draw);
    iterations.addEventListener("change", draw);
    await draw();
    return [
      h("p", { class: "actions" }, h("label", {}, "Problem ", problem), " ", h("label", {}, "Iterations ", iterations)),
      place,
      h("p", { class: "soft" }, b ? "Runs are in floating point and prove nothing; the comparison above is exact." : "Runs are in floating point."),
    ];
  });
}
