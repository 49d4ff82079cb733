//! HLS C++ in, preprocessed and parsed into functions, statements and expressions.
//!
//! Nothing here reads a file or fails: includes come from the caller, and what cannot be read is
//! listed in [`ast::Unit::unread`] or is an `Unknown` with its reason, while the rest is read.
//!
//! ```
//! use derate_syntax::{SourceFile, ast::Item, read_unit};
//!
//! let text = "#define N 8\nvoid clear(int a[N]) { L: for (int i = 0; i < N; i++) a[i] = 0; }";
//! let source = SourceFile { path: "clear.cpp".into(), text: text.into() };
//! let unit = read_unit(&[source], &mut |_, _, _| None, &[]);
//! assert!(matches!(&unit.items[0], Item::Function(clear) if clear.name == "clear"));
//! assert!(unit.unread.is_empty());
//! ```

pub mod ast;
mod literal;
mod parse;
mod preprocess;
mod settle;

pub use parse::read_unit;

/// A text and its name.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct SourceFile {
    /// The path that places refer to.
    pub path: String,
    /// Its content.
    pub text: String,
}

/// Finds an include: its path as written, whether it is in quotes, and the file that includes it,
/// to a path and a text. `None` skips it, as for headers of the system.
pub type Loader<'a> = dyn FnMut(&str, bool, &str) -> Option<(String, String)> + 'a;
