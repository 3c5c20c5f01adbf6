/** Every way to write an algorithm. */

import type { Changes, Forms, ReadPageWithEdits, Realize, Show } from "../../../crates/linnaeus-wasm/linnaeus";
import { announce, type Child, complaint, copyButton, fill, h, many, picture, prose, saveLink } from "../dom";
import { reader, thinker } from "../engine";
import { single } from "../examples";
import { poles } from "../parts/poles";
import { later } from "../parts/verdict";
import { shown as reading, source } from "../parts/source";
import { simulation } from "./compare";
import { tex } from "../tex";
import { linkElement, remember, textOf, type View } from "../view";

const FORMATS: [string, string, string][] = [
  ["plain", "Plain text", "txt"],
  ["unicode", "Unicode", "txt"],
  ["latex", "LaTeX", "tex"],
  ["algorithmic", "LaTeX algorithmic", "tex"],
  ["python", "Python", "py"],
  ["julia", "Julia", "jl"],
  ["sympy", "SymPy, deriving H", "py"],
  ["control", "python-control", "py"],
  ["pepit", "PEPit", "py"],
];

/** A field acts when so long nothing was typed in it. */
const PAUSE = 250;

type Field = { label: HTMLElement; renew: () => void };

export const explore: View = (main, state) => {
  let changes: Changes = (state.c as Changes) ?? {};
  let asked = "";
  const panel = h("section", { class: "answers", "aria-label": "Ways to write it", tabindex: -1, id: "answers" });
  const switches = h("div");
  const calls = () => src.page()?.show.channels ?? [];
  const undo = h("button", { type: "button", class: "small", onclick: () => {
    changes = {};
    fields.forEach((f) => f.renew());
    redo();
  } }, "Undo all");
  const fields = [
    field("shift", h("input", { size: 8, "aria-label": "Shift" }), () => changes.shift ?? "", (text) => ({ shift: text.trim() || undefined }), () => calls().map(() => "0").join(",")),
    field("repeat", h("input", { type: "number", min: 1, max: 12, "aria-label": "Iterations taken as one" }), () => String(changes.repeat ?? 1), (text) => ({ repeat: Number(text) > 1 ? Number(text) : undefined })),
    field("set", h("input", { placeholder: "t=1/2, A=I, h=0", size: 14, "aria-label": "Set parameters, operators or functions" }), () => (changes.set ?? []).join(", "), (text) => ({ set: listed(text) })),
  ];
  const inputs = h("div", { hidden: true }, fields.map((f) => f.label), undo);
  let turn = 0;
  const keep = (push = false) => remember("explore", { t: src.editor.text, c: Object.keys(changes).length ? changes : undefined }, push);
  const redo = (push = true) => {
    keep(push);
    void renew();
  };

  /** A field that acts while one types in it; the first change since it was come to is a step that the back button undoes. */
  function field(name: string, input: HTMLInputElement, own: () => string, change: (text: string) => Changes, hint = () => input.placeholder): Field {
    let timer = 0;
    let isFirst = true;
    let acted = own();
    const act = () => {
      clearTimeout(timer);
      if (!input.isConnected || input.value === acted) return;
      acted = input.value;
      changes = { ...changes, ...change(input.value) };
      redo(isFirst);
      isFirst = false;
    };
    const renew = () => {
      clearTimeout(timer);
      input.placeholder = hint();
      input.value = acted = own();
    };
    input.addEventListener("focus", () => (isFirst = true));
    input.addEventListener("input", () => {
      announce("");
      clearTimeout(timer);
      timer = window.setTimeout(act, PAUSE);
    });
    input.addEventListener("change", act);
    return { label: h("label", {}, `${name} `, input), renew };
  }

  async function renew(): Promise<void> {
    const own = ++turn;
    const page = src.page();
    const text = src.editor.text;
    inputs.hidden = !page?.show.channels;
    undo.hidden = !isChanged(changes);
    if (!page?.show.channels) return fill(switches), fill(panel);
    fill(switches, chips(page));
    const { told, parts } = await sections(text, changes, page);
    if (own !== turn) return;
    announce(told);
    fill(panel, parts);
  }

  function chips(page: ReadPageWithEdits): Child[] {
    const functions = functionsOf(page);
    const chip = (label: string, on: boolean, set: () => void) =>
      h("button", { type: "button", class: on ? "chip on" : "chip", "aria-pressed": String(on), onclick: () => (set(), redo()) }, label);
    const conjugated = changes.conjugate ?? [];
    return [
      functions.map((f) => chip(`conjugate ${f}`, conjugated.includes(f), () => {
        changes = { ...changes, conjugate: conjugated.includes(f) ? conjugated.filter((g) => g !== f) : [...conjugated, f] };
      })),
      chip("dual", !!changes.dual, () => (changes = { ...changes, dual: !changes.dual })),
      functions.length === 2 ? chip(`exchange ${functions.join(" and ")}`, !!changes.permute?.length, () => (changes = { ...changes, permute: changes.permute?.length ? [] : [functions.join(",")] })) : null,
      chip("own oracles only", !!changes.own_oracles, () => (changes = { ...changes, own_oracles: !changes.own_oracles })),
    ];
  }

  const src = source("the algorithm", textOf(state, "t"), async (page) => {
    const text = src.editor.text;
    if (page?.show.channels) {
      // What was asked of another text may make no sense for this one.
      if (asked && text !== asked && isChanged(changes)) {
        const left = await meant(changes, text, page);
        if (text !== src.editor.text) return;
        changes = left;
      }
      asked = text;
      fields.forEach((f) => f.renew());
    }
    redo(false);
  }, () => void renew());
  main.append(
    h("h1", {}, "Explore"),
    h("p", { class: "lede" }, "Every way to write an algorithm: other oracles of the same functions, other times, other states; its poles and zeros, its block diagram, and code."),
    h("p", { class: "examples" }, "Try ", single.slice(0, 7).map((e, i) => [i ? " · " : "", linkElement(h("a", { class: "example" }, e.name), "explore", { t: e.text })])),
    h("div", { class: "bench" }, src.box, src.reading),
    h("div", { class: "chips", role: "group", "aria-label": "Changes" }, switches, inputs),
    panel,
  );
  return () => void turn++;
};

