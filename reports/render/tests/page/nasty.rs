//! Texts that would like to be markup.

use super::section;
use derate_render::{Block, Cell, Column, Diagnostic, Label, Level, Section, Table};

/// What a file name or an excerpt must not become.
pub(crate) const NASTY: [&str; 4] = [
    "</script><script>window.owned = 1</script>",
    "\"><img src=x onerror=\"window.owned = 1\">",
    "<!--<script>",
    "'-->`${window.owned = 1}`",
];

pub(super) fn nasty() -> Section {
    let excerpt = format!("int a; // {}", NASTY[0]);
    let label = Label {
        file: NASTY[1].to_owned(),
        first_line: 7,
        text: excerpt.clone(),
        start: 10,
        end: excerpt.len(),
        message: NASTY[2].to_owned(),
        primary: true,
    };
    let diagnostic = Diagnostic {
        code: NASTY[3].to_owned(),
        level: Level::Warning,
        message: NASTY[0].to_owned(),
        labels: vec![label],
        notes: NASTY.map(str::to_owned).to_vec(),
        help: Some(NASTY[1].to_owned()),
        design: None,
        cases: 1,
    };
    let rows = NASTY.iter().map(|text| {
        vec![
            Cell::text(*text),
            Cell::Status(Level::Error, (*text).to_owned()),
            Cell::Unknown((*text).to_owned()),
        ]
    });
    let table = Table {
        name: NASTY[1].to_owned(),
        caption: NASTY[0].to_owned(),
        columns: vec![
            Column::text(NASTY[0], NASTY[0]),
            Column::number("b", NASTY[1], NASTY[2]),
            Column::text("c", NASTY[3]),
        ],
        rows: rows.collect(),
    };
    section(
        NASTY[0],
        NASTY[1],
        vec![
            Block::Prose(NASTY.join("\n")),
            Block::Table(table),
            Block::Diagnostics(vec![diagnostic]),
        ],
    )
}
