//! A block as a sheet shows it.

use std::borrow::Cow;

use crate::tabulate::{tabulate_diagnostics, tabulate_key_figures};
use crate::{Block, Table};

/// A block of a sheet.
pub(super) enum Content<'a> {
    Prose(&'a str),
    Table(Cow<'a, Table>),
    /// A table that no formula refers to.
    Listing(Cow<'a, Table>),
    Chart(&'a crate::Chart),
    Bars(&'a crate::Bars),
}

impl<'a> Content<'a> {
    pub(super) fn of(block: &'a Block) -> Self {
        match block {
            Block::Prose(text) => Self::Prose(text),
            Block::KeyFigures(figures) => Self::Table(Cow::Owned(tabulate_key_figures(figures))),
            Block::Table(table) => Self::Table(Cow::Borrowed(table)),
            Block::Chart(chart) => Self::Chart(chart),
            Block::Bars(chart) => Self::Bars(chart),
            Block::Timeline(chart) => Self::Listing(Cow::Owned(chart.tabulate())),
            Block::Diagnostics(diagnostics) => {
                Self::Listing(Cow::Owned(tabulate_diagnostics(diagnostics)))
            }
        }
    }

    pub(super) fn is_figure(&self) -> bool {
        matches!(self, Self::Chart(_) | Self::Bars(_))
    }

    pub(super) fn as_table(&self) -> Option<&Table> {
        match self {
            Self::Table(table) | Self::Listing(table) => Some(table),
            Self::Prose(_) | Self::Chart(_) | Self::Bars(_) => None,
        }
    }
}
