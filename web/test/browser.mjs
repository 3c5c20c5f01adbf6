/** A server for the built page, below a path that is not the root, and a browser. */

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const folder = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".json": "application/json", ".woff2": "font/woff2" };

/** Serves `dist` at `/some/where/`, and the engine by itself at `/some/where/pkg/`. */
export async function serve() {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
    const name = normalize(path.replace(/^\/some\/where\//, "") || "index.html");
    try {
      if (!path.startsWith("/some/where/") || name.startsWith("..")) throw new Error("elsewhere");
      const body = name === "pkg/" ? "<title>engine</title>" : await readFile(name.startsWith("pkg/") ? folder(name) : join(folder("dist"), name));
      response.writeHead(200, { "content-type": TYPES[name === "pkg/" ? ".html" : extname(name)] ?? "application/octet-stream" });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}/some/where/`, close: () => server.close() };
}

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

/** The link that the page itself would make. */
export async function permalink(view, state) {
  const packed = new Response(new Blob([JSON.stringify(state)]).stream().pipeThrough(new CompressionStream("deflate-raw")));
  return `#/${view}/1.${Buffer.from(await packed.arrayBuffer()).toString("base64url")}`;
}
