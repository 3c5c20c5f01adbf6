/** Formulas: KaTeX with MathML beside it; a selection is copied as LaTeX. */

import katex from "katex";
import "katex/contrib/copy-tex";
import "katex/dist/katex.min.css";
import { h } from "./dom";

export function tex(formula: string, display = false): HTMLElement {
  const element = h(display ? "div" : "span", { class: display ? "display" : "inline", tabindex: display ? 0 : null });
  if (display) element.setAttribute("role", "group");
  if (display) element.setAttribute("aria-label", "Formula");
  katex.render(formula, element, {
    displayMode: display,
    throwOnError: false,
    output: "htmlAndMathml",
    strict: "ignore",
    maxExpand: 1000,
  });
  return element;
}

/** What is seen at once is typeset at once; all else after that is shown, in order and in pieces shorter than a frame. */
export class Typesetting {
  private waiting: (() => void)[] = [];
  private unseen: (() => void)[] = [];

  /** Ends when what was typeset is no longer `shown`. */
  constructor(private atOnce: number, private shown: Node) {
    afterFrame(() => this.go());
  }

  next(write: () => void): void {
    if (this.atOnce-- > 0) write();
    else this.waiting.push(write);
  }

  /** After all others. */
  last(write: () => void): void {
    this.unseen.push(write);
  }

  private go(): void {
    if (!this.shown.isConnected) return;
    const until = performance.now() + 8;
    for (let write; performance.now() < until && (write = this.waiting.shift() ?? this.unseen.shift()); ) write();
    if (this.waiting.length + this.unseen.length) setTimeout(() => this.go());
  }
}

/** When what is there has been painted; a page that is not looked at paints nothing. */
function afterFrame(run: () => void): void {
  if (document.hidden) setTimeout(run);
  else requestAnimationFrame(() => setTimeout(run));
}

const FONTS = ["KaTeX_Main", "italic KaTeX_Math", "KaTeX_Size1", "KaTeX_Size2"];

/** Has the fonts of most formulas loaded before the first one. */
export function loadFonts(): void {
  for (const font of FONTS) void document.fonts.load(font.replace("KaTeX", "1em KaTeX"));
}

/** Rows `left &= right` below each other. */
export function aligned(rows: string[]): HTMLElement {
  return tex(`\\begin{aligned} ${rows.join(" \\\\ ")} \\end{aligned}`, true);
}

/**
 * The LaTeX of a proof as the engine writes it: paragraphs with headings, `$…$`, `\[…\]` and `align*`; nothing else occurs.
 */
export function article(source: string): HTMLElement {
  const article = h("div", { class: "proof" });
  const pieces = source.replace(/^%.*$/gm, "").split(/(\\\[[\s\S]*?\\\]|\\begin\{align\*\}[\s\S]*?\\end\{align\*\}|\\paragraph\{[^}]*\})/);
  let paragraph: HTMLElement | null = null;
  for (const piece of pieces) {
    const heading = piece.match(/^\\paragraph\{([^}]*)\}$/);
    if (heading) {
      paragraph = h("p", {}, h("strong", {}, heading[1] + " "));
      article.append(paragraph);
    } else if (piece.startsWith("\\[")) {
      article.append(tex(piece.slice(2, -2), true));
      paragraph = null;
    } else if (piece.startsWith("\\begin{align*}")) {
      const inner = piece.replace("\\begin{align*}", "").replace("\\end{align*}", "");
      article.append(tex(`\\begin{aligned}${inner}\\end{aligned}`, true));
      paragraph = null;
    } else {
      for (const part of piece.split(/\n\s*\n/)) {
        if (!part.trim()) continue;
        if (!paragraph) article.append((paragraph = h("p")));
        sentence(paragraph, part);
        paragraph = part === piece ? paragraph : null;
      }
    }
  }
  return article;
}

function sentence(into: HTMLElement, text: string): void {
  text.split(/\$([^$]*)\$/).forEach((part, i) => {
    if (i % 2) into.append(tex(part));
    else into.append(words(part));
  });
}

/** What little markup prose has. */
function words(text: string): string {
  return text
    .replace(/\\(?:emph|textit|text|texttt)\{([^}]*)\}/g, "$1")
    .replace(/\\(?:qed|qedhere|noindent|hfill|square|blacksquare)\b/g, "")
    .replace(/\\[ ,;]/g, " ")
    .replace(/---/g, "—")
    .replace(/--/g, "–")
    .replace(/~/g, " ")
    .replace(/``|''/g, '"')
    .replace(/\\([%&_#{}$])/g, "$1");
}
