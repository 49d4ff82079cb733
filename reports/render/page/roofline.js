// A log-log chart that reacts: hover and arrows name points, wheel, buttons and dragging zoom, the legend hides.

const STYLES = ["reference", "claimed", "design", "corrected"];

/** A point is on a roof if it is nearer than this share. */
const ON_ROOF = 0.005;

/** If more points are at one place, their number is shown. */
const TOLD = 4;

class Roofline {
  constructor(figure, chart, model) {
    Object.assign(this, { figure, chart, model, hidden: untried(chart), marks: new Marks(), zoom: null, looks: looks(chart) });
    this.svg = drawn("svg", { class: "chart", role: "group", "aria-label": chart.title, tabindex: "-1" });
    const picture = figure.querySelector(".picture");
    this.unnamed = element("p", { class: "unnamed", hidden: "" });
    this.entries = this.legend();
    this.sizes = element("p", { class: "unnamed" }, "Mark size: share of its series' time, below 5 %, up to 25 %, and above.");
    picture.replaceChildren(this.tools(), this.svg, this.entries, this.sizes, this.unnamed);
    this.showSizes();
    this.followPointer();
    this.svg.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(picture);
    model.follow(() => this.recompute());
  }

  /** Shows another chart in the same place; what is hidden stays hidden if it has the same name. */
  show(chart) {
    const named = ({ points, lines }) => [...points.map(({ name }, at) => [`p${at}`, `p ${name}`]), ...lines.map(({ name }, at) => [`l${at}`, `l ${name}`])];
    const gone = new Set(named(this.chart).filter(([key]) => this.hidden.has(key)).map(([, name]) => name));
    this.hidden = new Set(named(chart).filter(([, name]) => gone.has(name)).map(([key]) => key));
    Object.assign(this, { chart, looks: looks(chart) });
    this.svg.setAttribute("aria-label", chart.title);
    const entries = this.legend();
    this.entries.replaceWith(entries);
    this.entries = entries;
    this.showSizes();
    this.recompute();
  }

  /** What the sizes of the marks mean, where they differ. */
  showSizes() {
    this.sizes.hidden = !this.chart.points.some(({ points }) => points.some(({ share }) => share !== undefined));
  }

  tools() {
    const button = (text, name, action) => element("button", { type: "button", "aria-label": name, title: name, onclick: action }, text);
    return element("div", { class: "tools" },
      element("span", { class: "hint" }, "Ctrl + wheel zooms, dragging moves"),
      button("+", "Zoom in", () => this.scaleBy(1 / 1.5)), button("−", "Zoom out", () => this.scaleBy(1.5)),
      button("Reset view", "Reset view", () => { this.zoom = null; this.draw(); }),
      ...downloadButtons(this.figure, this.chart.name));
  }

  /** Every series and every line, each of which can be hidden. */
  legend() {
    const entry = (key, name, sample) => element("button", {
      type: "button", "aria-pressed": String(!this.hidden.has(key)),
      onclick: ({ currentTarget }) => {
        const shownNow = this.hidden.delete(key) || !this.hidden.add(key);
        currentTarget.setAttribute("aria-pressed", String(shownNow));
        this.draw();
      },
    }, sample, element("span", {}, name));
    const sample = (...children) => drawn("svg", { class: "sample", width: 30, height: 14, "aria-hidden": "true" }, ...children);
    const series = this.chart.points.map((one, at) => entry(`p${at}`, one.name, sample(shape(one.marker, this.looks[at], 15, 7))));
    const lines = this.chart.lines.map((line, at) => entry(`l${at}`, line.name,
      sample(drawn("path", { class: `line line-${line.style}`, d: "M1 7h28" }))));
    return element("div", { class: "legend", role: "group", "aria-label": "Show or hide" }, ...series, ...lines);
  }

