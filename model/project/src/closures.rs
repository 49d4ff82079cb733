//! What each file includes, directly or not.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use derate_hls::{FileId, Header};

/// The files that files include.
#[derive(Clone, Debug, Default)]
pub(crate) struct Closures {
    files: BTreeMap<FileId, Includes>,
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
        Self { files: headers.iter().map(|header| (header.file, includes(header))).collect() }
    }

    /// Whether neither of two files includes the other, directly or not.
    pub(crate) fn are_apart(&self, one: FileId, other: FileId) -> bool {
        one != other && !self.includes(one, other) && !self.includes(other, one)
    }

    /// Whether a file includes another, directly or not.
    pub(crate) fn includes(&self, from: FileId, to: FileId) -> bool {
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
        let from = self.files.get(&from);
        from.is_some_and(|one| one.all.get_or_init(|| below(one)).contains(&to))
    }
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
    }
}
