/** What "the same" means, with examples that run. */

import type { ComparePage } from "../../../crates/linnaeus-wasm/linnaeus";
import { type Child, fill, h, prose } from "../dom";
import { reader } from "../engine";
import { source } from "../parts/source";
import { verdict } from "../parts/verdict";
import { tex } from "../tex";
import { linkElement, type View } from "../view";

type Section = { title: string; text: Child[]; a: string; b: string };

const sections = (): Section[] => [
  {
    title: "Oracle equivalence",
    text: [
      "An algorithm asks oracles: gradients, proximal operators, projections. Everything else that it does is linear. So an iteration is a linear system ", tex("x^{+} = Ax + Bu,\\; y = Cx + Du"),
      " in feedback with its oracles ", tex("u = \\Phi(y)"), ", and what the oracles see of it is the transfer function ", tex("H(z) = D + C(zI-A)^{-1}B"),
      ". Two algorithms with the same H and the same oracles ask the same questions in the same order, whatever their variables are called: they are ", h("em", {}, "oracle equivalent"), ".",
    ],
    a: "x1[k+1] = 2*x1[k] - x2[k] - 1/10*grad f(2*x1[k] - x2[k])\nx2[k+1] = x1[k]",
    b: "xi1[k+1] = xi1[k] - xi2[k] - 1/5*grad f(xi1[k])\nxi2[k+1] = xi2[k] + 1/10*grad f(xi1[k])",
  },
  {
    title: "Shift equivalence",
    text: [
      "A loop can be entered at any of its lines. An algorithm that begins with the second call makes the same calls as one that begins with the first, but for the very first one. In H this moves a power of z from a column to a row: ",
      tex("H_A = \\Delta_m H_B \\Delta_m^{-1}"), " with ", tex("\\Delta_m = \\operatorname{diag}(z^{-m_i})"), ". Douglas–Rachford and ADMM are the same in this sense.",
    ],
    a: "x1[k+1] = prox_{t f}(x3[k])\nx2[k+1] = prox_{t g}(2*x1[k+1] - x3[k])\nx3[k+1] = x3[k] + x2[k+1] - x1[k+1]",
    b: "x[k+1] = prox_{(1/rho) f}(z[k] - u[k])\nz[k+1] = prox_{(1/rho) g}(x[k+1] + u[k])\nu[k+1] = u[k] + x[k+1] - z[k+1]",
  },
  {
    title: "LFT equivalence",
    text: [
      "A proximal operator and a subdifferential of one function know the same: ", tex("u = \\operatorname{prox}_{tf}(y)"), " says that ", tex("(y - u)/t \\in \\partial f(u)"),
      ". So an algorithm can be written in other oracles of the same functions: prox, conjugate prox, subdifferential, Moreau gradient, with any steps. On H this acts as a linear fractional transformation. Chambolle–Pock with ", tex("A = I"),
      " is Douglas–Rachford in this sense.",
    ],
    a: "x[k+1] = prox_{t f}(x[k] - t*y[k])\ny[k+1] = prox_{(1/t) g*}(y[k] + (1/t)*(2*x[k+1] - x[k]))",
    b: "x[k] = prox_{t f}(w[k])\ny[k] = prox_{t g}(2*x[k] - w[k])\nw[k+1] = w[k] + y[k] - x[k]",
  },
  {
    title: "Several iterations as one",
    text: ["Two steps of one algorithm may be one step of another. H is lifted: every call of the first stands for two channels."],
    a: "x[k+1] = x[k] - t*grad f(x[k])",
    b: "y[k] = x[k] - t*grad f(x[k])\nx[k+1] = y[k] - t*grad f(y[k])",
  },
  {
    title: "Not the same",
    text: ["Where two algorithms differ, the answer is an entry of H that no parameters make equal, and a run with small numbers that the other cannot follow from any start."],
    a: "y[k] = x[k] + beta*(x[k] - x[k-1])\nx[k+1] = y[k] - alpha*grad f(y[k])",
    b: "x[k+1] = x[k] + b*(x[k] - x[k-1]) - a*grad f(x[k])",
  },
];

export const ideas: View = (main) => {
  main.append(
    h("h1", {}, "When are two algorithms the same?"),
    h("p", { class: "lede" }, prose("Every example below is live: change a line, and the answer follows.")),
  );
  for (const s of sections()) main.append(live(s));
  main.append(h("p", { class: "soft" }, "Every positive answer has passed a re-check by code that shares nothing with the search: both algorithms are run as they are written, over a large prime field, with random answers."));
};

function live(s: Section): HTMLElement {
  const answer = h("div", { class: "answers live" });
  const open = h("a", {}, "Open in Compare");
  let turn = 0;
  const ask = async () => {
    const own = ++turn;
    linkElement(open, "compare", { a: a.editor.text, b: b.editor.text });
    if (!a.page()?.show.channels || !b.page()?.show.channels) return fill(answer);
    const page = await reader.json<ComparePage>("page_compare", [a.editor.text, b.editor.text]);
    if (own === turn && page.report) fill(answer, h("p", { class: `verdict ${page.report.verdict}` }, h("strong", {}, page.report.verdict), `: ${page.sentence}.`), verdict(page));
  };
  const a = source(`algorithm A of ${s.title}`, s.a, ask, ask);
  const b = source(`algorithm B of ${s.title}`, s.b, ask, ask);
  for (const side of [a, b]) side.box.querySelector(".hint")?.remove();
  return h("section", { class: "idea" }, h("h2", {}, s.title), h("p", {}, s.text), h("div", { class: "pair" }, h("div", {}, a.box, a.reading), h("div", {}, b.box, b.reading)), answer, h("p", {}, open));
}
