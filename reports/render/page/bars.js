// Horizontal bars that follow the inputs and show their lengths.

const BAR = 20;
const BAR_GAP = 18;

class BarChart {
  constructor(figure, chart, model) {
    Object.assign(this, { figure, chart, model, marks: new Marks() });
    this.svg = drawn("svg", { class: "chart", role: "group", "aria-label": chart.title });
    const entries = chart.series.map((series, at) => element("li", {},
      drawn("svg", { class: "sample", width: 14, height: 14, "aria-hidden": "true" },
        drawn("rect", { class: `bar bar-${at % 8}`, x: 1, y: 1, width: 12, height: 12 })), series.name));
    const picture = figure.querySelector(".picture");
    picture.replaceChildren(element("div", { class: "tools" }, ...downloadButtons(figure, chart.name)), this.svg, element("ul", { class: "legend", "aria-label": "Series" }, ...entries));
    this.svg.addEventListener("keydown", (event) => this.key(event));
    this.svg.addEventListener("pointerleave", () => hideTip());
    new ResizeObserver(() => this.draw()).observe(picture);
    model.follow(() => this.recompute());
  }

  recompute() {
    this.lengths = this.chart.series.map(({ lengths }) => this.chart.bars.map((_, bar) => {
      const length = lengths[bar];
      return length ? this.model.live(length.value, length.live) : null;
    }));
    const rows = [...this.figure.querySelectorAll(".values tbody tr")];
    this.chart.bars.forEach((_, bar) => this.lengths.forEach((lengths, series) => {
      const given = this.chart.series[series].lengths[bar];
      if (!given) return;
      const cell = rows[bar].cells[series + 1];
      cell.textContent = shown(lengths[bar], this.chart.format);
      cell.dataset.value = lengths[bar] ?? "";
      cell.classList.toggle("changed", lengths[bar] !== given.value);
    }));
    this.draw();
  }

  draw() {
    const { chart } = this;
    const width = Math.max(this.svg.parentNode.clientWidth, 240);
    const known = (lengths) => lengths.filter((length) => length > 0);
    const rows = chart.bars.map((_, bar) => this.lengths.map((lengths) => lengths[bar]));
    const reach = rows.map((lengths) => (chart.stacked ? known(lengths).reduce((a, b) => a + b, 0) : Math.max(0, ...known(lengths))));
    const most = Math.max(...reach, 0) || 1;
    const scale = (value) => 2 + (value / most) * (width - 96);
    const parts = [];
    this.marks.clear();
    let y = 4;
    rows.forEach((lengths, bar) => {
      parts.push(drawn("text", { class: "bar-name", x: 2, y: y + 11 }, chart.bars[bar]));
      y += 17;
      let end = 0;
      lengths.forEach((length, series) => {
        const lies = chart.stacked ? y : y + series * (BAR - 4);
        const thick = chart.stacked ? BAR : BAR - 5;
        const from = scale(chart.stacked ? end : 0);
        if (length > 0) {
          const to = scale((chart.stacked ? end : 0) + length);
          const node = drawn("g", { class: "mark" }, drawn("rect", {
            class: `bar bar-${series % 8}`, x: from, y: lies, width: Math.max(to - from, 0.75), height: thick,
          }));
          const lines = [chart.bars[bar], `${chart.series[series].name}: ${formatQuantity(length, chart.format, chart.unit)}`];
          this.marks.add(node, lines, [to, lies]);
          for (const kind of ["pointermove", "pointerdown"]) node.addEventListener(kind, (event) => showTip(lines, event.clientX, event.clientY));
          parts.push(node);
          if (chart.stacked) end += length;
        }
        if (!chart.stacked) {
          const text = length === null ? "unknown" : formatNumber(length, chart.format);
          parts.push(drawn("text", { class: length === null ? "figure unknown" : "figure", x: scale(Math.max(length ?? 0, 0)) + 6, y: lies + thick - 3 }, text));
        }
      });
      if (chart.stacked) {
        parts.push(this.sum(lengths, end, scale(end) + 6, y + BAR - 6));
      }
      y += (chart.stacked ? BAR : lengths.length * (BAR - 4)) + BAR_GAP;
    });
    const ticks = evenTicks(most, Math.max(2, Math.floor(width / 140)));
    const grid = ticks.map((value) => drawn("path", { class: "grid decade", d: `M${scale(value)} 0V${y}` }));
    const names = ticks.map((value, at) => drawn("text", {
      class: "tick", x: scale(value), y: y + 15, "text-anchor": at === 0 ? "start" : "middle",
    }, tickName(value)));
    const axis = drawn("text", { class: "axis", x: width / 2, y: y + 36, "text-anchor": "middle" }, axisName(chart));
    const height = y + 44;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", height);
    this.svg.replaceChildren(...grid, ...names, axis, ...parts);
    this.marks.ready();
  }

  /** The sum of the parts of a bar, and which parts are not in it. */
  sum(lengths, end, x, y) {
    const lacks = this.chart.series.filter((_, at) => lengths[at] === null).map(({ name }) => name);
    if (lacks.length === lengths.length) return drawn("text", { class: "figure unknown", x, y }, "unknown");
    const text = drawn("text", { class: "figure", x, y }, formatNumber(end, this.chart.format));
    if (lacks.length > 0) text.append(drawn("tspan", { class: "unknown" }, ` without ${lacks.join(", ")}: unknown`));
    return text;
  }

  key(event) {
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    if (event.key === "Escape") hideTip();
    else if (steps[event.key]) this.marks.move(steps[event.key]);
    else return;
    event.preventDefault();
  }
}
