//! Which form a text has, by what most of its lines are.

use std::collections::BTreeMap;

use super::DumpFormat;
use super::dims::Spaces;
use super::entry::{self, Entry, Separator, Style};
use super::line::lines;
use super::tree;

/// The form that most lines of a text have; the earlier in [`DumpFormat`]'s order on a tie.
pub(super) fn detect(text: &str) -> Option<DumpFormat> {
    let mut counts = BTreeMap::<DumpFormat, usize>::new();
    for line in lines(text) {
        if let Some(format) = classify(line.text) {
            *counts.entry(format).or_default() += 1;
        }
    }
    let most = counts.values().copied().max()?;
    counts.into_iter().find(|&(_, count)| count == most).map(|(format, _)| format)
}

fn classify(line: &str) -> Option<DumpFormat> {
    if tree::is_tree_line(line) {
        return Some(DumpFormat::Tree);
    }
    entry::parse(line.trim(), Spaces::Unknown).ok().map(|entry| of_entry(&entry))
}

fn of_entry(entry: &Entry<'_>) -> DumpFormat {
    match (entry.style, entry.separator) {
        (Style::Tuple, _) => DumpFormat::Tuple,
        (Style::List, _) => DumpFormat::List,
        (Style::Sized, Separator::Mark) => DumpFormat::Flat,
        (Style::Sized, Separator::Tab) => DumpFormat::Tabs,
        (Style::Sized, Separator::Space) => DumpFormat::Spaces,
    }
}
