//! Which loop of the reports is which of the source.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{Figure, Synthesis, SynthesisedLoop, bare_name, plain_loop_name};
use derate_kernel::{KernelAnswer, LoopAnswer};

use crate::nest_names::is_made_of;

/// What the name of a loop without a label begins with; its line comes behind.
const UNNAMED: &str = "VITIS_LOOP_";

/// A loop of the reports, with the modelled one.
#[derive(Clone, Copy, Debug)]
pub struct LoopPair<'a> {
    /// As reported.
    pub synthesised: &'a SynthesisedLoop,
    /// As modelled; `None` where no loop, or none for certain, is the same.
    pub modelled: Option<&'a LoopAnswer>,
}

/// Each loop of the reports with the modelled loop of the same function and label. Where the tool has made processes or
/// copies of functions, a label that only one loop has is enough.
#[must_use]
pub fn pair_loops<'a>(synthesis: &'a Synthesis, answer: &'a KernelAnswer) -> Vec<LoopPair<'a>> {
    let mut by_label: BTreeMap<String, Vec<&LoopAnswer>> = BTreeMap::new();
    for one in &answer.loops {
        by_label.entry(strip_numbers(&one.label)).or_default().push(one);
    }
    let find = |one: &SynthesisedLoop| {
        let label = strip_numbers(&one.label);
        let is_own = |other: &&LoopAnswer| is_copy_of(&one.function, &other.function);
        let labelled = by_label.get(&label).cloned().unwrap_or_default();
        let own: Vec<&LoopAnswer> = labelled.iter().copied().filter(is_own).collect();
        // A function whose body is elsewhere may have a loop with this label or at this line; the tool may have put it into
        // the one that calls it.
        let is_open = |other: &LoopAnswer| answer.open_functions.contains(&other.function);
        let is_line = label.contains(UNNAMED);
        if own.is_empty() && !answer.open_functions.is_empty()
            || is_line && own.iter().any(|other| is_open(other))
        {
            return None;
        }
        // Another file may have a loop at this line.
        let is_foreign = own.is_empty() && is_line;
        let mut all = if own.is_empty() { labelled } else { own };
        // Instances of a template have one name here, and several in the reports.
        if is_foreign || all.iter().any(|other| has_trips(one, other)) {
            all.retain(|other| has_trips(one, other));
        }
        let key = |other: &LoopAnswer| (other.place, other.ii, other.cycles);
        let first = all.first().copied()?;
        all.iter().all(|other| key(other) == key(first)).then_some(first)
    };
    let counted = pair_by_order(&synthesis.loops, &answer.loops);
    let pair = |(at, one)| LoopPair {
        synthesised: one,
        modelled: counted.get(&at).copied().or_else(|| find(one)),
    };
    synthesis.loops.iter().enumerate().map(pair).collect()
}

/// The modelled loop that a loop of the reports ends with, where it has no pair: the tool makes a nest one loop and names it by
/// all of its labels, `rows_VITIS_LOOP_12_1`, and the model keeps the nest.
#[must_use]
pub fn find_in_nest<'a>(one: &SynthesisedLoop, answer: &'a KernelAnswer) -> Option<&'a LoopAnswer> {
    let is_own = |other: &&LoopAnswer| is_copy_of(&one.function, &other.function);
    let own: Vec<&LoopAnswer> = answer.loops.iter().filter(is_own).collect();
    let is_open = |other: &&LoopAnswer| answer.open_functions.contains(&other.function);
    if own.iter().any(is_open) { None } else { find_last(&one.label, &own) }
}

