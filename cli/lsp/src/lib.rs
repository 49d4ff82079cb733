//! The language server of derate: what `derate audit` finds, where it is written.
//!
//! An editor starts `derate lsp` and speaks the language server protocol over its standard input and output. While a file
//! is edited, the rules that need no more than the file check its text. When it is opened or saved, the whole folder is
//! audited in the background, as `derate audit` does. Hover shows what a name is, with its width, and the manual page of a
//! finding. Code actions are the edits of `derate audit --fix`.
//!
//! ```
//! use lsp_server::{Connection, Message, Notification, Request};
//! use serde_json::json;
//!
//! let (server, editor) = Connection::memory();
//! let serving = std::thread::spawn(move || derate_lsp::serve(server));
//! let ask = |id: i32, method: &str, params| {
//!     editor.sender.send(Request::new(id.into(), method.to_owned(), params).into())
//! };
//! let note = |method: &str, params| {
//!     editor.sender.send(Notification::new(method.to_owned(), params).into())
//! };
//! let folder = tempfile::tempdir()?;
//! let root = format!("file://{}", folder.path().display());
//! let folders = json!([{ "uri": root, "name": "kernels" }]);
//! ask(1, "initialize", json!({ "capabilities": {}, "workspaceFolders": folders }))?;
//! let Message::Response(answer) = editor.receiver.recv()? else { panic!("no answer") };
//! let result = answer.response_result.expect("an answer");
//! assert_eq!(result["capabilities"]["hoverProvider"], true);
//! note("initialized", json!({}))?;
//! ask(2, "shutdown", json!(null))?;
//! note("exit", json!(null))?;
//! serving.join().expect("it does not panic")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