  /** Where everything is now. */
  recompute() {
    const place = ({ x, y, live }) => [this.model.live(x, live?.[0]), this.model.live(y, live?.[1])];
    // What is only to be tried comes into view with the first change.
    if (this.model.edits.size > 0 && !this.tried) {
      this.tried = true;
      for (const key of untried(this.chart)) this.hidden.delete(key);
      const entries = this.legend();
      this.entries.replaceWith(entries);
      this.entries = entries;
    }
    this.lines = this.chart.lines.map((line) => ({ ...line, corners: line.corners.map(place) }));
    this.points = this.chart.points.map((series, at) => ({
      ...series, look: this.looks[at], points: series.points.map((point) => ({ ...point, at: place(point.at) })),
    }));
    const rows = [...this.figure.querySelectorAll(".values tbody tr")];
    const original = this.chart.points.flatMap((series) => series.points.map(({ at }) => [at.x, at.y]));
    this.points.flatMap((series) => series.points).forEach(({ at }, row) => at.forEach((value, axis) => {
      const cell = rows[row]?.cells[2 + axis];
      if (!cell) return;
      cell.textContent = value === null ? "cannot be computed" : pointNumber(value);
      cell.dataset.value = value ?? "";
      cell.classList.toggle("changed", value !== original[row][axis]);
    }));
    this.draw();
  }

  /** The axes: those of the chart, wider where a point has moved beyond. */
  range(axis, at) {
    const known = this.points.flatMap((series) => series.points.map((point) => point.at[at])).filter((value) => value > 0);
    if (this.model.edits.size === 0) return [axis.min, axis.max];
    return [Math.min(axis.min, ...known.map((value) => value / 1.3)), Math.max(axis.max, ...known.map((value) => value * 1.3))];
  }

  draw() {
    const width = Math.max(this.svg.parentNode.clientWidth, 240);
    const height = Math.round(Math.min(Math.max(width * 0.58, 320), 560));
    const frame = { left: 64, right: width - 20, top: 10, bottom: height - 48 };
    const [xRange, yRange] = this.zoom ?? [this.range(this.chart.x, 0), this.range(this.chart.y, 1)];
    this.x = new LogScale(...xRange, frame.left, frame.right);
    this.y = new LogScale(...yRange, frame.bottom, frame.top);
    this.frame = frame;
    this.clip ??= freshId("clip");
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", height);
    this.marks.clear();
    const inner = drawn("g", { "clip-path": `url(#${this.clip})` }, ...this.drawLines());
    const clip = drawn("clipPath", { id: this.clip }, drawn("rect", rectangle(frame)));
    this.svg.replaceChildren(clip, ...this.grid(width, height), inner, ...this.drawPoints());
    this.marks.ready();
  }

  grid(width, height) {
    const { frame } = this;
    const parts = [];
    for (const [ticks, across] of [[this.x.ticks(), true], [this.y.ticks(), false]]) {
      for (const decade of [false, true]) {
        const d = ticks.filter((tick) => tick.decade === decade)
          .map(({ at }) => (across ? `M${at} ${frame.top}V${frame.bottom}` : `M${frame.left} ${at}H${frame.right}`)).join("");
        if (d) parts.push(drawn("path", { class: decade ? "grid decade" : "grid", d }));
      }
      let last = -Infinity;
      for (const { at, label } of ticks) {
        const room = label === null || (across && at - last < label.length * 7 + 8);
        if (room) continue;
        last = at;
        parts.push(across
          ? drawn("text", { class: "tick", x: at, y: frame.bottom + 17, "text-anchor": "middle" }, label)
          : drawn("text", { class: "tick", x: frame.left - 7, y: at + 4, "text-anchor": "end" }, label));
      }
    }
    parts.push(drawn("rect", { class: "frame", ...rectangle(frame) }));
    parts.push(drawn("text", { class: "axis", x: (frame.left + frame.right) / 2, y: height - 8, "text-anchor": "middle" }, axisName(this.chart.x)));
    const middle = (frame.top + frame.bottom) / 2;
    parts.push(drawn("text", { class: "axis", x: 12, y: middle, "text-anchor": "middle", transform: `rotate(-90 12 ${middle})` }, axisName(this.chart.y)));
    return parts;
  }

  drawLines() {
    const shownLines = this.lines.map((line, at) => ({ ...line, at })).filter(({ at }) => !this.hidden.has(`l${at}`));
    return STYLES.flatMap((style) => shownLines.filter((line) => line.style === style)).map((line) => {
      const corners = line.corners.filter(([x, y]) => x > 0 && y > 0).map(([x, y]) => `${this.x.pixel(x)} ${this.y.pixel(y)}`);
      return drawn("path", { class: `line line-${line.style}`, d: corners.length < 2 ? "" : `M${corners.join("L")}` });
    });
  }

