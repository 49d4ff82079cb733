//! Which form a text has, by what most of its lines are.

use std::collections::BTreeMap;

use super::entry::{self, DumpEntry, ShapeStyle};
use super::grouping::Grouping;
use super::line::split_lines;
use super::separator::Separator;
use super::{DumpFormat, gguf, json, modules, one_line, onnx, summary, table, tree};

/// The form that most lines of a text have; the earlier in [`DumpFormat`]'s order on a tie.
///
/// The two forms that do not state shapes count only where no line of another form is: people
/// paste a printed model above the list of its parameters.
pub(super) fn detect_format(text: &str) -> Option<DumpFormat> {
    // Python's dictionaries may begin as JSON does, and hold what JSON has not.
    if json::is_json(text) && !text.lines().next().is_some_and(one_line::is_one_line) {
        return Some(DumpFormat::Json);
    }
    let mut counts = BTreeMap::<DumpFormat, usize>::new();
    for line in split_lines(text) {
        if let Some(format) = classify_line(line.text) {
            *counts.entry(format).or_default() += 1;
        }
    }
    let weak = [DumpFormat::Summary, DumpFormat::Modules];
    if counts.contains_key(&DumpFormat::Summary) {
        // A row with one activation shape looks like `name [1, 50, 960]`, or like a table's row.
        let rows = [DumpFormat::List, DumpFormat::Pipe, DumpFormat::Markdown];
        counts.retain(|format, _| !rows.contains(format));
    }
    if counts.keys().any(|format| !weak.contains(format)) {
        counts.retain(|format, _| !weak.contains(format));
    }
    let most = counts.values().copied().max()?;
    counts.into_iter().find(|&(_, count)| count == most).map(|(format, _)| format)
}

fn classify_line(line: &str) -> Option<DumpFormat> {
    if tree::is_tree_line(line) {
        return Some(DumpFormat::Tree);
    }
    if one_line::is_one_line(line) {
        return Some(DumpFormat::Flat);
    }
    if gguf::is_gguf_line(line) {
        return Some(DumpFormat::Gguf);
    }
    if onnx::is_onnx_line(line) {
        return Some(DumpFormat::Onnx);
    }
    if summary::is_heading(line) {
        return Some(DumpFormat::Summary);
    }
    if modules::is_module_line(line) {
        return Some(DumpFormat::Modules);
    }
    let entry = || entry::parse_entry(line.trim(), Grouping::Unknown).ok();
    table::row_form(line).or_else(|| entry().map(|entry| of_entry(&entry)))
}

fn of_entry(entry: &DumpEntry<'_>) -> DumpFormat {
    match (entry.style, entry.separator) {
        (ShapeStyle::Tuple, _) => DumpFormat::Tuple,
        (ShapeStyle::List, _) => DumpFormat::List,
        (ShapeStyle::Sized, Separator::Mark) => DumpFormat::Flat,
        (ShapeStyle::Sized, Separator::Tab) => DumpFormat::Tabs,
        (ShapeStyle::Sized, Separator::Space) => DumpFormat::Spaces,
    }
}
