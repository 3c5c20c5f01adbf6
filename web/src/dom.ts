/** Elements from a tag, attributes and children; text is never parsed as markup. */

export type Child = Node | string | number | null | undefined | false | Child[];
type Value = string | number | boolean | null | undefined | ((event: any) => void);

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, Value> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
  append(element, children);
  return element;
}

export function append(parent: Node, children: Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) append(parent, child);
    else if (child instanceof Node) parent.appendChild(child);
    else if (child !== null && child !== undefined && child !== false) {
      parent.appendChild(document.createTextNode(String(child)));
    }
  }
}

/** What `append` would put somewhere. */
export function nodes(children: Child[]): Node[] {
  const all = document.createDocumentFragment();
  append(all, children);
  return [...all.childNodes];
}

export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

/** Prose with `code` in backquotes. */
export function prose(text: string): Child[] {
  return text.split("`").map((part, i) => (i % 2 ? h("code", {}, part) : part));
}

/** `1 card`, `2 cards`. */
export function many(n: number, one: string, several = `${one}s`): string {
  return `${n} ${n === 1 ? one : several}`;
}

let told = 0;

/** Says something to those who listen to the page, after a `pause` in which nothing else was said; an empty text takes back what no longer holds. */
export function announce(text: string, pause = 0): void {
  clearTimeout(told);
  const say = () => (document.getElementById("live")!.textContent = text);
  if (pause) told = window.setTimeout(say, pause);
  else say();
}

/** What went wrong, shown and said. */
export function complaint(message: string, pre = false): HTMLElement {
  announce(message.split("\n")[0].replace(/`/g, ""));
  return h("p", { class: pre ? "bad pre" : "bad" }, message);
}

export function copyButton(text: () => string, label = "Copy"): HTMLButtonElement {
  const button = h("button", { type: "button", class: "small" }, label);
  button.addEventListener("click", async () => {
    await copy(text());
    button.textContent = "Copied";
    announce("Copied");
    setTimeout(() => (button.textContent = label), 1200);
  });
  return button;
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea", { "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

/** A link that saves a text as a file. */
export function saveLink(name: string, type: string, text: () => string, label: string): HTMLAnchorElement {
  const link = h("a", { href: "#", download: name, class: "small" }, label);
  link.addEventListener("click", () => {
    const url = URL.createObjectURL(new Blob([text()], { type }));
    link.href = url;
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  });
  return link;
}

/** So far a picture shrinks to fit a narrow page; what is wider is scrolled. */
const SHRUNK = 0.53;

/** An SVG from the engine, in a shadow so that its styles stay its own; its colors follow the page. */
export function picture(svg: string, label: string): HTMLElement {
  const host = h("div", { class: "picture", role: "img", "aria-label": label, tabindex: 0 });
  const shadow = host.attachShadow({ mode: "open" });
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  parsed.querySelectorAll("style").forEach((s) => {
    s.textContent = (s.textContent ?? "").replace(/@media[^{]*\{(?:[^{}]*\{[^}]*\})*\}/g, "");
  });
  parsed.setAttribute("aria-hidden", "true");
  const least = Math.round(SHRUNK * Number.parseFloat(parsed.getAttribute("width") ?? "0"));
  const style = h("style");
  style.textContent = `
    svg { max-width: max(100%, min(var(--least, 34rem), ${least}px)); height: auto; display: block; margin: 0 auto; }
    .page { fill: none !important; }
    .plain { color: var(--ink) !important; } .faint { color: var(--soft) !important; }
    ${[0, 1, 2, 3, 4, 5, 6, 7].map((i) => `.tone${i} { color: var(--tone${i}) !important; }`).join("")}`;
  shadow.append(document.importNode(parsed, true), style);
  return host;
}
