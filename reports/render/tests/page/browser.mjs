// The page in a real browser: `node browser.mjs FOLDER [CHECKS.mjs]`, where FOLDER has the pages and what Rust expects
// of them. Without a module of checks, those beside this file.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

import * as access from "./access.mjs";
import * as figures from "./figures.mjs";
import * as look from "./look.mjs";
import * as policy from "./policy.mjs";
import * as sections from "./sections.mjs";
import * as recompute from "./recompute.mjs";
import * as tables from "./tables.mjs";

const modules = createRequire(`${process.env.PAGE_MODULES}/`);
const { chromium } = modules("playwright-core");
const [folder, own] = process.argv.slice(2);
const tools = {
  expected: JSON.parse(readFileSync(`${folder}/expected.json`, "utf8")),
  axe: readFileSync(modules.resolve("axe-core/axe.min.js"), "utf8"),
};

/** A machine may be busy with other things: what takes this long does not answer, in milliseconds. */
const PATIENCE = 180000;

// Containers have little shared memory.
const browser = await chromium.launch({
  executablePath: process.env.PAGE_BROWSER, args: ["--no-sandbox", "--disable-dev-shm-usage"], timeout: PATIENCE,
});
let failed = 0;

/** Runs one check on a fresh page; whatever the console says or the page asks of the network is a failure too. */
async function run(name, check) {
  const began = performance.now();
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", ...check.context });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !check.forgives?.test(message.text())) complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`script: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith("file:") && !request.url().startsWith("data:")) complaints.push(`request: ${request.url()}`);
  });
  try {
    await page.goto(pathToFileURL(`${folder}/${check.page ?? tools.expected.page ?? "live"}.html`).href);
    if (check.context?.javaScriptEnabled !== false) await page.waitForSelector(".chart .mark", { state: "attached" });
    // Most checks are about what is in sections, which are closed at first.
    if (!check.closed && check.context?.javaScriptEnabled !== false) {
      await page.evaluate(() => { for (const part of document.querySelectorAll("details.part")) part.open = true; });
    }
    await check(page, tools);
    if (await page.evaluate(() => window.owned ?? null)) complaints.push("a text of the document ran as script");
  } catch (error) {
    complaints.push(error.message);
  }
  await context.close();
  if (process.env.PAGE_TIMES) console.log(`${name}: ${Math.round(performance.now() - began)} ms`);
  if (complaints.length > 0) {
    failed += 1;
    console.error(`${name}:\n  ${complaints.join("\n  ")}`);
  }
}

const checks = own ? [await import(pathToFileURL(own).href)] : [recompute, figures, sections, tables, look, access, policy];
const waiting = checks.flatMap((checks) => Object.entries(checks));
const worker = async () => {
  for (let next = waiting.shift(); next; next = waiting.shift()) await run(next[0].replaceAll("_", " "), next[1]);
};
await Promise.all([worker(), worker(), worker()]);
await browser.close();
process.exit(failed === 0 ? 0 : 1);
