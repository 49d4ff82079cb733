//! `--resume FILE`: a search goes on where the last one ended.

use std::path::Path;

use anyhow::{Error, anyhow, bail};
use derate_model::explore::kernel::KernelSpace;
use derate_model::explore::{Cost, Search, SearchState, Space};
use derate_model::load;
use serde::{Deserialize, Serialize};

use crate::hash::hash_text;
use crate::output::{self, Written};
use crate::replace::replace_file;

/// The form of the file.
pub(super) const SCHEMA: &str = "derate.search/1";

/// What was known when a search ended, the last search first.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Saved {
    schema: String,
    /// A hash of what was searched: another space is another search.
    asked: String,
    /// Searches, the last first.
    pub(super) searches: Vec<SearchState>,
    /// Designs of kernels that were scheduled, the last kernel first.
    pub(super) costs: Vec<Vec<(Vec<usize>, Cost)>>,
    #[serde(skip)]
    next: Next,
}

/// What the file gets.
#[derive(Debug, Default)]
struct Next {
    searches: Vec<SearchState>,
    costs: Vec<Vec<(Vec<usize>, Cost)>>,
}

impl Saved {
    /// Reads what a file has of the search that is asked for; an empty one where there is no file yet.
    pub(super) fn open(path: Option<&Path>, asked: &impl Serialize) -> Result<Self, Error> {
        let asked = hash_text(&serde_json::to_string(asked)?);
        let new = Self { schema: SCHEMA.to_owned(), asked, ..Self::default() };
        let Some(path) = path else { return Ok(new) };
        output::may_replace(path, Written::Search)?;
        let text = if path.is_file() { load::read_text(path)? } else { String::new() };
        if text.trim().is_empty() {
            return Ok(new);
        }
        let saved: Self = serde_json::from_str(&text).map_err(|error| {
            anyhow!("{} is not a search that can go on ({error}): remove it", path.display())
        })?;
        if saved.asked != new.asked {
            bail!(
                "{} is the search of other designs or limits, or for another clock, tool or card: name another file, or remove it",
                path.display()
            );
        }
        Ok(saved)
    }

    /// Takes what a search of a kernel knows.
    pub(super) fn keep<S: Space>(&mut self, search: &Search<'_, S>, space: &KernelSpace<'_>) {
        self.keep_search(search);
        self.next.costs.push(space.scheduled_designs());
    }

    /// Takes what a search knows.
    pub(super) fn keep_search<S: Space>(&mut self, search: &Search<'_, S>) {
        self.next.searches.push(search.state());
    }

    /// Writes what was taken.
    pub(super) fn write(mut self, path: Option<&Path>) -> Result<(), Error> {
        let Some(path) = path else { return Ok(()) };
        self.searches = self.next.searches.drain(..).rev().collect();
        self.costs = self.next.costs.drain(..).rev().collect();
        let mut text = serde_json::to_string(&self)?;
        text.push('\n');
        replace_file(path, text.as_bytes())
    }
}
