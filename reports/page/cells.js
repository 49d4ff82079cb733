// Cells of formulas follow the inputs; one that changed says so, and what derate had.

/** How a cell begins that says that formulas cannot follow an edit. */
const LOST = "no:";

/** What is not known: the word, and its reason. */
const UNKNOWN = /^unknown(?:: ([^]*))?$/;

/** Writes a text into a cell: what is not known looks as it does where derate wrote it. */
function writeCell(cell, text) {
  const unknown = UNKNOWN.exec(text);
  cell.classList.toggle("unknown", unknown !== null);
  if (!unknown) return cell.replaceChildren(text);
  const why = unknown[1] ? [" ", element("span", { class: "why" }, unknown[1])] : [];
  cell.replaceChildren(element("span", { class: "mark" }, "unknown"), ...why);
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
      if (changed && typeof now === "string" && now.startsWith(LOST)) lost.push({ cell, name: rowName(model.data.tables[place[0]].rows[place[1]]), text: now });
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
    model.lost = lost;
  });
  return cells;
}
