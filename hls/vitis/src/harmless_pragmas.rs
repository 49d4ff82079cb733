//! Pragmas that the tool did not take, and that cost nothing by its own report.

use std::collections::BTreeSet;

use crate::{Report, ReportedPragma};

/// Types that are values of one number.
const NUMBERS: [&str; 14] = [
    "bool", "char", "double", "float", "half", "int", "long", "short", "signed", "size_t",
    "unsigned", "ap_int", "ap_uint", "ap_fixed",
];

/// Why a pragma that the tool did not take as it is written costs nothing; `None` where it may.
#[must_use]
pub fn find_harmless(
    reports: &[Report],
    report: &Report,
    pragma: &ReportedPragma,
) -> Option<&'static str> {
    let beside: Vec<&Report> = reports.iter().filter(|one| is_beside(one, report)).collect();
    let options = pragma.options.value.to_ascii_lowercase().replace(' ', "");
    match pragma.kind.value.to_ascii_lowercase().as_str() {
        "data_pack" => {
            let is_packed = beside.iter().any(|one| is_all_packed(one));
            let top = report.top.as_ref().map(|top| top.value.to_ascii_lowercase());
            let is_top = top.is_some() && top == name_function(pragma);
            (is_packed && is_top)
                .then_some("the arguments are `hls::vector`, which are packed without it")
        }
        "interface" if options.contains("m_axi") => {
            let words = &pragma.options.value;
            let at = words.to_ascii_lowercase().find("port")? + "port".len();
            let rest = words.get(at..)?.trim_start_matches([' ', '=']);
            let name = rest.split_whitespace().next()?;
            let mut own = beside.iter().flat_map(|one| &one.arguments);
            own.any(|one| one.name == name && is_number(&one.datatype))
                .then_some("the argument is a value, and has no memory to reach")
        }
        "dataflow" if pragma.status.value == "warning" => {
            let function = name_function(pragma)?;
            beside
                .iter()
                .any(|one| has_dataflow(one, &function))
                .then_some("the schedule has the dataflow")
        }
        _ => None,
    }
}

/// The function around a pragma, in small letters.
fn name_function(pragma: &ReportedPragma) -> Option<String> {
    let function = pragma.function.as_ref()?.value.split(',').next()?.trim();
    Some(function.to_ascii_lowercase())
}

fn is_beside(one: &Report, report: &Report) -> bool {
    let top = |one: &Report| one.top.as_ref().map(|top| top.value.clone());
    let folder = |one: &Report| one.place.as_ref().map(|place| place.folder().to_owned());
    top(one) == top(report) && folder(one) == folder(report)
}

/// A type as it is printed, without what says where it is: `vector<float, 16>` of `hls::vector<float, 16>*`.
fn bare(datatype: &str) -> &str {
    let mut bare = datatype.trim().trim_end_matches(['*', '&', ' ']);
    for word in ["const ", "hls::", "stream<"] {
        bare = bare.strip_prefix(word).unwrap_or(bare);
    }
    bare.strip_prefix("hls::").unwrap_or(bare)
}

/// Whether a type has numbers alone.
fn has_numbers(bare: &str) -> bool {
    let first = bare.split([' ', '<', '>', ',']).next().unwrap_or_default();
    let first = first.strip_prefix("std::").unwrap_or(first);
    NUMBERS.contains(&first)
        || first.ends_with("int8_t")
        || first.ends_with("int16_t")
        || first.ends_with("int32_t")
        || first.ends_with("int64_t")
}

/// Whether an argument is one number, and no pointer to them.
fn is_number(datatype: &str) -> bool {
    !datatype.contains(['*', '&', '['])
        && !datatype.contains("stream")
        && has_numbers(bare(datatype))
}

/// Whether the arguments of the top are vectors, and none is a structure.
fn is_all_packed(report: &Report) -> bool {
    let is_vector = |datatype: &str| bare(datatype).starts_with("vector<");
    let mut all = report.arguments.iter().map(|one| one.datatype.as_str());
    all.clone().any(is_vector) && all.all(|one| is_vector(one) || has_numbers(bare(one)))
}

/// Whether the report has a dataflow in a function for each such pragma in it.
fn has_dataflow(report: &Report, function: &str) -> bool {
    let is_it = |name: &str| name.eq_ignore_ascii_case(function);
    let within = |at: usize| {
        let callers = std::iter::successors(Some(at), |at| report.modules.get(*at)?.caller);
        let mut names = callers.take(report.modules.len());
        names.any(|at| report.modules.get(at).is_some_and(|one| is_it(&one.name.value)))
    };
    let modules = report.modules.iter().enumerate();
    let flows = modules.filter(|(at, one)| {
        // A loop with a dataflow in it is a module of its own.
        one.dataflow
            && (is_it(&one.name.value) || one.name.value.starts_with("dataflow_"))
            && within(*at)
    });
    let flows: BTreeSet<&str> = flows.map(|(_, one)| one.name.value.as_str()).collect();
    let asked = report.pragmas.iter().filter(|one| one.kind.value.eq_ignore_ascii_case("dataflow"));
    let asked = asked.filter(|one| name_function(one).as_deref() == Some(function));
    let asked: BTreeSet<Option<&str>> =
        asked.map(|one| one.location.as_ref().map(|at| at.value.as_str())).collect();
    flows.iter().any(|name| is_it(name)) && flows.len() >= asked.len()
}
