//! Why a co-simulation takes other cycles than the synthesis estimates.

use std::collections::BTreeSet;

use derate_hls::{
    Cosim, DirectiveKind, Figure, Function, Located, Loop, Module, Report, Sources, Span,
    split_words,
};
use derate_units::figures::{grouped, list_few};

use crate::Code;
use crate::reached::{find_reached, index_functions};

/// What explains that a simulation takes other cycles than the estimate.
pub struct SimulationCause {
    /// The reason, in a sentence without a full stop.
    pub text: String,
    /// What to do.
    pub help: &'static str,
}

/// Why the simulation of a top may take other cycles than the estimate, more of them where it `is_longer`; `None` where neither the sources nor the report say so.
#[must_use]
pub fn find_cause(
    sources: &Sources,
    code: &Code,
    report: &Report,
    (top, is_longer): (&str, bool),
) -> Option<SimulationCause> {
    let functions = index_functions(code);
    let own = functions.get(&top.to_ascii_lowercase());
    let place = match find_reached(sources, code, &functions, top) {
        Some(reached) => {
            let own = functions.iter().filter(|(name, _)| reached.contains(*name));
            let at = own.flat_map(|(_, all)| all).find_map(|function| find_assumed(function));
            at.map(|at| format!("{}:{}", sources.name(at.file), sources.position(at).line))
        }
        None if own.is_none() => find_reported_count(report),
        None => None,
    };
    if let Some(place) = place {
        return Some(SimulationCause {
            text: format!(
                "the estimate takes iterations of loops from `loop_tripcount`, as at {place}: the test bench may run them another number of times"
            ),
            help: "set `loop_tripcount` to what the test bench runs, and compare again",
        });
    }
    if !is_longer {
        return None;
    }
    let (arrays, what): (BTreeSet<String>, _) = match own {
        Some(all) => {
            (all.iter().flat_map(|function| list_lite_arrays(function)).collect(), "arrays")
        }
        None => (list_reported_pointers(report), "pointers, which may be to arrays,"),
    };
    let quoted: Vec<String> = arrays.iter().map(|name| format!("`{name}`")).collect();
    (!quoted.is_empty()).then(|| SimulationCause {
        text: format!(
            "{what} are on `s_axilite` ({}): the simulation may hold their transfers, which the estimate does not count",
            list_few(&quoted, 4)
        ),
        help: "count the transfers of the arrays on `s_axilite` beside the estimate, or hand them over by `m_axi` or streams",
    })
}

/// Figures that differ by no more than this share agree.
const NEAR: f64 = 0.05;

/// Why the longest simulated latency is above the estimate, where both have one interval: a transaction waits for those before it. The
/// least latency agrees then, or the transactions overlap.
#[must_use]
#[allow(clippy::cast_precision_loss)]
pub fn find_overlap(one: &Cosim, top: &Module) -> Option<SimulationCause> {
    let known = |figure: &Option<Located<Figure>>| Some(figure.as_ref()?.value.known()? as f64);
    let most = |figure: &Option<Located<Figure>>| Some(figure.as_ref()?.value.max()? as f64);
    let (interval, latency) = (known(&one.interval.max)?, known(&one.latency.max)?);
    let (asked, estimate) = (most(&top.interval)?, most(&top.latency)?);
    let least = known(&one.latency.min)?;
    let is_near = |one: f64, other: f64| (one - other).abs() <= other * NEAR;
    let overlaps = interval < known(&one.latency.avg).unwrap_or(least);
    (is_near(interval, asked) && overlaps).then(|| SimulationCause {
        text: format!(
            "a transaction starts every {} cycles, and the report has {}: the throughput holds; the least latency is {} cycles{}, and \
             {} is one with others before or behind it",
            grouped(interval),
            grouped(asked),
            grouped(least),
            if is_near(least, estimate) { ", that of a transaction that nothing follows" } else { "" },
            grouped(latency),
        ),
        help: "count the throughput with the interval, and the time of a transaction alone with the least latency",
    })
}

/// A loop whose bound is a parameter and whose iterations a directive gives.
fn find_assumed(function: &Function) -> Option<Span> {
    let is_assumed = |one: &&Loop| {
        let mut pragmas =
            one.pragmas.iter().filter_map(|at| function.pragmas.get(*at)?.directive());
        let mut words = one.bound.as_deref().into_iter().flat_map(split_words);
        one.trip_count.is_none()
            && pragmas.any(|one| matches!(one.kind, DirectiveKind::LoopTripcount(_)))
            && words.any(|word| function.parameters.iter().any(|one| one.name == word))
    };
    Some(function.loops.iter().find(is_assumed)?.span)
}

/// Where a report of which the sources are not here has such a directive.
fn find_reported_count(report: &Report) -> Option<String> {
    let mut own = report.pragmas.iter().filter(|one| {
        one.status.value == "valid" && one.kind.value.eq_ignore_ascii_case("loop_tripcount")
    });
    own.find_map(|one| Some(one.location.as_ref()?.value.clone()))
}

/// The arrays of a top that are on `s_axilite` and on no memory port.
fn list_lite_arrays(function: &Function) -> Vec<String> {
    let ports: Vec<(String, String)> = function
        .pragmas
        .iter()
        .filter_map(|pragma| match pragma.directive()?.kind {
            DirectiveKind::Interface(one) => Some((one.mode?, one.port?)),
            _ => None,
        })
        .collect();
    let of = |mode: &str, name: &str| ports.iter().any(|(own, port)| own == mode && port == name);
    let arrays = function.parameters.iter().filter(|one| !one.dims.is_empty());
    let names = arrays.map(|one| one.name.clone());
    names.filter(|name| of("s_axilite", name) && !of("m_axi", name)).collect()
}

/// The same, by the report: pointers that have `interface s_axilite` and no other mode.
fn list_reported_pointers(report: &Report) -> BTreeSet<String> {
    let mode = |name: &str, mode: &str| {
        report.pragmas.iter().any(|one| {
            let mut words = one.options.value.split([' ', '=']);
            one.kind.value.eq_ignore_ascii_case("interface")
                && one.options.value.contains(mode)
                && words.any(|word| word == name)
        })
    };
    let pointers = report.arguments.iter().filter(|one| one.datatype.contains(['*', '[']));
    let names = pointers.map(|one| one.name.clone());
    names.filter(|name| mode(name, "s_axilite") && !mode(name, "m_axi")).collect()
}
