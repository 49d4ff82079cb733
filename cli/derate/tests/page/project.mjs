// The page of fixtures/smolvla: it shows what `derate estimate` says, and it can be used.

import assert from "node:assert/strict";

import { ground, put, settle, sticking, violations } from "../../../../reports/render/tests/page/help.mjs";

/** What the page has in cells that are named by their table, row and column. */
const read = (page, cells) => page.evaluate((places) => places.map(([name, row, column]) => {
  const table = document.querySelector(`table[data-table="${name}"]`);
  const word = (cell) => [...cell.querySelectorAll("button")].map((node) => node.firstChild.textContent)[0] ?? cell.firstChild?.textContent ?? "";
  const at = [...table.tHead.rows[0].cells].findIndex((cell) => word(cell).trim() === column);
  const found = [...table.tBodies[0].rows].find((one) => word(one.cells[0]).trim() === row);
  return found?.cells[at]?.dataset.value ?? null;
}), cells);

async function shows(page, cells, what) {
  const values = await read(page, cells);
  cells.forEach(([table, row, column, value], at) => {
    const place = `${what}: ${table}, ${row}, ${column}: ${values[at]}, not ${value}`;
    if (typeof value === "string") assert.equal(values[at], value, place);
    else assert.ok(values[at] !== null && Math.abs(Number(values[at]) - value) <= 1e-9 * Math.abs(value), place);
  });
}

export async function it_shows_what_derate_says(page, { expected }) {
  assert.ok(expected.unchanged.length > 80);
  await shows(page, expected.unchanged, "as it stands");
}

export async function each_assumption_gives_what_derate_says_with_it(page, { expected }) {
  for (const { input, value, cells } of expected.cases) {
    // At hand where it is among the controls, else in its own cell.
    const control = page.locator(`.controls [data-name="${input}"]`);
    if (await control.count() === 0) await put(page, input, value);
    else if (typeof value === "string") await control.selectOption(value);
    else await control.fill(String(value));
    await settle(page);
    await shows(page, cells, `${input} = ${value}`);
    assert.match(await page.locator(".banner").textContent(), /1 assumption changed; \d+ figures follow/);
    await page.getByRole("button", { name: "Reset all" }).click();
    await settle(page);
    assert.equal(await page.locator("td.changed").count(), 0);
  }
  await shows(page, expected.unchanged, "taken back");
}

export async function what_formulas_cannot_follow_is_said(page) {
  await put(page, "tokens", 1e6);
  await settle(page);
  const [said] = await read(page, [["follows", "claimed", "Formulas follow"]]);
  assert.match(said, /^no: .*derate estimate/);
}

export async function a_point_of_the_roofline_says_its_figures(page, { expected }) {
  const mark = page.locator("[data-chart='0'] .mark[aria-label^='vision (derived-peak: parts of']");
  await mark.hover();
  const lines = await page.locator(".tip > *").allTextContents();
  assert.match(lines[0], /^vision/);
  const number = (text) => Number(text.match(/: ([\d.,]+)/)[1].replaceAll(",", ""));
  const near = (found, value) => assert.ok(Math.abs(found / value - 1) < 5e-3, `${found}, not ${value}: ${lines.join("; ")}`);
  near(number(lines[1]), expected.point.x);
  assert.match(lines[2], / GOP\/s$| TOP\/s$/);
  near(number(lines[2]), expected.point.y / (lines[2].endsWith("TOP/s") ? 1e12 : 1e9));
}

export async function kernels_sort_by_their_time(page) {
  const table = page.locator("table[data-table=kernels-derived-peak]");
  await page.evaluate(() => { for (const one of document.querySelectorAll("details")) one.open = true; });
  const heading = table.locator("thead th", { hasText: /^Time of a call/ }).first();
  const at = await heading.evaluate((node) => node.cellIndex);
  await heading.getByRole("button").click();
  assert.equal(await heading.getAttribute("aria-sort"), "ascending");
  const times = await table.locator("tbody tr:not(.total)").evaluateAll((rows, cell) => rows.map((row) => Number(row.cells[cell].dataset.value)), at);
  const known = times.filter(Number.isFinite);
  assert.ok(known.length > 20);
  assert.deepEqual(known, [...known].sort((a, b) => a - b));
}

export async function what_is_not_known_has_one_look(page) {
  // No INT16 peak is claimed: formulas give the word, too.
  await put(page, "claimed_precision", "int16");
  await settle(page);
  const looks = await page.locator("table[data-table=key-figures] td").evaluateAll((cells) => cells
    .filter((cell) => cell.textContent.startsWith("unknown"))
    .map((cell) => [cell.dataset.value !== undefined, cell.querySelector(".mark")?.textContent]));
  assert.ok(looks.some(([formula]) => formula) && looks.some(([formula]) => !formula), JSON.stringify(looks));
  assert.ok(looks.every(([, mark]) => mark === "unknown"), JSON.stringify(looks));
  await page.getByRole("button", { name: "Reset all" }).click();
  await settle(page);
  assert.equal(await page.locator("table[data-table=key-figures] td.number .mark").count(), 0, "a figure has no such mark");
}

export async function messages_in_code_are_in_sight_at_360_pixels(page) {
  const ends = await page.locator(".excerpt .says").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
  assert.ok(ends.length > 10 && ends.every((end) => end <= 360), `${Math.max(...ends)} pixels`);
}
messages_in_code_are_in_sight_at_360_pixels.context = { viewport: { width: 360, height: 740 } };

export async function it_turns_dark_and_back(page) {
  const light = await ground(page);
  await page.getByRole("button", { name: "Dark colours" }).click();
  assert.notEqual(await ground(page), light);
  await page.getByRole("button", { name: "Light colours" }).click();
  assert.equal(await ground(page), light);
}

const fits = async (page) => assert.deepEqual(await sticking(page), [false]);
const on = (check, context) => Object.assign((...given) => check(...given), { context });

export const nothing_sticks_out_at_360_pixels = on(fits, { viewport: { width: 360, height: 740 } });
export const nothing_sticks_out_at_1280_pixels = on(fits, {});

export async function it_prints(page) {
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator(".controls").isVisible(), false);
  assert.equal(await page.locator("table[data-table=key-figures]").isVisible(), true);
  assert.equal(await page.locator("table[data-table=kernels-derived-peak]").isVisible(), false, "nobody opened it");
  assert.ok((await page.pdf({ preferCSSPageSize: true })).length > 50000);
}

async function accessible(page, { axe }) {
  await page.evaluate(() => { for (const one of document.querySelectorAll("details")) one.open = true; });
  assert.deepEqual(await violations(page, axe), []);
}

export const axe_core_finds_nothing_serious_in_light = on(accessible, { colorScheme: "light" });
export const axe_core_finds_nothing_serious_in_dark = on(accessible, { colorScheme: "dark" });
