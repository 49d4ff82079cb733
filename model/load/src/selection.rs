//! What of a folder an audit is about.

use crate::Exclude;

/// What a command line takes of a folder: all, where it says nothing.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The files and folders that are left out.
    pub exclude: Exclude,
    /// The solution of the tool, of several that scripts make.
    pub solution: Option<String>,
}

impl Selection {
    /// Whether all of a folder is taken.
    #[must_use]
    pub fn is_all(&self) -> bool {
        self.exclude.is_empty() && self.solution.is_none()
    }

    /// The words of the command line that say it.
    pub fn words(&self) -> impl Iterator<Item = String> {
        let excluded = self.exclude.words().map(|word| ("--exclude", word));
        let solution = self.solution.iter().map(|name| ("--solution", name.as_str()));
        excluded.chain(solution).flat_map(|(option, word)| [option.to_owned(), word.to_owned()])
    }
}
