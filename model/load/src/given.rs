//! What `derate.toml` adds to the designs of its folder.

use std::collections::BTreeSet;
use std::path::PathBuf;

use derate_machine::Platform;
use derate_units::Hertz;

/// What `derate.toml` says of the designs of its folder.
#[derive(Default)]
pub(crate) struct Given {
    /// The card of the designs whose own files name none.
    pub(crate) platform: Option<Platform>,
    /// The claimed clock.
    pub(crate) clock: Option<Hertz>,
    pub(crate) include: Vec<PathBuf>,
    pub(crate) defines: Vec<(String, String)>,
    /// The sources that each `[[kernel]]` names.
    pub(crate) kernels: Vec<BTreeSet<PathBuf>>,
}