const listed = (text: string) => text.split(",").map((s) => s.trim()).filter(Boolean);
const functionsOf = (page: ReadPageWithEdits) => [...new Set(page.show.channels!.map((c) => c.function.replace("*", "")))];
const isChanged = (changes: Changes) => Object.values(changes).some((v) => (Array.isArray(v) ? v.length : v));

/** The changes that speak of what a text has. */
async function meant(changes: Changes, text: string, page: ReadPageWithEdits): Promise<Changes> {
  const functions = functionsOf(page);
  const names = new Set([...(text.match(/[\p{L}\p{N}_]+/gu) ?? []), ...functions, ...(page.show.parameters ?? [])]);
  // Greek letters are spelled out in the answers of commands.
  if (changes.set?.length) (await reader.json<Show>("show", [text])).parameters?.forEach((p) => names.add(p));
  const left: Changes = {
    ...changes,
    set: changes.set?.filter((s) => names.has(s.split("=")[0].trim())),
    conjugate: changes.conjugate?.filter((f) => functions.includes(f)),
    permute: changes.permute?.filter((p) => listed(p).every((f) => functions.includes(f))),
    shift: changes.shift && listed(changes.shift).length === page.show.channels!.length ? changes.shift : undefined,
  };
  return Object.fromEntries(Object.entries(left).filter(([, v]) => (Array.isArray(v) ? v.length : v)));
}

/** What is asked for, with advice for this page. */
const worded = (changes: Changes) => JSON.stringify({ ...changes, in_page_words: true } satisfies Changes);

