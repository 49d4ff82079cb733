//! The commit that a project is of.

/// The last commit that changed a file of the project's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Its hash, shortened.
    pub name: String,
    /// Whether a file that git knows was changed after it.
    pub changed: bool,
}
