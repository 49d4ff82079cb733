//! Which files are of one design.

use std::collections::BTreeSet;

use crate::{AuditInput, Finding, Level};
use derate_hls::FileId;

/// The designs of a project.
pub(super) struct Designs<'a> {
    input: &'a AuditInput<'a>,
    /// The files with a kernel that the v++ configuration links.
    linked: BTreeSet<FileId>,
}

impl<'a> Designs<'a> {
    pub(super) fn new(input: &'a AuditInput<'a>) -> Self {
        let connectivity = input.build.connectivity.iter();
        let kernels: BTreeSet<&str> = connectivity
            .flat_map(|(_, one)| one.kernels.iter().map(|kernels| kernels.kernel.value.as_str()))
            .collect();
        let functions = input.code.functions();
        let linked = functions.filter(|one| kernels.contains(one.name.as_str()));
        Self { input, linked: linked.map(|one| one.span.file).collect() }
    }

    /// Whether one design has both files.
    pub(super) fn have_both(&self, one: FileId, other: FileId) -> bool {
        let is_linked = |file| {
            self.linked
                .iter()
                .any(|&kernel| self.input.code.are_of_one_design(self.input.sources, kernel, file))
        };
        self.input.code.are_of_one_design(self.input.sources, one, other)
            || (is_linked(one) && is_linked(other))
    }

    /// The finding as it is where a project with a model, a script or the v++ configuration says that the files are of one design; a note
    /// where they only lie together, or where nothing that uses the name crosses from one to the other.
    pub(super) fn grade(&self, finding: Finding, files: &[FileId]) -> Finding {
        let code = self.input.code;
        let is_linked = |file: FileId| {
            self.linked.iter().any(|&kernel| kernel == file || code.is_included(file, kernel))
        };
        let is_stated = |one: FileId, other: FileId| {
            self.input.are_stated_together(one, other) || (is_linked(one) && is_linked(other))
        };
        let Some((&first, others)) = files.split_first() else { return finding };
        if others.iter().all(|&other| is_stated(first, other)) {
            let all_linked = files.iter().all(|&file| is_linked(file));
            let meets = |other: &&FileId| {
                code.crosses(self.input.sources, &finding.subject, first, **other)
            };
            if self.input.tops().is_none() || all_linked || others.iter().any(|it| meets(&it)) {
                return finding;
            }
            let note = "nothing that is declared with it in one file is used in the other";
            return Finding { level: Level::Note, ..finding.with_note(note) };
        }
        let note =
            "no script, v++ configuration or [[kernel]] says that these files are of one design";
        Finding { level: Level::Note, ..finding.with_note(note) }
    }
}
