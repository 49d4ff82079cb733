// How it looks: dark and light, narrow screens, paper, without script.

import assert from "node:assert/strict";

import { ground, sticking } from "./help.mjs";

const light = "rgb(255, 255, 255)";

export async function the_switch_turns_dark_and_back(page) {
  assert.equal(await ground(page), light);
  await page.getByRole("button", { name: "Dark colours" }).click();
  assert.notEqual(await ground(page), light);
  await page.getByRole("button", { name: "Light colours" }).click();
  assert.equal(await ground(page), light);
}

export async function the_system_is_dark(page) {
  assert.notEqual(await ground(page), light);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  assert.equal(await ground(page), light, "paper is white");
}
the_system_is_dark.context = { colorScheme: "dark" };

export async function nothing_sticks_out_at_360_pixels(page) {
  assert.deepEqual(await sticking(page), [false]);
  await page.getByRole("button", { name: "What if" }).click();
  assert.equal(await page.locator(".panel").isVisible(), true);
  assert.deepEqual(await sticking(page), [false]);
}
nothing_sticks_out_at_360_pixels.context = { viewport: { width: 360, height: 740 } };

export async function the_other_report_fits_too(page) {
  assert.deepEqual(await sticking(page), [false]);
}
the_other_report_fits_too.context = { viewport: { width: 360, height: 740 } };
the_other_report_fits_too.page = "roofline";

export async function sentences_of_a_table_are_in_sight_at_360_pixels(page) {
  const cells = page.locator("table.stacks tbody :is(td, th):visible");
  assert.ok(await cells.count() > 0, "the report has a table with sentences");
  const ends = await cells.evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().right));
  assert.ok(ends.every((end) => end <= 360), `${Math.max(...ends)} pixels`);
  const said = await cells.nth(1).evaluate((cell) => getComputedStyle(cell, "::before").content);
  assert.ok(said.length > 2, "each below its heading");
}
sentences_of_a_table_are_in_sight_at_360_pixels.context = { viewport: { width: 360, height: 740 } };

export async function every_column_of_key_figures_is_in_sight_at_360_pixels(page) {
  const table = page.locator(".key-figures table.pairs").first();
  const row = table.locator("tbody tr").first();
  const cells = row.locator("td");
  assert.ok(await cells.count() > 2, "the report compares several columns");
  const placed = await cells.evaluateAll((all) => all.map((cell) => {
    const { left, right, top } = cell.getBoundingClientRect();
    return { left, right, top, heading: getComputedStyle(cell, "::before").content };
  }));
  assert.ok(placed.every(({ left, right }) => left >= 0 && right <= 360), JSON.stringify(placed));
  assert.ok(placed.every(({ top }, at) => at === 0 || top > placed[at - 1].top), "one below the other");
  const headings = await table.locator("thead th").evaluateAll((all) => all.map((one) => one.textContent.trim()));
  assert.deepEqual(placed.map(({ heading }) => JSON.parse(heading)), headings.slice(1), "each with its column");
  assert.equal(await table.locator("thead").isVisible(), false);
}
every_column_of_key_figures_is_in_sight_at_360_pixels.context = { viewport: { width: 360, height: 740 } };

export async function paper_has_what_is_open_and_nothing_to_press(page) {
  await page.emulateMedia({ media: "print" });
  for (const hidden of [".controls", ".tools", ".search", ".theme", "td.input input"]) {
    assert.equal(await page.locator(hidden).first().isVisible(), false, hidden);
  }
  // A long table that nobody opened is one line that says so.
  const summary = page.locator(".table:has([data-table=sweep]) summary");
  const says = () => summary.evaluate((node) => [getComputedStyle(node).display, getComputedStyle(node, "::after").content]);
  assert.equal(await page.locator("[data-table=sweep]").isVisible(), false);
  assert.match((await says())[1], /closed here/);
  await page.emulateMedia({ media: "screen" });
  await summary.click();
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator("[data-table=sweep]").isVisible(), true);
  assert.equal((await says())[0], "none");
  assert.equal(await page.locator("[data-input=dsp] .printed").textContent(), "9,020");
  // What a browser needs to repeat headings on every page.
  const repeats = await page.locator("[data-table=sweep] thead").evaluate((head) => [getComputedStyle(head).display, getComputedStyle(head).breakInside, getComputedStyle(head.querySelector(".sort")).display]);
  assert.deepEqual(repeats, ["table-header-group", "avoid", "contents"]);
  const breaks = (table) => page.locator(`.table:has([data-table=${table}])`).evaluate((node) => getComputedStyle(node).breakInside);
  assert.deepEqual([await breaks("kernels"), await breaks("sweep")], ["avoid", "auto"], "a small table stays on one page");
  assert.ok((await page.pdf({ preferCSSPageSize: true })).length > 10000);
}

export async function who_wants_no_motion_gets_none(page) {
  const behaviour = () => page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior);
  assert.equal(await behaviour(), "auto");
  await page.emulateMedia({ reducedMotion: "no-preference" });
  assert.equal(await behaviour(), "smooth");
}
