// The document's data, the inputs as the reader has set them, and who hears of changes.

class Model {
  constructor(data) {
    this.data = data;
    this.edits = new Map();
    this.inputs = new Map();
    for (const table of data.tables) {
      for (const row of table.rows) {
        row.forEach((cell, at) => {
          // The data has every formula once.
          if (cell?.follows !== undefined) row[at] = { ...cell, ...data.formulas[cell.follows] };
        });
        const label = row.find((cell) => typeof cell === "string") ?? "";
        row.forEach((cell, at) => {
          if (!cell?.input) return;
          const unit = table.columns[at].unit || unitOf(table, row);
          this.inputs.set(cell.input.name, { ...cell.input, label: label || cell.input.name, unit });
        });
      }
    }
    for (const { label, input } of data.controls) this.inputs.get(input).label = label;
    this.original = new Values(data, this.edits);
    this.values = this.original;
    this.listeners = [];
    this.waiting = false;
  }

  /** Calls `listener` now and after every change. */
  follow(listener) {
    this.listeners.push(listener);
    listener(this);
  }

  /** The value of an input as it is now. */
  value(name) {
    return this.edits.get(name) ?? this.inputs.get(name).value;
  }

  /** Gives an input a value that it allows. */
  edit(name, value) {
    if (this.value(name) === value) return;
    if (this.inputs.get(name).value === value) this.edits.delete(name);
    else this.edits.set(name, value);
    this.changed();
  }

  /** Undoes one change, or all. */
  reset(name) {
    if (name === undefined) this.edits.clear();
    else this.edits.delete(name);
    this.changed();
  }

  /** Changes that come before the next frame are computed together. */
  changed() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.values = this.edits.size === 0 ? this.original : new Values(this.data, new Map(this.edits));
      for (const listener of this.listeners) listener(this);
    });
  }

  /** A live formula's value now, or the value that the document gives. */
  live(given, formula) {
    return this.edits.size === 0 || !formula ? given : this.values.formula(formula, null);
  }
}

/** The unit in the row, where the table has a column for it. */
function unitOf(table, row) {
  const at = table.columns.findIndex((column) => column.key === "unit");
  return typeof row[at] === "string" ? row[at] : "";
}

/** What an input allows: the value, or why it is refused. */
function checked(input, text) {
  const { number, "one-of": choices } = input.allowed;
  if (choices) return choices.includes(text) ? { value: text } : { reason: `One of ${choices.join(", ")}.` };
  const value = text.trim() === "" ? NaN : Number(text);
  if (!Number.isFinite(value)) return { reason: "Write a number." };
  if (value < number.least) return { reason: `At least ${plainly(number.least)}.` };
  if (value > number.most) return { reason: `At most ${plainly(number.most)}.` };
  if (number.whole && !Number.isInteger(value)) return { reason: "Write a whole number." };
  return { value };
}

/** A bound in as few digits as possible. */
function plainly(value) {
  return value.toLocaleString("en", { maximumSignificantDigits: 6 });
}

/** A value as its cell writes it. */
function shown(value, format) {
  if (value === null) return "cannot be computed";
  return typeof value === "number" ? formatNumber(value, format) : value;
}
