//! Declarations as a document and as data: `derate.types/1`.

use derate_hls::{Lie, Outcome, Resolution, Sources, Span, claims_of};
use derate_reports::{Block, Cell, Column, Document, Level, NumberFormat, Table};
use serde::Serialize;

use super::annotations::{self, AnnotationReport};
use crate::command::quoted;
use crate::figures::count;
use crate::{Code, Declaration, NotAuditedReport, ResolvedAlias};

/// `derate.types/1`.
#[derive(Debug, Serialize)]
pub struct TypesReport {
    schema: &'static str,
    command: String,
    aliases: Vec<AliasReport>,
    constants: Vec<ConstantReport>,
    arrays: Vec<ArrayReport>,
    /// What Allo's Python says of its kernels' arguments and variables.
    annotations: Vec<AnnotationReport>,
    /// Files of which nothing is read, or only a part.
    not_audited: Vec<NotAuditedReport>,
    /// Regions that could not be parsed: nothing is said of what stands there.
    unparsed: Vec<UnparsedReport>,
    /// Conditionals that count as undefined what nothing defines.
    absent_macros: Vec<AbsentReport>,
    /// How many circumstances (definitions of such macros, readings by another source) were not tried.
    untried: usize,
    /// Includes that were not found, each once.
    missing_includes: Vec<MissingReport>,
}

#[derive(Debug, Serialize)]
struct AliasReport {
    name: String,
    qualified: String,
    /// `using`, `typedef`, `define`, `allo`.
    kind: &'static str,
    /// Null where it is unknown; `unknown` says why.
    underlying: Option<String>,
    bits: Option<u64>,
    lies: bool,
    lie_kind: Option<&'static str>,
    claims: Option<String>,
    /// The width in its comment, where the type has another.
    contradicted_comment: Option<String>,
    #[serde(skip)]
    keeps: bool,
    condition: Option<String>,
    /// What it is under other circumstances.
    alternatives: Vec<AliasAlternative>,
    unknown: Option<String>,
    hops: Vec<HopReport>,
    file: String,
    line: usize,
}

#[derive(Debug, Serialize)]
struct AliasAlternative {
    /// The macros to be defined, or the source that includes it.
    under: String,
    underlying: Option<String>,
    bits: Option<u64>,
    unknown: Option<String>,
    file: String,
    line: usize,
}

#[derive(Debug, Serialize)]
struct ConstantAlternative {
    under: String,
    value: i128,
    file: String,
    line: usize,
}

/// A conditional that macros decided which nothing defines.
#[derive(Debug, Serialize)]
struct AbsentReport {
    macros: Vec<String>,
    file: String,
    line: usize,
}

#[derive(Debug, Serialize)]
struct MissingReport {
    path: String,
    file: String,
    line: usize,
}

#[derive(Debug, Serialize)]
struct HopReport {
    name: String,
    spelling: String,
    file: String,
    line: usize,
}

#[derive(Debug, Serialize)]
struct ConstantReport {
    name: String,
    scope: String,
    expression: String,
    /// Null where it could not be evaluated.
    value: Option<i128>,
    /// What it is under other circumstances.
    alternatives: Vec<ConstantAlternative>,
    file: String,
    line: usize,
}

#[derive(Debug, Serialize)]
struct ArrayReport {
    path: String,
    element: String,
    precision: Option<String>,
    bits: Option<u32>,
    unknown: Option<String>,
    dims: Vec<Option<u64>>,
    file: String,
    line: usize,
}

#[derive(Debug, Serialize)]
struct UnparsedReport {
    reason: String,
    file: String,
    line: usize,
}

