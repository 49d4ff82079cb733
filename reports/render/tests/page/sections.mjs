// Sections that open, the address that keeps what was changed, and figures as files.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { put, settle } from "./help.mjs";

const open = (page) => page.evaluate(() => [...document.querySelectorAll("details.part")].map((part) => part.open));

export async function all_but_the_first_section_are_closed_and_a_link_opens_one(page) {
  assert.ok((await open(page)).length > 1 && (await open(page)).every((one) => !one));
  const last = page.locator(".contents a").last();
  await last.click();
  await settle(page);
  assert.deepEqual((await open(page)).filter(Boolean), [true]);
  assert.equal((await open(page)).at(-1), true);
  await page.getByRole("button", { name: "Open all sections" }).click();
  assert.ok((await open(page)).every(Boolean));
  await page.getByRole("button", { name: "Close all sections" }).click();
  assert.ok((await open(page)).every((one) => !one));
}
all_but_the_first_section_are_closed_and_a_link_opens_one.closed = true;

export async function paper_has_every_section(page) {
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  assert.ok((await open(page)).every(Boolean));
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  assert.ok((await open(page)).every((one) => !one));
}
paper_has_every_section.closed = true;

export async function a_link_keeps_what_was_changed(page) {
  await put(page, "dsp", 4321);
  await settle(page);
  assert.match(page.url(), /[?&]dsp=4321/);
  await page.reload();
  await page.waitForSelector(".chart .mark", { state: "attached" });
  await settle(page);
  assert.match(await page.locator(".banner").textContent(), /1 assumption changed/);
  assert.equal(await page.locator('[data-input="dsp"] input').inputValue(), "4321");
  await page.goto(page.url().replace("4321", "-7"));
  await settle(page);
  assert.equal(await page.locator(".banner").isVisible(), false, "a value that is not allowed is not taken");
}

export async function a_figure_is_saved_in_three_forms(page) {
  const figure = page.locator("[data-chart='0']");
  const save = async (name) => {
    const [file] = await Promise.all([page.waitForEvent("download"), figure.getByRole("button", { name: `Download as ${name}` }).click()]);
    return [file.suggestedFilename(), readFileSync(await file.path())];
  };
  const [svg, picture] = await save("SVG");
  assert.match(svg, /\.svg$/);
  assert.match(picture.toString(), /^<svg[^>]*viewBox[\s\S]*stroke="rgb/);
  const [, png] = await save("PNG");
  assert.deepEqual([...png.subarray(1, 4)], [...Buffer.from("PNG")]);
  const [, csv] = await save("CSV");
  const lines = csv.toString().trim().split("\n");
  assert.equal(lines.length - 1, await figure.locator(".values tbody tr").count());
}
