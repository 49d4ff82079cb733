//! The settings of the tools and what they print, in a folder.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use derate_hls::{ReportKind, Sources, read_report, report_kind};

use super::leftovers::find_leftovers;
use super::tool_output::is_copied_report;
use super::{CONFIGURATIONS, Search, has_extension, read_small};
use derate_machine::{BuildFile, NamedPart, PartName, find_named_parts};

/// What reports end in.
pub(super) const EXTENSIONS: [&str; 4] = ["rpt", "xml", "xtxt", "info"];

/// Whether a folder holds tests: `tests`, `test_report_data`, `pytest`.
fn is_of_tests(folder: &str) -> bool {
    let folder = folder.to_ascii_lowercase();
    matches!(folder.as_str(), "tests" | "pytest" | "testdata")
        || folder.starts_with("test_") && folder.ends_with("data")
}

impl Search {
    /// The reports of synthesis, linking and co-simulation. Copies that Vitis makes are left out where their texts are here,
    /// and so is what an earlier run left.
    pub(crate) fn list_reports(&self) -> Vec<&PathBuf> {
        let is_copy = |path: &Path| is_copied_report(Path::new(&self.name(path)));
        let mut all: Vec<(&PathBuf, String)> = self
            .having(&EXTENSIONS)
            .filter(|path| self.vendored.find(&self.name(path)).is_none())
            .filter_map(|path| Some((path, read_small(path)?)))
            .filter(|(_, text)| report_kind(text).is_some_and(|it| it != ReportKind::TimingSummary))
            .collect();
        if all.iter().any(|(path, _)| is_copy(path)) {
            let originals: BTreeSet<String> =
                all.iter().filter(|(path, _)| !is_copy(path)).map(|one| one.1.clone()).collect();
            all.retain(|(path, text)| !originals.contains(text) || !is_copy(path));
        }
        let old = find_leftovers(&all);
        let is_own = |path: &&PathBuf| !old.contains(path) && !self.is_test_data(path);
        all.iter().map(|(path, _)| *path).filter(is_own).collect()
    }

    /// The reports that tests of a program read: they are of no design here.
    pub(crate) fn list_test_data(&self) -> Vec<&PathBuf> {
        let is_report =
            |path: &&PathBuf| read_small(path).is_some_and(|text| report_kind(&text).is_some());
        self.having(&EXTENSIONS).filter(|path| self.is_test_data(path)).filter(is_report).collect()
    }

    /// Whether a file is in a folder of tests, and not where the tools write: `tests/data/a_csynth.xml`, and not
    /// `test/solution1/syn/report/a_csynth.xml`.
    fn is_test_data(&self, path: &Path) -> bool {
        let name = self.name(path);
        let mut folders = name.split('/').rev().skip(1);
        let is_tools = |folder: &str| matches!(folder, "report" | "reports" | "hls_compile");
        !folders.clone().next().is_none_or(is_tools) && folders.any(is_of_tests)
    }

    /// The configurations that connect kernels for v++: by their endings, and those that commands name.
    pub(crate) fn list_connectivity(&self) -> Vec<&PathBuf> {
        let keys = ["sp=", "nk=", "slr=", "stream_connect=", "sc="];
        let wires = |line: &str| {
            let line: String = line.chars().filter(|c| !c.is_whitespace()).collect();
            line == "[connectivity]" || keys.iter().any(|key| line.starts_with(key))
        };
        let named: BTreeSet<&PathBuf> =
            self.scripts().iter().flat_map(|script| &script.configs).collect();
        let is_named =
            |path: &&PathBuf| named.contains(path) || has_extension(path, &CONFIGURATIONS);
        self.files
            .iter()
            .filter(is_named)
            .filter(|path| self.vendored.find(&self.name(path)).is_none())
            .filter(|path| read_small(path).is_some_and(|text| text.lines().any(wires)))
            .filter(|path| !self.is_template(path))
            .collect()
    }

    /// The parts that the reports name, in lower case, each once.
    pub(super) fn find_parts(&self) -> BTreeSet<String> {
        let texts = self.list_reports().into_iter().filter_map(|path| read_small(path));
        texts
            .filter_map(|text| {
                let mut sources = Sources::default();
                let file = sources.add("report", text);
                let part = read_report(&sources, file).ok()?.part?;
                Some(part.value.to_ascii_lowercase())
            })
            .collect()
    }

    /// Files that run the tools and say for which part, each with what it names. Copies that tools wrote are passed over.
    pub(crate) fn find_named_parts(&self) -> Vec<(String, Vec<NamedPart>)> {
        let read = |path: &PathBuf| {
            let name = self.name(path);
            let kind = BuildFile::of_name(&name).filter(|_| !self.is_foreign(path))?;
            let mut parts = find_named_parts(kind, &read_small(path)?);
            self.keep_decided(&name, &mut parts);
            (!parts.is_empty()).then(|| (glob::Pattern::escape(&name), parts))
        };
        self.files.iter().filter_map(read).collect()
    }

    /// Keeps those parts that a script really sets, where its conditions are decided.
    fn keep_decided(&self, script: &str, parts: &mut Vec<NamedPart>) {
        let own = self.scripts().iter().filter(|one| one.name == script);
        let set: Vec<&String> = own.flat_map(|one| &one.parts).collect();
        if parts.iter().any(|one| set.contains(&&one.text)) {
            parts.retain(|one| one.board.is_some() || set.contains(&&one.text));
        }
    }

    /// Scripts of the tools that name a part by a word that is no part number, such as a family.
    pub(super) fn find_unknown_parts(&self) -> Vec<(String, String)> {
        let words = self.scripts().iter().flat_map(|script| {
            script.parts.iter().map(|part| (script.name.clone(), part.to_ascii_lowercase()))
        });
        let is_word = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric());
        words.filter(|(_, word)| is_word(word) && PartName::parse(word).is_none()).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::search::testing::search_files;

    #[test]
    fn a_configuration_that_a_command_names_needs_no_ending() {
        let link = "[connectivity]\nsp=k_1.a:DDR[1]\n";
        let (_dir, search) = search_files(&[
            ("case/Makefile", "k.xclbin: k.xo\n\tv++ -l --config config_sp -o $@ k.xo\n"),
            ("case/config_sp", link),
            ("case/config_old", link),
        ]);
        let names = search.list_connectivity().into_iter().map(|path| search.name(path));
        assert_eq!(names.collect::<Vec<_>>(), ["case/config_sp"]);
    }

    #[test]
    fn reports_that_tests_read_are_of_no_design() {
        let text = "================================================================\n\
                    == Vitis HLS Report for 'top'\n\
                    ================================================================\n";
        let (_dir, search) = search_files(&[
            ("tests/data/top_csynth.rpt", text),
            ("tests/test_report_data/top_csynth.rpt", text),
            ("tests/p/s/syn/report/top_csynth.rpt", text),
            ("test/run/top_csynth.rpt", text),
            ("top_csynth.rpt", text),
        ]);
        let names = |list: Vec<&std::path::PathBuf>| -> Vec<String> {
            list.into_iter().map(|path| search.name(path)).collect()
        };
        assert_eq!(
            names(search.list_test_data()),
            ["tests/data/top_csynth.rpt", "tests/test_report_data/top_csynth.rpt"]
        );
        assert_eq!(names(search.list_reports()).len(), 3);
    }
}
