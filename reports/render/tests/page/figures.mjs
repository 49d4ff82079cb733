// Figures: hover, keyboard, zoom, the legend, and points that follow.

import assert from "node:assert/strict";

const chart = (page) => page.locator("[data-chart='0']");
const positions = (page) => chart(page).locator(".mark .ring").evaluateAll((rings) => rings.map((ring) => [ring.getAttribute("cx"), ring.getAttribute("cy")].map(Number)));
const ticks = (page) => chart(page).locator(".tick").allTextContents();

export async function a_point_under_the_pointer_says_its_figures(page) {
  const mark = chart(page).locator(".mark[aria-label^='measured Q']");
  await mark.hover();
  const lines = await page.locator(".tip > *").allTextContents();
  assert.deepEqual(lines.slice(0, 3), ["measured Q (Measured)", "Operational intensity: 20.00 FLOP/B", "Attainable rate: 300.0 GFLOP/s"]);
  assert.match(lines[3], /^27\.7% of the roof derated bandwidth, derived peak$/);
  await page.mouse.move(2, 2);
  await page.locator(".tip").waitFor({ state: "hidden" });
}

export async function a_point_on_a_roof_says_what_bounds_it(page) {
  await chart(page).scrollIntoViewIfNeeded();
  const label = () => chart(page).locator(".mark[aria-label^='Gate']").getAttribute("aria-label");
  assert.match(await label(), /Bound by compute: roof derated bandwidth, derived peak$/);
  await page.locator("[data-input=bandwidth] input").fill("10");
  await page.waitForFunction(() => document.querySelector(".mark[aria-label^='Gate']").getAttribute("aria-label").includes("memory"));
  assert.match(await label(), /Bound by memory: roof derated bandwidth/);
}

export async function arrows_lead_from_point_to_point(page) {
  assert.equal(await chart(page).locator(".mark[tabindex='0']").count(), 1, "one stop in the tab order");
  await chart(page).locator(".mark[tabindex='0']").focus();
  const first = await page.locator(".tip b").textContent();
  await page.keyboard.press("ArrowRight");
  assert.notEqual(await page.locator(".tip b").textContent(), first);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.locator(".tip b").textContent(), first);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".tip").isVisible(), false);
}

export async function points_and_their_table_follow_the_inputs(page) {
  const before = await positions(page);
  await page.locator("[data-input=precision] select").selectOption("fp32");
  await page.locator("[data-chart='0'] .values td.changed").first().waitFor({ state: "attached" });
  const after = await positions(page);
  assert.deepEqual(after[0], before[0], "what the claim says stays");
  assert.ok(after[1][0] < before[1][0], "twice the bytes, half the intensity");
  const oi = await page.locator("[data-table=kernels] tbody tr").first().locator("td").nth(3).getAttribute("data-value");
  const row = chart(page).locator(".values tbody tr").nth(1).locator("td");
  assert.equal(await row.nth(1).getAttribute("data-value"), oi);
  const bar = page.locator("[data-bars='0'] .values tbody tr").first().locator("td").first();
  const time = await page.locator("[data-table=kernels] tbody tr").first().locator("td").nth(4).getAttribute("data-value");
  assert.equal(await bar.getAttribute("data-value"), time);
}

export async function lines_that_look_alike_have_their_names_beside_them(page) {
  const names = () => chart(page).locator("svg.chart text.name:not([class*=roof-])").allTextContents();
  // Both boxes are read at once: a chart that is drawn anew has other elements.
  const near = async (text) => {
    await chart(page).locator("svg.chart text.name:not([class*=roof-])", { hasText: text }).waitFor();
    const { right, y, frame } = await chart(page).evaluate((figure, text) => {
      const named = [...figure.querySelectorAll("svg.chart text.name:not([class*=roof-])")].filter((one) => one.textContent.includes(text));
      const [box, frame] = [named[0], figure.querySelector(".frame")].map((one) => one.getBoundingClientRect());
      return { right: box.right, y: box.y, frame: { right: frame.right, y: frame.y } };
    }, text);
    assert.ok(right <= frame.right, `${text} lies in the frame`);
    return y - frame.y;
  };
  assert.ok(await near("8 TFLOP/s") < await near("2 TFLOP/s"), "the higher roof's name is higher");
  assert.ok(!(await names()).includes("460 GB/s, 5.41 TFLOP/s"), "the legend tells this one from the others");
  await chart(page).getByRole("button", { name: "8 TFLOP/s" }).click();
  assert.ok(!(await names()).some((text) => text.endsWith("TFLOP/s")), "what is alone needs no name");
}

export async function wheel_buttons_keys_and_dragging_zoom_and_reset_goes_back(page) {
  await chart(page).scrollIntoViewIfNeeded();
  const whole = await positions(page);
  const changed = async (what) => {
    assert.notDeepEqual(await positions(page), whole, what);
    await chart(page).getByRole("button", { name: "Reset view" }).click();
    assert.deepEqual(await positions(page), whole, `${what}, taken back`);
  };
  await chart(page).getByRole("button", { name: "Zoom in" }).click();
  await changed("the button");
  const box = await chart(page).locator(".frame").boundingBox();
  const [x, y] = [box.x + box.width * 0.6, box.y + box.height * 0.7];
  await page.mouse.move(x, y);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -200);
  await page.keyboard.up("Control");
  await page.waitForFunction((before) => document.querySelector(".mark .ring").getAttribute("cx") !== String(before), whole[0][0]);
  await changed("the wheel");
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 60, y + 30, { steps: 4 });
  await page.mouse.up();
  await changed("dragging");
  await chart(page).locator(".mark[tabindex='0']").focus();
  await page.keyboard.press("+");
  await changed("the keyboard");
  const names = await ticks(page);
  assert.ok(names.includes("100") && names.includes("1 T"), names.join());
}

export async function without_a_key_held_the_wheel_scrolls_the_page(page) {
  await chart(page).locator(".frame").waitFor();
  const box = await chart(page).locator(".frame").boundingBox();
  const before = await ticks(page);
  await page.mouse.move(box.x + 50, box.y + 50);
  await page.mouse.wheel(0, 300);
  await page.waitForFunction(() => scrollY > 0);
  assert.deepEqual(await ticks(page), before);
}

export async function the_legend_hides_and_shows(page) {
  const count = () => chart(page).locator(".mark").count();
  const all = await count();
  const button = chart(page).locator(".legend button", { hasText: "As built" });
  await button.click();
  assert.equal(await count(), all - 6);
  assert.equal(await button.getAttribute("aria-pressed"), "false");
  await button.click();
  assert.equal(await count(), all);
  const line = chart(page).locator(".legend button", { hasText: "460 GB/s" });
  await line.click();
  assert.equal(await chart(page).locator("g > .line-claimed").count(), 0);
}

export async function a_bar_says_its_length(page) {
  await page.locator("[data-bars='0'] .mark").first().hover();
  const lines = await page.locator(".tip > *").allTextContents();
  assert.deepEqual(lines, ["Q", "Roofline time: 0.0851 ms"]);
  assert.equal(await page.locator("[data-bars='0'] .chart .unknown").count(), 1, "what is unknown says so");
  const sums = await page.locator("[data-bars='1'] .chart .figure").allTextContents();
  assert.equal(sums[0], "0.0919");
  assert.equal(sums[2], "0.0284 without Memory time: unknown");
}
