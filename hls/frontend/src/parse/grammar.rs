//! The text that the grammar reads, and where each place of it is in the source.

use crate::preprocess::{Insertion, Prepared};
use std::ops::Range;

/// Insertions in one text have no more bytes than this together.
const INSERTED: usize = 1 << 20;

/// A text with its insertions written out.
pub(super) struct Grammar {
    pub(super) text: Vec<u8>,
    pieces: Vec<Piece>,
    /// What the grammar takes for one name, and the source's spelling of it.
    placeholders: Vec<(Range<usize>, Range<usize>)>,
}

/// An insertion: its place in the text, and what it is in place of in the source.
struct Piece {
    own: Range<usize>,
    source: Range<usize>,
}

impl Grammar {
    pub(super) fn new(prepared: &Prepared) -> Self {
        let masked = &prepared.masked;
        let mut grammar = Self {
            text: Vec::with_capacity(masked.len()),
            pieces: Vec::new(),
            placeholders: Vec::new(),
        };
        let mut at = 0;
        let mut room = INSERTED;
        for Insertion { range, text, .. } in &prepared.insertions {
            let is_next = range.start >= at && range.end <= masked.len();
            if !is_next || is_blank(&masked[range.clone()]) || text.len() > room {
                continue;
            }
            room -= text.len();
            grammar.text.extend_from_slice(&masked[at..range.start]);
            let start = grammar.text.len();
            grammar.text.push(b' ');
            grammar.text.extend_from_slice(text.as_bytes());
            grammar.text.push(b' ');
            let own = start..grammar.text.len();
            grammar.pieces.push(Piece { own, source: range.clone() });
            at = range.end;
        }
        grammar.text.extend_from_slice(masked.get(at..).unwrap_or_default());
        let within = |range: &Range<usize>| {
            let (start, end) = (grammar.place_of(range.start)?, grammar.place_of(range.end)?);
            Some((start..end, range.clone()))
        };
        grammar.placeholders = prepared.placeholders.iter().filter_map(within).collect();
        grammar
    }

    /// Where a place of the source is in the text; nowhere if something is in its place.
    fn place_of(&self, source: usize) -> Option<usize> {
        let behind = self.pieces.partition_point(|piece| piece.source.end <= source);
        let after = self.pieces.get(behind);
        if after.is_some_and(|piece| piece.source.start < source) {
            return None;
        }
        let before = behind.checked_sub(1).and_then(|at| self.pieces.get(at));
        Some(before.map_or(source, |piece| source - piece.source.end + piece.own.end))
    }

    /// Where a range of the text is in the source: what is in an insertion is at the place of the whole.
    pub(super) fn source_of(&self, range: &Range<usize>) -> Range<usize> {
        let from = self.pieces.partition_point(|piece| piece.own.start <= range.start);
        let start = match from.checked_sub(1).and_then(|at| self.pieces.get(at)) {
            Some(piece) if range.start < piece.own.end => piece.source.start,
            Some(piece) => range.start - piece.own.end + piece.source.end,
            None => range.start,
        };
        let from = self.pieces.partition_point(|piece| piece.own.start < range.end);
        let end = match from.checked_sub(1).and_then(|at| self.pieces.get(at)) {
            Some(piece) if range.end <= piece.own.end => piece.source.end,
            Some(piece) => range.end - piece.own.end + piece.source.end,
            None => range.end,
        };
        start..end.max(start)
    }

    /// The words of a range, with blanks folded and placeholders as the source has them.
    pub(super) fn words_of(&self, source: &str, range: Range<usize>) -> String {
        let mut at = range.start;
        let mut out = String::new();
        let first = self.placeholders.partition_point(|(own, _)| own.end <= range.start);
        let rest = self.placeholders.get(first..).unwrap_or_default();
        for (own, place) in rest.iter().take_while(|(own, _)| own.start < range.end) {
            self.push_words(&mut out, at..own.start.max(at));
            out.push_str(source.get(place.clone()).unwrap_or(""));
            at = own.end;
        }
        self.push_words(&mut out, at.min(range.end)..range.end);
        out.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn push_words(&self, out: &mut String, range: Range<usize>) {
        out.push_str(&String::from_utf8_lossy(self.text.get(range).unwrap_or(&[])));
    }
}

fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_whitespace)
}
