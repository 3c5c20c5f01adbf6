/** The page: which view, in which colors. */

import "./style.css";
import { announce, fill, h } from "./dom";
import { decode, type State } from "./link";
import { rehearse } from "./parts/source";
import { loadFonts } from "./tex";
import { forget, type View } from "./view";
import { card } from "./views/card";
import { compare } from "./views/compare";
import { explore } from "./views/explore";
import { ideas } from "./views/ideas";
import { identify } from "./views/identify";
import { map } from "./views/map";
import { zoo } from "./views/zoo";

const VIEWS: Record<string, View> = { identify, compare, explore, zoo, map, ideas };
const main = document.getElementById("main")!;
let leave: void | (() => void);
let first = true;
let turn = 0;

/** `#/view`, `#/view/1.STATE` or `#/zoo/ALG-0042`. */
async function route(): Promise<void> {
  if (location.hash && !location.hash.startsWith("#/")) return;
  const own = ++turn;
  forget();
  const [name, rest = ""] = location.hash.replace(/^#\//, "").split("/", 2);
  const isCard = name === "zoo" && rest !== "" && !/^\d+\./.test(rest);
  const view = isCard ? card : VIEWS[name || "identify"];
  let state: State = {};
  let problem = "";
  if (rest && !isCard) {
    try {
      state = await decode(rest);
    } catch (error) {
      problem = (error as Error).message;
    }
    if (own !== turn) return;
  }
  forget();
  leave?.();
  fill(main);
  announce("");
  document.title = `${(name || "identify").replace(/^./, (c) => c.toUpperCase())} · Linnaeus`;
  for (const link of document.querySelectorAll<HTMLAnchorElement>("nav a")) {
    const here = link.getAttribute("href") === `#/${name || "identify"}`;
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (problem) main.append(h("p", { class: "bad", role: "alert" }, problem));
  if (!view) main.append(h("h1", {}, "No such page"), h("p", {}, h("a", { href: "#/" }, "To the beginning")));
  else leave = view(main, state, isCard ? rest : "");
  if (!first) {
    scrollTo(0, 0);
    if (document.activeElement === document.body) main.focus({ preventScroll: true });
  }
  first = false;
  performance.mark("usable");
}

/** Light, dark, or as the system has it; kept for this visit only, since nothing is stored. */
const theme = document.getElementById("theme")!;
theme.addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});

addEventListener("hashchange", route);
document.querySelector(".skip")!.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
if (!location.hash) history.replaceState(null, "", "#/identify");
void route();
// Safari has no idle time.
(globalThis.requestIdleCallback ?? setTimeout)(() => {
  loadFonts();
  rehearse().catch(() => {});
});
