//! Files that were copied and then edited a little.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{FileId, Sources, Span};

/// Of the different lines of each of two files in folders beside each other so many are in the other, of a hundred.
const ALIKE: usize = 67;
/// The same of files of one name anywhere.
const NEARLY_EQUAL: usize = 90;

/// Pairs of files that were compared.
pub struct Twins<'a> {
    sources: &'a Sources,
    lines: BTreeMap<FileId, BTreeSet<&'a str>>,
    /// The lines that both have, of a hundred.
    pairs: BTreeMap<(FileId, FileId), usize>,
}

impl<'a> Twins<'a> {
    /// None yet, of these texts.
    #[must_use]
    pub fn of(sources: &'a Sources) -> Self {
        Self { sources, lines: BTreeMap::new(), pairs: BTreeMap::new() }
    }

    /// Whether two places are the same of two files, of which one is an edited copy of the other: in code the lines are equal.
    pub fn are_alike(&mut self, one: Span, other: Span) -> bool {
        let report = |at: Span| {
            let name = self.sources.name(at.file);
            matches!(name.rsplit('.').next(), Some("rpt" | "xml"))
        };
        let line = |at: Span| {
            let text = self.sources.text(at.file);
            let start = text.get(..at.start).and_then(|it| it.rfind('\n')).map_or(0, |at| at + 1);
            text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default().trim()
        };
        let (name, beside) = (self.sources.name(one.file), self.sources.name(other.file));
        if one.file == other.file || !(report(one) || line(one) == line(other)) {
            return false;
        }
        if are_beside(name, beside) {
            return self.count_shared(one.file, other.file) >= ALIKE;
        }
        name.rsplit('/').next() == beside.rsplit('/').next()
            && self.count_shared(one.file, other.file) >= NEARLY_EQUAL
    }

    /// Whether two files are of one name in folders beside each other, and one is an edited copy of the other.
    pub fn are_steps(&mut self, one: FileId, other: FileId) -> bool {
        are_beside(self.sources.name(one), self.sources.name(other))
            && self.count_shared(one, other) >= ALIKE
    }

    /// Whether two files are one, or copies of one that differ in a few lines, such as comments.
    pub fn are_copies(&mut self, one: FileId, other: FileId) -> bool {
        one == other || self.count_shared(one, other) >= NEARLY_EQUAL
    }

    /// The lines that both files have, of a hundred of the one with more.
    fn count_shared(&mut self, one: FileId, other: FileId) -> usize {
        if let Some(known) = self.pairs.get(&(one, other)) {
            return *known;
        }
        let sources = self.sources;
        for file in [one, other] {
            let has_words = |line: &&str| line.bytes().any(|sign| sign.is_ascii_alphanumeric());
            let own = || sources.text(file).lines().map(str::trim).filter(has_words).collect();
            self.lines.entry(file).or_insert_with(own);
        }
        let (own, others) = (&self.lines[&one], &self.lines[&other]);
        let both = own.intersection(others).count();
        let shared = both * 100 / own.len().max(others.len()).max(1);
        self.pairs.insert((one, other), shared);
        shared
    }

    /// Whether two configurations have the same lines under `[connectivity]`.
    pub fn connect_same(&self, one: FileId, other: FileId) -> bool {
        let lines = |file| {
            let mut is_in = false;
            let mut own = BTreeSet::new();
            for line in self.sources.text(file).lines() {
                let line: String = line.split_whitespace().collect();
                if line.starts_with('[') {
                    is_in = line == "[connectivity]";
                } else if is_in && !line.is_empty() && !line.starts_with('#') {
                    own.insert(line);
                }
            }
            own
        };
        let own = lines(one);
        one != other && !own.is_empty() && own == lines(other)
    }
}

/// Whether two paths differ in the name of one folder alone.
fn are_beside(one: &str, other: &str) -> bool {
    let (a, b): (Vec<&str>, Vec<&str>) = (one.split('/').collect(), other.split('/').collect());
    a.len() == b.len()
        && a.last() == b.last()
        && a.iter().zip(&b).filter(|(a, b)| a != b).count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_with_some_edits_is_alike_and_another_file_is_not() {
        let mut sources = Sources::default();
        let text = "int a;\nint b;\nint c;\nint d;\n";
        let place = |file: FileId| Span { file, start: 8, end: 9 };
        let one = place(sources.add("p/good/k.cpp", text));
        let edited = place(sources.add("p/bug/k.cpp", text.replace("int d", "int e")));
        let other = place(sources.add("p/else/k.cpp", "int a;\nint b;\nlong x;\nlong y;\n"));
        let far = place(sources.add("q/bug/k.cpp", text.replace("int d", "int e")));
        let equal = place(sources.add("q/r/k.cpp", format!("{text}\n")));
        let line = place(sources.add("p/line/k.cpp", text.replace("int b", "int z")));
        let mut twins = Twins::of(&sources);
        assert!(twins.are_alike(one, edited) && twins.are_alike(edited, one));
        assert!(!twins.are_alike(one, other), "half of the lines");
        assert!(!twins.are_alike(one, far), "two folders");
        assert!(twins.are_alike(one, equal));
        assert!(!twins.are_alike(one, line), "the line itself");
        assert!(twins.are_copies(one.file, equal.file) && twins.are_copies(one.file, one.file));
        assert!(!twins.are_copies(one.file, far.file));
    }

    #[test]
    fn configurations_connect_the_same_by_their_section() {
        let mut sources = Sources::default();
        let mut add = |name: &str, text: &str| sources.add(name, text);
        let link = "[connectivity]\nsp=k_1.a:HBM[0]\n";
        let one = add("a.cfg", &format!("kernel_frequency=200\n{link}"));
        let same = add("b.cfg", "[connectivity]\n# a\n sp = k_1.a:HBM[0]\n[vivado]\nx=1\n");
        let other = add("c.cfg", &link.replace("HBM[0]", "HBM[1]"));
        let none = add("d.cfg", "kernel_frequency=200\n");
        let twins = Twins::of(&sources);
        assert!(twins.connect_same(one, same));
        assert!(!twins.connect_same(one, other) && !twins.connect_same(none, none));
    }
}