/// The only loop of a function with which the name of a nest ends; the rest are loops of this function, too.
fn find_last<'a>(name: &str, own: &[&'a LoopAnswer]) -> Option<&'a LoopAnswer> {
    // Copies share a label.
    let names: BTreeSet<String> = own.iter().map(|other| strip_numbers(&other.label)).collect();
    let name = strip_numbers(name);
    let ends = |last: &&String| {
        let outer = name.strip_suffix(last.as_str());
        let outer = outer.and_then(|outer| outer.strip_suffix('_'));
        outer.is_some_and(|outer| is_made_of(outer, &names))
    };
    let last: BTreeSet<&String> = names.iter().filter(ends).collect();
    let mut found = own.iter().filter(|other| last.contains(&strip_numbers(&other.label)));
    let first = found.next()?;
    found.all(|other| other.place == first.place && other.ii == first.ii).then_some(*first)
}

/// The loops of functions in which Vivado HLS counts loops without a label: `Loop 1`, `Loop 1.1`. Where a function has as many
/// loops here, nested alike and with the same trips and labels, each is the one at its place.
fn pair_by_order<'a>(
    loops: &[SynthesisedLoop],
    modelled: &'a [LoopAnswer],
) -> BTreeMap<usize, &'a LoopAnswer> {
    let mut pairs = BTreeMap::new();
    let functions: BTreeSet<&str> = loops
        .iter()
        .filter(|one| is_counted(&one.label))
        .map(|one| one.function.as_str())
        .collect();
    for function in functions {
        let reported: Vec<(usize, &SynthesisedLoop)> =
            loops.iter().enumerate().filter(|(_, one)| one.function == function).collect();
        let of_name = |is_own: fn(&str, &str) -> bool| -> Vec<&LoopAnswer> {
            modelled.iter().filter(|one| is_own(function, bare_name(&one.function))).collect()
        };
        let own = of_name(|module, function| module == function);
        let own = if own.is_empty() { of_name(is_copy_of) } else { own };
        let own = if own.is_empty() { of_name(is_numbered_copy) } else { own };
        let (Some((_, first)), Some(start)) = (reported.first(), own.first()) else { continue };
        // A loop of the source may be labelled `Loop1`.
        let is_unnamed =
            |label: &str| is_counted(label) && own.iter().all(|one| one.label != label);
        if !reported.iter().any(|(_, one)| is_unnamed(&one.label)) {
            continue;
        }
        let is_same = |((_, one), other): (&(usize, &SynthesisedLoop), &&LoopAnswer)| {
            one.nest.wrapping_sub(first.nest) == other.nest.wrapping_sub(start.nest)
                && (is_unnamed(&one.label) || one.label == other.label)
                && has_trips(one, other)
        };
        if reported.len() == own.len()
            && own.iter().all(|one| one.function == start.function)
            && reported.iter().zip(&own).all(is_same)
        {
            pairs.extend(reported.iter().zip(own).map(|((at, _), other)| (*at, other)));
        }
    }
    pairs
}

/// Whether a module is a function with a number: `compute4`, as dataflow copies are named.
fn is_numbered_copy(module: &str, function: &str) -> bool {
    let rest = module.strip_prefix(function);
    rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|letter| letter.is_ascii_digit()))
}

/// Whether a name is a count of Vivado HLS: `Loop 2.1`, in XML `Loop2.1`. A label of the source may look like one.
pub(crate) fn is_counted(label: &str) -> bool {
    plain_loop_name(label).strip_prefix("Loop").is_some_and(|count| {
        !count.is_empty() && count.bytes().all(|letter| letter.is_ascii_digit() || letter == b'.')
    })
}

/// Whether a modelled loop iterates as often as the reported one at most.
#[allow(clippy::cast_precision_loss)]
#[must_use]
pub fn has_trips(one: &SynthesisedLoop, other: &LoopAnswer) -> bool {
    let reported = one.trip.as_ref().and_then(Figure::max).map(|trips| trips as f64);
    reported.is_some() && other.trip.map(|(_, most, _)| most) == reported
}

