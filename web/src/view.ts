/** What a view is, and how it keeps its state in the address. */

import { encode, type State } from "./link";

export type View = (main: HTMLElement, state: State, argument: string) => void | (() => void);

/** Keeps the state in the address; `push` makes a step that the back button undoes. */
export async function remember(path: string, state: State, push = false): Promise<void> {
  const hash = Object.values(state).some(Boolean) ? `#/${path}/${await encode(state)}` : `#/${path}`;
  if (hash === location.hash) return;
  if (!location.hash.startsWith(`#/${path}`)) return;
  history[push ? "pushState" : "replaceState"](null, "", hash);
}

export const textOf = (state: State, name: string): string => (typeof state[name] === "string" ? (state[name] as string) : "");

/** A link to a view with a state. */
export async function linkTo(path: string, state: State): Promise<string> {
  return `#/${path}/${await encode(state)}`;
}

/** An anchor whose address is filled in when it is known. */
export function linkElement(link: HTMLAnchorElement, path: string, state: State): HTMLAnchorElement {
  link.href = `#/${path}`;
  void linkTo(path, state).then((href) => (link.href = href));
  return link;
}
