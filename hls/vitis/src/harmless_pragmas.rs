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
    let options = pragma.options.value.to_ascii_lowercase().replace(" =", "=").replace("= ", "=");
    let message = pragma.message.as_ref().map_or("", |one| one.value.as_str());
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
        // A completely cut array has no memory that a mode could be of.
        "interface" if message.contains("scalar variable") => {
            let port = option_of(&options, "port")?;
            is_cut(report, port).then_some(
                "the array is cut into single values by its own pragma: it has no memory port",
            )
        }
        "array_partition" => {
            let (_, rest) = message.split_once("on variable '")?;
            let (array, _) = rest.split_once('\'')?;
            let array = array.to_ascii_lowercase();
            let own = option_of(&options, "variable") == Some(&array);
            (!own && is_cut(report, &array))
                .then_some("the array that the call hands over is cut by its own pragma")
        }
        "loop_flatten" if !options.contains("off") && message.contains("inside loop body") => {
            Some("the tool flattens what can be flattened without it")
        }
        "stream" if message.contains("function argument") => {
            let top = report.top.as_ref().map(|top| top.value.to_ascii_lowercase());
            (top.is_some() && top == name_function(pragma))
                .then_some("the FIFO of an argument of the top is outside of the kernel")
        }
        _ => None,
    }
}

/// The value of an option: `x` of `variable=x complete`.
fn option_of<'a>(options: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = options.split_once(name)?;
    let rest = rest.strip_prefix('=')?;
    let end = rest.find(|sign: char| !(sign.is_alphanumeric() || sign == '_'));
    rest.get(..end.unwrap_or(rest.len()))
}

/// Whether the report takes a pragma that cuts an array completely.
fn is_cut(report: &Report, array: &str) -> bool {
    report.pragmas.iter().any(|one| {
        let options = one.options.value.to_ascii_lowercase();
        let mut words = options.split([' ', '=']).filter(|word| !word.is_empty());
        one.status.value == "valid"
            && one.kind.value.eq_ignore_ascii_case("array_partition")
            && options.contains("complete")
            && words.any(|word| word == array)
    })
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
    for word in ["const ", "hls::", "stream<", "hls::", "axis<"] {
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
