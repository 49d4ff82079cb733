// Spot checks and sweeps of all who use this server: the progress of each, and its buttons.

/** How often the server is asked, in ms. */
const BEAT = 700;

/** The number of latest ones that the chart shows until somebody chooses. */
const SHOWN = 3;

/** At most so many points of one sweep are drawn. */
const DRAWN = 2000;

class Sweeps {
  /** `changed` is called when the points to show have changed. */
  constructor(node, changed) {
    Object.assign(this, { changed, rows: new Map(), listed: false, pages: 1 });
    this.body = element("tbody");
    const heading = (text) => element("th", { scope: "col" }, text);
    this.table = element("div", { class: "table", hidden: true }, element("div", { class: "box", role: "region", tabindex: "0", "aria-label": "Spot checks and sweeps" },
      element("table", { class: "stacks" }, element("thead", {}, element("tr", {}, ...["Number", "What", "Modelled for", "Measured on", "How far", "On the chart", ""].map(heading))), this.body)));
    this.none = element("p", { class: "empty" }, "Nothing has been measured yet.");
    this.trouble = element("p", { class: "refused", role: "alert" });
    this.older = element("button", { type: "button", hidden: true, onclick: () => this.more() }, "Show older ones");
    this.clear = element("button", { type: "button", onclick: () => this.act({ said: this.trouble }, () => this.removeAll()) }, "Remove all that are not at work");
    this.count = element("summary", {}, "The list");
    this.fold = element("details", { open: true, hidden: true }, this.count, this.table, element("p", { class: "works" }, this.clear, this.older));
    node.replaceChildren(this.trouble, this.none, this.fold);
  }

  /** Takes all out of the store that are not at work, as far as the list goes. */
  async removeAll() {
    const idle = [...this.rows.values()].filter(({ sweep: { state } }) => state !== "waiting" && state !== "running");
    for (const { sweep } of idle) await ask("DELETE", `/api/sweeps/${sweep.id}`);
    await this.look();
  }

  /** One more page of the list. */
  async more() {
    this.pages += 1;
    await this.act({ said: this.trouble }, () => this.look());
  }

  /** The list, as far as somebody wants to see it. */
  async list() {
    const first = await ask("GET", "/api/sweeps");
    const all = [...first.sweeps];
    let { next } = first;
    for (let page = 1; page < this.pages && next !== null; page += 1) {
      const older = await ask("GET", `/api/sweeps?before=${next}`);
      all.push(...older.sweeps);
      ({ next } = older);
    }
    return { sweeps: all, trouble: first.trouble, next };
  }

  /** Asks for all, and for the new points of those that are shown. */
  async look() {
    const { sweeps, trouble, next } = await this.list();
    const told = trouble === null ? "" : `Nothing is measured: ${trouble}.`;
    if (this.trouble.textContent !== told) this.trouble.textContent = told;
    this.older.hidden = next === null;
    const known = new Set(sweeps.map(({ id }) => id));
    let moved = false;
    for (const [id, { node }] of this.rows) {
      if (known.has(id)) continue;
      node.remove();
      this.rows.delete(id);
      moved = true;
    }
    const newest = Math.max(0, ...this.rows.keys());
    sweeps.forEach((sweep, at) => {
      // New ones are shown, old ones are offered.
      const row = this.rows.get(sweep.id) ?? this.add(sweep, this.listed ? sweep.id > newest : at < SHOWN);
      row.sweep = sweep;
      this.write(row);
    });
    this.listed = true;
    this.none.hidden = sweeps.length > 0;
    this.table.hidden = sweeps.length === 0;
    this.fold.hidden = sweeps.length === 0;
    const length = `The list, ${sweeps.length} long`;
    if (this.count.textContent !== length) this.count.textContent = length;
    for (const row of this.rows.values()) moved = await this.fetch(row) || moved;
    if (moved) this.changed();
  }

