/** One card. */

import type { Card, CardPage, ReadPageWithEdits } from "../../../crates/linnaeus-wasm/linnaeus";
import { type Child, copyButton, fill, h, picture, prose } from "../dom";
import { reader, thinker } from "../engine";
import { later } from "../parts/verdict";
import { shown } from "../parts/source";
import { linkElement, type View } from "../view";
import { familyName } from "./zoo";

const HOW: Record<string, string> = {
  oracle: "the same calls",
  shift: "the same up to shift",
  permutation: "the same with oracles exchanged",
  lft: "the same in other oracles",
  "linear-oracle": "the same up to filters",
  homogeneous: "the same up to scalings",
  repetition: "one iteration is several of the other",
};

type Related = Card["related"][number];

function group(r: Related): string {
  if (r.relation === "conditional") return "Related under an assumption";
  if (r.relation === "repetition") return "Several iterations in one";
  if (r.assuming?.startsWith("dual")) return "Dual";
  return { equal: "The same", instance: "Special case of", contains: "Contains" }[r.generality] ?? "Overlaps with";
}

const ORDER = ["The same", "Special case of", "Contains", "Overlaps with", "Dual", "Several iterations in one", "Related under an assumption"];

export const card: View = (main, _, id) => {
  const body = h("article", { class: "card" }, h("p", { class: "soft" }, "Reading the card…"));
  main.append(body);
  void (async () => {
    try {
      const page = await reader.json<CardPage>("page_card", [id]);
      document.title = `${page.card.name} · Linnaeus`;
      fill(body, content(page));
    } catch (error) {
      fill(body, h("h1", {}, "No such card"), h("p", { class: "bad" }, (error as Error).message), h("p", {}, h("a", { href: "#/zoo" }, "All cards")));
    }
  })();
};

function content({ card: c, reading, references }: CardPage): Child[] {
  const facts: [string, string][] = [
    ["Also called", c.aliases.join("; ")], ["Family", familyName(c.family)], ["Year", c.year], ["Solves", c.problem],
    ["Assumes", c.assumes], ["Parameters", c.parameters], ["Unconfirmed", c.unconfirmed],
  ];
  // A file beside the page, which also other programs can fetch.
  const json = h("a", { href: `zoo/${c.id}.json`, class: "small", type: "application/json" }, "JSON");
  return [
    h("p", { class: "crumb" }, h("a", { href: "#/zoo" }, "Zoo"), " / ", linkElement(h("a", {}, familyName(c.family)), "zoo", { f: c.family }), " / ", h("span", { class: "id" }, c.id)),
    h("h1", {}, c.name),
    h("p", { class: "lede" }, prose(c.summary)),
    h("div", { class: "bench" },
      h("div", {}, h("pre", { class: "code", tabindex: 0 }, c.equations),
        h("p", { class: "actions" }, copyButton(() => c.equations), " ",
          linkElement(h("a", { class: "small" }, "Identify"), "identify", { t: c.equations }), " ",
          linkElement(h("a", { class: "small" }, "Explore"), "explore", { t: c.equations }), " ", json)),
      h("div", { class: "reading" }, shown({ ...reading, edits: [] } as ReadPageWithEdits))),
    h("dl", { class: "facts-list" }, facts.filter(([, v]) => v).map(([t, v]) => [h("dt", {}, t), h("dd", {}, prose(v))])),
    c.notes ? h("p", {}, prose(c.notes)) : null,
    later("Block diagram", async () => [picture(await thinker.text("draw", [`zoo:${c.id}`, "transfer"]), `Block diagram of ${c.name}`)]),
    h("h2", {}, "References"),
    h("ul", { class: "references" }, references.map((r) => h("li", {}, r.link ? h("a", { href: r.link, rel: "noopener noreferrer" }, r.short) : r.short, `: ${r.title}. `, copyButton(() => r.bibtex, "BibTeX")))),
    related(c),
  ];
}

function related(c: Card): Child[] {
  const out: Child[] = [h("h2", {}, "Related cards")];
  if (!c.related.length) out.push(h("p", {}, "None in this zoo."));
  for (const heading of ORDER) {
    const list = c.related.filter((r) => group(r) === heading);
    if (!list.length) continue;
    const items = list.map((r) => relatedItem(c, r));
    const assumed = heading === "Related under an assumption" || list.length > 20;
    out.push(assumed
      ? h("details", {}, h("summary", {}, `${heading} (${list.length})`), h("ul", { class: "related" }, items))
      : [h("h3", {}, heading), h("ul", { class: "related" }, items)]);
  }
  return out;
}

/** The equations of cards that were asked for. */
const equations = new Map<string, Promise<string>>();
let last: Promise<unknown> = Promise.resolve();

/** The equations of another card, which are asked for one after the other, so that any question can come in between. */
function other(id: string): Promise<string> {
  const ask = () => reader.json<Card>("zoo_card", [id]).then((c) => c.equations);
  const known = equations.get(id) ?? last.then(ask, ask);
  equations.set(id, known);
  return (last = known);
}

function relatedItem(c: Card, r: Related): HTMLElement {
  const how = r.relation === "conditional" ? `the same if ${r.assuming}` : (HOW[r.relation] ?? r.relation);
  const compare = linkElement(h("a", { class: "small" }, "compare"), "compare", other(r.id).then((b) => ({ a: c.equations, b })));
  return h("li", {}, h("a", { href: `#/zoo/${r.id}` }, r.name), ` — ${how} `, compare);
}
