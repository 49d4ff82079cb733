// The Kernel Spot Check panel: platform, workload, precision, extents; a refusal is shown beside its field.

/** The longest pause in typing, in ms. */
const PAUSE = 180;

class Form {
  /** `changed` is called at every change, `analyse` and `sweep` by the buttons. */
  constructor({ platforms, precisions, models, changed, analyse, sweep, given_time }) {
    Object.assign(this, { changed, entries: new Map() });
    this.all = precisions.precisions.filter(({ spot }) => spot).map(({ name }) => name);
    const option = (value, text, selected) => element("option", { value, selected }, text);
    const usual = this.all.includes("fp16") ? "fp16" : this.all[0];
    const select = (...options) => element("select", {}, ...options);
    this.platform = select(...platforms.platforms.map(({ name, title }) => option(name, title, name === platforms.chosen)));
    this.workload = select(...Object.entries(WORKLOADS).map(([name, { title }]) => option(name, title, name === "gemm")));
    this.precision = select(...precisions.precisions.map(({ name }) => option(name, precisionName(name), name === usual)));
    this.model = select(...models.models.map(({ name }) => option(name, name)));
    this.preset = select();
    this.extents = element("div", { class: "grid-of-fields" });
    this.every = element("input", { type: "checkbox", id: freshId("every") });
    this.go = element("button", { type: "submit" }, "Analyse");
    this.said = element("p", { class: "said", role: "status" });
    this.shapes = element("textarea", { spellcheck: "false" });
    this.sweepGo = element("button", { type: "button", class: "go", onclick: () => sweep() }, "Start sweep");
    this.sweeping = element("details", {}, element("summary", {}, "Sweep: many shapes"),
      this.entry("shapes", "Shapes", this.shapes), this.sweepGo);
    const given = (placeholder) => element("input", { type: "text", spellcheck: "false", placeholder });
    this.bandwidth = given("273 GB/s");
    this.peak = given("fp8=124 TFLOP/s; int8=200 TOP/s");
    this.time = given("61.5 us");
    this.timeGo = element("button", { type: "button", class: "go", onclick: () => given_time(this.time.value) }, "Show measured point");
    this.roofs = element("details", {}, element("summary", {}, "Your own roofs"),
      this.entry("bandwidth", "Bandwidth, in place of the platform's", this.bandwidth), this.entry("peak", "Peaks, in place of the platform's", this.peak));
    this.known = element("details", {}, element("summary", {}, "A point that you measured"),
      this.entry("time", "Time of one run, in ns, us, ms or s", this.time), this.timeGo);
    this.node = element("form", { class: "spot", "aria-labelledby": "spot-title", novalidate: true, autocomplete: "off" },
      element("h2", { id: "spot-title" }, "Kernel Spot Check"),
      this.entry("platform", "Platform", this.platform), this.entry("workload", "Workload", this.workload),
      this.entry("model", "Model", this.model), this.entry("precision", "Precision", this.precision), this.entry("preset", "Preset", this.preset),
      this.extents,
      element("div", { class: "check" }, this.every, element("label", { for: this.every.id }, "Run all precisions")),
      this.go, this.said, this.roofs, this.known, this.sweeping);
    this.node.addEventListener("submit", (event) => { event.preventDefault(); analyse(); });
    this.preset.addEventListener("change", () => this.fill(WORKLOADS[this.workload.value].presets[this.preset.value]));
    this.workload.addEventListener("change", () => this.arrange());
    let timer = 0;
    this.node.addEventListener("input", ({ target }) => {
      if (target === this.shapes || target === this.time) return this.refuse([]);
      clearTimeout(timer);
      timer = setTimeout(changed, PAUSE);
    });
    this.arrange();
  }

  /** A labelled control with a place for why it is refused. */
  entry(name, label, control) {
    control.id = freshId("entry");
    control.name = name;
    const refused = element("span", { class: "refused", id: `${control.id}-refused`, role: "alert" });
    control.setAttribute("aria-describedby", refused.id);
    const node = element("div", { class: "entry" }, element("label", { for: control.id }, label), control, refused);
    this.entries.set(name, { control, refused, node });
    return node;
  }

  /** The fields of the workload that is chosen. */
  arrange() {
    const { fields, flags = [], presets, form, shapes } = WORKLOADS[this.workload.value];
    for (const name of this.own ?? []) this.entries.delete(name);
    this.own = fields.map(([name]) => name);
    this.flags = flags.map(([name, label]) => ({ name, label, control: element("input", { type: "checkbox", id: freshId("flag") }) }));
    this.extents.replaceChildren(...fields.map(([name, label, usual]) => this.entry(name, label,
      element("input", { type: "text", inputmode: "numeric", spellcheck: "false", placeholder: usual === undefined ? false : String(usual) }))),
    ...this.flags.map(({ label, control }) => element("div", { class: "check" }, control, element("label", { for: control.id }, label))));
    this.preset.replaceChildren(...Object.keys(presets).map((name) => element("option", { value: name }, name)), element("option", { value: "", hidden: true }, "Your own"));
    this.extents.oninput = () => { this.preset.value = ""; };
    const isModel = this.workload.value === "llm";
    this.entries.get("model").node.hidden = !isModel;
    // A model's run is predicted; what is measured here are its parts.
    this.go.hidden = isModel;
    this.sweeping.hidden = isModel;
    if (!isModel) {
      this.shapes.value = shapes;
      this.entries.get("shapes").node.querySelector("label").textContent = `Shapes, ${form}`;
    }
    this.fill(Object.values(presets)[0]);
  }

  fill(values) {
    if (!values) return;
    this.own.forEach((name, at) => { this.entries.get(name).control.value = values[at]; });
    this.changed();
  }

  /** What is asked for, as it was typed. */
  asked(precision = this.precision.value) {
    const body = { workload: this.workload.value, platform: this.platform.value, precision };
    for (const name of this.own) {
      const text = this.entries.get(name).control.value.trim();
      // A field with a usual value may be empty.
      if (text !== "" || !this.entries.get(name).control.placeholder) body[name] = text;
    }
    for (const { name, control } of this.flags) if (control.checked) body[name] = true;
    if (body.workload === "llm") body.model = this.model.value;
    return { ...body, ...this.given() };
  }

  /** The roofs that take the place of the platform's. */
  given() {
    const all = { bandwidth: this.bandwidth.value.trim(), peak: this.peak.value.trim() };
    return Object.fromEntries(Object.entries(all).filter(([, text]) => text !== ""));
  }

  /** The precisions that are asked for. */
  precisions() {
    return this.every.checked ? this.all : [this.precision.value];
  }

  /** Shows beside each field why it is refused; returns the refusals without a field here. */
  refuse(fields) {
    const told = new Map(fields.map(({ field, error }) => [field === "precisions" ? "precision" : field, error]));
    for (const [name, { control, refused }] of this.entries) {
      const reason = told.get(name) ?? "";
      told.delete(name);
      if (refused.textContent !== reason) refused.textContent = reason;
      if (reason) control.setAttribute("aria-invalid", "true");
      else control.removeAttribute("aria-invalid");
    }
    return [...told].map(([name, error]) => `${name}: ${error}`);
  }

  /** A word below the button. */
  say(text, isError = false) {
    this.said.textContent = text;
    this.said.classList.toggle("error", isError);
  }

  /** Shows what was refused where it belongs. */
  tell(error) {
    if (!(error instanceof Refused)) throw error;
    const rest = this.refuse(error.fields);
    if (error.fields.length === 0) this.say(error.message, true);
    else this.say(rest.join("; "), true);
  }
}