  /** Gets the new points of a sweep that is shown; returns whether there were any. */
  async fetch(row) {
    if (!row.show.checked || row.seen === row.sweep.finished) return false;
    const { finished } = row.sweep;
    // Points finish in their order: known points stay valid.
    let from = row.points.findIndex(({ state }) => !["measured", "refused"].includes(state));
    if (from < 0) from = row.points.length;
    for (let next = from; next !== null && next < DRAWN;) {
      const part = await ask("GET", `/api/sweeps/${row.sweep.id}?from=${next}`);
      for (const point of part.points) row.points[point.ordinal] = point;
      const last = part.points.at(-1);
      next = last && ["waiting", "cancelled"].includes(last.state) ? null : part.next;
    }
    row.seen = finished;
    return true;
  }

  add(sweep, isShown) {
    const cell = (...children) => element("td", {}, ...children);
    const act = (text, path, method = "POST") => element("button", {
      type: "button", "aria-label": `${text} ${sweep.id}`, onclick: () => this.act(row, async () => {
        await ask(method, `/api/sweeps/${row.sweep.id}${path}`, method === "POST" ? {} : undefined);
        if (path === "/resume") row.seen = -1;
        await this.look();
      }),
    }, text);
    const show = element("input", { type: "checkbox", "aria-label": `Show ${sweep.id} on the chart`, onchange: () => { this.write(row); this.changed(); } });
    show.checked = isShown;
    const row = {
      show, points: [], seen: 0,
      bar: element("progress", { "aria-label": `Progress of ${sweep.id}` }), now: element("span", { class: "now" }), said: element("span", { class: "refused", role: "alert" }),
      cancel: act("Cancel", "/cancel"), resume: act("Resume", "/resume"), remove: act("Remove", "", "DELETE"),
    };
    row.state = element("span");
    row.node = element("tr", { "data-sweep": String(sweep.id) }, element("th", { scope: "row" }, String(sweep.id)), cell(sweep.kind === "spot" ? "Spot check" : "Sweep"), cell(sweep.platform), cell(sweep.device),
      cell(element("div", { class: "far" }, row.state, row.bar, row.now)), cell(show), cell(element("div", { class: "works" }, row.cancel, row.resume, row.remove), row.said));
    this.rows.set(sweep.id, row);
    const before = [...this.body.children].find((other) => Number(other.dataset.sweep) < sweep.id);
    this.body.insertBefore(row.node, before ?? null);
    stack(this.body.parentNode);
    return row;
  }

  /** What is known of a sweep now. */
  write(row) {
    const { state, points, finished, measured } = row.sweep;
    const refused = finished - measured;
    const text = `${state}: ${finished} of ${points}${refused > 0 ? `, ${refused} refused` : ""}`;
    if (row.state.textContent !== text) row.state.textContent = text;
    row.node.dataset.state = state;
    row.bar.max = points;
    row.bar.value = finished;
    const isOpen = state === "waiting" || state === "running";
    row.bar.hidden = !isOpen;
    row.cancel.hidden = !isOpen;
    row.resume.hidden = !["cancelled", "interrupted"].includes(state);
    row.remove.hidden = isOpen;
    const cut = points > DRAWN && row.show.checked ? `the first ${DRAWN} of ${points} points are shown here` : null;
    row.now.textContent = [row.sweep.reason, cut].filter(Boolean).join("; ");
  }

  /** Does what a button asks for; if it is refused, says why beside that button. */
  async act({ said }, work) {
    said.textContent = "";
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      said.textContent = error.message;
    }
  }

  /** The points of those that are on the chart, the latest first. */
  points() {
    const shown = [...this.rows.values()].filter(({ show }) => show.checked).sort((a, b) => b.sweep.id - a.sweep.id);
    return shown.flatMap(({ points, sweep }) => points.filter(({ state }) => state === "measured" || state === "refused")
      .map((point) => ({ ...point, platform: sweep.platform })));
  }
}
