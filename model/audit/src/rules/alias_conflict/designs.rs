//! Which files are of one design.

use std::collections::BTreeSet;

use derate_estimate::Analysis;
use derate_hls::FileId;

/// The designs of a project.
pub(super) struct Designs<'a> {
    analysis: &'a Analysis,
    /// The files with a kernel that the v++ configuration links.
    linked: BTreeSet<FileId>,
}

impl<'a> Designs<'a> {
    pub(super) fn new(analysis: &'a Analysis) -> Self {
        let connectivity = analysis.build.connectivity.iter();
        let kernels: BTreeSet<&str> = connectivity
            .flat_map(|(_, one)| one.kernels.iter().map(|kernels| kernels.kernel.value.as_str()))
            .collect();
        let functions = analysis.code.functions();
        let linked = functions.filter(|one| kernels.contains(one.name.as_str()));
        Self { analysis, linked: linked.map(|one| one.span.file).collect() }
    }

    /// Whether one design has both files.
    pub(super) fn have_both(&self, one: FileId, other: FileId) -> bool {
        let is_linked = |file| {
            self.linked.iter().any(|&kernel| {
                self.analysis.code.are_of_one_design(&self.analysis.sources, kernel, file)
            })
        };
        self.analysis.code.are_of_one_design(&self.analysis.sources, one, other)
            || (is_linked(one) && is_linked(other))
    }
}