  /** The names of lines that look alike, where they leave the frame: the legend cannot tell them apart. */
  lineNames(labels) {
    const { frame } = this;
    const shownLines = this.lines.filter((_, at) => !this.hidden.has(`l${at}`));
    const alike = shownLines.filter(({ style }) => shownLines.filter((other) => other.style === style).length > 1);
    return alike.flatMap(({ name, corners }) => {
      const pixels = corners.map(([x, y]) => [this.x.pixel(x), this.y.pixel(y)]);
      const end = pixels.findIndex(([x]) => x >= frame.right - 1);
      if (end < 1) return [];
      const [[x0, y0], [x1, y1]] = [pixels[end - 1], pixels[end]];
      const place = labels.leaving(name, y0 + (y1 - y0) * (frame.right - x0) / (x1 - x0));
      return place ? [drawn("text", { class: "name", x: place.x, y: place.y, "text-anchor": "end" }, name)] : [];
    });
  }

  /** The figures of each roof that is the only one of its look: the peak above its flat part, the bandwidth along its slope, the ridge below. */
  roofFigures(labels) {
    const { frame, chart } = this;
    if (!chart.x.unit.endsWith("/B")) return [];
    const shownLines = this.lines.filter((_, at) => !this.hidden.has(`l${at}`));
    const isRoof = ({ corners, style }) => corners.length === 3 && corners.flat().every((value) => value > 0)
      && shownLines.filter((other) => other.style === style).length === 1;
    const roofs = shownLines.filter(isRoof).sort((a, b) => b.corners[0][1] - a.corners[0][1]);
    const figure = (value, unit) => formatQuantity(value, { style: "si", digits: 3 }, unit);
    return roofs.flatMap(({ corners: [[x0, y0], [ridge, peak]], style, unit }, rank) => {
      const look = `name roof-${style}`;
      const [across, up] = [this.x.pixel(ridge), this.y.pixel(peak)];
      if (across < frame.left || across > frame.right || up < frame.top || up > frame.bottom) return [];
      const parts = [drawn("path", { class: `ridge line-${style}`, d: `M${across} ${up}V${frame.bottom}` })];
      parts.push(drawn("text", { class: look, x: across + 4, y: frame.bottom - 6 - 14 * rank }, `ridge ${formatNumber(ridge, { style: "significant", digits: 3 })}`));
      const most = figure(peak, unit ?? chart.y.unit);
      const top = labels.along(most, across, up);
      if (top) parts.push(drawn("text", { class: look, x: top.x, y: top.y, "text-anchor": "end" }, most));
      const from = [Math.max(this.x.pixel(x0), frame.left), 0];
      from[1] = this.y.pixel(y0 / x0 * this.x.value(from[0]));
      const angle = Math.atan2(up - from[1], across - from[0]);
      const [x, y] = [0, 1].map((axis) => from[axis] + ([across, up][axis] - from[axis]) * 0.3);
      const side = rank === 0 ? -6 : 15;
      parts.push(drawn("text", { class: look, "text-anchor": "middle", transform: `translate(${x} ${y}) rotate(${angle * 180 / Math.PI}) translate(0 ${side})` }, figure(y0 / x0, "B/s")));
      return parts;
    });
  }