/// What `derate types` prints: data for machines, a document for people.
///
/// `options` are the words of the command line that the reading depends on (`-I`, `-D`).
pub fn types(sources: &Sources, code: &Code, options: &[String]) -> (TypesReport, Document) {
    let place = |span: Span| (sources.name(span.file).to_owned(), sources.position(span).line);
    let files: Vec<&str> = code.files().iter().map(|&file| sources.name(file)).collect();
    let report = TypesReport {
        schema: "derate.types/1",
        command: format!(
            "derate types {} --format json",
            files
                .iter()
                .copied()
                .chain(options.iter().map(String::as_str))
                .map(quoted)
                .collect::<Vec<_>>()
                .join(" ")
        ),
        aliases: code.aliases.iter().map(|alias| alias_report(sources, alias)).collect(),
        constants: code
            .headers()
            .iter()
            .flat_map(|header| &header.constants)
            .map(|constant| {
                let (file, line) = place(constant.span);
                ConstantReport {
                    name: constant.name.clone(),
                    scope: constant.scope.to_string(),
                    expression: constant.expression.clone(),
                    value: constant.value,
                    alternatives: constant_alternatives(sources, code, constant.span),
                    file,
                    line,
                }
            })
            .collect(),
        arrays: code
            .declarations
            .iter()
            .filter(|array| !array.annotated)
            .map(|array| {
                let (file, line) = place(array.span);
                ArrayReport {
                    path: array.path.clone(),
                    element: array.element.clone(),
                    precision: array.precision.as_ref().ok().map(|p| p.key()),
                    bits: array.precision.as_ref().ok().map(|p| p.bits()),
                    unknown: array.precision.as_ref().err().cloned(),
                    dims: array.dims.clone(),
                    file,
                    line,
                }
            })
            .collect(),
        annotations: code.allo.iter().flat_map(|source| annotations::of(sources, source)).collect(),
        not_audited: code.not_audited_files(sources),
        absent_macros: code
            .headers()
            .iter()
            .flat_map(|header| &header.absent)
            .map(|absent| {
                let (file, line) = place(absent.span);
                AbsentReport { macros: absent.macros.clone(), file, line }
            })
            .collect(),
        untried: code.untried,
        missing_includes: code
            .missing()
            .into_iter()
            .map(|include| {
                let (file, line) = place(include.span);
                MissingReport { path: include.path.clone(), file, line }
            })
            .collect(),
        unparsed: code
            .headers()
            .iter()
            .flat_map(|header| &header.unparsed)
            .chain(code.allo.iter().flat_map(|source| &source.unparsed))
            .map(|region| {
                let (file, line) = place(region.span);
                UnparsedReport { reason: region.reason.clone(), file, line }
            })
            .collect(),
    };
    let document = document(&report, &files, code);
    (report, document)
}

fn alias_report(sources: &Sources, resolved: &ResolvedAlias) -> AliasReport {
    let ResolvedAlias { alias, resolution, lie, alternatives } = resolved;
    let claim =
        lie.as_ref().map(|lie| lie.claim().clone()).or_else(|| claims_of(alias).into_iter().next());
    AliasReport {
        name: alias.name.clone(),
        qualified: alias.qualified(),
        kind: alias.kind.as_str(),
        underlying: resolution.known().map(ToString::to_string),
        bits: resolution.bits(),
        lies: lie.is_some(),
        lie_kind: lie.as_ref().map(Lie::kind),
        claims: claim.map(|claim| claim.text),
        contradicted_comment: resolved
            .broken_width()
            .filter(|_| lie.is_none())
            .map(|(claim, _)| claim.text),
        keeps: resolved.keeps_its_name(),
        condition: alias.condition.clone(),
        alternatives: alternatives
            .iter()
            .map(|one| AliasAlternative {
                under: one.when.words(sources),
                underlying: one.what.known().map(ToString::to_string),
                bits: one.what.bits(),
                unknown: unknown(&one.what),
                file: sources.name(one.span.file).to_owned(),
                line: sources.position(one.span).line,
            })
            .collect(),
        unknown: unknown(resolution),
        hops: resolution
            .hops
            .iter()
            .map(|hop| HopReport {
                name: hop.name.clone(),
                spelling: hop.spelling.clone(),
                file: sources.name(hop.span.file).to_owned(),
                line: sources.position(hop.span).line,
            })
            .collect(),
        file: sources.name(alias.span.file).to_owned(),
        line: sources.position(alias.name_span).line,
    }
}

