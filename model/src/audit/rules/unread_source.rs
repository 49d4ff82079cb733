//! Part of the code or of a report could not be read, so nothing is said of it.
//!
//! ## What it does
//!
//! Reports the regions of a source file that are no C++ that could be parsed, the lines of a report or of a v++
//! configuration that could not be read, and, once each, the includes in quotes that were not found. Vendors' headers
//! need not be there: their types are known.
//!
//! ## Why it matters
//!
//! The audit is silent about what it did not read. That silence must not be taken for a clean bill.
//!
//! ## Example
//!
//! A header that is cut in the middle of a declaration, or a template file with `${TYPE}` in it.
//!
//! ## How to fix
//!
//! Mend the syntax, or give the generated file instead of the template. Name the folders of includes with
//! `include = [...]` under `[hls]`, or with `-I`.

use derate_hls::{FileId, Include, Unparsed};
use serde::Serialize;

use super::evidence;
use crate::Analysis;
use crate::audit::{Finding, Label, Level};
use crate::figures::count;

/// What the finding stands on.
#[derive(Debug, Serialize)]
struct UnreadSource {
    file: String,
    regions: usize,
}

/// See the module's page.
pub(super) fn check(analysis: &Analysis) -> Vec<Finding> {
    let regions =
        analysis.code.headers().iter().filter_map(|h| unparsed(analysis, h.file, &h.unparsed));
    let build = analysis
        .build
        .unread()
        .filter_map(|regions| unparsed(analysis, regions.first()?.span.file, regions));
    let missing = analysis.code.missing().into_iter().map(|include| not_found(analysis, include));
    regions.chain(build).chain(missing).collect()
}

/// What an include that was not found stands on.
#[derive(Debug, Serialize)]
struct MissingInclude {
    file: String,
    path: String,
}

fn not_found(analysis: &Analysis, include: &Include) -> Finding {
    let path = &include.path;
    let file = analysis.sources.name(include.span.file).to_owned();
    Finding {
        code: "source/unread",
        level: Level::Note,
        subject: path.clone(),
        message: format!("`{path}` was not found: what it declares is not known"),
        labels: vec![Label::new(include.span, "included here".to_owned())],
        notes: Vec::new(),
        help: "name its folder in `include` under [hls], or with -I".to_owned(),
        evidence: evidence(&MissingInclude { file, path: path.clone() }),
        fixes: Vec::new(),
    }
}

fn unparsed(analysis: &Analysis, file: FileId, regions: &[Unparsed]) -> Option<Finding> {
    let first = regions.first()?;
    let name = analysis.sources.name(file);
    Some(Finding {
        code: "source/unread",
        level: Level::Note,
        subject: name.to_owned(),
        message: format!(
            "{} of `{name}` could not be read and {} not audited",
            count(regions.len(), "region"),
            if regions.len() == 1 { "is" } else { "are" }
        ),
        labels: vec![Label::new(first.span, first.reason.clone())],
        notes: Vec::new(),
        help: "mend the syntax, or give the generated file instead of its template".to_owned(),
        evidence: evidence(&UnreadSource { file: name.to_owned(), regions: regions.len() }),
        fixes: Vec::new(),
    })
}
