// Who uses no mouse, or no eyes, reaches everything.

import assert from "node:assert/strict";

import { violations } from "./help.mjs";

async function no_violation(page, { axe }) {
  await page.evaluate(() => { for (const one of document.querySelectorAll("details")) one.open = true; });
  assert.deepEqual(await violations(page, axe), []);
  if (await page.locator(".controls").count() === 0) return;
  await page.locator("[data-input=bandwidth] input").fill("0");
  await page.locator("[data-input=clock] input").fill("100");
  await page.locator("td.changed").first().waitFor();
  assert.deepEqual(await violations(page, axe), [], "with changes and a refusal");
}

const on = (context, name) => Object.assign((page, tools) => no_violation(page, tools), { context, page: name });

export const axe_core_finds_nothing_serious_in_light = on({ colorScheme: "light" }, "live");
export const axe_core_finds_nothing_serious_in_dark = on({ colorScheme: "dark" }, "live");
export const axe_core_finds_nothing_serious_on_a_phone = on({ viewport: { width: 360, height: 740 } }, "live");
export const axe_core_finds_nothing_serious_in_the_other_report = on({ colorScheme: "dark" }, "roofline");

export async function the_keyboard_alone_reaches_everything(page) {
  const seen = [];
  for (let step = 0; step < 400; step += 1) {
    await page.keyboard.press("Tab");
    const now = await page.evaluate(() => {
      const { activeElement: node } = document;
      if (node === document.body) return null;
      node.dataset.reached = "";
      const { outlineStyle } = getComputedStyle(node);
      const marked = outlineStyle !== "none" || node.classList.contains("mark");
      return { what: `${node.tagName} ${node.className.baseVal ?? node.className}`, marked };
    });
    if (!now) break;
    seen.push(now);
  }
  assert.equal(seen[0].what, "A skip");
  assert.deepEqual(seen.filter((one) => !one.marked), [], "the focus is seen");
  const missed = await page.evaluate(() => [...document.querySelectorAll("a, button, input, select, summary, .box, pre, .mark[tabindex='0']")]
    .filter((node) => node.checkVisibility({ contentVisibilityAuto: true }) && !("reached" in node.dataset) && getComputedStyle(node).visibility !== "hidden")
    .map((node) => `${node.tagName} ${node.className.baseVal ?? node.className} ${node.textContent.slice(0, 30)}`));
  assert.deepEqual(missed, []);
}

export async function the_skip_link_leads_to_the_report(page) {
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "report");
}

export async function landmarks_and_headings_tell_the_way(page) {
  for (const role of ["banner", "navigation", "main"]) assert.equal(await page.getByRole(role).count(), 1, role);
  assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1);
  assert.equal(await page.getByRole("table").count() >= 6, true);
  const links = await page.locator(".contents a").evaluateAll((all) => all.filter((link) => !document.querySelector(link.getAttribute("href"))).length);
  assert.equal(links, 0);
}

export async function a_formula_is_told_to_who_uses_the_keyboard(page) {
  const stops = page.locator("[data-table=kernels] td[tabindex='0']");
  assert.equal(await stops.count(), 1, "a table is one stop");
  await page.keyboard.press("Tab");
  await stops.focus();
  const lines = page.locator(".tip:not([hidden]) > *");
  const first = await lines.allTextContents();
  assert.match(first[1], /^= /);
  const described = () => page.evaluate(() => document.getElementById(document.activeElement.getAttribute("aria-describedby"))?.textContent);
  assert.equal(await described(), first.join(""));
  const place = () => page.evaluate(() => [document.activeElement.parentNode.rowIndex, document.activeElement.cellIndex]);
  const [row, column] = await place();
  await page.keyboard.press("ArrowRight");
  assert.deepEqual((await place())[0], row);
  assert.ok((await place())[1] > column);
  await page.keyboard.press("ArrowDown");
  assert.ok((await place())[0] > row);
  assert.notEqual(await described(), first.join(""));
  assert.equal(await stops.count(), 1, "still one");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".tip").isVisible(), false);
  assert.notDeepEqual(await place(), [0, 0], "the focus stays");
}