fn constant_alternatives(sources: &Sources, code: &Code, at: Span) -> Vec<ConstantAlternative> {
    let all = code.other_values.get(&at).map(Vec::as_slice).unwrap_or_default();
    all.iter()
        .map(|one| ConstantAlternative {
            under: one.when.words(sources),
            value: one.what,
            file: sources.name(one.span.file).to_owned(),
            line: sources.position(one.span).line,
        })
        .collect()
}

/// `ap_fixed<9, 3>; under CSIM_DEBUG: float`, or `half if defined(__SYNTHESIS__)`.
fn really_is(alias: &AliasReport) -> Cell {
    let Some(underlying) = &alias.underlying else {
        return Cell::Unknown(alias.unknown.clone().unwrap_or_default());
    };
    let mut words = underlying.clone();
    if let Some(condition) = &alias.condition {
        words = format!("{words} if {condition}");
    }
    for one in &alias.alternatives {
        let kind = one.underlying.as_deref().unwrap_or("unknown");
        let under = if one.under.starts_with("included by") { "" } else { "under " };
        words = format!("{words}; {under}{}: {kind}", one.under);
    }
    Cell::text(words)
}

pub(super) fn unknown(resolution: &Resolution) -> Option<String> {
    match &resolution.outcome {
        Outcome::Known(_) => None,
        Outcome::Unknown(reason) => Some(reason.clone()),
    }
}

fn document(report: &TypesReport, files: &[&str], code: &Code) -> Document {
    let mut blocks = vec![Block::Table(alias_table(report))];
    if !report.arrays.is_empty() {
        blocks.push(Block::Table(element_table(code)));
    }
    if !report.annotations.is_empty() {
        blocks.push(Block::Table(annotations::table(&report.annotations)));
    }
    for file in &report.not_audited {
        blocks.push(Block::Prose(format!("{}: not audited: {}", file.file, file.reason)));
    }
    for region in &report.unparsed {
        blocks.push(Block::Prose(format!(
            "{}:{}: not read: {}",
            region.file, region.line, region.reason
        )));
    }
    for include in &report.missing_includes {
        blocks.push(Block::Prose(format!(
            "{}:{}: `{}` was not found: what it declares is not known; name its folder with -I",
            include.file, include.line, include.path
        )));
    }
    blocks.extend(absent(report).map(Block::Prose));
    blocks.push(Block::Prose(format!(
        "{} ({}), {}, {}. `--format json` lists them all.",
        count(report.aliases.len(), "alias"),
        lying(report),
        count(report.constants.len(), "constant"),
        count(report.arrays.len(), "array") + &annotations::counted(&report.annotations)
    )));
    Document {
        title: "Types".to_owned(),
        subtitle: files.join(", "),
        controls: Vec::new(),
        sections: vec![super::section("Types", "What each alias really is", blocks)],
    }
}

/// Which macros count as undefined because nothing defines them, and where each decides first.
fn absent(report: &TypesReport) -> impl Iterator<Item = String> {
    let mut first: Vec<(&str, String)> = Vec::new();
    for one in &report.absent_macros {
        for name in &one.macros {
            if first.iter().all(|(known, _)| known != name) {
                first.push((name, format!("{}:{}", one.file, one.line)));
            }
        }
    }
    let said = (!first.is_empty()).then(|| {
        let words: Vec<String> =
            first.iter().map(|(name, place)| format!("{name} ({place})")).collect();
        let (what, counts) = if words.len() == 1 {
            ("This macro decides an `#if` and is defined nowhere, so it counts", "it")
        } else {
            ("These macros decide an `#if` and are defined nowhere, so they count", "one")
        };
        format!("{what} as undefined: {}. `-D NAME` defines {counts}.", words.join(", "))
    });
    let untried = (report.untried > 0).then(|| {
        let were = if report.untried == 1 { "was" } else { "were" };
        format!(
            "{} (such macros defined, or another source's reading) {were} not tried: too many, or too large to read again.",
            count(report.untried, "circumstance")
        )
    });
    said.into_iter().chain(untried)
}

