/** The editor: remarks underlined where they belong, help that can be applied, completions. Tab leaves it. */

import { autocompletion, type Completion, type CompletionContext, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { type Diagnostic as Mark, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Text } from "@codemirror/state";
import { drawSelection, EditorView, keymap, placeholder } from "@codemirror/view";
import type { Position, ReadPageWithEdits, Show } from "../../crates/linnaeus-wasm/linnaeus";

/** Where a line and a column in characters are; a column past the end is the end. */
export function offset(doc: Text, at: Position): number {
  if (at.line > doc.lines) return doc.length;
  const line = doc.line(Math.max(1, at.line));
  let units = 0;
  let column = 1;
  for (const character of line.text) {
    if (column++ >= at.column) break;
    units += character.length;
  }
  return line.from + units;
}

const WORDS: Completion[] = [
  { label: "grad", detail: "gradient, grad f(x[k])", type: "function" },
  { label: "subgrad", detail: "subdifferential", type: "function" },
  { label: "prox_{t f}", detail: "proximal operator with its step", type: "function" },
  { label: "prox_{s f*}", detail: "of the conjugate", type: "function" },
  { label: "proj_C", detail: "projection", type: "function" },
  { label: "J_{t A}", detail: "resolvent", type: "function" },
  { label: "R_{t A}", detail: "reflected resolvent", type: "function" },
  { label: "argmin_x", detail: "f(x) + rho/2 ||x - z[k]||^2", type: "function" },
  { label: "operator A: X -> Y", detail: "declares a linear operator", type: "keyword" },
  { label: "param", detail: "declares a number", type: "keyword" },
  { label: "constant b", detail: "declares a constant vector", type: "keyword" },
  { label: "oracle F", detail: "declares a black box", type: "keyword" },
  { label: "function f linear", detail: "says that an oracle is linear", type: "keyword" },
  { label: "index k", detail: "says which letter counts", type: "keyword" },
  ...["alpha", "beta", "gamma", "lambda", "mu", "rho", "sigma", "tau", "theta", "eta"].map((label) => ({ label, type: "constant" })),
];

const COMMANDS: Completion[] = [
  ["\\nabla f(x^k)", "gradient"],
  ["\\operatorname{prox}_{t f}", "proximal operator"],
  ["\\partial f", "subdifferential"],
  ["\\arg\\min_x", "minimization"],
  ["\\alpha", ""], ["\\beta", ""], ["\\gamma", ""], ["\\lambda", ""], ["\\rho", ""], ["\\sigma", ""], ["\\tau", ""], ["\\theta", ""],
].map(([label, detail]) => ({ label, detail, type: "function" }));

/** Words of the notation, and the names that the text has. */
function complete(known: () => Show | null) {
  return (context: CompletionContext) => {
    const command = context.matchBefore(/\\[a-zA-Z]*/);
    if (command) return { from: command.from, options: COMMANDS };
    const word = context.matchBefore(/[a-zA-Z_][\w]*/);
    if (!word || (word.text.length < 2 && !context.explicit)) return null;
    const show = known();
    const names = [...(show?.signals ?? []), ...(show?.operators ?? []), ...(show?.constants ?? [])].map((s) => s.name);
    // The word that is typed may have been read as a name, and so may its beginning.
    const { doc } = context.state;
    const end = context.pos + (/^\w*/.exec(doc.sliceString(context.pos))?.[0].length ?? 0);
    const typed = doc.sliceString(word.from, end);
    const elsewhere = new Set(`${doc.sliceString(0, word.from)} ${doc.sliceString(end)}`.match(/\w+/g));
    const isTyped = (n: string) => !elsewhere.has(n) && (typed.startsWith(n) || n.startsWith(typed));
    const own = [...names, ...(show?.parameters ?? [])].filter((n) => n.length > 1 && /^\w+$/.test(n) && !isTyped(n));
    const options = [...own.map((label) => ({ label, type: "variable" })), ...WORDS.filter((w) => !own.includes(w.label))];
    return { from: word.from, options, validFor: /^\w*$/ };
  };
}

export class Editor {
  readonly view: EditorView;
  private show: Show | null = null;

  constructor(label: string, text: string, changed: (text: string) => void, run: () => void) {
    const state = EditorState.create({
      doc: text,
      extensions: [
        history(),
        drawSelection(),
        EditorView.lineWrapping,
        placeholder("Paste an algorithm: plain text, LaTeX, Unicode or code"),
        autocompletion({ override: [complete(() => this.show)], icons: false }),
        lintGutter(),
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", autocapitalize: "off" }),
        keymap.of([
          { key: "Ctrl-Enter", mac: "Cmd-Enter", run: () => (run(), true) },
          ...completionKeymap,
          ...lintKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        EditorView.updateListener.of((update) => update.docChanged && changed(update.state.doc.toString())),
      ],
    });
    this.view = new EditorView({ state });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  set text(text: string) {
    if (text === this.text) return;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  /** Underlines what is remarked on; help that mends is a button. */
  mark(page: ReadPageWithEdits): void {
    this.show = page.show;
    const doc = this.view.state.doc;
    const marks: Mark[] = page.show.diagnostics.map((d, i) => {
      const from = offset(doc, d.span.start);
      const edit = page.edits.find((e) => e.diagnostic === i);
      return {
        from,
        to: Math.max(from, offset(doc, d.span.end)),
        severity: d.severity === "note" ? "info" : d.severity,
        message: d.message + (d.help ? `\n${d.help}` : ""),
        actions: edit ? [{ name: "Apply", apply: () => this.apply(edit) }] : [],
      };
    });
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  apply(edit: { from: number; to: number; insert: string }): void {
    const { from, to, insert } = edit;
    if (to > this.view.state.doc.length) return;
    this.view.dispatch({ changes: { from, to, insert } });
    this.view.focus();
  }
}
