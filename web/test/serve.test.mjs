/** The page from within the command. COMMAND is `linnaeus`, built with the feature `web`. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { launch } from "./browser.mjs";

test("`linnaeus serve` serves the page", async () => {
  assert.ok(process.env.COMMAND, "COMMAND names the command; `cargo xtask web-test` makes it");
  const command = spawn(process.env.COMMAND, ["serve", "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const browser = await launch();
  try {
    const [line] = await once(command.stdout, "data");
    const url = String(line).trim();
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/$/);
    const page = await browser.newPage();
    const complaints = [];
    page.on("console", (m) => ["error", "warning"].includes(m.type()) && complaints.push(m.text()));
    await page.goto(url);
    await page.locator(".cm-content").fill("x[k+1] = x[k] - t*grad f(x[k])");
    await page.locator(".match .name", { hasText: "Gradient descent" }).first().waitFor();
    assert.deepEqual(complaints, []);
    // Every file of the page is there, with its type.
    const card = await fetch(`${url}zoo/ALG-0001.json`);
    assert.equal(card.headers.get("content-type"), "application/json");
    assert.equal(await card.text(), await readFile(new URL("../dist/zoo/ALG-0001.json", import.meta.url), "utf8"));
    const html = await (await fetch(url)).text();
    for (const [, name] of html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)) assert.equal((await fetch(url + name)).status, 200, name);
    assert.equal((await fetch(`${url}zoo/ALG-9999.json`)).status, 404);
  } finally {
    await browser.close();
    command.kill();
  }
});
