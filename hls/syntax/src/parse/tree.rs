//! Text to tree-sitter's trees, with a bound on its work.

use crate::settle::Expanded;
use rustc_hash::FxHashMap as HashMap;
use std::cell::RefCell;
use std::ops::ControlFlow;
use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

/// Hundreds of steps of the parser for a text of any length.
const LEAST_STEPS: usize = 10_000;
/// Trees of so many bytes of text are a generation, of which two are kept; a tree takes some ten times its text.
const KEPT: usize = 2 << 20;

thread_local! {
    /// Units of one project include the same headers.
    static KNOWN: RefCell<KnownTrees> = RefCell::default();
}

/// Trees by the text of a declaration, with the hundreds of steps that each took. A tree that no unit uses for a generation is
/// dropped.
#[derive(Default)]
struct KnownTrees {
    trees: HashMap<String, (Tree, usize)>,
    bytes: usize,
    older: HashMap<String, (Tree, usize)>,
}

/// The trees of the declarations of a text, each with the byte at which it begins. `None` if it is so far from C++ that the
/// search for errors takes too long: texts of kernels take about two steps per byte.
pub(crate) fn parse_trees(text: &Expanded) -> Option<Vec<(usize, Tree)>> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_cpp::LANGUAGE.into()).ok()?;
    let most = LEAST_STEPS + text.text.len() / 4;
    let mut steps = 0;
    let starts = std::iter::once(0).chain(text.cuts.iter().copied());
    let ends = text.cuts.iter().copied().chain([text.text.len()]);
    let mut trees = Vec::with_capacity(text.cuts.len() + 1);
    KNOWN.with_borrow_mut(|known| {
        for (start, end) in starts.zip(ends) {
            let piece = text.text.get(start..end).unwrap_or_default();
            let tree = known.parse(&mut parser, piece, &mut steps, most)?;
            trees.push((start, tree));
        }
        Some(trees)
    })
}

impl KnownTrees {
    /// The tree of one declaration. `steps` goes up by what it took, now or when it was first read: what is given up does not
    /// depend on what was read before.
    fn parse(
        &mut self,
        parser: &mut Parser,
        piece: &str,
        steps: &mut usize,
        most: usize,
    ) -> Option<Tree> {
        if let Some((tree, took)) = self.find(piece) {
            *steps += took;
            return (*steps <= most).then_some(tree);
        }
        let before = *steps;
        let mut count_step = |_: &ParseState| {
            *steps += 1;
            if *steps > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = ParseOptions::new().progress_callback(&mut count_step);
        let mut read = |byte: usize, _| piece.as_bytes().get(byte..).unwrap_or_default();
        let tree = parser.parse_with_options(&mut read, None, Some(options));
        let Some(tree) = tree else {
            // It would go on where it was.
            parser.reset();
            return None;
        };
        self.keep(piece.to_owned(), (tree.clone(), *steps - before));
        Some(tree)
    }

    fn find(&mut self, piece: &str) -> Option<(Tree, usize)> {
        if let Some(known) = self.trees.get(piece) {
            return Some(known.clone());
        }
        let (piece, known) = self.older.remove_entry(piece)?;
        self.keep(piece, known.clone());
        Some(known)
    }

    fn keep(&mut self, piece: String, known: (Tree, usize)) {
        if piece.len() > KEPT {
            return;
        }
        if self.bytes + piece.len() > KEPT {
            self.older = std::mem::take(&mut self.trees);
            self.bytes = 0;
        }
        self.bytes += piece.len();
        self.trees.insert(piece, known);
    }
}
