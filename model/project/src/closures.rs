//! What each file includes, directly or not.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use derate_hls::{FileId, Header};

/// The files that files include.
#[derive(Clone, Debug, Default)]
pub(crate) struct Closures {
    files: BTreeMap<FileId, Includes>,
    /// The number of the group of files that includes join, in whichever direction.
    groups: BTreeMap<FileId, usize>,
}

#[derive(Clone, Debug)]
struct Includes {
    direct: Vec<FileId>,
    /// The file itself, and what it includes directly or not; computed when it is first asked for.
    all: OnceLock<BTreeSet<FileId>>,
}

impl Closures {
    pub(crate) fn of(headers: &[Header]) -> Self {
        let includes = |header: &Header| Includes {
            direct: header.includes.iter().filter_map(|include| include.file).collect(),
            all: OnceLock::new(),
        };
        let files: BTreeMap<FileId, Includes> =
            headers.iter().map(|header| (header.file, includes(header))).collect();
        let groups = number_groups(&files);
        Self { files, groups }
    }

    /// Whether includes join two files, in whichever direction: both include one header, say.
    pub(crate) fn are_joined(&self, one: FileId, other: FileId) -> bool {
        let group = self.groups.get(&one);
        one == other || (group.is_some() && group == self.groups.get(&other))
    }

    /// Whether neither of two files includes the other, directly or not.
    pub(crate) fn are_apart(&self, one: FileId, other: FileId) -> bool {
        one != other && !self.includes(one, other) && !self.includes(other, one)
    }

    /// Whether a file includes another, directly or not.
    pub(crate) fn includes(&self, from: FileId, to: FileId) -> bool {
        self.below(from).is_some_and(|below| below.contains(&to))
    }

    /// A file and what it includes, directly or not.
    pub(crate) fn below(&self, from: FileId) -> Option<&BTreeSet<FileId>> {
        let below = |includes: &Includes| {
            let mut seen = BTreeSet::from([from]);
            let mut open = includes.direct.clone();
            while let Some(at) = open.pop() {
                if seen.insert(at) {
                    open.extend(self.files.get(&at).into_iter().flat_map(|one| &one.direct));
                }
            }
            seen
        };
        self.files.get(&from).map(|one| one.all.get_or_init(|| below(one)))
    }
}

fn number_groups(files: &BTreeMap<FileId, Includes>) -> BTreeMap<FileId, usize> {
    let mut neighbours: BTreeMap<FileId, Vec<FileId>> = BTreeMap::new();
    for (&file, includes) in files {
        neighbours.entry(file).or_default();
        for &other in &includes.direct {
            neighbours.entry(file).or_default().push(other);
            neighbours.entry(other).or_default().push(file);
        }
    }
    let mut groups = BTreeMap::new();
    for (number, &file) in neighbours.keys().enumerate() {
        let mut open = vec![file];
        while let Some(at) = open.pop() {
            if let Entry::Vacant(place) = groups.entry(at) {
                place.insert(number);
                open.extend(neighbours.get(&at).into_iter().flatten());
            }
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use derate_hls::{Sources, parse_all};

    #[test]
    fn a_file_is_apart_from_what_it_does_not_reach() {
        let mut sources = Sources::default();
        let texts = [
            ("a.h", "#include \"b.h\"\n"),
            ("b.h", "#include \"c.h\"\n"),
            ("c.h", "#include \"a.h\"\n"),
            ("d.h", "#include \"c.h\"\n"),
            ("e.h", ""),
        ];
        let files: Vec<FileId> =
            texts.iter().map(|(name, text)| sources.add(*name, *text)).collect();
        let headers = parse_all(&sources, &files);
        let closures = Closures::of(&headers);
        for (one, other, apart) in
            [(0, 2, false), (2, 1, false), (0, 3, false), (3, 4, true), (4, 0, true), (4, 4, false)]
        {
            let (one, other) = (files[one], files[other]);
            assert_eq!(closures.are_apart(one, other), apart);
            assert_eq!(closures.are_apart(other, one), apart);
        }
        for (one, other, joined) in [(0, 3, true), (3, 4, false), (4, 4, true), (1, 2, true)] {
            assert_eq!(closures.are_joined(files[one], files[other]), joined);
        }
    }
}
