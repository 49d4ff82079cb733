//! Text to tree-sitter's tree, with a bound on its work.

use std::ops::ControlFlow;
use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

/// Hundreds of steps of the parser for a text of any length.
const LEAST_STEPS: usize = 10_000;

/// The tree of a text. `None` if it is so far from C++ that the search for errors takes too long:
/// texts of kernels take about two steps per byte.
pub(crate) fn parse_tree(text: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_cpp::LANGUAGE.into()).ok()?;
    let most = LEAST_STEPS + text.len() / 4;
    let mut steps = 0;
    let mut count_step = |_: &ParseState| {
        steps += 1;
        if steps > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut count_step);
    let mut read = |byte: usize, _| text.as_bytes().get(byte..).unwrap_or_default();
    parser.parse_with_options(&mut read, None, Some(options))
}
