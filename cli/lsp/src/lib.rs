//! The language server of derate: what `derate audit` finds, where it is written.
//!
//! An editor starts `derate lsp` and speaks the language server protocol over its standard input and output. While a file
//! is edited, the rules that need no more than the file check its text. When it is opened or saved, the whole folder is
//! audited in the background, as `derate audit` does. Hover shows what a name is, with its width, and the manual page of a
//! finding. Code actions are the edits of `derate audit --fix`.

mod action;
mod check;
mod diagnostic;
mod document;
mod hover;
mod position;
mod server;
mod session;
mod uri;

pub use server::{ServeError, serve, serve_stdio};
