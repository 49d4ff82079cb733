// The values of formulas, as reports/render/src/evaluate.rs computes them. `null` is an error: no value.

/** The values of all cells, with some inputs changed: `edits` maps an input's name to its value. */
class Values {
  constructor(data, edits) {
    this.tables = data.tables;
    this.index = new Map(data.tables.map((table, at) => [table.name, at]));
    this.columns = data.tables.map((table) => new Map(table.columns.map((column, at) => [column.key, at])));
    this.edits = edits;
    this.done = data.tables.map(() => new Map());
    this.names = new Map();
    data.tables.forEach((table, at) => table.rows.forEach((cells, row) => cells.forEach((cell, column) => {
      const name = cell?.input?.name ?? cell?.name;
      if (name !== undefined) this.names.set(name, [at, row, column]);
    })));
  }

  /** The value of the cell of that name. */
  named(name) {
    return this.names.has(name) ? this.cell(this.names.get(name)) : null;
  }

  /** The value of a cell: a number, a text, or null. */
  cell(place) {
    const [table, row, column] = place;
    const cell = this.tables[table].rows[row]?.[column];
    if (cell === undefined || cell === null) return 0;
    if (typeof cell !== "object") return cell;
    if (cell.input) return this.edits.get(cell.input.name) ?? cell.input.value;
    if (!cell.formula) return NaN;
    const done = this.done[table];
    const key = row * this.tables[table].columns.length + column;
    if (!done.has(key)) {
      // A formula that depends on itself has no value.
      done.set(key, null);
      done.set(key, this.formula(cell.formula, place));
    }
    return done.get(key);
  }

  /** The value of a formula in the cell `here`. */
  formula(formula, here) {
    const value = this.bare(formula, here);
    return typeof value === "number" && !Number.isFinite(value) ? null : value;
  }

  bare(formula, here) {
    const [kind] = Object.keys(formula);
    const content = formula[kind];
    switch (kind) {
      case "number": return content === null ? null : content;
      case "text": return content;
      case "name": return this.named(content);
      case "column": return this.at(here?.[0], content, here?.[1]);
      case "cell": return this.at(this.index.get(content.table), content.column, content.row);
      case "binary": return binary(content[0], this.formula(content[1], here), this.formula(content[2], here));
      case "call": return this.call(content[0], content[1], here);
      default: return null;
    }
  }

  at(table, key, row) {
    const column = this.columns[table]?.get(key);
    return column === undefined ? null : this.cell([table, row, column]);
  }

  call(name, operands, here) {
    const value = (at) => this.formula(operands[at], here);
    switch (name) {
      case "if": {
        const condition = value(0);
        return typeof condition === "number" ? value(condition === 0 ? 2 : 1) : null;
      }
      case "known": return value(0) ?? value(1);
      case "lookup": {
        const key = value(0);
        const keys = this.list(operands[1], here);
        const values = this.list(operands[2], here);
        const at = key === null ? -1 : keys.indexOf(key);
        return at < 0 ? null : values[at] ?? null;
      }
      case "sum-product": return this.products(operands, null, here);
      case "sum-where": {
        const key = value(1);
        const keys = this.list(operands[0], here);
        if (key === null || keys.includes(null)) return null;
        return this.products(operands.slice(2), keys.map((own) => (own === key ? 1 : 0)), here);
      }
      case "up": {
        const number = value(0);
        return typeof number === "number" ? Math.ceil(number) : null;
      }
      default: return this.fold(name, operands, here);
    }
  }

  /** The sum, the least or the greatest of numbers and ranges; a text in a range counts as nothing. */
  fold(name, operands, here) {
    const numbers = [];
    for (const operand of operands) {
      for (const value of this.list(operand, here)) {
        const text = typeof value === "string";
        if (value === null || (text && !operand.range)) return null;
        if (!text) numbers.push(value);
      }
    }
    if (name === "sum") return numbers.reduce((sum, number) => sum + number, 0);
    const known = numbers.filter((number) => !Number.isNaN(number));
    if (known.length === 0) return numbers.length === 0 ? 0 : null;
    return known.reduce((a, b) => (name === "min" ? Math.min(a, b) : Math.max(a, b)));
  }

  /** The sum of the products of ranges, each row counted as often as `weights` says. */
  products(ranges, weights, here) {
    let products = weights;
    for (const range of ranges) {
      const list = this.list(range, here);
      if (list.includes(null)) return null;
      const own = list.map((value) => (typeof value === "number" ? value : 0));
      products = products === null ? own : products.slice(0, own.length).map((product, at) => product * own[at]);
    }
    return products === null ? null : products.reduce((sum, product) => sum + product, 0);
  }

  /** The values of a range, one after another. */
  list(formula, here) {
    if (!formula.range) return [this.formula(formula, here)];
    const { table, column, rows } = formula.range;
    const at = table === null ? here?.[0] : this.index.get(table);
    const list = [];
    for (let row = rows.start; row < rows.end; row += 1) list.push(this.at(at, column, row));
    return list;
  }
}

/** Null where the operands do not have that result. */
function binary(operator, a, b) {
  if (a === null || b === null) return null;
  if (operator === "equal") return a === b ? 1 : 0;
  if (typeof a !== "number" || typeof b !== "number") return null;
  switch (operator) {
    case "add": return a + b;
    case "subtract": return a - b;
    case "multiply": return a * b;
    case "divide": return a / b;
    case "at-least": return a >= b ? 1 : 0;
    default: return a > b ? 1 : 0;
  }
}
