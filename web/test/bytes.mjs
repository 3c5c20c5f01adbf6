/** Where the bytes of the engine are: its sections, and its code by module, from the names that the compiler leaves. */

export function bytes(wasm) {
  let at = 8;
  const number = () => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = wasm[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  const text = () => {
    const length = number();
    at += length;
    return wasm.toString("utf8", at - length, at);
  };
  const limits = () => {
    const flags = number();
    number();
    if (flags & 1) number();
  };
  const found = { code: 0, data: 0, modules: new Map() };
  const sizes = [];
  const names = new Map();
  let imported = 0;
  while (at < wasm.length) {
    const kind = wasm[at++];
    const end = number() + at;
    if (kind === 2) {
      for (let i = number(); i > 0; i--) {
        text();
        text();
        const what = wasm[at++];
        if (what === 0) imported += 1, number();
        else if (what === 1) at++, limits();
        else if (what === 2) limits();
        else at += 2;
      }
    } else if (kind === 10) {
      found.code = end - at;
      for (let i = number(); i > 0; i--) {
        const size = number();
        sizes.push(size);
        at += size;
      }
    } else if (kind === 11) found.data = end - at;
    else if (kind === 0 && text() === "name") {
      while (at < end) {
        const part = wasm[at++];
        const stop = number() + at;
        if (part === 1) for (let i = number(); i > 0; i--) names.set(number(), text());
        at = stop;
      }
    }
    at = end;
  }
  sizes.forEach((size, i) => {
    const module = moduleOf(names.get(imported + i) ?? "");
    found.modules.set(module, (found.modules.get(module) ?? 0) + size);
  });
  return found;
}

const CRATES = ["linnaeus_algebra", "linnaeus_wasm", "linnaeus", "dashu_base", "dashu_float", "dashu_int", "dashu_ratio", "serde_json", "serde_core", "hashbrown", "core", "alloc", "std"];
const CRATE = new RegExp(`(\\d+)(${CRATES.join("|")})(?:\\.\\.|\\$\\w+\\$|::)?(\\d*)`, "g");

/** `linnaeus::relation` of a mangled name: names in it have their length before them. What is generic counts where it was written. */
function moduleOf(name) {
  for (const { 1: length, 2: crate, 3: next, index, 0: all } of name.matchAll(CRATE)) {
    if (Number(length) !== crate.length) continue;
    const from = index + all.length;
    return `${crate}::${name.slice(from, from + Number(next)).replace(/^_(?=\D)/, "")}`;
  }
  return CRATES.map((crate) => name.match(new RegExp(`\\b${crate}\\b(?:\\.\\.|::)(\\w+)`))).find(Boolean)?.[0].replace("..", "::") ?? "other";
}
