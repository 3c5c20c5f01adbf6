/** The whole zoo as a graph: cards on a circle, family by family; curves are relations. */

import type { Graph } from "../../../crates/linnaeus-wasm/linnaeus";
import { complaint, fill, h, many } from "../dom";
import { reader } from "../engine";
import type { View } from "../view";
import { familyName } from "./zoo";

const SVG = "http://www.w3.org/2000/svg";
const RADIUS = 500;
const ROOM = 190;
const GAP = 3;

const RELATIONS: [string, string][] = [
  ["same", "the same calls, also shifted or exchanged"],
  ["lft", "the same in other oracles, or dual"],
  ["instance", "a special case of the other"],
  ["repetition", "several iterations in one"],
];

type Edge = Graph["edges"][number];

function kind(e: Edge): string {
  if (e.relation === "repetition") return "repetition";
  if (e.generality === "instance" || e.generality === "contains") return "instance";
  return ["oracle", "shift", "permutation"].includes(e.relation) ? "same" : "lft";
}

function s(tag: string, attributes: Record<string, string | number>, text = ""): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  if (text) element.textContent = text;
  return element as SVGElement;
}

let graph: Promise<Graph> | null = null;

export const map: View = (main) => {
  const place = h("div", { class: "map", id: "map" });
  const told = h("p", { class: "facts told-map", id: "told" }, "Point at a card, or move to it with Tab, to see what it is related to; a click opens it. The wheel or two fingers zoom, dragging moves.");
  const legend = h("div", { class: "legend" });
  main.append(h("h1", {}, "The map"), h("p", { class: "lede" }, "Every card, family by family, and every relation that holds with nothing assumed."), legend, told, place);
  void (graph ??= reader.json<Graph>("zoo_relations", [true])).then((g) => draw(g, place, legend, told)).catch((error: Error) => fill(place, complaint(error.message)));
};

