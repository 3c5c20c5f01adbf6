/** What is this algorithm? */

import type { ComparePage, IdentifyPage } from "../../../crates/linnaeus-wasm/linnaeus";
import { announce, type Child, copyButton, h, many, nodes } from "../dom";
import { thinker } from "../engine";
import { single } from "../examples";
import { later, proof, verdict } from "../parts/verdict";
import { source } from "../parts/source";
import { Work } from "../parts/work";
import { tex, Typesetting } from "../tex";
import type { Found } from "../worker";
import { linkElement, linkTo, remember, textOf, type View } from "../view";

/** So many cards of a group are shown at first. */
const SHOWN = 8;
/** So many headings and cards are made before any is shown: what a screen may have room for. */
const SEEN = 8;

export const identify: View = (main, state) => {
  const answers = h("section", { class: "answers", id: "answers", "aria-label": "Answer", tabindex: -1 });
  const work = new Work();
  const text = textOf(state, "t");
  let asked = "";
  // Asked while it is read; what cannot be read has no answer.
  const ask = (unread?: Promise<boolean>) => {
    const now = src.editor.text;
    if (now === asked && unread) return;
    asked = now;
    void work.run<IdentifyPage>("page_identify", [now], (found) => {
      announce(summary(found));
      performance.mark("answer");
      return groups(found, now);
    }, answers, unread, named);
  };
  const src = source("the algorithm", text, (page) => {
    remember("identify", { t: src.editor.text });
    if (page?.show.channels) return;
    asked = "";
    work.drop(answers);
    answers.replaceChildren();
  }, () => src.page()?.show.channels && ask(), ask);
  const examples = h("p", { class: "examples" }, "Try ", single.map((e, i) => [i ? " · " : "", linkElement(h("a", { class: "example" }, e.name), "identify", { t: e.text })]));
  main.append(
    h("h1", {}, "What is this algorithm?"),
    h("p", { class: "lede" }, "Paste it as it stands in a paper: plain text, LaTeX, Unicode, or a loop in Python, Julia or MATLAB. Linnaeus computes its transfer function and names every known algorithm that it equals."),
    examples,
    h("div", { class: "bench" }, src.box, src.reading),
    h("div", { class: "toolbar" }, work.status),
    answers,
  );
  if (!text) src.editor.view.focus();
  return () => work.drop(answers);
};

function summary(found: IdentifyPage): string {
  if (!found.matches.length) return unrelated(found);
  const first = found.matches[0];
  return `${many(found.matches.length, "related card")}; ${first.heading}: ${first.name}.`;
}

/** What is not decided may be related. */
function unrelated(found: IdentifyPage): string {
  if (!found.calls) return "It calls no oracle, and algorithms are told apart by their calls.";
  return found.undecided.length ? "No card was found to be related to it, but not all were decided." : `No card of ${found.zoo} is related to it.`;
}

/** The best that is found so far, where it will stand among the others. */
function named({ id, name, heading }: Found): Child[] {
  return [h("h2", {}, heading), h("ol", { class: "matches" }, h("li", { class: "match" }, title(id, name)))];
}

function title(id: string, name: string): HTMLElement {
  return h("div", { class: "name" }, h("a", { href: `#/zoo/${id}` }, name), " ", h("span", { class: "id" }, id));
}

/** What a screen has room for, then the rest below it. */
function groups(found: IdentifyPage, text: string): Child[] {
  const end = document.createComment("");
  const written = new Typesetting(SEEN, end);
  const out = (...what: Child[]) => end.before(...nodes(what));
  const bibtex = [...new Set(found.matches.map((m) => m.reference.bibtex.trim()))].join("\n\n");
  const heading = (m: IdentifyPage["matches"][number]) => (m.frozen ? `With constant coefficients: ${m.heading.toLowerCase()}` : m.heading);
  const start = h("div", {}, found.notes.map((note) => h("p", { class: "soft" }, note)), end);
  // In the order of the matches.
  for (const title of new Set(found.matches.map(heading))) {
    const all = found.matches.filter((m) => heading(m) === title);
    const list = h("ol", { class: "matches" });
    written.next(() => out(h("h2", {}, title, " ", h("span", { class: "count" }, all.length)), list));
    for (const m of all.slice(0, SHOWN)) written.next(() => list.append(match(m, text)));
    const rest = all.slice(SHOWN);
    if (rest.length) written.next(() => out(more(rest, text, written)));
  }
  if (!found.matches.length) {
    const heading = !found.calls ? "No oracle is called" : found.undecided.length ? "Nothing found" : "New, as far as this zoo goes";
    out(h("h2", {}, heading), h("p", {}, unrelated(found)));
    if (found.near_misses.length) {
      out(h("h3", {}, "Nearest"), h("ul", {}, found.near_misses.map((m) => h("li", {}, h("a", { href: `#/zoo/${m.id}` }, m.name), ` — ${m.message}.`))));
    }
  }
  written.next(() => {
    if (found.undecided.length) out(h("p", { class: "soft" }, "Undecided within the limits: ", found.undecided.map((id) => [h("a", { href: `#/zoo/${id}` }, id), " "])));
    if (bibtex) out(h("p", { class: "actions" }, copyButton(() => bibtex, "Copy all references (BibTeX)")));
  });
  return [...start.childNodes];
}

/** Cards that are not seen at first, and so come after those that are. */
function more(matches: IdentifyPage["matches"], text: string, written: Typesetting): HTMLElement {
  const list = h("ol", { class: "matches" });
  for (const m of matches) written.last(() => list.append(match(m, text)));
  return h("details", { class: "more" }, h("summary", {}, `and ${matches.length} more`), list);
}

function match(m: IdentifyPage["matches"][number], text: string): HTMLElement {
  const way = m.compare.ways[0];
  const shift = m.compare.report.shift;
  const told: Child[] = [];
  const own = way?.parameters.filter((p) => {
    const [left, right] = p.split(" = ");
    return left !== right;
  });
  if (shift.some((s) => s !== 0)) told.push(["shift ", tex(`(${shift.join(",")})`)]);
  if (m.compare.report.repeat) told.push(`${m.compare.report.repeat.count} iterations as one`);
  if (own?.length) told.push(["the card’s ", own.map((p, i) => [i ? ", " : "", tex(p)])]);
  if (way?.conditions.length) told.push(["where ", way.conditions.map((p, i) => [i ? ", " : "", tex(p)])]);
  if (m.compare.readings.length) told.push(m.compare.readings.join(", "));
  if (m.compare.assumptions.length) told.push(`assuming ${m.compare.assumptions.join(", ")}`);
  const compareLink = h("a", { href: "#/compare" }, "Open in Compare");
  const details = later("How", async () => {
    const card = `zoo:${m.id}`;
    const page = m.frozen ? m.compare : await thinker.json<ComparePage>("page_compare", [text, card]);
    const equations = JSON.parse(await thinker.text("zoo_card", [m.id])).equations as string;
    compareLink.href = await linkTo("compare", { a: text, b: equations });
    return [h("p", {}, page.sentence, "; A is the text above, B the card."), verdict(page), m.frozen ? null : proof(text, card), h("p", {}, compareLink)];
  });
  return h("li", { class: "match" },
    title(m.id, m.name),
    h("div", { class: "told" }, told.map((t, i) => [i ? " · " : "", t])),
    h("div", { class: "ref" }, m.reference.short, "; ", m.problem, " ", copyButton(() => m.reference.bibtex, "BibTeX")),
    details,
  );
}
