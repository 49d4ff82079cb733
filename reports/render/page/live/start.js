// Brings the page to life.

/** Nothing in this chart follows a formula. */
const still = { edits: new Map(), follow: (listener) => listener(), live: (given) => given };

class Page {
  async start() {
    const [platforms, precisions, models] = await Promise.all(["platforms", "precisions", "models"].map((noun) => ask("GET", `/api/${noun}`)));
    this.predictions = [];
    this.givens = [];
    this.roofs = new Map();
    this.turn = 0;
    this.sweeps = new Sweeps(document.getElementById("sweeps"), () => this.draw());
    this.form = new Form({
      platforms, precisions, models, changed: () => this.predict(),
      analyse: () => this.begin("/api/spot", this.form.asked(this.form.every.checked ? "all" : undefined)),
      sweep: () => this.begin("/api/sweeps", this.asked()),
      given_time: (text) => this.give(text),
    });
    document.getElementById("download").addEventListener("click", () => download("points.csv", pointsCsv(this.points())));
    document.getElementById("side").replaceChildren(this.form.node);
    await this.predict();
    this.beat();
  }

  /** A sweep as the form has it. */
  asked() {
    const { platform, workload } = this.form.asked();
    const shapes = this.form.shapes.value.split(/[\s,;]+/).filter(Boolean);
    return { ...this.form.given(), platform, workload, shapes, precisions: this.form.every.checked ? ["all"] : [this.form.precision.value] };
  }

  /** Asks what the roofline says of the form; an answer that comes late is not shown. */
  async predict() {
    if (!this.form) return;
    const turn = ++this.turn;
    const { form } = this;
    const platform = form.platform.value;
    try {
      const roofline = this.roofs.get(platform) ?? await ask("GET", `/api/platforms/${encodeURIComponent(platform)}/roofline`);
      this.roofs.set(platform, roofline);
      if (turn === this.turn) this.roofline = roofline;
      const predictions = await Promise.all(form.precisions().map(async (precision) => ({ precision, prediction: await ask("POST", "/api/predict", form.asked(precision)) })));
      if (turn !== this.turn) return;
      form.refuse([]);
      if (form.said.classList.contains("error")) form.say("");
      this.predictions = predictions;
    } catch (error) {
      if (turn !== this.turn) return;
      this.predictions = [];
      form.tell(error);
    }
    this.draw();
  }

  /** Has something measured. */
  async begin(path, body) {
    const { form } = this;
    try {
      const { sweep } = await ask("POST", path, body);
      form.refuse([]);
      form.say(`${sweep.kind === "spot" ? "Spot check" : "Sweep"} ${sweep.id}: ${sweep.points === 1 ? "1 point waits" : `${sweep.points} points wait`}.`);
      Object.assign(this, { waited: sweep.id, told: undefined });
      await this.sweeps.look();
    } catch (error) {
      form.tell(error);
    }
  }

  /** Says when a request from here is done, is cancelled, or goes on after that. */
  report() {
    const row = this.sweeps.rows.get(this.waited);
    if (!row || row.sweep.state === this.told) return;
    const { id, kind, state, measured, points } = row.sweep;
    const name = `${kind === "spot" ? "Spot check" : "Sweep"} ${id}`;
    const others = state === "done" && measured < points ? " The table says why the others were not." : "";
    if (["done", "cancelled"].includes(state)) this.form.say(`${name} is ${state}: ${measured} of ${points} measured.${others}`);
    else if (this.told === "cancelled") this.form.say(`${name} goes on: ${measured} of ${points} measured.`);
    this.told = state;
  }

  /** A point that was measured elsewhere: its time, of the shape and the precision of the form. */
  give(text) {
    const seconds = parseTime(text);
    const chosen = modelled(this.predictions.filter(({ precision }) => precision === this.form.precision.value));
    const reason = seconds === null ? `\`${text}\` is not a time: write a number and ns, us, ms or s` : chosen.length === 0 ? "there is no prediction to hold it against" : "";
    this.form.refuse(reason ? [{ field: "time", error: reason }] : []);
    if (reason) return;
    const sum = (key) => chosen.reduce((all, one) => all + one[key], 0);
    const [flops, bytes] = [sum("flops"), sum("bytes")];
    this.givens.unshift({ ...chosen[0], label: chosen[0].label.replace(/, .*/, ""), oi: flops / bytes, seconds, rate: flops / seconds, bandwidth: bytes / seconds,
      bound: null, unknown: null, condition: null, on: "another machine, as given", isMeasured: true, counted: "formulas" });
    this.draw();
  }

  /** All points, as the chart and the table have them. */
  points() {
    return [...modelled(this.predictions), ...this.givens, ...measured(this.sweeps.points())];
  }

  draw() {
    if (!this.roofline) return;
    const { form } = this;
    const roofline = withGiven(this.roofline, this.predictions);
    const points = this.points();
    const chart = chartOf(roofline, form.precision.value, form.all, points);
    document.getElementById("about").textContent = aboutChart(roofline, form.precision.value, points);
    if (this.chart) this.chart.show(chart);
    else this.chart = new Roofline(document.querySelector("[data-chart]"), chart, still);
    const place = document.getElementById("points");
    const scrolled = place.querySelector(".box")?.scrollTop ?? 0;
    place.replaceChildren(pointsTable(points));
    place.querySelector(".box").scrollTop = scrolled;
  }

  /** Asks again and again while somebody looks at the page. */
  async beat() {
    try {
      if (!document.hidden) await this.sweeps.look();
      this.report();
      if (this.isLost) this.form.say("");
      this.isLost = false;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.isLost = true;
      this.form.say(error.message, true);
    }
    setTimeout(() => this.beat(), BEAT);
  }
}

/** Asks for the token that the server wants. */
function askForToken(message) {
  const word = element("input", { type: "password", id: "token", autocomplete: "off" });
  const form = element("form", { class: "spot", "aria-label": "Token" }, element("h2", {}, "Token"),
    element("div", { class: "entry" }, element("label", { for: "token" }, "The token that derate serve was started with"), word, element("span", { class: "refused", role: "alert" }, message)),
    element("button", { type: "submit" }, "Go on"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    key.set(word.value.trim());
    begin();
  });
  document.getElementById("side").replaceChildren(form);
}

function begin() {
  new Page().start().catch((error) => {
    if (error instanceof Refused && error.status === 401) askForToken(key.get() ? "This is not the token." : "");
    else document.getElementById("side").replaceChildren(element("p", { class: "refused", role: "alert" }, error.message));
  });
}

document.body.append(tip);
bindTheme();
key.read();
begin();