/// How many are marked as lies, and how many as counts of elements that look like widths.
fn lying(report: &TypesReport) -> String {
    let of = |lanes: bool| {
        let lies = report.aliases.iter().filter(|alias| alias.lies);
        lies.filter(|alias| (alias.lie_kind == Some("lanes")) == lanes).count()
    };
    let verb = |number: usize, one: &str, many: &str| {
        format!("{number} that {}", if number == 1 { one } else { many })
    };
    let lies = verb(of(false), "lies", "lie");
    match of(true) {
        0 => lies,
        lanes => format!("{lies}, {}", verb(lanes, "counts elements", "count elements")),
    }
}

fn alias_table(report: &TypesReport) -> Table {
    let rows = report.aliases.iter().map(|alias| {
        let verdict = match (alias.lies, &alias.claims) {
            (true, Some(claim)) if alias.lie_kind == Some("lanes") => {
                Cell::Status(Level::Warning, format!("{claim} counts elements, not bits"))
            }
            (true, claim) => Cell::Status(
                Level::Error,
                format!("lies: promises {}", claim.as_deref().unwrap_or("otherwise")),
            ),
            (false, _) if alias.unknown.is_some() => {
                Cell::Status(Level::Note, "unknown".to_owned())
            }
            (false, Some(claim)) if alias.keeps => {
                Cell::Status(Level::Ok, format!("keeps {claim}"))
            }
            (false, _) => match &alias.contradicted_comment {
                Some(comment) => {
                    Cell::Status(Level::Warning, format!("its comment says {comment}"))
                }
                None => Cell::Empty,
            },
        };
        vec![
            Cell::text(&alias.qualified),
            really_is(alias),
            alias.bits.map_or(Cell::Empty, |bits| Cell::number(bits as f64, NumberFormat::Integer)),
            verdict,
            Cell::text(format!("{}:{}", alias.file, alias.line)),
        ]
    });
    Table {
        name: "aliases".to_owned(),
        caption: String::new(),
        columns: vec![
            Column::text("alias", "Alias"),
            Column::text("underlying", "Really is"),
            Column::number("bits", "Bits", ""),
            Column::text("verdict", "Its name"),
            Column::text("place", "Where"),
        ],
        rows: rows.collect(),
    }
}

/// Arrays by the type that they are declared with.
fn element_table(code: &Code) -> Table {
    let mut groups: Vec<(&str, usize, &Declaration)> = Vec::new();
    for array in code.declarations.iter().filter(|array| !array.annotated) {
        match groups.iter_mut().find(|(element, _, first)| {
            *element == array.element && first.precision == array.precision
        }) {
            Some((_, count, _)) => *count += 1,
            None => groups.push((&array.element, 1, array)),
        }
    }
    let rows = groups.into_iter().map(|(element, count, first)| {
        vec![
            Cell::text(element),
            Cell::number(count as f64, NumberFormat::Integer),
            match &first.precision {
                Ok(precision) => Cell::text(format!("{precision}, {} bits", precision.bits())),
                Err(reason) => Cell::Unknown(reason.clone()),
            },
        ]
    });
    Table {
        name: "arrays".to_owned(),
        caption: "Arrays outside functions, by the type that they are declared with".to_owned(),
        columns: vec![
            Column::text("element", "Declared as"),
            Column::number("arrays", "Arrays", ""),
            Column::text("stored", "Stored as"),
        ],
        rows: rows.collect(),
    }
}
