/** What a view is, and how it keeps its state in the address. */

import { encode, type State } from "./link";

export type View = (main: HTMLElement, state: State, argument: string) => void | (() => void);

/** Browsers complain where the address changes with every key. */
const PAUSE = 300;
let turn = 0;
let timer = 0;

/** Keeps the state in the address, after a pause; `push` makes at once a step that the back button undoes. */
export function remember(path: string, state: State, push = false): void {
  const own = ++turn;
  // Who follows a link in the meantime is not called back, even before the page has heard of it.
  const from = location.hash;
  clearTimeout(timer);
  const write = async () => {
    const hash = Object.values(state).some(Boolean) ? `#/${path}/${await encode(state)}` : `#/${path}`;
    if (own !== turn || location.hash !== from || hash === from || !from.startsWith(`#/${path}`)) return;
    history[push ? "pushState" : "replaceState"](null, "", hash);
  };
  if (push) void write();
  else timer = window.setTimeout(write, PAUSE);
}

/** Another view is shown: what was to be kept of the last one is not. */
export function forget(): void {
  turn++;
  clearTimeout(timer);
}

export const textOf = (state: State, name: string): string => (typeof state[name] === "string" ? (state[name] as string) : "");

/** A link to a view with a state. */
export async function linkTo(path: string, state: State): Promise<string> {
  return `#/${path}/${await encode(state)}`;
}

/** An anchor whose address is filled in when it is known; a plain click before that waits for it. */
export function linkElement(link: HTMLAnchorElement, path: string, state: State | Promise<State>): HTMLAnchorElement {
  let known = false;
  link.href = `#/${path}`;
  const address = Promise.resolve(state).then((s) => linkTo(path, s)).then((href) => {
    link.href = href;
    known = true;
  });
  address.catch(() => {});
  link.addEventListener("click", (event) => {
    if (known || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void address.then(() => link.click(), () => {});
  });
  return link;
}
