// What several checks of a page use.

/** What axe-core finds serious. */
export async function violations(page, axe) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return found.violations.filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.any[0]?.message ?? ""}`).join(" | ")}`);
}

/** Puts a value into the field of an input's own cell. */
export async function put(page, name, value) {
  const field = page.locator(`[data-input="${name}"] :is(input, select)`);
  if (typeof value === "string") await field.selectOption(value);
  else await field.fill(String(value));
}

/** A picture later, everything is computed. */
export const settle = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** The colour behind everything. */
export const ground = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

/** What sticks out to the right, but for what scrolls in a box of its own. */
export const sticking = (page) => page.evaluate(() => {
  const wide = document.documentElement.scrollWidth > innerWidth;
  const clipped = (node) => node.closest(".box, pre, .unseen, .skip");
  const out = [...document.querySelectorAll("body *")].filter((node) => !clipped(node) && node.getBoundingClientRect().right > innerWidth + 1);
  return [wide, ...out.slice(0, 5).map((node) => `${node.tagName} ${node.className.baseVal ?? node.className} ${node.textContent.slice(0, 40)}`)];
});
