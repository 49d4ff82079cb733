//! The document: what a report says, before any format.

use std::borrow::Cow;

use serde::Serialize;

use crate::tabulate::tabulate_key_figures;
use crate::{Bars, Chart, Diagnostic, KeyFigure, Table, Timeline};

/// A whole report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Document {
    /// The report's name, on top of every format.
    pub title: String,
    /// One line below it: what was examined.
    pub subtitle: String,
    /// The inputs that a reader most wants to change; they stay in view.
    pub controls: Vec<Control>,
    /// The sections, in reading order.
    pub sections: Vec<Section>,
}

/// An input that is shown beside the report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Control {
    /// What the reader calls it, with its unit.
    pub label: String,
    /// The name of the input.
    pub input: String,
}

/// A part of a report: a sheet of the workbook, a heading of the page.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Section {
    /// The short name, for a sheet tab or an anchor, such as `Kernels`.
    pub name: String,
    /// The heading.
    pub title: String,
    /// The content below the heading, in order.
    pub blocks: Vec<Block>,
    /// Whether it is an appendix: a paper puts it after the other sections.
    #[serde(skip)]
    pub appendix: bool,
}

impl Section {
    /// A section that is no appendix.
    pub fn new(name: &str, title: &str, blocks: Vec<Block>) -> Self {
        Self { name: name.to_owned(), title: title.to_owned(), blocks, appendix: false }
    }
}

/// One piece of a section.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", content = "content", rename_all = "kebab-case")]
pub enum Block {
    /// A paragraph.
    Prose(String),
    /// The few figures that carry the verdict, one per row.
    KeyFigures(Vec<KeyFigure>),
    /// A table.
    Table(Table),
    /// A log-log chart.
    Chart(Chart),
    /// A bar chart.
    Bars(Bars),
    /// Lanes over time.
    Timeline(Timeline),
    /// Findings with their excerpts.
    Diagnostics(Vec<Diagnostic>),
}

impl Block {
    /// Whether it is a picture: two of them, one after the other, are beside each other where there is room.
    pub(crate) fn is_figure(&self) -> bool {
        matches!(self, Self::Chart(_) | Self::Bars(_))
    }
}

impl Document {
    /// The blocks of all sections, in reading order.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.sections.iter().flat_map(|section| &section.blocks)
    }

    /// The charts of all sections, in reading order.
    pub fn charts(&self) -> impl Iterator<Item = &Chart> {
        self.blocks().filter_map(|block| match block {
            Block::Chart(chart) => Some(chart),
            _ => None,
        })
    }

    /// The bar charts of all sections, in reading order.
    pub fn bars(&self) -> impl Iterator<Item = &Bars> {
        self.blocks().filter_map(|block| match block {
            Block::Bars(chart) => Some(chart),
            _ => None,
        })
    }

    /// The tables of all sections, in reading order.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.blocks().filter_map(|block| match block {
            Block::Table(table) => Some(table),
            _ => None,
        })
    }

    /// Everything that a renderer shows as a table with formulas, key figures too.
    pub fn all_tables(&self) -> Vec<Cow<'_, Table>> {
        let tables = self.blocks().filter_map(|block| match block {
            Block::Table(table) => Some(Cow::Borrowed(table)),
            Block::KeyFigures(figures) => Some(Cow::Owned(tabulate_key_figures(figures))),
            _ => None,
        });
        tables.collect()
    }
}
