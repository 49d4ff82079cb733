//! What Allo's annotations say, as rows.

use derate_hls::{
    AlloAnnotation, AlloSource, HlsType, Outcome, Resolution, Role, Sources, Unparsed,
};
use derate_render::{Cell, Column, NumberFormat, Table};
use serde::Serialize;

use derate_project::ONLY_ANNOTATIONS;
use derate_units::figures::count;

/// One annotation of a kernel's argument, result or variable.
#[derive(Debug, Serialize)]
pub(super) struct AnnotationReport {
    /// `allo`.
    kind: &'static str,
    function: String,
    name: String,
    role: Role,
    element: String,
    /// Null where it is unknown; `unknown` says why.
    underlying: Option<String>,
    bits: Option<u64>,
    unknown: Option<String>,
    dims: Vec<Option<u64>>,
    /// The lines that put types and extents in place of type parameters.
    instances: Vec<usize>,
    file: String,
    line: usize,
}

/// A file of its own, as `derate hls` shows it.
#[derive(Debug, Serialize)]
pub(super) struct Content {
    annotations: Vec<AnnotationReport>,
    unparsed: Vec<Region>,
    /// What of the file was not read.
    not_audited: &'static str,
}

/// What could not be read.
#[derive(Debug, Serialize)]
struct Region {
    reason: String,
    line: usize,
}

/// All that is said of one file.
pub(super) fn read_content(sources: &Sources, source: &AlloSource) -> Content {
    let region = |one: &Unparsed| Region {
        reason: one.reason.clone(),
        line: sources.position(one.span).line,
    };
    Content {
        annotations: list_annotations(sources, source),
        unparsed: source.unparsed.iter().map(region).collect(),
        not_audited: ONLY_ANNOTATIONS,
    }
}

/// The annotations of one file.
pub(super) fn list_annotations(sources: &Sources, source: &AlloSource) -> Vec<AnnotationReport> {
    source.annotations.iter().map(|one| report_annotation(sources, one)).collect()
}

fn report_annotation(sources: &Sources, one: &AlloAnnotation) -> AnnotationReport {
    let line = |span| sources.position(span).line;
    AnnotationReport {
        kind: "allo",
        function: one.function.parts().join("."),
        name: one.name.clone(),
        role: one.role,
        element: one.element.clone(),
        underlying: one.resolution.known().map(ToString::to_string),
        bits: one.resolution.known().and_then(HlsType::bits),
        unknown: explain_unknown(&one.resolution),
        dims: one.dims.iter().map(|dim| dim.value).collect(),
        instances: one.instances.iter().map(|span| line(*span)).collect(),
        file: sources.name(one.span.file).to_owned(),
        line: line(one.span),
    }
}

/// Why a type is not known; `None` where it is.
pub(super) fn explain_unknown(resolution: &Resolution) -> Option<String> {
    match &resolution.outcome {
        Outcome::Known(_) => None,
        Outcome::Unknown(reason) => Some(reason.clone()),
    }
}

/// The part of a sentence that counts them.
pub(super) fn count_annotations(rows: &[AnnotationReport]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let unknown = rows.iter().filter(|row| row.underlying.is_none()).count();
    format!(", {} ({unknown} unknown)", count(rows.len(), "Allo annotation"))
}

pub(super) fn tabulate_annotations(rows: &[AnnotationReport]) -> Table {
    let extents = |row: &AnnotationReport| {
        let dims = row.dims.iter().map(|dim| dim.map_or("?".to_owned(), |dim| dim.to_string()));
        dims.collect::<Vec<_>>().join(" x ")
    };
    let cells = rows.iter().map(|row| {
        vec![
            Cell::text(format!("{}.{}", row.function, row.name)),
            Cell::text(&row.element),
            match (&row.underlying, &row.unknown) {
                (Some(underlying), _) => Cell::text(underlying),
                (None, reason) => Cell::Unknown(reason.clone().unwrap_or_default()),
            },
            row.bits.map_or(Cell::Empty, |bits| Cell::number(bits as f64, NumberFormat::Integer)),
            Cell::text(extents(row)),
            Cell::text(format!("{}:{}", row.file, row.line)),
        ]
    });
    Table {
        name: "annotations".to_owned(),
        caption: "Allo's annotations; type parameters as the same file instantiates them"
            .to_owned(),
        columns: vec![
            Column::text("name", "Argument, variable"),
            Column::text("element", "Annotated"),
            Column::text("underlying", "Really is"),
            Column::number("bits", "Bits", ""),
            Column::text("extents", "Extents"),
            Column::text("place", "Where"),
        ],
        rows: cells.collect(),
    }
}
