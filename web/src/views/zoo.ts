/** The zoo: cards by words, family and oracles. */

import type { List } from "../../../crates/linnaeus-wasm/linnaeus";
import { announce, complaint, fill, h, many } from "../dom";
import { reader } from "../engine";
import { remember, textOf, type View } from "../view";

export const familyName = (family: string): string => family.replace(/_/g, " ");

/** Everything once, for the list of families. */
let all: Promise<List> | null = null;
export const everything = (): Promise<List> => (all ??= reader.json<List>("zoo_list", ["", "", ""]));

export const zoo: View = (main, state) => {
  const words = h("input", { type: "search", id: "words", value: textOf(state, "w"), placeholder: "words, as in “inertial proximal”", autocomplete: "off" });
  const family = h("select", { id: "family" }, h("option", { value: "" }, "all families"));
  const oracles = h("input", { id: "oracles", value: textOf(state, "o"), placeholder: "as in “prox, prox, grad”", autocomplete: "off", list: "kinds" });
  const kinds = h("datalist", { id: "kinds" }, ["grad", "prox", "prox,prox", "prox,grad", "prox,prox,grad", "proj", "resolvent", "box", "subgrad", "argmin", "env", "reflected"].map((k) => h("option", { value: k })));
  const count = h("p", { class: "facts", id: "count" });
  const table = h("div", { class: "cards", id: "cards" });
  let turn = 0;
  const search = async (push = false) => {
    const own = ++turn;
    const filter = { w: words.value, f: family.value, o: oracles.value };
    if (!push) remember("zoo", filter);
    try {
      const found = await reader.json<List>("zoo_list", [filter.w, filter.f, filter.o]);
      if (own !== turn || !table.isConnected) return;
      fill(count, many(found.cards.length, "card"));
      announce(many(found.cards.length, "card"));
      fill(table, h("table", {},
        h("thead", { class: "unseen" }, h("tr", {}, ["Name", "Year", "Problem", "Oracles"].map((t) => h("th", { scope: "col" }, t)))),
        h("tbody", {}, found.cards.map((c) => h("tr", {},
          h("td", {}, h("a", { href: `#/zoo/${c.id}` }, c.name), " ", h("span", { class: "id" }, c.id)),
          h("td", { class: "soft" }, c.year), h("td", { class: "soft" }, c.problem), h("td", {}, h("code", {}, c.oracles.join(", "))))))));
    } catch (error) {
      if (own !== turn || !table.isConnected) return;
      fill(count);
      fill(table, complaint((error as Error).message));
    }
  };
  void everything().then((list) => {
    const families = [...new Set(list.cards.map((c) => c.family))].sort();
    family.append(...families.map((f) => h("option", { value: f, selected: f === state.f }, familyName(f))));
    family.value = textOf(state, "f");
    void search(true);
  });
  let timer = 0;
  const typed = () => {
    announce("");
    clearTimeout(timer);
    timer = window.setTimeout(search, 80);
  };
  words.addEventListener("input", typed);
  oracles.addEventListener("input", typed);
  family.addEventListener("change", () => search());
  main.append(
    h("h1", {}, "The zoo"),
    h("p", { class: "lede" }, "Known algorithms, one card each, with equations, transfer function and references. All pairs have been compared; ", h("a", { href: "#/map" }, "the map"), " shows what is related."),
    h("div", { class: "filters", role: "search" }, field("words", "Search", words), field("family", "Family", family), field("oracles", "Oracles", oracles), kinds),
    count,
    table,
  );
};

/** A label that stays with what it names. */
function field(id: string, label: string, input: HTMLElement): HTMLElement {
  return h("span", { class: "field" }, h("label", { for: id }, label), input);
}
