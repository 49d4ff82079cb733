// Cells of formulas follow the inputs; a changed one says so, and shows the value that derate had.

/** The first words of a cell that says that formulas cannot follow an edit. */
const LOST = "no:";

/** What is not known: the word, and its reason. */
const UNKNOWN = /^unknown(?:: ([^]*))?$/;

/** Writes a text into a cell; an unknown value looks as derate writes it. */
function writeCell(cell, text) {
  const unknown = UNKNOWN.exec(text);
  cell.classList.toggle("unknown", unknown !== null);
  if (!unknown) return cell.replaceChildren(text);
  const why = unknown[1] ? [" ", element("span", { class: "why" }, unknown[1])] : [];
  cell.replaceChildren(element("span", { class: "mark" }, "unknown"), ...why);
}

/** What does not follow, each once and in words: its row and table, and why. A cell that only points at another one in the list is left out. */
function told(model, lost) {
  const content = ([table, row, column]) => model.data.tables[table].rows[row][column];
  const names = new Set(lost.map(({ place }) => content(place).name));
  const own = lost.filter(({ place }) => !refers(content(place).formula, names));
  return own.map(({ cell, place, text }) => {
    const heading = model.data.tables[place[0]].columns[place[2]].heading;
    const row = rowName(model.data.tables[place[0]].rows[place[1]]) || heading;
    const caption = cell.closest(".table")?.querySelector(".caption")?.textContent.trim();
    return { cell, row, table: caption || heading, reason: text.slice(LOST.length).trim() };
  });
}

/** Whether a formula reads a cell of one of these names. */
function refers(formula, names) {
  if (formula.name !== undefined) return names.has(formula.name);
  const [, ...operands] = formula.binary ?? formula.call ?? [];
  return operands.flat().some((operand) => refers(operand, names));
}

function bindCells(model) {
  const cells = [];
  for (const node of document.querySelectorAll("table[data-table]")) {
    const table = model.original.index.get(node.dataset.table);
    if (table === undefined) continue;
    const rows = [...node.tBodies[0].rows];
    model.data.tables[table].rows.forEach((contents, row) => contents.forEach((content, column) => {
      if (content?.formula) {
        const cell = rows[row].cells[column];
        const place = [table, row, column];
        cells.push({ cell, place, format: content.format, given: [...cell.childNodes], known: !cell.classList.contains("unknown"), text: cell.textContent, value: model.original.cell(place) });
        cell.dataset.given = cell.textContent;
      } else if (typeof content === "number") {
        rows[row].cells[column].dataset.value = content;
      }
    }));
  }
  model.follow(() => {
    let count = 0;
    const lost = [];
    for (const { cell, place, format, given, known, text, value } of cells) {
      const now = model.values.cell(place);
      cell.dataset.value = now ?? "";
      const changed = now !== value;
      if (changed && typeof now === "string" && now.startsWith(LOST)) lost.push({ cell, place, text: now });
      if (!changed && !cell.classList.contains("changed")) continue;
      cell.classList.toggle("changed", changed);
      cell.classList.toggle("none", changed && now === null);
      if (changed) writeCell(cell, shown(now, format));
      else {
        cell.classList.toggle("unknown", !known);
        cell.replaceChildren(...given);
      }
      if (changed) cell.append(element("span", { class: "unseen" }, ` (derate: ${text})`));
      if (changed) count += 1;
    }
    model.following = count;
    model.lost = told(model, lost);
  });
  return cells;
}
