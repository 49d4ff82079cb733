//! Trees of texts that several sources include.

use std::collections::HashMap;

use tree_sitter::{Parser, Tree};

/// Texts of so many bytes are kept: a tree takes some ten times its text.
const KEPT: usize = 4 << 20;

/// The trees of headers that were read, by their text as the preprocessor leaves it: the next source that includes the
/// same text, or a copy of it, does not parse it again.
#[derive(Default)]
pub struct Trees {
    known: HashMap<Vec<u8>, Tree>,
    bytes: usize,
}

impl Trees {
    /// The tree of a text, kept where it `may_come_again`. `None` where the grammar could not be loaded.
    pub(super) fn parse(&mut self, masked: &[u8], may_come_again: bool) -> Option<Tree> {
        if let Some(tree) = self.known.get(masked) {
            return Some(tree.clone());
        }
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_cpp::LANGUAGE.into()).ok()?;
        let tree = parser.parse(masked, None)?;
        if may_come_again && self.bytes + masked.len() <= KEPT {
            self.bytes += masked.len();
            self.known.insert(masked.to_vec(), tree.clone());
        }
        Some(tree)
    }
}
