//! Tables: the heading stays in view, and a large table scrolls.

use std::fmt::Write;

use super::super::svg::ink::escape_xml;
use super::cell::render_cell;
use super::prose::{break_lines, mark_code};
use crate::{Align, Cell, Column, Table};

/// Longer tables are closed at first.
const LONG: usize = 40;

/// Longer tables scroll below their headings.
const TALL: usize = 24;

/// Wider tables are printed in landscape.
const WIDE: usize = 9;

/// From this many columns on, a table is set tight.
const WIDER: usize = 13;

/// Renders a table that formulas know; `kind` is a class of its own.
pub(super) fn render_table(table: &Table, kind: &str) -> String {
    let title = if table.caption.is_empty() { &table.name } else { &table.caption };
    let inputs = table.cells().any(|(_, _, cell)| matches!(cell, Cell::Input(_)));
    let known = format!(" data-table=\"{}\"", escape_xml(&table.name));
    let caption = match table.caption.as_str() {
        "" => String::new(),
        caption => format!("<p class=\"caption\">{}</p>\n", break_lines(caption)),
    };
    let grid = render_grid(table, title, &known);
    let wide = match table.columns.len() {
        WIDER.. => " wide wider",
        WIDE.. => " wide",
        _ => "",
    };
    let still = if table.stands_still() { " still" } else { "" };
    if table.rows.len() > LONG && !inputs {
        let rows = table.rows.len();
        return format!(
            "<div class=\"table {kind}{wide}{still}\">{caption}<details><summary>{rows} rows</summary>\n{grid}</details></div>\n"
        );
    }
    format!("<div class=\"table {kind}{wide}{still}\">{caption}{grid}</div>\n")
}

/// The table in its box. `title` is what a screen reader calls it, `known` how the script does.
pub(super) fn render_grid(table: &Table, title: &str, known: &str) -> String {
    let tall = if table.rows.len() > TALL { " tall" } else { "" };
    let mut out = format!(
        "<div class=\"box{tall}\" role=\"region\" tabindex=\"0\" aria-label=\"{}\"><table{known}>\n<thead><tr>",
        escape_xml(title)
    );
    out.extend(table.columns.iter().map(render_heading));
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in 0..table.rows.len() {
        out.push_str(if table.is_total(row) { "<tr class=\"total\">" } else { "<tr>" });
        for (at, column) in table.columns.iter().enumerate() {
            let content = table.cell(row, at);
            // A first cell with a text is the heading of its row.
            let names = at == 0
                && matches!(content, Cell::Text(text) | Cell::Total(text) if !text.is_empty());
            out.push_str(&render_cell(content, column, names));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    out
}

fn render_heading(column: &Column) -> String {
    let class = match column.align {
        Align::Left => "",
        Align::Right => " class=\"right\"",
        Align::Center => " class=\"center\"",
    };
    let mut out = format!("<th scope=\"col\"{class}>{}", mark_code(&column.heading));
    if let Some(unit) = &column.unit {
        let _ = write!(out, " <span class=\"unit\">{}</span>", escape_xml(unit));
    }
    out + "</th>"
}