  drawPoints() {
    const { frame } = this;
    const spots = [];
    const strokes = this.lines.filter((_, at) => !this.hidden.has(`l${at}`)).flatMap(({ corners }) => corners.slice(1).map((corner, at) => [corners[at], corner]
      .map(([x, y]) => [this.x.pixel(x), this.y.pixel(y)])));
    this.points.forEach((series, at) => series.points.forEach((point) => {
      const [x, y] = [this.x.pixel(point.at[0]), this.y.pixel(point.at[1])];
      const inside = x >= frame.left - 1 && x <= frame.right + 1 && y >= frame.top - 1 && y <= frame.bottom + 1;
      if (inside && !this.hidden.has(`p${at}`)) spots.push({ series, point, at: [x, y] });
    }));
    const labels = new Labels(frame, spots.map((spot) => spot.at), strokes);
    const parts = [...this.lineNames(labels), ...this.roofFigures(labels)];
    const groups = [];
    const nodes = [];
    for (const { series, point, at } of spots) {
      const node = drawn("g", { class: "mark" }, drawn("circle", { class: "ring", cx: at[0], cy: at[1], r: 10 }),
        shape(series.marker, series.look, ...at, markScale(point)));
      this.marks.add(node, this.says(series, point), at);
      nodes.push({ node, scale: markScale(point) });
      // Points at the same place share a name.
      const group = groups.find((other) => other.look === series.look && Math.hypot(other.at[0] - at[0], other.at[1] - at[1]) < SAME);
      const scale = markScale(point);
      if (!group) groups.push({ at, scale, look: series.look, series: series.name, names: new Set([point.label]) });
      else {
        group.names.add(point.label);
        group.scale = Math.max(group.scale, scale);
      }
    }
    // A small mark lies on a large one.
    parts.push(...nodes.sort((a, b) => b.scale - a.scale).map(({ node }) => node));
    // Measured points come first, then what takes most of the time.
    groups.sort((a, b) => b.look.startsWith("measured") - a.look.startsWith("measured") || b.scale - a.scale);
    const unnamed = [];
    for (const { at, look, series, names } of groups) {
      const text = [...names].filter(Boolean).join(", ");
      if (text === "") continue;
      const place = labels.place(text, at);
      if (!place) {
        unnamed.push(`${text} (${series})`);
        continue;
      }
      if (place.leader) parts.unshift(drawn("path", { class: `leader ${look}`, d: place.leader }));
      parts.push(drawn("text", { class: `name ${look}`, x: place.x, y: place.y, "text-anchor": place.anchor }, text));
    }
    this.unnamed.hidden = unnamed.length === 0;
    this.unnamed.replaceChildren(`No room to label: ${unnamed.join(", ")}.`, element("span", { class: "pointing" }, " The pointer names every mark."));
    return parts;
  }

  /** What is known about a point, in lines. */
  says(series, point) {
    const quantity = (axis, value) => `${axis.label}: ${formatQuantity(value, quantityFormat(value), axis.unit)}`;
    const lines = point.says ?? [`${point.label} (${series.name})`, quantity(this.chart.x, point.at[0]), quantity(this.chart.y, point.at[1])];
    const roof = this.roof(point.at, point.under);
    return roof ? [...lines, roof] : lines;
  }

  /**
   * The roof that a point lies on and what that bounds it by; else how near it comes to what holds. Where a point says by name
   * what it is `under`, only that roof counts; under `null` none does.
   */
  roof([x, y], under) {
    const roofs = [...STYLES].reverse().flatMap((style) => this.lines.filter((line) => line.style === style && (under === undefined || line.name === under)))
      .map((line) => ({ line, ...heightAt(line.corners, x) })).filter(({ height }) => height > 0);
    const touched = roofs.find(({ height }) => Math.abs(y / height - 1) < ON_ROOF);
    if (touched) {
      const by = touched.slope > 0.01 ? "memory" : "compute";
      return `Bound by ${by}: roof ${touched.line.name}`;
    }
    const [first] = roofs;
    return first ? `${formatNumber(y / first.height, { style: "percent", digits: 1 })} of the roof ${first.line.name}` : null;
  }

