// Tables sort by a column and show the rows that a reader looks for.

/** Shorter tables need no search. */
const SEARCHED = 16;

function bindTables() {
  for (const table of document.querySelectorAll("main table")) {
    fading(table.closest(".box"));
    const rows = [...table.tBodies[0].rows];
    // Key figures are compared from column to column: their rows are of different quantities, in no order.
    if (table.closest(".key-figures")) {
      pairing(table, rows);
      continue;
    }
    stacking(table, rows);
    if (rows.length < 2) continue;
    sortable(table, rows);
    if (rows.length >= SEARCHED) searchable(table, rows);
  }
}

/** A table with sentences: on a narrow screen its rows are blocks, each cell below its heading. */
function stacking(table, rows) {
  const sentences = ":not(:first-child):is(.long, .longer), :not(:first-child) > .why";
  if (!rows.some((row) => row.querySelector(sentences))) return;
  table.classList.add("stacks");
  head(table, rows);
}

/** Key figures of several columns: on a narrow screen each figure is above its values, one below the other with its column's name. */
function pairing(table, rows) {
  if (table.tHead.rows[0].cells.length <= 3) return;
  table.classList.add("pairs");
  head(table, rows);
}

/** Gives each cell the name of its heading. */
function head(table, rows) {
  const headings = [...table.tHead.rows[0].cells].map(({ textContent }) => textContent.trim());
  for (const row of rows) {
    [...row.cells].forEach((cell, column) => { cell.dataset.heading = headings[column] ?? ""; });
  }
}

/** Marks a table that continues to the right. */
function fading(box) {
  const show = () => box.classList.toggle("more", box.scrollWidth - box.clientWidth - box.scrollLeft > 4);
  box.addEventListener("scroll", show, { passive: true });
  new ResizeObserver(show).observe(box);
}

function sortable(table, rows) {
  const headings = [...table.tHead.rows[0].cells];
  let sorted = null;
  headings.forEach((heading, column) => {
    const button = element("button", { type: "button", class: "sort" });
    button.append(...heading.childNodes);
    if (!button.textContent.trim()) return;
    heading.append(button);
    heading.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => {
      const before = heading.getAttribute("aria-sort");
      const order = { none: "ascending", ascending: "descending", descending: "none" }[before];
      if (sorted) sorted.setAttribute("aria-sort", "none");
      heading.setAttribute("aria-sort", order);
      sorted = heading;
      const keys = new Map(rows.map((row) => [row, keyOf(row.cells[column])]));
      const inOrder = order === "none" ? rows : [...rows].sort((a, b) =>
        sumsUp(a) - sumsUp(b) || compared(keys.get(a), keys.get(b), order));
      table.tBodies[0].append(...inOrder);
    });
  });
}

/** A row that sums up others stays below them. */
function sumsUp(row) {
  return row.classList.contains("total") ? 1 : 0;
}

/** Levels by their gravity. */
const LEVELS = ["error", "warning", "note", "help", "ok"];
const QUANTITY = /^(-?[\d,]+(?:\.\d+)?(?:e[+-]?\d+)?) ?(?:(%)|([pnµmkMGTP]?)(s|Hz|B|bit|OP|FLOP|MAC)(?:\/s|\/B)?)?$/;

/** The value of a text that is a figure with its unit, such as `1.5 ms`; null for any other text. */
function quantityOf(text) {
  const [, digits, percent, prefix] = QUANTITY.exec(text) ?? [];
  if (digits === undefined) return null;
  const scale = percent ? 0.01 : 1e3 ** (PREFIXES.indexOf(prefix ?? "") - UNITY);
  return Number(digits.replaceAll(",", "")) * scale;
}

/** What a cell is sorted by: its number, the gravity of its level, its text, or null for none. */
function keyOf(cell) {
  const level = LEVELS.findIndex((name) => cell?.querySelector(".light")?.classList.contains(name));
  if (level >= 0) return level;
  const value = cell?.dataset.value;
  if (value !== undefined && value !== "" && Number.isFinite(Number(value))) return Number(value);
  const text = cell?.textContent.trim() ?? "";
  if (text === "" || cell.classList.contains("unknown")) return null;
  const number = cell.classList.contains("number") ? Number.parseFloat(text.replaceAll(",", "")) : NaN;
  return Number.isNaN(number) ? quantityOf(text) ?? text : number;
}

/** Numbers before texts; unknown values stay at the end. */
function compared(a, b, order) {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  const turn = order === "ascending" ? 1 : -1;
  if (typeof a === "number" && typeof b === "number") return turn * (a - b);
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return turn * a.localeCompare(b, "en", { numeric: true });
}

function searchable(table, rows) {
  const box = table.closest(".box");
  const id = freshId("search");
  const found = element("span", { class: "found", role: "status" });
  const input = element("input", { type: "search", id, autocomplete: "off", spellcheck: "false" });
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      if (!row.hidden) count += 1;
    }
    found.textContent = words.length === 0 ? "" : `${count} of ${rows.length} rows`;
  });
  const name = box.getAttribute("aria-label");
  box.before(element("div", { class: "search" },
    element("label", { for: id }, "Filter", element("span", { class: "unseen" }, `: ${name}`)), input, found));
}
