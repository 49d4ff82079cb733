//! Headers that nothing of the design includes.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use derate_estimate::{Analysis, KernelReading};
use derate_hls::FileId;

/// What a header's name ends in.
const HEADERS: [&str; 6] = ["h", "hh", "hpp", "hxx", "h++", "inc"];

/// The headers of `[hls] sources` that neither a kernel of `[[kernel]]` nor another source includes, directly or not. None
/// where no kernel is described, or where there is no source that could include them.
pub(crate) fn find_unbuilt(dir: &Path, analysis: &Analysis) -> BTreeSet<FileId> {
    let code = &analysis.code;
    let (headers, roots): (Vec<FileId>, Vec<FileId>) =
        code.files().iter().partition(|file| is_header(analysis.sources.name(**file)));
    let read = list_kernel_files(analysis);
    let has_source = !roots.is_empty() || !read.is_empty();
    if analysis.project.kernels.is_empty() || !has_source {
        return BTreeSet::new();
    }
    let find = |file: FileId| fs::canonicalize(dir.join(analysis.sources.name(file))).ok();
    let is_read = |file: FileId| find(file).is_some_and(|path| read.contains(&path));
    let is_built =
        |file: FileId| is_read(file) || roots.iter().any(|root| code.is_included(file, *root));
    headers.into_iter().filter(|file| !is_built(*file)).collect()
}

fn is_header(name: &str) -> bool {
    let end = Path::new(name).extension().and_then(std::ffi::OsStr::to_str);
    end.is_some_and(|end| HEADERS.iter().any(|header| end.eq_ignore_ascii_case(header)))
}

/// The files that the kernels are made of.
fn list_kernel_files(analysis: &Analysis) -> BTreeSet<PathBuf> {
    let sources = analysis.kernels.iter().filter_map(KernelReading::source);
    let names = sources.flat_map(|source| &source.program.files);
    names.filter_map(|name| fs::canonicalize(name).ok()).collect()
}
