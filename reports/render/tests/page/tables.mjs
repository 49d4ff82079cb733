// Tables: sorting, filtering, long ones.

import assert from "node:assert/strict";

const column = (page, table, at) => page.locator(`[data-table="${table}"] tbody tr:not([hidden])`).evaluateAll((rows, cell) => rows.map((row) => row.cells[cell].textContent), at);

export async function a_column_sorts_by_its_numbers_and_goes_back(page) {
  const given = await column(page, "kernels", 0);
  const heading = page.locator("[data-table=kernels] thead th").nth(3);
  await heading.getByRole("button").click();
  assert.equal(await heading.getAttribute("aria-sort"), "ascending");
  const bytes = (await column(page, "kernels", 3)).map((text) => Number(text.replaceAll(",", "")));
  assert.deepEqual(bytes, [...bytes].sort((a, b) => a - b));
  await heading.getByRole("button").focus();
  await page.keyboard.press("Enter");
  assert.equal(await heading.getAttribute("aria-sort"), "descending");
  assert.equal((await column(page, "kernels", 0))[0], "all calls");
  await page.keyboard.press("Enter");
  assert.equal(await heading.getAttribute("aria-sort"), "none");
  assert.deepEqual(await column(page, "kernels", 0), given);
}

export async function key_figures_are_in_no_order(page) {
  assert.ok(await page.locator(".key-figures tbody tr").count() > 1);
  assert.equal(await page.locator(".key-figures .sort").count(), 0);
}

export async function figures_follow_in_a_sorted_table_too(page) {
  await page.locator("[data-table=kernels] thead th").nth(3).getByRole("button").click();
  await page.locator("[data-input=precision] select").selectOption("fp32");
  const cell = page.locator("[data-table=kernels] tbody tr", { hasText: "Gate" }).locator("td").nth(2);
  await page.waitForFunction(() => document.querySelector("[data-table=kernels] td.changed"));
  assert.match(await cell.textContent(), /^10,534,400/);
}

export async function a_long_table_opens_filters_and_sorts(page) {
  const details = page.locator("details:not(.part)", { has: page.locator("[data-table=sweep]") });
  assert.equal(await details.getAttribute("open"), null);
  await details.locator("summary").click();
  await details.getByRole("searchbox").fill("fast");
  assert.match(await details.locator(".found").textContent(), /^\d+ of 60 rows$/);
  const words = await column(page, "sweep", 2);
  assert.ok(words.length > 0 && words.every((word) => word === "fast"), words.join());
  await details.getByRole("searchbox").fill("");
  assert.equal((await column(page, "sweep", 2)).length, 60);
}

export async function headings_stay_in_sight(page) {
  const details = page.locator("details:not(.part)", { has: page.locator("[data-table=sweep]") });
  await details.locator("summary").click();
  const box = details.locator(".box");
  await box.evaluate((node) => node.scrollTo(0, 500));
  const [top, heading] = await box.evaluate((node) => [node.getBoundingClientRect().top, node.querySelector("th").getBoundingClientRect().top]);
  assert.ok(Math.abs(top - heading) < 3, `${top} ${heading}`);
}
