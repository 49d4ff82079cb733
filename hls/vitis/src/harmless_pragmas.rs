//! Pragmas that the tool did not take, and that cost nothing by its own report.

use std::collections::BTreeSet;

use crate::{Module, Report, ReportedPragma};

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
    let is_beside = |one: &&Report| one.run_place() == report.run_place();
    let beside: Vec<&Report> = reports.iter().filter(is_beside).collect();
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
            let function = name_function(pragma)?;
            is_cut(report, port, "1", |own| own == function).then_some(
                "the array is cut into single values by its own pragma: it has no memory port",
            )
        }
        "array_partition" => {
            let (_, rest) = message.split_once("on variable '")?;
            let (array, _) = rest.split_once('\'')?;
            let array = array.to_ascii_lowercase();
            let own = option_of(&options, "variable") == Some(&array);
            let dim = option_of(&options, "dim").unwrap_or("1");
            let callee = name_function(pragma)?;
            let hands_over = |caller: &str| is_caller(report, caller, &callee);
            (!own && is_cut(report, &array, dim, hands_over))
                .then_some("the array that the call hands over is cut by its own pragma")
        }
        "dependence" if message.contains("unrolled completely") => {
            Some("the loop is unrolled: it has no iterations that could depend on each other")
        }
        "unroll" if is_off(&options) => explain_off(&beside, pragma),
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

/// Whether a directive asks for nothing to be done: `off`, `off=`, `off=true`.
fn is_off(options: &str) -> bool {
    let words: Vec<&str> = options.split([' ', '=']).filter(|word| !word.is_empty()).collect();
    matches!(words[..], ["off"] | ["off", "true" | "1"])
}

/// Lines from the head of a loop to a pragma in it.
const LINES: usize = 3;

/// Why `unroll off` costs nothing: a loop that begins at most some lines above it is in the report, or its function is no module of
/// its own. A module without such a loop may have lost it to a pipeline.
fn explain_off(reports: &[&Report], pragma: &ReportedPragma) -> Option<&'static str> {
    let function = name_function(pragma)?;
    let line: usize = pragma.location.as_ref()?.value.rsplit_once(':')?.1.parse().ok()?;
    let is_here = |part: &str| {
        let head = part.split('_').next().and_then(|head| head.parse::<usize>().ok());
        head.is_some_and(|head| head <= line && line - head <= LINES)
    };
    let is_own = |one: &&Module| one.name.value.to_ascii_lowercase().starts_with(&function);
    let modules = || reports.iter().flat_map(|one| &one.modules);
    let has_module = modules().any(|one| is_own(&one));
    let own = modules().filter(|one| !has_module || is_own(one));
    let mut loops = own.flat_map(Module::all_loops);
    if loops.any(|one| one.name.value.split("VITIS_LOOP_").skip(1).any(is_here)) {
        return Some("the loop is not unrolled, which is what `off` asks for");
    }
    (!has_module)
        .then_some("the tool unrolls only where a directive or a pipeline around asks for it")
}

/// The value of an option: `x` of `variable=x complete`.
fn option_of<'a>(options: &'a str, name: &str) -> Option<&'a str> {
    let mut places = options.match_indices(name);
    let rest = places.find_map(|(at, _)| {
        let is_word = options.get(..at)?.chars().next_back().is_none_or(char::is_whitespace);
        options.get(at + name.len()..)?.strip_prefix('=').filter(|_| is_word)
    })?;
    let end = rest.find(|sign: char| !(sign.is_alphanumeric() || sign == '_'));
    rest.get(..end.unwrap_or(rest.len()))
}

/// Whether the report takes a pragma that cuts an array of such a function completely, in the dimension `dim` or in all (0). Without
/// `dim=` it is the first one.
fn is_cut(report: &Report, array: &str, dim: &str, is_within: impl Fn(&str) -> bool) -> bool {
    report.pragmas.iter().any(|one| {
        let options = one.options.value.to_ascii_lowercase().replace(" =", "=").replace("= ", "=");
        let own = option_of(&options, "dim").unwrap_or("1");
        let mut words = options.split([' ', '=']).filter(|word| !word.is_empty());
        one.status.value == "valid"
            && one.kind.value.eq_ignore_ascii_case("array_partition")
            && options.contains("complete")
            && words.any(|word| word == array)
            && (own == "0" || own == dim)
            && name_function(one).is_some_and(|function| is_within(&function))
    })
}

/// Whether a function calls another one, by the list of modules. One that is not in the list was taken into its caller: the top calls
/// it, or what the top calls.
fn is_caller(report: &Report, caller: &str, callee: &str) -> bool {
    let is_it = |one: &Module, name: &str| one.name.value.eq_ignore_ascii_case(name);
    let is_listed = report.modules.iter().any(|one| is_it(one, callee));
    let is_top = report.top.as_ref().is_some_and(|top| top.value.eq_ignore_ascii_case(caller));
    let above = |one: &Module| {
        let first = one.caller.into_iter();
        let all = first.chain(one.other_callers.iter().map(|(caller, _)| *caller));
        let mut named = all.filter_map(|at| report.modules.get(at));
        named.any(|one| is_it(one, caller))
    };
    let mut called = report.modules.iter().filter(|one| is_it(one, callee));
    if is_listed { called.any(above) } else { is_top && caller != callee }
}

/// The function around a pragma, in small letters.
fn name_function(pragma: &ReportedPragma) -> Option<String> {
    let function = pragma.function.as_ref()?.value.split(',').next()?.trim();
    Some(function.to_ascii_lowercase())
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
