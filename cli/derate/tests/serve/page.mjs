// The served page in real browsers: `node page.mjs URL PHASE`.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { ground, sticking, violations } from "../../../../reports/render/tests/page/help.mjs";

const modules = createRequire(`${process.env.PAGE_MODULES}/`);
const { chromium } = modules("playwright-core");
const axe = readFileSync(modules.resolve("axe-core/axe.min.js"), "utf8");
const [url, phase] = process.argv.slice(2);
const launched = [];
const complaints = [];

/** A browser of its own with the page open; what its console says or it asks of others is a failure. */
async function open(context = {}, address = url) {
  const browser = await chromium.launch({ executablePath: process.env.PAGE_BROWSER, args: ["--no-sandbox"] });
  launched.push(browser);
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", ...context })).newPage();
  page.setDefaultTimeout(60000);
  page.on("console", (message) => {
    const isRefusal = /status of (401|409|422)/.test(message.text());
    if (["error", "warning"].includes(message.type()) && !isRefusal) complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`script: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("data:")) complaints.push(`request: ${request.url()}`);
  });
  await page.goto(address);
  return page;
}

const ready = (page) => page.locator(".chart .mark").first().waitFor();

async function type(page, extents) {
  for (const [name, text] of Object.entries(extents)) await page.locator(`[name=${name}]`).fill(text);
}

const rows = (page, state) => page.locator(`#points tbody tr[data-state=${state}]`);
const sweep = (page, id) => page.locator(`#sweeps tr[data-sweep="${id}"]`);
const finished = async (page, id) => Number(/: (\d+) of/.exec(await sweep(page, id).textContent())[1]);

async function until(what, test) {
  for (const began = Date.now(); Date.now() - began < 60000;) {
    if (await test()) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  assert.fail(`never: ${what}`);
}

const phases = {
  async spot() {
    const page = await open();
    await ready(page);
    await type(page, { m: "96", n: "80", k: "64" });
    const model = rows(page, "modelled").filter({ hasText: "96×80×64" });
    await model.waitFor();
    assert.match(await model.textContent(), /FP16.*memory bound/);
    await page.getByLabel("Run all precisions").check();
    await page.getByRole("button", { name: "Analyse" }).click();
    await page.getByRole("status").filter({ hasText: "is done" }).waitFor();
    const real = rows(page, "measured").and(page.locator("[data-precision=fp32]"));
    await real.waitFor();
    assert.match(await rows(page, "measured").and(page.locator("[data-precision=bf16]")).textContent(), /computed in FP32 on ./);
    assert.match(await real.textContent(), /96×80×64.*measured.*OP\/B.*FLOP\/s.*B\/s.*on ./);
    assert.equal(await rows(page, "measured").count() + await rows(page, "refused").count(), 7, "each was measured, or it is said why not");
    // What is measured is hollow, what is modelled is filled, both in the precision's colour.
    const hollow = page.locator(".mark .shape.hollow.precision-fp32");
    assert.equal(await hollow.count(), 1);
    assert.equal(await page.locator(".mark .shape.solid.precision-fp32").count(), 1);
    const colours = await page.locator(".mark .shape.solid").evaluateAll((all) => all.map((node) => getComputedStyle(node).fill));
    assert.equal(new Set(colours).size, colours.length, "no two precisions look alike");
    await hollow.hover();
    const told = await page.locator(".tip").textContent();
    for (const part of ["96×80×64", "Operational intensity", "FLOP/s", "Time", "Bandwidth", "of the bytes that its formulas give", "Measured on"]) assert.ok(told.includes(part), told);
    await page.mouse.move(2, 2);
    const named = await page.locator(".mark").evaluateAll((all) => all.map((node) => node.getAttribute("aria-label")));
    assert.ok(named.some((name) => name.includes("Measured on")) && named.some((name) => name.includes("Modelled for")));
    // A format that the card has no arithmetic for is widened: its point is hollow, and the condition is beside it.
    assert.match(await rows(page, "modelled").filter({ hasText: "NVFP4" }).textContent(), /conditional.*if FP4_E2M1 elements are widened/);
    assert.equal(await page.locator(".mark .shape.solid.precision-nvfp4").count(), 0);
    assert.equal(await page.locator(".mark .shape.hollow.conditional.precision-nvfp4").count(), 1);
    await page.getByLabel("Platform", { exact: true }).selectOption("gb10");
    await page.locator("#about").filter({ hasText: "FP16 peak unknown" }).waitFor();
    // A GEMV on a GB10: every precision has a point, those without a peak under a condition.
    await page.getByLabel("Workload", { exact: true }).selectOption("gemv");
    await rows(page, "modelled").filter({ hasText: "4096×4096" }).first().waitFor();
    assert.equal(await rows(page, "modelled").filter({ hasText: "memory bound" }).count(), 7);
    assert.equal(await page.locator(".mark .shape.conditional").count(), 5);
    assert.match(await rows(page, "modelled").filter({ hasText: "FP8" }).textContent(), /61\.49 µs.*if the FP8_E4M3 peak is between 31 TFLOP\/s/);
    // Peaks and bandwidth of one's own take the place of the platform's.
    await page.locator("summary").filter({ hasText: "Your own roofs" }).click();
    await page.locator("[name=peak]").fill("fp8=124 TFLOP/s");
    await page.locator("[name=bandwidth]").fill("287 GB/s");
    await rows(page, "modelled").filter({ hasText: "FP8" }).filter({ hasText: "58.49 µs" }).waitFor();
    assert.equal(await page.locator(".mark .shape.conditional").count(), 4);
    await page.locator("[name=peak]").fill("fp9=1 TFLOP/s");
    await page.locator(".entry:has([name=peak]) .refused").filter({ hasText: "fp9" }).waitFor();
    await page.locator("[name=peak]").fill("");
    await page.locator("[name=bandwidth]").fill("");
    await rows(page, "modelled").filter({ hasText: "FP8" }).filter({ hasText: "61.49 µs" }).waitFor();
    // A point that was measured elsewhere.
    await page.locator("summary").filter({ hasText: "A point that you measured" }).click();
    await page.locator("[name=time]").fill("soon");
    await page.getByRole("button", { name: "Show measured point" }).click();
    await page.locator(".entry:has([name=time]) .refused").filter({ hasText: "is not a time" }).waitFor();
    await page.locator("[name=time]").fill("140 us");
    await page.getByRole("button", { name: "Show measured point" }).click();
    await rows(page, "measured").filter({ hasText: "140.0 µs" }).filter({ hasText: "as given" }).waitFor();
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download as CSV" }).click()]);
    const csv = readFileSync(await file.path(), "utf8");
    assert.match(csv, /^shape,precision,how_known,oi_op_per_byte,rate_op_per_s,seconds,/);
    assert.match(csv, /4096×4096,fp16,measured,0\.99\d+,[\d.e+]+,0\.00014,/);
    // The list can be folded, and cleared.
    assert.equal(await sweep(page, 1).isVisible(), true);
    await page.locator("#sweeps summary").click();
    assert.equal(await sweep(page, 1).isVisible(), false);
    await page.locator("#sweeps summary").click();
    await page.getByRole("button", { name: "Remove all that are not at work" }).click();
    await page.locator("#sweeps .empty").waitFor();
    await page.getByLabel("Workload", { exact: true }).selectOption("llm");
    await rows(page, "modelled").filter({ hasText: "decode" }).first().waitFor();
    assert.equal(await page.locator("summary").filter({ hasText: "Sweep" }).isVisible(), false, "a model is not swept");
    for (const workload of ["gemv", "attention", "mlp"]) {
      await page.getByLabel("Workload", { exact: true }).selectOption(workload);
      await rows(page, "modelled").first().waitFor();
      assert.equal(await page.locator("[aria-invalid]").count(), 0, workload);
      assert.equal(await page.locator("summary").filter({ hasText: "Sweep" }).isVisible(), true, workload);
    }
  },

  async layers() {
    const page = await open();
    await ready(page);
    await page.getByLabel("Workload", { exact: true }).selectOption("mlp");
    await page.getByLabel("Precision", { exact: true }).selectOption("fp32");
    await type(page, { width: "16", layers: "2", batch: "4" });
    await page.getByLabel("Forward only").check();
    await page.getByRole("button", { name: "Analyse" }).click();
    await rows(page, "measured").filter({ hasText: "2×16, 4 rows, forward" }).waitFor();
    await page.getByLabel("Workload", { exact: true }).selectOption("attention");
    await page.locator("summary").filter({ hasText: "Sweep" }).click();
    await page.getByLabel("Shapes, BATCHxHEADSxKV_HEADSxHEAD_DIMxQUERIESxKEYS").fill("1x6x3x8x4x10, 1x6x3x8x1x20");
    await page.getByRole("button", { name: "Start sweep" }).click();
    await sweep(page, 2).filter({ hasText: "done: 2 of 2" }).waitFor();
    for (const keys of ["4×10", "1×20"]) await rows(page, "measured").filter({ hasText: `6 heads, ${keys}` }).waitFor();
  },

  async refused() {
    const page = await open();
    await ready(page);
    const said = (name) => page.locator(`.entry:has([name=${name}]) .refused`);
    for (const [text, reason] of [
      ["0", "is less than one"], ["-4", "is less than one"], ["1000000000000", "is too large: write a whole number from 1 to 1,073,741,824"],
      ["many", "is not a whole number"], ["", "is not a whole number"],
    ]) {
      await type(page, { m: text });
      await until(`${text}: ${reason}`, async () => (await said("m").textContent()).includes(reason));
      assert.equal(await page.locator("[name=m]").getAttribute("aria-invalid"), "true");
      assert.equal(await rows(page, "modelled").count(), 0, "nothing is shown of it");
      await page.getByRole("button", { name: "Analyse" }).click();
      assert.match(await said("m").textContent(), /`/);
    }
    await type(page, { n: "x" });
    await until("both are told", async () => (await said("n").textContent()) !== "" && (await said("m").textContent()) !== "");
    await type(page, { m: "64", n: "64" });
    await until("it is gone", async () => (await said("m").textContent()) === "" && await page.locator("[aria-invalid]").count() === 0);
    await page.locator("summary").filter({ hasText: "Sweep" }).click();
    await page.locator("[name=shapes]").fill("64x64");
    await page.getByRole("button", { name: "Start sweep" }).click();
    await until("shapes", async () => (await said("shapes").textContent()).includes("2 extents"));
    assert.equal(await page.locator("#sweeps tbody tr").count(), 0, "nothing was begun");
  },

  async two() {
    const [one, other] = await Promise.all([open(), open({ colorScheme: "dark" })]);
    await Promise.all([ready(one), ready(other)]);
    for (const [page, m] of [[one, "40"], [other, "56"]]) {
      await page.getByLabel("Precision", { exact: true }).selectOption("fp32");
      await type(page, { m, n: "32", k: "32" });
    }
    await Promise.all([one, other].map((page) => page.getByRole("button", { name: "Analyse" }).click()));
    for (const page of [one, other]) {
      for (const shape of ["40×32×32", "56×32×32"]) await rows(page, "measured").filter({ hasText: shape }).waitFor();
      assert.equal(await page.locator("#sweeps tbody tr").count(), 2);
    }
    assert.notEqual(await ground(one), await ground(other));
  },

  async cancel() {
    const page = await open();
    await ready(page);
    await page.getByLabel("Precision", { exact: true }).selectOption("fp32");
    await page.locator("summary").filter({ hasText: "Sweep" }).click();
    // So much work that a busy browser still comes in its midst.
    await page.locator("[name=shapes]").fill(Array.from({ length: 900 }, (_, at) => `${128 + at % 64}x256x256`).join(" "));
    await page.getByRole("button", { name: "Start sweep" }).click();
    await sweep(page, 1).waitFor();
    assert.equal(await sweep(page, 1).locator("progress").isVisible(), true);
    await until("some are done", async () => await finished(page, 1) > 5);
    await page.getByRole("button", { name: "Cancel 1" }).click();
    await sweep(page, 1).filter({ hasText: "cancelled" }).waitFor();
    const kept = await finished(page, 1);
    assert.ok(kept > 5 && kept < 900, String(kept));
    await rows(page, "measured").first().waitFor();
    await page.getByLabel("Show 1 on the chart").uncheck();
    await until("they are gone", async () => await rows(page, "measured").count() === 0);
    await page.getByRole("button", { name: "Remove 1" }).click();
    await page.getByText("Nothing has been measured yet.").waitFor();
  },

  async older() {
    const page = await open();
    await ready(page);
    const post = (path, body) => page.evaluate(async ([path, body]) => (await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) })).status, [path, body]);
    // More than a page draws, cancelled at once; then more sweeps than the list has at once.
    const shapes = Array.from({ length: 2100 }, () => "8x8x8");
    assert.equal(await post("/api/sweeps", { workload: "gemm", platform: "t4", precisions: ["fp32"], shapes }), 201);
    await sweep(page, 1).filter({ hasText: "the first 2000 of 2100 points are shown here" }).waitFor();
    await post("/api/sweeps/1/cancel", {});
    for (let at = 0; at < 102; at += 1) assert.equal(await post("/api/spot", { workload: "gemm", platform: "t4", precision: "nvfp4", m: 8, n: 8, k: 8 }), 201);
    await sweep(page, 103).waitFor();
    await sweep(page, 1).waitFor({ state: "detached" });
    assert.equal(await page.locator("#sweeps tbody tr").count(), 100);
    await page.getByRole("button", { name: "Show older ones" }).click();
    await sweep(page, 1).waitFor();
    assert.equal(await page.locator("#sweeps tbody tr").count(), 103);
    assert.equal(await page.getByRole("button", { name: "Show older ones" }).isVisible(), false);
    assert.equal(await page.getByLabel("Show 1 on the chart").isChecked(), false, "what is old is offered");
  },

  async begin() {
    const page = await open();
    await ready(page);
    await page.getByLabel("Precision", { exact: true }).selectOption("fp32");
    await page.locator("summary").filter({ hasText: "Sweep" }).click();
    await page.locator("[name=shapes]").fill(Array.from({ length: 200 }, (_, at) => `${32 + at % 64}x64x64`).join(" "));
    await page.getByRole("button", { name: "Start sweep" }).click();
    await until("some are measured", async () => await rows(page, "measured").count() > 20);
  },

  async again() {
    const page = await open();
    await ready(page);
    await sweep(page, 1).filter({ hasText: "interrupted" }).filter({ hasText: "derate ended before it was through" }).waitFor();
    assert.ok(await finished(page, 1) > 20);
    await until("they are there", async () => await rows(page, "measured").count() > 20);
    await page.getByRole("button", { name: "Resume 1" }).click();
    await sweep(page, 1).filter({ hasText: "done: 200 of 200" }).waitFor();
  },

  async access() {
    for (const context of [{ colorScheme: "light" }, { colorScheme: "dark" }, { colorScheme: "dark", viewport: { width: 360, height: 740 } }]) {
      const page = await open(context);
      await ready(page);
      await page.getByLabel("Run all precisions").check();
      await type(page, { m: "32", n: "32", k: "32" });
      await page.getByRole("button", { name: "Analyse" }).click();
      await rows(page, "measured").filter({ hasText: "32×32×32" }).first().waitFor();
      await page.locator("summary").filter({ hasText: "Sweep" }).click();
      await type(page, { k: "0" });
      await page.locator("[aria-invalid]").waitFor();
      assert.deepEqual(await violations(page, axe), [], JSON.stringify(context));
      assert.deepEqual(await sticking(page), [false], JSON.stringify(context));
    }
    const page = await open();
    await ready(page);
    await rows(page, "measured").first().waitFor();
    const seen = [];
    for (let step = 0; step < 120; step += 1) {
      await page.keyboard.press("Tab");
      const now = await page.evaluate(() => {
        const { activeElement: node } = document;
        if (node === document.body) return null;
        node.dataset.reached = "";
        return { what: `${node.tagName} ${node.textContent.slice(0, 20)}`, marked: getComputedStyle(node).outlineStyle !== "none" || node.classList.contains("mark") };
      });
      if (!now) break;
      seen.push(now);
    }
    assert.match(seen[0].what, /Skip to the roofline/);
    assert.deepEqual(seen.filter(({ marked }) => !marked), [], "the focus is seen");
    const missed = await page.evaluate(() => [...document.querySelectorAll("a, button, input, select, summary, .box, .mark[tabindex='0']")]
      .filter((node) => node.checkVisibility() && !("reached" in node.dataset)).map((node) => node.outerHTML.slice(0, 80)));
    assert.deepEqual(missed, []);
    // By the keyboard alone: Enter in a field analyses.
    await page.locator("[name=m]").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("status").filter({ hasText: "Spot check" }).waitFor();
  },

  async token() {
    const page = await open();
    const word = page.getByLabel("The token that derate serve was started with");
    await word.fill("wrong-wrong-wrong-wrong");
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByText("This is not the token.").waitFor();
    await word.fill("0123456789abcdef0123");
    await page.getByRole("button", { name: "Go on" }).click();
    await ready(page);
    const other = await open({}, `${url}/#token=0123456789abcdef0123`);
    await ready(other);
    assert.equal(new URL(other.url()).hash, "", "it does not stay in the address");
  },
};

let failed = null;
try {
  await phases[phase]();
} catch (error) {
  failed = error;
}
await Promise.all(launched.map((browser) => browser.close()));
if (failed || complaints.length > 0) {
  console.error(phase, failed, complaints.join("\n"));
  process.exit(1);
}
