//! Files as patterns of `derate.toml`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::Search;

impl Search {
    /// The files that pass, as one pattern per folder and extension; where not all of those pass, each by its name.
    pub(super) fn group_patterns(
        &self,
        extensions: &[&str],
        passes: impl Fn(&PathBuf) -> bool,
    ) -> Vec<String> {
        let mut groups: BTreeMap<String, (Vec<String>, bool)> = BTreeMap::new();
        for path in self.having(extensions) {
            let (Some(folder), Some(extension)) =
                (path.parent(), path.extension().and_then(|e| e.to_str()))
            else {
                continue;
            };
            let folder = glob::Pattern::escape(&self.name(folder));
            let slash = if folder.is_empty() { "" } else { "/" };
            let (named, all) =
                groups.entry(format!("{folder}{slash}*.{extension}")).or_insert((Vec::new(), true));
            if passes(path) {
                named.push(glob::Pattern::escape(&self.name(path)));
            } else {
                *all = false;
            }
        }
        let mut patterns: Vec<String> = Vec::new();
        for (pattern, (named, all)) in groups {
            if all {
                patterns.push(pattern);
            } else {
                patterns.extend(named);
            }
        }
        patterns
    }
}
