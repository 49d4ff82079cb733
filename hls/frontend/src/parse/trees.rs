//! Trees and declarations of texts that come again.

use super::kept::Kept;
use super::tables::blank_tables;
use super::unread_forms::blank_unread_forms;
use crate::header::Header;
use crate::preprocess::{Insertion, Pragma, Prepared, Region};
use crate::{FileId, Unparsed};
use std::ops::Range;
use std::sync::Arc;
use tree_sitter::{Parser, Tree};

/// Trees of so many bytes of text are kept: a tree takes some ten times its text.
const TREES: usize = 4 << 20;
/// Declarations of so many bytes of text are kept.
const DECLARED: usize = 8 << 20;

/// What was read of texts: the next source that includes the same text does not parse it again, and a copy of it has the
/// same tree. Of many, those are kept that were wanted last.
pub struct Trees {
    /// By the text as the preprocessor leaves it.
    trees: Kept<Vec<u8>, Tree>,
    declared: Kept<FileId, Declared>,
}

/// What a text declares, and all that it was read from.
struct Declared {
    from: Basis,
    header: Header,
}

/// All that the declarations of a text depend on. The macros of a unit are in it as far as they change the text.
#[derive(PartialEq)]
pub(super) struct Basis {
    text: Arc<str>,
    masked: Vec<u8>,
    placeholders: Vec<Range<usize>>,
    insertions: Vec<Insertion>,
    attributes: Vec<Range<usize>>,
    /// The undecided stretches with their conditions.
    regions: Vec<(Range<usize>, String)>,
    pragmas: Vec<Pragma>,
    unparsed: Vec<Unparsed>,
}

impl Basis {
    pub(super) fn new(
        text: Arc<str>,
        prepared: &Prepared,
        regions: &[Region],
        pragmas: &[Pragma],
    ) -> Self {
        let region = |one: &Region| (one.range.clone(), one.condition.clone());
        Self {
            text,
            masked: prepared.masked.clone(),
            placeholders: prepared.placeholders.clone(),
            insertions: prepared.insertions.clone(),
            attributes: prepared.attributes.clone(),
            regions: regions.iter().map(region).collect(),
            pragmas: pragmas.to_vec(),
            unparsed: prepared.unparsed.clone(),
        }
    }
}

impl Default for Trees {
    fn default() -> Self {
        Self { trees: Kept::new(TREES), declared: Kept::new(DECLARED) }
    }
}

impl Trees {
    /// The tree of a text. `None` where the grammar could not be loaded.
    pub(super) fn parse(&mut self, masked: &[u8]) -> Option<Tree> {
        let blanked = blank_tables(masked);
        let masked = blanked.as_deref().unwrap_or(masked);
        let blanked = blank_unread_forms(masked);
        let masked = blanked.as_deref().unwrap_or(masked);
        if let Some(known) = self.trees.get(masked) {
            return Some(known.clone());
        }
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_cpp::LANGUAGE.into()).ok()?;
        let tree = parser.parse(masked, None)?;
        self.trees.keep(masked.to_vec(), tree.clone(), masked.len());
        Some(tree)
    }

    /// What a text declares, where it was read from the same before. The fields of the preprocessor are those of the earlier reading.
    pub(super) fn find_declared(&mut self, file: FileId, from: &Basis) -> Option<Header> {
        let known = self.declared.get(&file)?;
        (known.from == *from).then(|| known.header.clone())
    }

    pub(super) fn keep_declared(&mut self, from: Basis, header: &Header) {
        let bytes = from.text.len();
        self.declared.keep(header.file, Declared { from, header: header.clone() }, bytes);
    }
}
