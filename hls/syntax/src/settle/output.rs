//! The text that is parsed, and where each of its bytes was written.

use crate::ast::{Place, Pragma, Unread};
use crate::preprocess::Token;
use rustc_hash::FxHashSet as HashSet;

/// The most text that a unit may have, in bytes.
const MOST_TEXT: usize = 16 << 20;

/// A unit after preprocessing, as text.
#[derive(Debug, Default)]
pub(crate) struct Expanded {
    /// The text, without comments, directives and pragmas.
    pub(crate) text: String,
    /// The pragmas and the byte of the text that each is before, in order.
    pub(crate) pragmas: Vec<(usize, Pragma)>,
    /// What could not be read.
    pub(crate) unread: Vec<Unread>,
    /// The bytes at which declarations begin that can be parsed by themselves, in order.
    pub(crate) cuts: Vec<usize>,
    /// Where a place begins, by byte, in order.
    places: Vec<(usize, Place)>,
    /// The bytes at which `<=` is written for `<`.
    less: HashSet<usize>,
    full: bool,
}

impl Expanded {
    /// Where the byte was written.
    pub(crate) fn place(&self, byte: usize) -> Place {
        let behind = self.places.partition_point(|&(start, _)| start <= byte);
        behind.checked_sub(1).map_or_else(Place::default, |index| self.places[index].1)
    }

    /// Whether the `<=` at this byte means `<`.
    pub(crate) fn is_less(&self, byte: usize) -> bool {
        self.less.contains(&byte)
    }

    pub(crate) fn write(&mut self, place: Place, text: &str) {
        if self.text.len() + text.len() >= MOST_TEXT {
            if !self.full {
                let reason = format!("the text is longer than {MOST_TEXT} bytes from here on");
                self.unread.push(Unread { place, reason });
                self.full = true;
            }
            return;
        }
        if self.places.last().is_none_or(|&(_, last)| last != place) {
            self.text.push('\n');
            self.places.push((self.text.len(), place));
        } else {
            self.text.push(' ');
        }
        self.text.push_str(text);
    }

    /// Writes `<` so that it cannot be taken for the begin of template arguments.
    pub(crate) fn write_less(&mut self, token: &Token) {
        self.write(token.place, "<=");
        self.less.insert(self.text.len() - 2);
    }

    pub(crate) fn write_pragma(&mut self, pragma: Pragma) {
        self.pragmas.push((self.text.len(), pragma));
    }
}
