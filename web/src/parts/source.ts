/** An editor with its reading beside it, renewed while one types. */

import type { ReadPageWithEdits } from "../../../crates/linnaeus-wasm/linnaeus";
import { announce, type Child, complaint, fill, h, many, nodes, prose } from "../dom";
import { Editor } from "../editor";
import { Cancelled, reader, whole } from "../engine";
import { aligned, tex } from "../tex";

export type Source = { editor: Editor; box: HTMLElement; reading: HTMLElement; page: () => ReadPageWithEdits | null; refresh: () => Promise<void> };

/** How long the page waits for the next key; the first one, or a text that is pasted, is read at once. */
const PAUSE = 90;
/** A mistake is said when so long nothing was typed. */
const RESTED = 700;

/** Tells of the first reading, too, but not before it has returned; `begun` is told of a text that is to be read, and whether it can be. */
export function source(label: string, text: string, told: (page: ReadPageWithEdits | null) => void, run: () => void, begun?: (unread: Promise<boolean>) => void): Source {
  const reading = h("section", { class: "reading", "aria-label": `How ${label} is read` });
  const remarks = h("ul", { class: "remarks" });
  let page: ReadPageWithEdits | null = null;
  let timer = 0;
  let last = -Infinity;
  let turn = 0;
  const editor = new Editor(label, text, () => {
    announce("");
    clearTimeout(timer);
    const rested = performance.now() - last > 3 * PAUSE;
    last = performance.now();
    if (rested) void refresh();
    else timer = window.setTimeout(refresh, PAUSE);
  }, async () => {
    clearTimeout(timer);
    await refresh();
    run();
  });

  async function refresh(): Promise<void> {
    // The view may have been left in the meantime.
    if (!box.isConnected) return;
    const own = ++turn;
    const asked = editor.text;
    if (!asked.trim()) {
      page = null;
      fill(reading, h("p", { class: "soft" }, "The reading appears here: the lines as they are understood, and the transfer function H(z)."));
      fill(remarks);
      return told(null);
    }
    try {
      const answer = reader.json<ReadPageWithEdits>("page_read", [asked]);
      begun?.(answer.then((found) => !found.show.channels, () => true));
      const found = await answer;
      if (own !== turn || editor.text !== asked || !box.isConnected) return;
      page = found;
      editor.mark(found);
      fill(reading, shown(found, editor));
      fill(remarks, remarkItems(found, editor));
      const mistake = found.show.diagnostics.find((d) => d.severity === "error");
      if (mistake) announce(`Error in ${label}, line ${mistake.span.start.line}: ${mistake.message.replace(/`/g, "")}.`, RESTED);
      told(found);
    } catch (error) {
      if (own !== turn || error instanceof Cancelled) return;
      page = null;
      fill(reading, complaint((error as Error).message));
      told(null);
    }
  }

  const hint = h("p", { class: "hint" }, h("kbd", {}, "Ctrl"), "+", h("kbd", {}, "Enter"), " answers at once, ", h("kbd", {}, "Tab"), " leaves the editor");
  const box = h("div", { class: "source" }, h("div", { class: "editor" }, editor.view.dom), remarks, hint);
  queueMicrotask(refresh);
  return { editor, box, reading, page: () => page, refresh };
}

/** In the notations that are pasted most; programs are read by what is not there from the start. */
const REHEARSED = [
  "x^{k+1} = x^k - \\alpha \\nabla f(x^k)",
  "operator A: X -> Y\nx[k+1] = prox_{t f}(x[k] - t*A'*y[k])\ny[k+1] = prox_{s g*}(y[k] + s*A*x[k+1])",
  "for k in range(100):\n    x = x - t*grad_f(x)\n",
];

/** Reads and shows what nobody sees, so that whatever that takes is compiled before the first text; gives way to a text. */
export async function rehearse(): Promise<void> {
  const editor = new Editor("", "", () => {}, () => {});
  const unseen = h("div", { class: "unseen", "aria-hidden": "true" });
  for (const text of REHEARSED) {
    if (text.startsWith("for") && !(await whole())) break;
    if (reader.busy) break;
    editor.text = text;
    const page = await reader.json<ReadPageWithEdits>("page_read", [text]);
    editor.mark(page);
    unseen.append(...nodes([shown(page), remarkItems(page, editor)]));
    document.body.append(unseen);
    unseen.getBoundingClientRect();
    unseen.remove();
    unseen.replaceChildren();
  }
  editor.view.destroy();
}

/** Remarks as a list, for those who do not hover; errors with their help. */
function remarkItems(page: ReadPageWithEdits, editor: Editor): Child[] {
  return page.show.diagnostics.map((d, i) => {
    const edit = page.edits.find((e) => e.diagnostic === i);
    const button = edit && h("button", { type: "button", class: "small apply", onclick: () => {
      editor.apply(edit);
      announce("The help was applied");
    } }, edit.from === edit.to ? `Put in ${edit.insert.trim()}` : `Write ${edit.insert.trim()}`);
    return h("li", { class: d.severity },
      h("span", { class: "where" }, `${d.severity}, line ${d.span.start.line}: `),
      prose(d.message), d.help ? h("span", { class: "help" }, " — ", prose(d.help)) : null, button ? [" ", button] : null);
  });
}

/** The reading: lines, H, facts, guesses. */
export function shown(page: ReadPageWithEdits, editor?: Editor): Child[] {
  const { show } = page;
  if (!show.channels) {
    return [page.lines.length ? aligned(page.lines) : null, h("p", { class: "soft" }, "Not read yet: see what is remarked.")];
  }
  const facts = [
    `order ${show.minimal_order}`,
    show.explicit ? "explicit" : "implicit",
    `${many(show.channels.length, "oracle call")} per iteration`,
  ];
  const guesses = show.reading.guesses;
  return [
    aligned(page.lines),
    page.oracles.length > 1 ? h("p", { class: "oracles" }, "Oracles ", page.oracles.map((o, i) => [i ? ", " : "", tex(o)])) : null,
    page.transfer.map((e) => tex(`${e.left} = ${e.right}`, true)),
    h("p", { class: "facts" }, facts.join(" · ")),
    show.changes?.length ? h("p", { class: "soft" }, show.changes.map((c) => `Linear in ${c.new} in place of ${c.signal}. `)) : null,
    guesses.length
      ? h("details", { class: "guesses" }, h("summary", {}, many(guesses.length, "guess", "guesses")),
          h("ul", {}, guesses.map((g) => h("li", {}, h("code", {}, g.name), ` is read as ${g.as} `,
            editor && !editor.text.includes(g.declaration)
              ? h("button", { type: "button", class: "small", onclick: () => editor.apply({ from: 0, to: 0, insert: g.declaration + "\n" }) }, `Declare ${g.declaration}`)
              : h("code", {}, g.declaration)))))
      : null,
  ];
}
