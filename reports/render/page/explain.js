// How a figure is computed: its formula in words, beside the cell under the pointer.

/** How long a pointer rests on a cell before the note appears, in ms. */
const REST = 350;

/** A longer formula is cut. */
const LONGEST = 300;

const SIGNS = { add: " + ", subtract: " − ", multiply: " × ", divide: " / ", equal: " = ", "at-least": " ≥ ", above: " > " };
const BINDS = { add: 2, subtract: 2, multiply: 3, divide: 3, equal: 1, "at-least": 1, above: 1 };

class Words {
  constructor(model) {
    this.model = model;
    this.tables = new Map(model.data.tables.map((table) => [table.name, table]));
  }

  /** The formula as one would write it; `own` is the table that it is in, `binds` is the precedence of its place. */
  of(formula, own, binds = 0) {
    const [kind] = Object.keys(formula);
    const content = formula[kind];
    switch (kind) {
      case "number": return content === null ? "n/a" : constant(content);
      case "text": return `“${content}”`;
      case "name": return this.model.inputs.get(content)?.label ?? content.replaceAll("_", " ");
      case "column": return this.heading(own, content);
      case "cell": {
        const table = this.tables.get(content.table);
        const row = rowName(table?.rows[content.row]);
        return row ? `${this.heading(table, content.column)} of ${row}` : this.heading(table, content.column);
      }
      case "range": return this.heading(content.table === null ? own : this.tables.get(content.table), content.column);
      case "binary": {
        const [operator, a, b] = content;
        const strength = BINDS[operator];
        const text = this.of(a, own, strength) + SIGNS[operator] + this.of(b, own, strength + 1);
        return strength < binds ? `(${text})` : text;
      }
      default: return this.call(content[0], content[1], own);
    }
  }

  call(name, operands, own) {
    const all = (some) => some.map((operand) => this.of(operand, own));
    switch (name) {
      case "if": return `(${this.of(operands[1], own)} if ${this.of(operands[0], own)}, else ${this.of(operands[2], own)})`;
      case "known": return this.of(operands[0], own);
      case "lookup": return `(${this.of(operands[2], own)} of ${this.of(operands[0], own)})`;
      case "up": return `⌈${this.of(operands[0], own)}⌉`;
      case "sum-product": return `Σ(${all(operands).join(" × ")})`;
      case "sum-where": {
        const [keys, key, ...ranges] = all(operands);
        return `Σ(${ranges.join(" × ")} where ${keys} is ${key})`;
      }
      default: return `${name === "sum" ? "Σ" : name}(${all(operands).join(", ")})`;
    }
  }

  heading(table, key) {
    return table?.columns.find((column) => column.key === key)?.heading ?? key;
  }
}

/** A constant; a power of ten is written as one. */
function constant(value) {
  const power = Math.log10(value);
  if (power >= 4 && Number.isInteger(power)) return `10${[...String(power)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("")}`;
  return value.toLocaleString("en", { maximumSignificantDigits: 6 });
}

/** The name of a row: its first text. */
function rowName(row) {
  return row?.find((cell) => typeof cell === "string") ?? "";
}

/** The next cell with a formula in the direction of an arrow key. */
function neighbour(cell, key, places) {
  const row = cell.parentNode;
  if (key === "ArrowRight" || key === "ArrowLeft") {
    const step = key === "ArrowRight" ? "nextElementSibling" : "previousElementSibling";
    let next = cell[step];
    while (next && !places.has(next)) next = next[step];
    return next;
  }
  if (key !== "ArrowDown" && key !== "ArrowUp") return null;
  const step = key === "ArrowDown" ? "nextElementSibling" : "previousElementSibling";
  for (let next = row[step]; next; next = next[step]) {
    const all = [...next.cells].filter((one) => places.has(one));
    const away = (one) => Math.abs(one.cellIndex - cell.cellIndex);
    if (!next.hidden && all.length > 0) return all.reduce((best, one) => (away(one) < away(best) ? one : best));
  }
  return null;
}

function bindExplanations(model, cells) {
  const words = new Words(model);
  const places = new Map(cells.map(({ cell, place }) => [cell, place]));
  const main = document.querySelector("main");
  let timer = 0;
  let told = false;
  const away = () => {
    if (told) hideTip();
    told = false;
  };
  const quiet = () => {
    clearTimeout(timer);
    away();
  };
  const tell = (cell, [at, row, column]) => {
    const table = model.data.tables[at];
    const { heading, unit } = table.columns[column];
    const text = words.of(table.rows[row][column].formula, table);
    const name = [rowName(table.rows[row]), heading].filter(Boolean).join(": ");
    const before = cell.classList.contains("changed") ? [`derate: ${cell.dataset.given}`] : [];
    const box = cell.getBoundingClientRect();
    told = true;
    showTip([unit ? `${name} (${unit})` : name, `= ${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}`, ...before], box.right - 20, box.top);
  };
  main.addEventListener("pointerover", ({ target }) => {
    quiet();
    const cell = target.closest("td");
    const place = places.get(cell);
    if (place) timer = setTimeout(() => tell(cell, place), REST);
  });
  main.addEventListener("pointerleave", quiet);

  // The tab key stops at one cell of every table; from there the arrow keys move.
  const focused = () => places.has(document.activeElement) && document.activeElement.matches(":focus-visible");
  const stops = new Map();
  const stop = (cell) => {
    const table = cell.closest("table");
    stops.get(table)?.setAttribute("tabindex", "-1");
    stops.set(table, cell);
    cell.setAttribute("tabindex", "0");
  };
  for (const cell of places.keys()) {
    cell.setAttribute("tabindex", "-1");
    if (!stops.has(cell.closest("table"))) stop(cell);
  }
  main.addEventListener("focusin", ({ target }) => {
    quiet();
    if (!places.has(target)) return;
    stop(target);
    if (!target.matches(":focus-visible")) return;
    target.setAttribute("aria-describedby", tip.id);
    tell(target, places.get(target));
  });
  main.addEventListener("focusout", ({ target }) => {
    if (!places.has(target)) return;
    target.removeAttribute("aria-describedby");
    quiet();
  });
  main.addEventListener("keydown", (event) => {
    if (!places.has(event.target) || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape") {
      quiet();
      return;
    }
    const next = neighbour(event.target, event.key, places);
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  // A note stays at the cell that has the focus, also after scrolling.
  document.addEventListener("scroll", () => {
    if (told && focused()) tell(document.activeElement, places.get(document.activeElement));
    else away();
  }, { passive: true, capture: true });
}
