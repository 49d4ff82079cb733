//! One synthesis may be given in two forms, as a tree and as XML: what both say is told once.

use std::collections::BTreeSet;

use crate::audit::Finding;

/// A finding about a file, and what it says there.
pub(super) struct Said {
    /// Each case with its figures, so that another synthesis of the same function is no repetition.
    pub(super) keys: BTreeSet<String>,
    /// How much it knows of its cases; of two that say the same, the one that knows more is kept.
    pub(super) weight: usize,
    /// The finding.
    pub(super) finding: Finding,
}

/// A key from words; reports of different forms differ in blanks.
pub(super) fn key(words: &[&str]) -> String {
    words
        .iter()
        .map(|word| word.split_whitespace().collect::<String>())
        .collect::<Vec<_>>()
        .join("|")
}

/// What is not said by another one already.
pub(super) fn once(all: impl IntoIterator<Item = Said>) -> Vec<Finding> {
    let mut kept: Vec<(Said, Vec<String>)> = Vec::new();
    for mut said in all {
        let same = kept.iter_mut().find(|(known, _)| {
            said.keys.is_subset(&known.keys) || known.keys.is_subset(&said.keys)
        });
        let Some((known, files)) = same else {
            kept.push((said, Vec::new()));
            continue;
        };
        if (said.keys.len(), said.weight) > (known.keys.len(), known.weight) {
            std::mem::swap(known, &mut said);
        }
        files.push(said.finding.subject);
    }
    let told = |(mut said, files): (Said, Vec<String>)| {
        said.finding.notes.extend(files.iter().map(|file| format!("`{file}` says the same")));
        said.finding
    };
    kept.into_iter().map(told).collect()
}
