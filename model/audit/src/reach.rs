//! Which files a kernel is compiled from: only there an alias has the width that the tool gives it.

use std::collections::BTreeSet;

use derate_hls::{FileId, Header, Sources, is_for_synthesis};
use derate_project::Code;

/// Headers of the support package of a processor, whose code is no kernel.
const PROCESSOR: [&str; 3] = ["xil_types.h", "xbasic_types.h", "xparameters.h"];

/// The files that kernels include, and the kernels' own.
pub(crate) struct Reach {
    /// `None` where a project names its files, or where no kernel is there yet: all of them count.
    files: Option<BTreeSet<FileId>>,
}

impl Reach {
    /// `tops` are the functions that scripts name as kernels, `None` where a project names its files.
    pub(crate) fn find(sources: &Sources, code: &Code, tops: Option<&BTreeSet<String>>) -> Self {
        let Some(tops) = tops else { return Self { files: None } };
        let all = code.all_headers();
        let is_kernel = |header: &&Header| {
            let text = sources.text(header.file);
            header.functions.iter().any(|one| tops.contains(&one.name) && one.body.is_some())
                || is_for_synthesis(text)
        };
        let kernels: Vec<FileId> = all.iter().filter(is_kernel).map(|one| one.file).collect();
        let of_a_processor = |header: &Header| {
            let name = sources.name(header.file);
            PROCESSOR.iter().any(|one| name.ends_with(one))
        };
        if kernels.is_empty() && !all.iter().any(of_a_processor) {
            return Self { files: None };
        }
        let mut files: BTreeSet<FileId> = kernels.iter().copied().collect();
        for header in all.iter().filter(|header| !kernels.contains(&header.file)) {
            if kernels.iter().any(|&kernel| code.is_included(header.file, kernel)) {
                files.insert(header.file);
            }
        }
        Self { files: Some(files) }
    }

    /// Whether a kernel is known, and so which files are its own.
    pub(crate) fn has_kernel(&self) -> bool {
        self.files.as_ref().is_some_and(|files| !files.is_empty())
    }

    pub(crate) fn has(&self, file: FileId) -> bool {
        self.files.as_ref().is_none_or(|files| files.contains(&file))
    }
}
