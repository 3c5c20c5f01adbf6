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

/** `linnaeus::relation` of a mangled or readable name; code that is generic counts where it was written. */
function moduleOf(name) {
  const path = name.startsWith("_ZN") ? [...name.slice(3).matchAll(/(\d+)/g)].length && demangled(name) : name;
  const [, crate, module] = path.match(/\b(linnaeus_algebra|linnaeus_wasm|linnaeus|dashu_\w+|serde_json|hashbrown|core|alloc|std)\b(?:::|\.\.)(\w+)?/) ?? [];
  return crate ? `${crate}::${module ?? ""}` : "other";
}

function demangled(name) {
  const parts = [];
  for (let rest = name.slice(3), m; (m = rest.match(/^\d+/)); ) {
    const length = Number(m[0]);
    parts.push(rest.slice(m[0].length, m[0].length + length));
    rest = rest.slice(m[0].length + length);
  }
  return parts.join("::").replaceAll("$LT$", "").replaceAll("$u20$", " ").replaceAll("$RF$", "");
}
