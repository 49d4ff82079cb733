//! One page that needs no other file: readable as it is, live where its script may run.
//!
//! Inputs, formulas, charts and tables come alive in `reports/render/page`, which computes as [`crate::Values`] does and writes
//! numbers as [`crate::format_number`] does.

mod assets;
mod cell;
mod code;
mod colors;
mod data;
mod figure;
mod finding;
mod fragment;
mod hash;
mod live;
mod prose;
mod sections;
mod shell;
mod shorten;
mod table;

pub use fragment::render_html_fragment;
pub use live::{LivePage, render_live_page};

use std::collections::BTreeSet;

use crate::{Cell, Document, FormulaError, RenderError, Values};

/// Renders a document as one HTML file.
///
/// # Errors
///
/// If a formula or a control refers to a missing cell, or an axis cannot be logarithmic.
pub fn render_html(document: &Document) -> Result<Vec<u8>, RenderError> {
    // The page cannot evaluate a broken formula.
    Values::of(document, &[])?;
    let shorter = shorten::shorten_tables(document);
    let document = shorter.as_ref().unwrap_or(document);
    let tables = document.all_tables();
    let inputs: BTreeSet<&str> = tables
        .iter()
        .flat_map(|table| table.cells())
        .filter_map(|(_, _, cell)| match cell {
            Cell::Input(input) => Some(input.name.as_str()),
            _ => None,
        })
        .collect();
    if let Some(lost) = document.controls.iter().find(|c| !inputs.contains(c.input.as_str())) {
        return Err(FormulaError::NoInput(lost.input.clone()).into());
    }
    let body = sections::render_sections(document)?;
    let data = data::page_data(document)?;
    Ok(shell::render_page(document, &body, &data).into_bytes())
}
