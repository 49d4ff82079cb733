// Inputs: what the page computes is what Rust does.

import assert from "node:assert/strict";

import { put, settle } from "./help.mjs";

/** Values of every cell of a formula, as the page has them: a number, a text, or null. */
const read = (page, cells) => page.evaluate((places) => {
  const tables = new Map([...document.querySelectorAll("table[data-table]")].map((table) => [table.dataset.table, table]));
  return places.map(([table, row, column]) => tables.get(table).tBodies[0].rows[row].cells[column].dataset.value);
}, cells);

export async function every_figure_follows_the_inputs_as_rust_has_it(page, { expected }) {
  for (const { edits, cells } of expected.cases) {
    for (const [name, value] of edits) await put(page, name, value);
    await settle(page);
    const values = await read(page, cells);
    cells.forEach(([table, row, column, value], at) => {
      const now = typeof value === "number" ? Number(values[at]) : values[at];
      assert.equal(now, value ?? "", `${JSON.stringify(edits)}: ${table}, row ${row}, column ${column}`);
    });
    assert.match(await page.locator(".count").textContent(), new RegExp(`^${edits.length} changed$`));
    await page.getByRole("button", { name: "Reset all" }).click();
    await settle(page);
    assert.equal(await page.locator("td.changed").count(), 0);
    assert.equal(await page.locator(".banner").isVisible(), false);
  }
}

export async function each_control_at_hand_recomputes(page, { expected }) {
  const before = await page.locator("[data-table=key-figures]").textContent();
  for (const name of expected.controls) {
    const control = page.locator(`.controls [data-name="${name}"]`);
    const slider = page.locator(".controls .field", { has: page.locator(`[data-name="${name}"]`) }).locator("input[type=range]");
    if (await slider.count() > 0) {
      await slider.focus();
      await page.keyboard.press("ArrowLeft");
    } else {
      await control.selectOption({ index: 1 });
    }
    await settle(page);
    assert.ok(await page.locator("td.changed").count() > 0, `${name} changes figures`);
    assert.equal(await page.locator(`.field.changed [data-name="${name}"]`).count(), 2, `${name} is marked in both places`);
    assert.match(await page.locator(".banner").textContent(), /1 assumption changed; \d+ figures follow/);
    await page.locator(".controls .field.changed .again").click();
    await settle(page);
    assert.equal(await page.locator("[data-table=key-figures]").textContent(), before);
  }
}

export async function a_control_leads_to_where_its_figure_comes_from(page) {
  await page.getByRole("link", { name: "source of Kernel clock (MHz)" }).click();
  assert.equal(await page.evaluate(() => document.querySelector(":target").dataset.input), "clock");
}

export async function a_figure_says_what_gives_it_and_what_derate_had(page) {
  await put(page, "precision", "fp32");
  await settle(page);
  const cell = page.locator("[data-table=kernels] tbody tr").first().locator("td").nth(2);
  assert.equal(await cell.textContent(), "4,070,400 (derate: 2,035,200)");
  await cell.hover();
  const lines = page.locator(".tip > *");
  await lines.first().waitFor();
  assert.deepEqual(await lines.allTextContents(), [
    "Q: Traffic (B)", "= (Tokens × 1,920 + 921,600) × (Bits of Precision) / 8", "derate: 2,035,200",
  ]);
}

export async function what_may_not_stand_there_is_refused_with_the_reason(page) {
  const cases = [["bandwidth", "0.5", "At least 1."], ["bandwidth", "99999", "At most 2,000."], ["tokens", "7.5", "Write a whole number."], ["dsp", "", "Write a number."]];
  for (const [name, text, reason] of cases) {
    const cell = page.locator(`[data-input="${name}"]`);
    await cell.locator("input").fill(text);
    await settle(page);
    assert.equal(await cell.locator(".refused").textContent(), reason);
    assert.equal(await cell.locator("input").getAttribute("aria-invalid"), "true");
    assert.equal(await page.locator("td.changed").count(), 0, "nothing is computed with it");
    await cell.locator("input").blur();
    assert.equal(await cell.locator("input").getAttribute("aria-invalid"), null);
  }
}

export async function an_error_is_shown_as_one_and_the_count_is_said_quietly(page) {
  await put(page, "clock", 0);
  await settle(page);
  const odd = page.locator("[data-table=odd] tbody tr");
  assert.match(await odd.nth(0).locator("td").textContent(), /^cannot be computed/);
  assert.match(await odd.nth(1).locator("td").textContent(), /^no clock/);
  const status = page.locator(".controls [role=status]");
  await status.filter({ hasText: /1 assumption changed; \d+ figures follow\./ }).waitFor({ state: "attached" });
  // Whoever is still typing hears nothing.
  const said = await page.evaluate(async () => {
    const field = document.querySelector("[data-input=tokens] input");
    const before = document.querySelector(".controls [role=status]").textContent;
    field.value = 51;
    field.dispatchEvent(new Event("input"));
    await new Promise((done) => requestAnimationFrame(done));
    return [before, document.querySelector(".controls [role=status]").textContent];
  });
  assert.equal(said[0], said[1]);
  await status.filter({ hasText: "2 assumptions changed" }).waitFor({ state: "attached" });
}

export async function the_banner_lists_what_does_not_follow(page) {
  const lost = page.locator(".banner .lost li");
  await put(page, "clock", 150);
  await settle(page);
  assert.equal(await lost.count(), 0, "everything follows");
  await put(page, "clock", 50);
  await settle(page);
  assert.deepEqual(await lost.allTextContents(), ["formulas follow, in “Value”: run derate at this clock"]);
  await lost.locator("a").click();
  assert.match(await page.evaluate(() => document.querySelector(":target").textContent), /^no: run derate/);
  await put(page, "clock", 150);
  await settle(page);
  assert.equal(await lost.count(), 0);
}