/** What is shown below the changes, and what is said of it. */
async function sections(text: string, changes: Changes, page: ReadPageWithEdits): Promise<{ told: string; parts: Child[] }> {
  const changed = isChanged(changes);
  const out: Child[] = [];
  let told = "";
  try {
    const { own_oracles: _, ...request } = changes;
    const result = await thinker.json<Realize>("realize", [text, worded(request)]);
    if (result.text) {
      const written = await reader.json<ReadPageWithEdits>("page_read", [result.text]);
      const cost = result.cost!;
      out.push(h("h2", {}, changed ? "With these changes" : "With as few stored vectors as possible"),
        h("div", { class: "bench" },
          h("div", {}, h("pre", { class: "code", tabindex: 0 }, result.text), h("p", { class: "facts" }, costs(cost)), h("p", { class: "actions" }, copyButton(() => result.text!))),
          h("div", { class: "reading" }, reading(written))));
      told = `${many(cost.stored, "vector is", "vectors are")} stored`;
    } else {
      told = result.diagnostics[0]?.message.replace(/`/g, "") ?? "";
      out.push(refusal(result));
    }
  } catch (error) {
    told = (error as Error).message;
    out.push(h("p", { class: "bad pre" }, told));
  }
  out.push(
    later("Forms", async () => {
      const found = await thinker.json<Forms | Realize>("forms", [text, worded(changes)]);
      return "forms" in found ? formsTable(found) : [refusal(found)];
    }),
    later("Poles and zeros", () => poles(text)),
    later("Realization as written", async () => [
      page.realization ? tex(page.realization, true) : null,
      h("p", { class: "facts" }, "State: ", page.states.map((s, i) => [i ? ", " : "", h("code", {}, s)])),
    ]),
    later("Block diagram", async () => [picture(await thinker.text("draw", [text, "transfer"]), "Block diagram: the linear part in feedback with its oracles")]),
    later("States and delays", async () => [picture(await thinker.text("draw", [text, "states"]), "Block diagram with the states and their delays")]),
    simulation(text, ""),
    exports(text, changes),
  );
  return { told, parts: out };
}

/** Why what is asked cannot be done. */
function refusal(result: Realize): Child {
  return h("p", { class: "bad" }, result.diagnostics.map((d) => prose(`${d.message}${d.help ? `; ${d.help}` : ""} `)));
}

function costs(c: { stored: number; additions: number; scalings: number; applications: number; inversions: number }): string {
  const part = (n: number, one: string, several: string) => (n ? many(n, one, several) : "");
  return [part(c.stored, "vector stored", "vectors stored") || "nothing stored", part(c.additions, "addition", "additions"), part(c.scalings, "scaling", "scalings"), part(c.applications, "operator applied", "operators applied"), part(c.inversions, "inverse", "inverses")].filter(Boolean).join(" · ");
}

function formsTable(found: Forms): Child[] {
  const rows = found.forms.map((f) => {
    const names = f.explicit && f.order ? f.order.map((i) => f.oracles[i]) : f.oracles;
    const row = h("tr", {},
      h("td", {}, f.explicit ? "explicit" : "implicit"), h("td", {}, f.cost.stored), h("td", {}, f.cost.additions), h("td", {}, f.cost.scalings),
      h("td", {}, f.cost.applications + f.cost.inversions), h("td", {}, `(${f.shift.join(",")})`), h("td", {}, f.coordinates), h("td", {}, h("code", {}, names.join(", "))),
      h("td", {}, linkElement(h("a", {}, "open"), "explore", { t: f.text }), " ", linkElement(h("a", {}, "identify"), "identify", { t: f.text })));
    return row;
  });
  return [
    found.assumptions.length ? h("p", {}, `Assuming ${found.assumptions.join(", ")}.`) : null,
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Forms" }, h("table", { class: "forms" },
      h("thead", {}, h("tr", {}, ["kind", "stored", "additions", "scalings", "operators", "shift", "state", "calls in order"].map((t) => h("th", { scope: "col" }, t)), h("th", { scope: "col" }, h("span", { class: "unseen" }, "links")))),
      h("tbody", {}, rows))),
    found.infinite ? h("p", { class: "soft" }, "There are infinitely many shifts; the nearest are listed.") : null,
    !found.complete && !found.infinite ? h("p", { class: "soft" }, "A limit was reached: there are more forms than these.") : null,
  ];
}

function exports(text: string, changes: Changes): HTMLElement {
  return later("Export", async () => {
    const { own_oracles: _, ...request } = changes;
    const format = h("select", { "aria-label": "Format" }, FORMATS.map(([word, name]) => h("option", { value: word }, name)));
    const place = h("div");
    const write = async () => {
      const [word, , extension] = FORMATS.find(([w]) => w === format.value)!;
      try {
        const result = await thinker.text("export_as", [text, worded(request), word]);
        fill(place, h("pre", { class: "code", tabindex: 0 }, result), h("p", { class: "actions" }, copyButton(() => result), " ", saveLink(`algorithm.${extension}`, "text/plain", () => result, "Save")));
      } catch (error) {
        fill(place, complaint((error as Error).message, true));
      }
    };
    format.addEventListener("change", write);
    await write();
    return [h("p", { class: "actions" }, h("label", {}, "Format ", format)), place];
  });
}
