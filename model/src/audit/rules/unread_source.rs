//! Part of the code or of a report could not be read, so nothing is said of it.
//!
//! ## What it does
//!
//! Reports the regions of a source file that are no C++ that could be parsed, the lines of a report or of a v++
//! configuration that could not be read, and files that a pattern of `[hls] reports` takes in and that are no reports.
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
//! Mend the syntax, or give the generated file instead of the template.

use derate_hls::{FileId, Unparsed};
use serde::Serialize;

use super::evidence;
use crate::audit::{Finding, Label, Level};
use crate::figures::count;
use crate::{Analysis, Foreign};

/// What the finding stands on.
#[derive(Debug, Serialize)]
struct UnreadSource {
    file: String,
    regions: usize,
}

/// See the module's page.
pub(super) fn check(analysis: &Analysis) -> Vec<Finding> {
    let regions =
        analysis.code.headers.iter().filter_map(|h| unparsed(analysis, h.file, &h.unparsed));
    let build = analysis
        .build
        .unread()
        .filter_map(|regions| unparsed(analysis, regions.first()?.span.file, regions));
    let foreign = analysis.build.foreign.iter().filter_map(|one| foreign(analysis, one));
    regions.chain(build).chain(foreign).collect()
}

/// A file that a pattern of `[hls] reports` took in.
fn foreign(analysis: &Analysis, foreign: &Foreign) -> Option<Finding> {
    let Foreign { name, pattern, reason } = foreign;
    let claim = analysis.project.hls.reports.iter().find(|claim| claim.value == *pattern)?;
    Some(Finding {
        code: "source/unread",
        level: Level::Note,
        subject: name.clone(),
        message: format!("`{name}` is no report and is not audited"),
        labels: vec![Label::new(claim.span, format!("this pattern takes it in: {reason}"))],
        notes: Vec::new(),
        help: "narrow the pattern, or move the file".to_owned(),
        evidence: evidence(&UnreadSource { file: name.clone(), regions: 0 }),
        fixes: Vec::new(),
    })
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
