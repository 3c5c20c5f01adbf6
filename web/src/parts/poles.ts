/** Poles and zeros: where they lie for numbers that can be changed, and what they are for all of them. */

import type { Poles } from "../../../crates/linnaeus-wasm/linnaeus";
import { type Child, fill, h, picture } from "../dom";
import { thinker } from "../engine";
import { tex } from "../tex";

export async function poles(text: string): Promise<Child[]> {
  const found = await thinker.json<Poles>("page_poles", [text, ""]);
  const plane = h("div", { class: "plane" });
  fill(plane, drawn(found));
  const values: Record<string, number> = Object.fromEntries(found.numbers.map((n) => [n.name, n.value]));
  let turn = 0;
  const inputs = found.numbers.map(({ name, value }) => {
    const input = h("input", { type: "number", step: "any", value: Number(value.toFixed(4)), "aria-label": `Value of ${name}` });
    input.addEventListener("input", async () => {
      if (input.value === "" || !Number.isFinite(Number(input.value))) return;
      values[name] = Number(input.value);
      const own = ++turn;
      const again = await thinker.json<Poles>("page_poles", [text, JSON.stringify(values)]);
      if (own === turn) fill(plane, drawn(again));
    });
    return h("label", {}, h("code", {}, name), " = ", input);
  });
  return [
    found.picture && inputs.length ? h("p", { class: "actions" }, "For", inputs) : null,
    h("div", { class: "bench" }, plane, h("div", {},
      h("h3", {}, "Poles"), equations(found.poles),
      h("h3", {}, "Zeros"), found.zeros ? equations(found.zeros) : h("p", {}, "H has no full rank anywhere: its determinant is zero."),
      h("p", { class: "soft" }, "Poles are the roots of the characteristic polynomial of a minimal realization; zeros those of it times det H."))),
  ];
}

/** The picture, and the same in words. */
function drawn(found: Poles): Child[] {
  if (!found.picture || !found.places) return [h("p", { class: "soft" }, "There is no picture: no numbers can be chosen for the symbols in it, or a polynomial vanishes for them.")];
  const words = found.places.map((p) => `${p.kind} at ${complex(p.at)}${p.multiplicity > 1 ? `, ${p.multiplicity} times` : ""}`);
  return [
    picture(found.picture, `Poles (crosses) and zeros (rings) in the complex plane, with the unit circle: ${words.join("; ") || "none"}`),
    h("ul", { class: "places" }, words.map((w) => h("li", {}, w))),
  ];
}

function complex([re, im]: number[]): string {
  const short = (x: number) => String(Number(x.toFixed(4))).replace("-", "−");
  if (im === 0) return short(re);
  const imaginary = `${Math.abs(im) === 1 ? "" : short(Math.abs(im))}i`;
  return re === 0 ? `${im < 0 ? "−" : ""}${imaginary}` : `${short(re)} ${im < 0 ? "−" : "+"} ${imaginary}`;
}

function equations(items: Poles["poles"]): Child {
  if (!items.length) return h("p", {}, "none");
  return h("ul", {}, items.map((r) => h("li", {}, tex(r.equation), r.multiplicity > 1 ? `, ${r.multiplicity} times` : "")));
}
