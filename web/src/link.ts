/** Permalinks: `#/view/1.STATE`, where 1 is the version and STATE the view's state as deflated JSON in base64url. */

const VERSION = "1";

export type State = Record<string, unknown>;

export async function encode(state: State): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const packed = await through(bytes, new CompressionStream("deflate-raw"));
  return `${VERSION}.${base64url(packed)}`;
}

/** The state of a link, or why there is none. */
export async function decode(text: string): Promise<State> {
  const [version, packed] = text.split(".", 2);
  if (version !== VERSION || packed === undefined) {
    throw new Error(`This link is of version ${version}; this page knows version ${VERSION}.`);
  }
  try {
    const bytes = await through(unbase64url(packed), new DecompressionStream("deflate-raw"));
    const state = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof state !== "object" || state === null) throw new Error();
    return state as State;
  } catch {
    throw new Error("This link is damaged: a part of it may have been cut off.");
  }
}

/** What a link unpacks to is bounded. */
const MAX_BYTES = 1_000_000;

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough<Uint8Array<ArrayBuffer>>(stream).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let total = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    total += value.length;
    if (total > MAX_BYTES) throw new Error("too long");
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function base64url(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

function unbase64url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
}