function draw(graph: Graph, place: HTMLElement, legend: HTMLElement, told: HTMLElement): void {
  const order = [...graph.nodes].sort((a, b) => a.family.localeCompare(b.family) || a.class.localeCompare(b.class) || a.id.localeCompare(b.id));
  const families = [...new Set(order.map((n) => n.family))];
  const tone = (family: string) => `family${families.indexOf(family) % 12}`;
  const total = order.length + GAP * families.length;
  const angle = new Map<string, number>();
  let at = 0;
  order.forEach((n, i) => {
    if (i && order[i - 1].family !== n.family) at += GAP;
    angle.set(n.id, (2 * Math.PI * at++) / total - Math.PI / 2);
  });
  const point = (id: string, r: number): [number, number] => [r * Math.cos(angle.get(id)!), r * Math.sin(angle.get(id)!)];
  const size = RADIUS + ROOM;
  const svg = s("svg", { viewBox: `${-size} ${-size} ${2 * size} ${2 * size}`, role: "group", "aria-label": "Map of the zoo" });
  const lines = s("g", { class: "edges" });
  const byId = new Map(graph.nodes.map((n) => [n.id, n]));
  const edgesOf = new Map<string, SVGElement[]>();
  const partners = new Map<string, Set<string>>();
  for (const e of graph.edges) {
    const [p, q] = [angle.get(e.first)!, angle.get(e.second)!];
    const apart = Math.min(Math.abs(p - q), 2 * Math.PI - Math.abs(p - q));
    const depth = RADIUS * 0.97 * (1 - (apart / Math.PI) ** 0.6);
    const [[x0, y0], [x1, y1]] = [point(e.first, RADIUS - 5), point(e.second, RADIUS - 5)];
    const [[cx, cy], [dx, dy]] = [point(e.first, depth), point(e.second, depth)];
    const f = (x: number) => x.toFixed(1);
    const line = s("path", { d: `M${f(x0)} ${f(y0)}C${f(cx)} ${f(cy)} ${f(dx)} ${f(dy)} ${f(x1)} ${f(y1)}`, class: `edge ${kind(e)} ${tone(byId.get(e.first)!.family)}` });
    lines.append(line);
    for (const [id, other] of [[e.first, e.second], [e.second, e.first]]) {
      edgesOf.set(id, [...(edgesOf.get(id) ?? []), line]);
      partners.set(id, (partners.get(id) ?? new Set()).add(other));
    }
  }
  svg.append(lines);
  const { about, nearer, farther, all } = zoomable(svg, size);
  const marks = new Map<string, SVGElement>();
  for (const n of order) {
    const [x, y] = point(n.id, RADIUS);
    const degrees = (angle.get(n.id)! * 180) / Math.PI;
    const left = Math.cos(angle.get(n.id)!) < 0;
    const link = s("a", { href: `#/zoo/${n.id}`, class: `node ${tone(n.family)}`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`, "data-card": n.id });
    // What is touched is larger than what is seen, as far as the neighbours allow.
    const room = s("rect", { class: "room", x: -10, y: -5, width: 20, height: 10, transform: `rotate(${degrees.toFixed(2)})` });
    link.append(s("title", {}, `${n.name} (${n.year})`), room, s("circle", { r: 3.4 }), s("text", { transform: `rotate(${(left ? degrees + 180 : degrees).toFixed(2)})`, x: left ? -8 : 8, y: 3.5, "text-anchor": left ? "end" : "start" }, n.slug.replace(/_/g, " ")));
    const show = () => {
      about([x, y]);
      svg.classList.add("focused");
      edgesOf.get(n.id)?.forEach((e) => e.classList.add("lit"));
      marks.get(n.id)!.classList.add("lit");
      partners.get(n.id)?.forEach((id) => marks.get(id)?.classList.add("lit"));
      const count = partners.get(n.id)?.size ?? 0;
      fill(told, h("strong", {}, n.name), ` (${n.year}), ${familyName(n.family)}: related to ${many(count, "card")}.`);
    };
    const hide = () => {
      svg.classList.remove("focused");
      svg.querySelectorAll(".lit").forEach((e) => e.classList.remove("lit"));
    };
    for (const event of ["pointerenter", "focus"]) link.addEventListener(event, show);
    for (const event of ["pointerleave", "blur"]) link.addEventListener(event, hide);
    marks.set(n.id, link);
    svg.append(link);
  }
  const button = (label: string, act: () => void) => h("button", { type: "button", class: "small", onclick: act }, label);
  fill(place, h("div", { class: "zoom" }, button("Nearer", nearer), button("Farther", farther), button("All", all)), svg);
  fill(legend,
    h("div", {}, families.map((f) => h("span", { class: `key ${tone(f)}` }, "● ", h("span", {}, familyName(f))))),
    h("div", { role: "group", "aria-label": "Relations shown" }, RELATIONS.map(([k, name]) => {
      const box = h("input", { type: "checkbox", checked: true, onchange: (event: Event) => svg.classList.toggle(`no-${k}`, !(event.target as HTMLInputElement).checked) });
      return h("label", { class: `key edge-key ${k}` }, box, " ", name);
    })));
}

type Zoom = { about: (point: [number, number]) => void; nearer: () => void; farther: () => void; all: () => void };

/** Wheel, pinch and drag move the window on the picture; + − 0 do so by keys, and what is returned by buttons. */
function zoomable(svg: SVGElement, size: number): Zoom {
  let middle: [number, number] | null = null;
  let [x, y, w] = [-size, -size, 2 * size];
  const apply = () => svg.setAttribute("viewBox", `${x} ${y} ${w} ${w}`);
  const zoom = (factor: number, px: number, py: number) => {
    const next = Math.min(2 * size, Math.max(120, w * factor));
    [x, y, w] = [px - ((px - x) * next) / w, py - ((py - y) * next) / w, next];
    apply();
  };
  const by = {
    // The card that was looked at last stays where it is.
    about: (point: [number, number]) => void (middle = point),
    nearer: () => zoom(0.625, ...(middle ?? [x + w / 2, y + w / 2])),
    farther: () => zoom(1.6, ...(middle ?? [x + w / 2, y + w / 2])),
    all: () => {
      [x, y, w] = [-size, -size, 2 * size];
      apply();
    },
  };
  const place = (event: { clientX: number; clientY: number }): [number, number] => {
    const box = svg.getBoundingClientRect();
    return [x + ((event.clientX - box.left) / box.width) * w, y + ((event.clientY - box.top) / box.height) * w];
  };
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(event.deltaY / 400), ...place(event));
  }, { passive: false });
  svg.addEventListener("keydown", (event) => {
    if (event.key === "+" || event.key === "=") by.nearer();
    if (event.key === "-") by.farther();
    if (event.key === "0") by.all();
  });
  const fingers = new Map<number, PointerEvent>();
  let moved = 0;
  svg.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, event);
    moved = 0;
  });
  svg.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const box = svg.getBoundingClientRect();
    const other = [...fingers.values()].find((f) => f.pointerId !== event.pointerId);
    if (other) {
      const span = (p: PointerEvent) => Math.hypot(p.clientX - other.clientX, p.clientY - other.clientY) || 1;
      zoom(span(before) / span(event), ...place(other));
    } else {
      x -= ((event.clientX - before.clientX) / box.width) * w;
      y -= ((event.clientY - before.clientY) / box.height) * w;
      apply();
    }
    moved += Math.abs(event.clientX - before.clientX) + Math.abs(event.clientY - before.clientY);
    fingers.set(event.pointerId, event);
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) svg.addEventListener(name, (event) => fingers.delete((event as PointerEvent).pointerId));
  // A drag is no click.
  svg.addEventListener("click", (event) => moved > 6 && event.preventDefault(), true);
  return by;
}
