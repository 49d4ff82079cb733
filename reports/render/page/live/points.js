// The points as a table: what the chart shows, and what was refused with its reason.

/** At most so many rows are written. */
const ROWS = 200;

function pointsTable(points) {
  const heading = (text, kind) => element("th", { scope: "col", class: kind ?? false }, text);
  const none = (point) => (point.isMeasured ? "–" : "unknown");
  const number = (point, value, format, unit) => element("td", { class: "right number" }, value === null ? none(point) : formatQuantity(value, format, unit));
  const row = (point) => element("tr", { "data-state": !point.isMeasured ? "modelled" : point.rate === null ? "refused" : "measured", "data-precision": point.precision },
    element("th", { scope: "row" }, point.label),
    element("td", {}, element("span", { class: `dot ${point.isMeasured || point.condition ? "hollow" : ""} ${point.condition ? "conditional" : ""} ${precisionLook(point.precision)}`, "aria-hidden": "true" }), precisionName(point.precision)),
    element("td", {}, point.condition ? "modelled, conditional" : !point.isMeasured ? "modelled" : point.rate === null ? "not measured" : "measured"),
    number(point, point.oi, { style: "significant", digits: 4 }, "OP/B"), number(point, point.rate, four, point.unit), number(point, point.seconds, four, "s"), number(point, point.bandwidth, four, "B/s"),
    element("td", { class: "longer" }, ...(point.bound ? [`${point.bound} bound`] : []), ...(point.condition ? [element("span", { class: "refusals" }, `${point.bound ? "; " : ""}if ${point.condition}`)] : []), ...(point.unknown ? [element("span", { class: "refusals" }, point.bound ? `; ${point.unknown}` : point.unknown)] : []),
      ...(point.isMeasured && point.on ? [[computed(point), `on ${point.on}`].filter(Boolean).join(" ")] : [])));
  const names = ["Shape", "Precision", "How known", "Intensity", "Rate", "Time", "Bandwidth", "Bound, device or reason"];
  const table = element("table", { class: "stacks" },
    element("thead", {}, element("tr", {}, ...names.map((name, at) => heading(name, at > 2 && at < 7 ? "right" : undefined)))),
    element("tbody", {}, ...points.slice(0, ROWS).map(row)));
  stack(table);
  const box = element("div", { class: "box tall", role: "region", tabindex: "0", "aria-label": "Points" }, table);
  const more = points.length > ROWS ? [element("p", { class: "caption" }, `The first ${ROWS} of ${points.length} points. GET /api/sweeps/N has all of one sweep, /api/points all that were measured.`)] : [];
  return element("div", { class: "table wide" }, ...more, box);
}

/** The points as CSV: full digits, one unit a column. */
function pointsCsv(points) {
  const quoted = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const columns = ["shape", "precision", "how_known", "oi_op_per_byte", "rate_op_per_s", "seconds", "bandwidth_byte_per_s", "bound", "on", "condition", "reason"];
  const known = ({ isMeasured, condition, rate }) => (!isMeasured ? condition ? "modelled, conditional" : "modelled" : rate === null ? "not measured" : "measured");
  const row = (point) => [point.label, point.precision, known(point), point.oi, point.rate, point.seconds, point.bandwidth, point.bound, point.on, point.condition, point.unknown];
  return `${[columns, ...points.map(row)].map((cells) => cells.map((cell) => quoted(String(cell ?? ""))).join(",")).join("\r\n")}\r\n`;
}

/** Hands a text to the reader as a file. */
function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** A time with its unit in seconds; null where the text is none. */
function parseTime(text) {
  const read = /^([0-9.]+(?:e-?[0-9]+)?) *(ns|us|µs|μs|ms|s)$/i.exec(text.trim());
  const seconds = read ? Number(read[1]) * { ns: 1e-9, us: 1e-6, "µs": 1e-6, "μs": 1e-6, ms: 1e-3, s: 1 }[read[2].toLowerCase()] : NaN;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}

/** On a narrow screen cells are below one another, each with its heading. */
function stack(table) {
  const headings = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
  for (const row of table.tBodies[0].rows) [...row.cells].forEach((cell, at) => { cell.dataset.heading = headings[at]; });
}
