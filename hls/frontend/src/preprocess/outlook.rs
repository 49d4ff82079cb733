//! What the preprocessor knows at each place of a text.

use super::branch::Branch;
use super::macros::{MacroTable, Standing};
use std::ops::Range;
use std::sync::Arc;

/// A stretch of text inside an undecided conditional.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    pub(crate) range: Range<usize>,
    pub(crate) branch: Branch,
    pub(crate) condition: String,
    pub(crate) doubt: Option<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct Outlook {
    macros: Arc<MacroTable>,
    regions: Vec<Region>,
    marks: Vec<(usize, u32)>,
}

impl Outlook {
    pub(crate) fn new(
        macros: Arc<MacroTable>,
        regions: Vec<Region>,
        marks: Vec<(usize, u32)>,
    ) -> Self {
        Self { macros, regions, marks }
    }

    fn region_at(&self, at: usize) -> Option<&Region> {
        let index = self.regions.partition_point(|region| region.range.end <= at);
        self.regions.get(index).filter(|region| region.range.contains(&at))
    }

    /// The undecided branches around a place.
    pub(crate) fn branch_at(&self, at: usize) -> Branch {
        self.region_at(at).map(|region| region.branch.clone()).unwrap_or_default()
    }

    /// The undecided condition around a place.
    pub(crate) fn condition_at(&self, at: usize) -> Option<String> {
        let region = self.region_at(at).filter(|region| !region.condition.is_empty())?;
        Some(region.condition.clone())
    }

    /// Whether an undecided condition or a doubt is around a place.
    pub(crate) fn is_undecided(&self, at: usize) -> bool {
        self.region_at(at).is_some()
    }

    /// Why nothing at a place can be relied on.
    pub(crate) fn doubt_at(&self, at: usize) -> Option<&str> {
        self.region_at(at)?.doubt.as_deref()
    }

    /// What a name means at a place; `usize::MAX` is the end of the translation unit.
    pub(crate) fn standing_at(&self, name: &str, at: usize, branch: &Branch) -> Standing<'_> {
        self.macros.standing_of(name, self.event_at(at), branch)
    }

    /// How far the macros have come at a place, if one of them is in these texts.
    pub(crate) fn moment_at(&self, at: usize, texts: [&str; 2]) -> Option<u32> {
        let word = |c: char| !(c.is_alphanumeric() || c == '_');
        let mut words = texts.into_iter().flat_map(|text| text.split(word));
        words.any(|word| self.macros.is_known(word)).then(|| self.event_at(at))
    }

    fn event_at(&self, at: usize) -> u32 {
        if at == usize::MAX {
            return u32::MAX;
        }
        let index = self.marks.partition_point(|(place, _)| *place <= at);
        match index.checked_sub(1).and_then(|index| self.marks.get(index)) {
            Some((_, when)) => *when,
            // Before the first directive only the includer's macros act; they are counted first.
            None => self.marks.first().map_or(u32::MAX, |(_, when)| when.saturating_sub(1)),
        }
    }
}