  followPointer() {
    let drag = null;
    const local = (event) => {
      const box = this.svg.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    const tell = (event) => {
      const near = this.marks.near(...local(event), 22);
      if (near.length === 0) return hideTip();
      const more = near.length > TOLD ? ["", `and ${near.length - TOLD} more`] : [];
      const lines = near.slice(0, TOLD).flatMap(({ lines: own }, at) => (at === 0 ? own : ["", ...own]));
      showTip([...lines, ...more], event.clientX, event.clientY);
    };
    this.svg.addEventListener("pointermove", (event) => {
      const [x, y] = local(event);
      if (drag && Math.hypot(x - drag.x, y - drag.y) > 3) {
        this.svg.setPointerCapture(event.pointerId);
        this.zoom = [moved(drag.xScale, drag.x - x), moved(drag.yScale, drag.y - y)];
        hideTip();
        this.draw();
        return;
      }
      tell(event);
    });
    this.svg.addEventListener("pointerleave", () => hideTip());
    this.svg.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch") return tell(event);
      if (event.button !== 0) return;
      const [x, y] = local(event);
      drag = { x, y, xScale: this.x, yScale: this.y };
    });
    for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => { drag = null; });
    this.svg.addEventListener("wheel", (event) => {
      // A page that is scrolled past the figure keeps scrolling.
      if (!event.ctrlKey && !event.metaKey && !this.svg.contains(document.activeElement)) return;
      event.preventDefault();
      this.scaleBy(1.0015 ** event.deltaY, ...local(event));
    }, { passive: false });
  }

  /** Zooms around a place of the picture, its middle where none is given. */
  scaleBy(factor, px = (this.frame.left + this.frame.right) / 2, py = (this.frame.top + this.frame.bottom) / 2) {
    const zoomed = (scale, pixel) => {
      const center = Math.log(scale.value(pixel));
      return [scale.min, scale.max].map((end) => Math.exp(center + (Math.log(end) - center) * factor));
    };
    const zoom = [zoomed(this.x, px), zoomed(this.y, py)];
    const decades = zoom.map(([min, max]) => Math.log10(max / min));
    if (Math.min(...decades) < 0.1 || Math.max(...decades) > 40) return;
    this.zoom = zoom;
    this.draw();
  }

  key(event) {
    const pan = (dx, dy) => {
      this.zoom = [moved(this.x, dx), moved(this.y, dy)];
      this.draw();
    };
    const arrows = { ArrowRight: [1, 0], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowUp: [0, -1] };
    if (arrows[event.key]) {
      const [right, down] = arrows[event.key];
      if (event.shiftKey) pan(40 * right, 40 * down);
      else this.marks.move(right + down);
    } else if (event.key === "+" || event.key === "=") this.scaleBy(1 / 1.5);
    else if (event.key === "-") this.scaleBy(1.5);
    else if (event.key === "0") { this.zoom = null; this.draw(); }
    else if (event.key === "Escape") hideTip();
    else return;
    event.preventDefault();
  }
}

/** The series that say what an input would change. */
function untried({ points }) {
  return new Set(points.flatMap(({ marker }, at) => (marker === "what-if" ? [`p${at}`] : [])));
}

/** How each series of points looks: as it says, or by its marker and its rank among those with the same. */
function looks({ points }) {
  const seen = { hollow: 0, solid: 0, diamond: 0, measured: 0, "what-if": 0 };
  return points.map(({ marker, look }) => {
    seen[marker] += 1;
    return look ?? `${marker}-${(seen[marker] - 1) % 3}`;
  });
}

/** A scale's ends, so many pixels on. */
function moved(scale, pixels) {
  return [scale.value(scale.from + pixels), scale.value(scale.to + pixels)];
}

/** The height of a polyline at x and the slope there, both in logarithms; none beyond its ends. */
function heightAt(corners, x) {
  for (let at = 1; at < corners.length; at += 1) {
    const [[x0, y0], [x1, y1]] = [corners[at - 1], corners[at]];
    if (x >= x0 && x <= x1 && x1 > x0) {
      const slope = Math.log(y1 / y0) / Math.log(x1 / x0);
      return { height: y0 * (x / x0) ** slope, slope };
    }
  }
  return { height: NaN, slope: NaN };
}

function shape(marker, look, x, y, scale = 1) {
  const [d, up, side, down] = [5.5, 6.5, 6.2, 10.8].map((length) => length * scale);
  if (marker === "measured") return drawn("path", { class: `shape ${look}`, d: `M${x} ${y}m0 ${-up}l${side} ${down}h${-2 * side}z` });
  if (marker === "diamond" || marker === "what-if") return drawn("path", { class: `shape ${look}`, d: `M${x} ${y}m0 ${-d}l${d} ${d}l${-d} ${d}l${-d} ${-d}z` });
  return drawn("circle", { class: `shape ${marker} ${look}`, cx: x, cy: y, r: (marker === "hollow" ? 4.2 : 4.6) * scale });
}

/** How much larger than a plain mark that of a point is: three sizes by its share of the time. */
function markScale({ share }) {
  if (share === undefined) return 1;
  return share < 0.05 ? 0.7 : share < 0.25 ? 1 : 1.45;
}

function rectangle({ left, right, top, bottom }) {
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function axisName({ label, unit }) {
  return unit === "" ? label : `${label} (${unit})`;
}

function quantityFormat(value) {
  return { style: value >= 1e4 ? "si" : "significant", digits: 4 };
}

function pointNumber(value) {
  return formatNumber(value, quantityFormat(value));
}
