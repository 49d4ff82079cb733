// What is at hand while reading: the inputs that matter most, how many are changed, and the way back.

/** How long a reader is left in peace before the count of changed figures is said, in ms. */
const QUIET = 800;

function bindControls(model) {
  if (model.inputs.size === 0) return;
  const count = element("span", { class: "count" });
  const reset = element("button", { type: "button", class: "reset", onclick: () => model.reset() }, "Reset all");
  const status = element("p", { class: "unseen", role: "status" });
  const panel = element("div", { class: "panel", id: "controls-panel" });
  const open = element("button", {
    type: "button", class: "open", "aria-controls": panel.id, "aria-expanded": "false",
    onclick: () => {
      const expanded = side.classList.toggle("expanded");
      open.setAttribute("aria-expanded", String(expanded));
    },
  }, "What if");
  for (const { input } of model.data.controls) panel.append(field(model, input, { atHand: true }));
  const head = element("div", { class: "head" }, element("h2", {}, open), count, reset);
  const side = element("section", { class: "controls", "aria-label": "What if" }, head, panel, status);
  document.querySelector(".contents").after(side);

  const banner = element("aside", { class: "banner", "aria-label": "Changed assumptions", hidden: true });
  document.querySelector("main").prepend(banner);

  let timer = 0;
  model.follow(() => {
    const names = [...model.edits.keys()];
    const assumptions = names.length === 1 ? "1 assumption changed" : `${names.length} assumptions changed`;
    count.textContent = names.length === 0 ? "as derate has it" : `${names.length} changed`;
    reset.hidden = names.length === 0;
    banner.hidden = names.length === 0;
    document.body.classList.toggle("edited", names.length > 0);
    const list = names.map((name) => {
      const { label, unit, value, format } = model.inputs.get(name);
      const quantity = label.includes("(") || !unit ? label : `${label} (${unit})`;
      return element("li", {}, `${quantity}: `, element("b", {}, shown(model.value(name), format)), `, derate: ${shown(value, format)}`);
    });
    const figures = model.following === 1 ? "1 figure follows" : `${model.following} figures follow`;
    // A cell that says what may not hold any more is named beside the figures that follow.
    const lost = model.lost.map(({ cell, row, table, reason }) => {
      cell.id ||= freshId("lost");
      return element("li", {}, element("a", { href: `#${cell.id}` }, row), `, in “${table}”: ${reason}`);
    });
    banner.replaceChildren(
      element("p", {}, element("b", {}, `${assumptions}; ${figures}.`), " They are marked. What is grey does not follow: it is about derate's own values."),
      element("ul", {}, ...list),
      ...(lost.length === 0 ? [] : [element("p", {}, element("b", {}, "Where the formulas may no longer hold:")), element("ul", { class: "lost" }, ...lost)]),
    );
    clearTimeout(timer);
    if (!model.waiting && (names.length > 0 || status.textContent)) {
      timer = setTimeout(() => {
        status.textContent = names.length === 0 ? "All assumptions are as derate has them." : `${assumptions}; ${figures}.`;
      }, QUIET);
    }
  });
}
