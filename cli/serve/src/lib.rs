//! The local page of derate and its JSON API: predictions at the roofline, and measurements on this machine.
//!
//! [`run_server`] listens, answers and measures until a signal ends it. Measurements run one at a time, on a thread of
//! their own ([`ServerOptions::device`]), and every finished point is in an `SQLite` file before it is shown.
//!
//! ```no_run
//! use derate_serve::{ServerOptions, run_server};
//!
//! let options = ServerOptions {
//!     listen: "127.0.0.1:0".parse()?,
//!     token: None,
//!     host_names: Vec::new(),
//!     device: "cpu".to_owned(),
//!     store: "results.sqlite".into(),
//!     platforms: Vec::new(),
//!     note: |line| eprintln!("{line}"),
//! };
//! run_server(options)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod catalogue;
mod connections;
mod fields;
mod guard;
mod host;
mod limits;
mod measure;
mod openapi;
mod outlook;
mod page;
mod platforms;
mod predict;
mod query;
mod queue;
mod route;
mod routes;
mod server;
mod state;
mod store;
mod subject;
mod sweeps;
mod token;
mod unknown_name;

pub use platforms::{NamedPlatform, PlatformNameTaken};
pub use server::{ServeError, ServerOptions, run_server};
pub use store::StoreError;
pub use token::{Token, TokenError, VARIABLE as TOKEN_VARIABLE};
