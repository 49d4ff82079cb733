// What the page may do, and what it is without its script.

import assert from "node:assert/strict";

export async function nothing_but_its_own_script_runs_and_nothing_is_fetched(page) {
  const done = await page.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "window.owned = 1";
    document.body.append(script);
    const image = document.createElement("div");
    image.innerHTML = "<img src=x onerror='window.owned = 1'>";
    document.body.append(image);
    const fetched = await fetch("data:text/plain,x").then(() => "fetched", () => "refused");
    const evaluated = await new Promise((resolve) => {
      // Later: what the test itself runs may do more.
      setTimeout(() => { try { resolve(window.eval("1")); } catch { resolve("refused"); } });
    });
    return [fetched, evaluated];
  });
  assert.deepEqual(done, ["refused", "refused"]);
}
nothing_but_its_own_script_runs_and_nothing_is_fetched.forgives = /Content Security Policy/;

export async function without_script_everything_is_there_to_read(page) {
  for (const heading of await page.locator(".part > summary").all()) await heading.click();
  const picture = page.locator("figure img").first();
  assert.ok((await picture.boundingBox()).height > 200);
  assert.match(await page.locator("main").innerText(), /300 of the 460 GB\/s/);
  assert.equal(await page.locator("[data-table=kernels] tbody tr").count(), 8);
  assert.equal(await page.locator("input, select").count(), 0, "nothing that does nothing");
  await page.locator("figure summary").first().click();
  assert.equal(await page.locator("figure table").first().isVisible(), true);
}
without_script_everything_is_there_to_read.context = { javaScriptEnabled: false };
without_script_everything_is_there_to_read.page = "roofline";
