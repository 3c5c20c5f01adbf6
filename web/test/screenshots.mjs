/** `node test/screenshots.mjs FOLDER`: the page in light and dark, on a desk and on a phone. */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { launch, permalink, serve } from "./browser.mjs";

const folder = process.argv[2] ?? "shots";
await mkdir(folder, { recursive: true });
const NESTEROV = "\\begin{align}\ny_k &= x_k + \\beta (x_k - x_{k-1}) \\\\\nx_{k+1} &= y_k - \\alpha \\nabla f(y_k)\n\\end{align}";
const DR = "x1[k+1] = prox_{t f}(x3[k])\nx2[k+1] = prox_{t g}(2*x1[k+1] - x3[k])\nx3[k+1] = x3[k] + x2[k+1] - x1[k+1]";
const ADMM = "x[k+1] = prox_{(1/rho) f}(z[k] - u[k])\nz[k+1] = prox_{(1/rho) g}(x[k+1] + u[k])\nu[k+1] = u[k] + x[k+1] - z[k+1]";
const views = [
  ["identify", await permalink("identify", { t: NESTEROV }), ".match"],
  ["mistake", await permalink("identify", { t: "x[k+1] = x[k] - alpha*gard f(x[k])" }), ".remarks .error"],
  ["compare", await permalink("compare", { a: DR, b: ADMM }), ".verdict"],
  ["explore", await permalink("explore", { t: DR }), ".later"],
  ["zoo", "#/zoo", ".cards a"],
  ["card", "#/zoo/ALG-0128", ".card h1"],
  ["map", "#/map", ".map .node"],
  ["ideas", "#/ideas", ".verdict"],
];
const only = process.argv.slice(3);
const server = await serve();
const browser = await launch();
for (const [theme, width] of [["light", 1280], ["dark", 1280], ["light", 390], ["dark", 390]]) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme });
  const page = await context.newPage();
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && console.log(m.text()));
  page.on("pageerror", (e) => console.log(String(e)));
  for (const [name, hash, ready] of views) {
    if (only.length && !only.includes(name)) continue;
    await page.goto("about:blank");
    await page.goto(server.url + hash);
    await page.waitForSelector(ready, { timeout: 60_000 }).catch((e) => console.log(name, String(e).split("\n")[0]));
    if (name === "compare" || name === "explore") {
      for (const d of await page.$$("details.later > summary")) await d.click();
      await page.waitForTimeout(1500);
    }
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(folder, `${name}-${theme}-${width}.png`), fullPage: name !== "zoo" });
  }
  await context.close();
}
await browser.close();
server.close();
