//! Declarations as data, `derate.types/1`, and as a document.

mod document;
#[cfg(test)]
mod tests;

use derate_hls::{HlsType, Lie, Resolver, Sources, Span, claims_of};
use derate_render::Document;
use serde::Serialize;

use self::document::make_document;
use super::annotations::{self, AnnotationReport, explain_unknown};
use derate_project::{Code, NotAuditedReport, ResolvedAlias, ResolvedStructure};
use derate_units::command::quote_word;

/// `derate.types/1`.
#[derive(Debug, Serialize)]
pub struct TypesReport {
    schema: &'static str,
    command: String,
    aliases: Vec<AliasReport>,
    /// Aliases that only some circumstance declares, such as a macro that nothing defines.
    conditional_aliases: Vec<ConditionalReport>,
    /// Structs with data that no alias names.
    structures: Vec<StructureReport>,
    constants: Vec<ConstantReport>,
    arrays: Vec<ArrayReport>,
    /// What Allo's Python says of its kernels' arguments and variables.
    annotations: Vec<AnnotationReport>,
    /// Files of which nothing is read, or only a part.
    not_audited: Vec<NotAuditedReport>,
    /// Regions that could not be parsed: derate says nothing about them.
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
    /// Whether `bits` counts addresses, 64 bits each as on the host.
    has_addresses: bool,
    lies: bool,
    lie_kind: Option<&'static str>,
    claims: Option<String>,
    /// The width in its comment, where the type has another.
    contradicted_comment: Option<String>,
    #[serde(skip)]
    keeps: bool,
    condition: Option<String>,
    /// What it is under other circumstances, and where its type is unknown at the uses of its template.
    alternatives: Vec<AliasAlternative>,
    unknown: Option<String>,
    hops: Vec<HopReport>,
    file: String,
    line: usize,
}

/// An alias that is not declared as the sources are.
#[derive(Debug, Serialize)]
struct ConditionalReport {
    /// The macros to be defined, or the source that includes it.
    under: String,
    #[serde(flatten)]
    alias: AliasReport,
}

#[derive(Debug, Serialize)]
struct StructureReport {
    name: String,
    qualified: String,
    /// Null where it is unknown; `unknown` says why.
    underlying: Option<String>,
    /// The sum of the members.
    bits: Option<u64>,
    /// With the padding of C++, where that makes another number.
    padded_bits: Option<u64>,
    unknown: Option<String>,
    file: String,
    line: usize,
}

#[derive(Debug, Serialize)]
struct AliasAlternative {
    /// The macros to be defined, the source that includes it, or the use of its template.
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
    let resolver = Resolver::new(code.all_headers(), sources);
    let with_uses = |alias: &ResolvedAlias| {
        let mut report = alias_report(sources, alias);
        if alias.resolution.known().is_none() && report.alternatives.is_empty() {
            report.alternatives = list_uses(sources, code, &resolver, alias);
        }
        report
    };
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
                .map(quote_word)
                .collect::<Vec<_>>()
                .join(" ")
        ),
        aliases: code.aliases.iter().map(with_uses).collect(),
        conditional_aliases: code
            .conditional
            .iter()
            .map(|(when, alias)| ConditionalReport {
                under: when.words(sources),
                alias: alias_report(sources, alias),
            })
            .collect(),
        structures: list_structures(sources, code),
        constants: list_constants(sources, code),
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
                    unknown: array.precision.as_ref().err().map(ToString::to_string),
                    dims: array.dims.clone(),
                    file,
                    line,
                }
            })
            .collect(),
        annotations: code
            .allo
            .iter()
            .flat_map(|source| annotations::list_annotations(sources, source))
            .collect(),
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
    let document = make_document(&report, &files, code);
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
        bits: resolution.bits_on_host(),
        has_addresses: resolution.bits_on_host().is_some()
            && resolution.known().is_some_and(HlsType::holds_addresses),
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
                bits: one.what.bits_on_host(),
                unknown: explain_unknown(&one.what),
                file: sources.name(one.span.file).to_owned(),
                line: sources.position(one.span).line,
            })
            .collect(),
        unknown: explain_unknown(resolution),
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

/// More uses of a template than these say nothing new.
const MOST_USES: usize = 16;

/// What an alias is at the uses of the template that it is in or is.
fn list_uses(
    sources: &Sources,
    code: &Code,
    resolver: &Resolver<'_>,
    resolved: &ResolvedAlias,
) -> Vec<AliasAlternative> {
    let own = code.headers().iter().flat_map(|header| &header.aliases);
    let mut own = own.filter(|one| one.span == resolved.alias.span);
    let uses = own.next().map(|alias| resolver.instantiations(alias)).unwrap_or_default();
    uses.into_iter()
        .take(MOST_USES)
        .map(|(place, what)| AliasAlternative {
            under: place.spelling,
            underlying: what.known().map(ToString::to_string),
            bits: what.bits_on_host(),
            unknown: None,
            file: sources.name(place.span.file).to_owned(),
            line: sources.position(place.span).line,
        })
        .collect()
}

fn list_constants(sources: &Sources, code: &Code) -> Vec<ConstantReport> {
    let all = code.headers().iter().flat_map(|header| &header.constants);
    let report = |constant: &derate_hls::Constant| ConstantReport {
        name: constant.name.clone(),
        scope: constant.scope.to_string(),
        expression: constant.expression.clone(),
        value: constant.value,
        alternatives: constant_alternatives(sources, code, constant.span),
        file: sources.name(constant.span.file).to_owned(),
        line: sources.position(constant.span).line,
    };
    all.map(report).collect()
}

/// The structs with data that no alias names.
fn list_structures(sources: &Sources, code: &Code) -> Vec<StructureReport> {
    let named = |one: &&ResolvedStructure| code.aliases.iter().any(|alias| one.is_named_by(alias));
    code.structures
        .iter()
        .filter(|one| !one.structure.members.is_empty() && !named(one))
        .map(|one| StructureReport {
            name: one.structure.name.clone(),
            qualified: one.qualified(),
            underlying: one.resolution.known().map(ToString::to_string),
            bits: one.resolution.bits_on_host(),
            padded_bits: one.padded_bits(),
            unknown: explain_unknown(&one.resolution),
            file: sources.name(one.structure.span.file).to_owned(),
            line: sources.position(one.structure.name_span).line,
        })
        .collect()
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