/// `VITIS_LOOP_12_1` as `VITIS_LOOP_12`: the tool counts loops without a label, also those of copies; their line is enough.
pub(crate) fn strip_numbers(label: &str) -> String {
    let mut pieces = label.split(UNNAMED);
    let mut short = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let (line, rest) = piece.split_at(digits(piece));
        let rest = rest.strip_prefix('_').map_or(rest, |rest| &rest[digits(rest)..]);
        short.extend([UNNAMED, line, rest]);
    }
    short
}

/// Whether a module is a function or a copy of it: `f`, `f_1`, `f_float_8_s`.
pub(crate) fn is_copy_of(module: &str, function: &str) -> bool {
    let rest = module.strip_prefix(bare_name(function));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    use derate_hls::Sources;
    use derate_kernel::Span;
    use derate_kernel::ir::Place;

    fn reported(label: &str) -> SynthesisedLoop {
        let file = Sources::default().add("csynth.xml", "");
        SynthesisedLoop {
            label: label.to_owned(),
            function: "top".to_owned(),
            nest: 0,
            trip: Some(Figure::Known(8)),
            ii: None,
            target: None,
            depth: None,
            latency: None,
            runs: None,
            is_innermost: true,
            span: derate_hls::Span { file, start: 0, end: 0 },
        }
    }

    fn modelled(label: &str) -> LoopAnswer {
        let cycles = Span {
            best: 8.0,
            worst: 8.0,
            expected: 8.0,
            reported: 8.0,
            is_open: false,
            rests_on_type: false,
        };
        LoopAnswer {
            label: label.to_owned(),
            function: "top".to_owned(),
            place: Place { file: 0, line: 1 },
            trip: Some((8.0, 8.0, 8.0)),
            trip_rests_on_type: false,
            trip_is_given: false,
            ii: None,
            asked: None,
            is_copied: false,
            held_by: None,
            port_ii: None,
            depth: 1.0,
            is_depth_known: true,
            cycles,
            nest: 0,
        }
    }

    fn pairs(reports: [&str; 2], source: [&str; 2]) -> Vec<String> {
        let (reports, source) = (reports.map(reported), source.map(modelled));
        pair_by_order(&reports, &source).into_values().map(|one| one.label.clone()).collect()
    }

    #[test]
    fn loops_without_a_label_are_paired_by_their_order() {
        let unnamed = ["VITIS_LOOP_3_1", "VITIS_LOOP_5_2"];
        assert_eq!(pairs(["Loop 1", "Loop 2"], unnamed), unnamed);
        assert_eq!(
            pairs(["Loop1", "rows"], ["VITIS_LOOP_3_1", "rows"]),
            ["VITIS_LOOP_3_1", "rows"]
        );
        assert!(pairs(["Loop1", "cols"], ["VITIS_LOOP_3_1", "rows"]).is_empty());
    }

    #[test]
    fn a_label_of_the_source_that_looks_like_a_count_is_a_label() {
        assert!(pairs(["Loop1", "Loop2"], ["Loop2", "Loop1"]).is_empty());
        let mixed = ["Loop1", "VITIS_LOOP_5_2"];
        assert_eq!(pairs(["Loop1", "Loop2"], mixed), mixed);
    }

    #[test]
    fn a_nest_that_the_tool_makes_one_loop_ends_with_its_innermost_loop() {
        let source = ["rows", "VITIS_LOOP_5_2"].map(modelled);
        let own: Vec<&LoopAnswer> = source.iter().collect();
        let find = |name: &str| find_last(name, &own).map(|one| &one.label);
        for nest in ["rows_VITIS_LOOP_5_7", "L_VITIS_LOOP_5_1"] {
            assert_eq!(find(nest).map(String::as_str), Some("VITIS_LOOP_5_2"), "{nest}");
        }
        for other in [
            "cols_VITIS_LOOP_5_2",
            "L1_VITIS_LOOP_5_2",
            "rows_VITIS_LOOP_6_2",
            "rowsVITIS_LOOP_5_2",
            "rows_",
        ] {
            assert_eq!(find(other), None, "{other}");
        }
    }
}
