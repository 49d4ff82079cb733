//! Trees of texts that come again.

use rustc_hash::FxHashMap as HashMap;

use tree_sitter::{Parser, Tree};

/// Texts of so many bytes are kept: a tree takes some ten times its text.
const KEPT: usize = 4 << 20;

/// The trees of texts that were read, by the text as the preprocessor leaves it: the next source that includes the same text,
/// or a copy of it, does not parse it again. Of many, those are kept that were wanted last.
#[derive(Default)]
pub struct Trees {
    known: HashMap<Vec<u8>, Known>,
    bytes: usize,
    asked: u64,
}

struct Known {
    tree: Tree,
    /// When it was wanted last.
    asked: u64,
}

impl Trees {
    /// The tree of a text. `None` where the grammar could not be loaded.
    pub(super) fn parse(&mut self, masked: &[u8]) -> Option<Tree> {
        self.asked += 1;
        if let Some(known) = self.known.get_mut(masked) {
            known.asked = self.asked;
            return Some(known.tree.clone());
        }
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_cpp::LANGUAGE.into()).ok()?;
        let tree = parser.parse(masked, None)?;
        if masked.len() <= KEPT {
            self.make_room(masked.len());
            self.bytes += masked.len();
            let known = Known { tree: tree.clone(), asked: self.asked };
            self.known.insert(masked.to_vec(), known);
        }
        Some(tree)
    }

    /// Forgets those that were not wanted for longest.
    fn make_room(&mut self, bytes: usize) {
        while self.bytes + bytes > KEPT {
            let oldest = self.known.iter().min_by_key(|(_, known)| known.asked);
            let Some(text) = oldest.map(|(text, _)| text.clone()) else { return };
            self.known.remove(&text);
            self.bytes -= text.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_wanted_last_is_kept() {
        let mut trees = Trees::default();
        let text = |letter: u8| vec![letter; KEPT / 4];
        for letter in b"abcdaef" {
            assert!(trees.parse(&text(*letter)).is_some());
        }
        assert!(trees.bytes <= KEPT);
        let mut kept: Vec<u8> =
            trees.known.keys().filter_map(|text| text.first().copied()).collect();
        kept.sort_unstable();
        assert_eq!(kept, b"adef");
    }
}
