/** The picture of the page in the README. */

import { fileURLToPath } from "node:url";
import { launch, permalink, serve } from "./browser.mjs";

const DR = "x1[k+1] = prox_{t f}(x3[k])\nx2[k+1] = prox_{t g}(2*x1[k+1] - x3[k])\nx3[k+1] = x3[k] + x2[k+1] - x1[k+1]";
const ADMM = "x[k+1] = prox_{(1/rho) f}(z[k] - u[k])\nz[k+1] = prox_{(1/rho) g}(x[k+1] + u[k])\nu[k+1] = u[k] + x[k+1] - z[k+1]";

const server = await serve();
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1100, height: 1180 }, colorScheme: "light" });
await page.goto(server.url + (await permalink("compare", { a: DR, b: ADMM })));
await page.waitForSelector(".verdict");
await page.waitForTimeout(500);
await page.screenshot({ path: fileURLToPath(new URL("../../docs/pictures/page.png", import.meta.url)) });
await browser.close();
server.close();
