// One input in one place: a number field or a choice, and why a value is refused.

/** A control for the input of that name, kept in step with its other places. */
function field(model, name, { atHand = false } = {}) {
  const input = model.inputs.get(name);
  const id = freshId("field");
  const control = input.allowed["one-of"] ? choice(model, input) : numberField(model, input);
  control.id = id;
  control.dataset.name = name;
  const refused = element("span", { class: "refused", id: `${id}-refused`, role: "alert" });
  control.setAttribute("aria-describedby", refused.id);
  if (!atHand) control.setAttribute("aria-label", [input.label, input.unit].filter(Boolean).join(", "));
  const again = element("button", {
    type: "button", class: "again", hidden: true, onclick: () => { model.reset(name); control.focus(); },
  }, "↺");
  again.setAttribute("aria-label", `${input.label}: back to ${shown(input.value, input.format)}`);
  again.title = `derate: ${shown(input.value, input.format)}`;

  const refuse = (reason) => {
    refused.textContent = reason;
    if (reason) control.setAttribute("aria-invalid", "true");
    else control.removeAttribute("aria-invalid");
  };
  control.addEventListener("input", () => {
    const { value, reason } = checked(input, control.value);
    refuse(reason ?? "");
    if (!reason) model.edit(name, value);
  });
  control.addEventListener("blur", () => {
    if (control.getAttribute("aria-invalid")) {
      refuse("");
      control.value = brief(input, model.value(name));
    }
  });

  const row = element("div", { class: "field" });
  if (atHand) {
    const origin = element("a", { href: `#${originOf(name)}`, class: "origin", "aria-label": `source of ${input.label}` }, "source");
    row.append(element("div", { class: "title" }, element("label", { for: id }, input.label), origin));
  }
  const line = element("div", { class: "line" }, control, again);
  const range = atHand && input.allowed.number ? track(model, input) : null;
  if (range) line.prepend(range.node);
  row.append(line, refused);
  model.follow(() => {
    const value = model.value(name);
    const changed = value !== input.value;
    row.classList.toggle("changed", changed);
    again.hidden = !changed;
    if (document.activeElement !== control || Number(control.value) !== value) {
      control.value = brief(input, value);
      refuse("");
    }
    range?.show(value);
  });
  return row;
}

/** The text of a field: derate's own value with the digits that it has elsewhere, another value as it was typed. */
function brief({ value: own, format: { style, digits } }, value) {
  return value === own && typeof value === "number" && style === "significant" ? Number(value.toPrecision(digits)) : value;
}

function numberField(model, { allowed: { number } }) {
  return element("input", {
    type: "number", min: number.least, max: number.most, step: number.whole ? 1 : "any", inputmode: number.whole ? "numeric" : "decimal",
  });
}

function choice(model, { allowed }) {
  return element("select", {}, ...allowed["one-of"].map((text) => element("option", { value: text }, text)));
}

/** The name of the cell of an input, for a link. */
function originOf(name) {
  return `input-${name}`;
}

/** How far a slider reaches to either side of derate's value. */
const REACH = 8;

/** A slider around derate's value, even in the logarithm where it spans much. */
function track(model, input) {
  const { least, most, whole } = input.allowed.number;
  const low = Math.max(least, input.value / REACH);
  const high = Math.min(most, input.value > 0 ? input.value * REACH : most);
  if (!(high > low)) return null;
  const even = !(low > 0 && high / low > 10 && !(whole && high - low < 40));
  const steps = whole && even ? Math.floor(high) - Math.ceil(low) : 200;
  const from = whole ? Math.ceil(low) : low;
  const to = whole ? Math.floor(high) : high;
  const valueAt = (step) => {
    const share = step / steps;
    const value = even ? from + share * (to - from) : from * (to / from) ** share;
    return whole ? Math.round(value) : Math.min(Math.max(Number(value.toPrecision(3)), least), most);
  };
  const stepOf = (value) => steps * (even ? (value - from) / (to - from) : Math.log(value / from) / Math.log(to / from));
  const node = element("input", { type: "range", min: 0, max: steps, step: 1, "aria-label": `${input.label}, slider` });
  node.addEventListener("input", () => model.edit(input.name, valueAt(Number(node.value))));
  return {
    node,
    show(value) {
      if (document.activeElement !== node || valueAt(Number(node.value)) !== value) {
        node.value = Math.round(Math.min(Math.max(stepOf(value), 0), steps));
      }
      node.setAttribute("aria-valuetext", shown(value, input.format));
    },
  };
}

/** The cells of inputs get their fields. */
function bindFields(model) {
  for (const cell of document.querySelectorAll("[data-input]")) {
    const name = cell.dataset.input;
    if (!model.inputs.has(name)) continue;
    cell.replaceChildren(field(model, name));
    cell.id = originOf(name);
    const { format } = model.inputs.get(name);
    const printed = element("span", { class: "printed", "aria-hidden": "true" });
    cell.append(printed);
    model.follow(() => {
      cell.dataset.value = model.value(name);
      printed.textContent = shown(model.value(name), format);
      cell.classList.toggle("changed", model.edits.has(name));
    });
  }
}
