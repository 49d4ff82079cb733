//! What a kernel leaves open if nobody says it: its loops, its narrow ports, and the arrays that hold a loop.

use super::advised::open_advice;
use super::arrays::open_arrays;
use super::candidate::{Candidate, add, larger};
use super::extent::{MOST_LANES, MOST_WHOLE, STATEMENTS, explain_left};
use super::functions::open_functions;
use super::nest::{NestLoop, Nests, State};
use super::port_group::{PortGroup, group_ports};
use super::unopened::NotOpened;
use super::written::find_loops;
use super::{Variation, VariationTarget};
use derate_hls::DirectiveKind;
use derate_kernel::ir::{Loop, Stmt, any_in};
use derate_kernel::{Directives, KernelAnswer, Program, Settings, constant_trips, count_runs};

/// Axes of a space: more are rarely searched within the time.
const MOST_AXES: usize = 24;

/// What a search may change of a kernel, the part with most cycles first, and what it leaves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proposal {
    /// What is open.
    pub variations: Vec<Variation>,
    /// Of each, the share of the cycles of what it changes; `None` where that is not known.
    pub shares: Vec<Option<f64>>,
    /// What is not.
    pub left: Vec<NotOpened>,
}

impl Proposal {
    /// What is not opened where other variations are open.
    #[must_use]
    pub fn without(self, open: &[Variation]) -> Vec<NotOpened> {
        let is_closed =
            |(one, _): &(Variation, Option<f64>)| open.iter().all(|own| own.target != one.target);
        let closed = self.variations.into_iter().zip(self.shares).filter(is_closed);
        let reason = "--vary names others";
        let closed = closed.map(|(one, share)| NotOpened::of_variation(&one, share, reason));
        let names: Vec<String> = open.iter().map(|one| one.axis().name).collect();
        let left = self.left.into_iter().filter(|one| !names.contains(&one.what));
        closed.chain(left).collect()
    }
}

/// Unroll factors of every loop that is pipelined or could be, an interval of 1 for every loop around others and for those that
/// ask for a longer one, pipelines of functions whose loops are short, cuts of the arrays that hold a loop, and all that
/// `derate kernel` advises. Factors are the powers of
/// two that divide the trip count, the factor that is written, and all iterations of a short loop. Loops without a constant
/// trip count are left as they are.
///
/// Narrow ports behind a bus get their widths instead: their loops are unrolled to the lanes.
#[must_use]
pub fn propose_variations(
    program: &Program,
    given: &Directives,
    settings: &Settings,
    written: &KernelAnswer,
) -> Proposal {
    let nests = Nests {
        program,
        given,
        runs: count_runs(&written.loops),
        cycles: written.latency.expected,
    };
    let (mut found, mut left) = (Vec::new(), Vec::new());
    for one in nests.list_loops() {
        open_loop(&one, given, written.is_scheduled, &mut found, &mut left);
    }
    open_functions(&nests, written, &mut found, &mut left);
    open_ports(program, written, &mut found, &mut left);
    open_arrays(&nests, written, &mut found);
    open_advice((program, given, settings, written), &mut found, &mut left);
    rank(found, left)
}

/// The hottest axes that are advised first, then all by share; those without a share are last.
fn rank(mut found: Vec<Candidate>, mut left: Vec<NotOpened>) -> Proposal {
    let share = |one: &Candidate| one.share.unwrap_or(0.0);
    found.sort_by(|a, b| b.is_advised.cmp(&a.is_advised).then(share(b).total_cmp(&share(a))));
    let rest = found.split_off(found.len().min(MOST_AXES));
    let reason = "the space is large enough";
    left.extend(rest.iter().map(|one| NotOpened::of_variation(&one.variation, one.share, reason)));
    found.sort_by(|a, b| share(b).total_cmp(&share(a)));
    let share = |one: &NotOpened| one.share.unwrap_or(0.0);
    left.sort_by(|a, b| share(b).total_cmp(&share(a)));
    let shares = found.iter().map(|one| one.share).collect();
    Proposal { variations: found.into_iter().map(|one| one.variation).collect(), shares, left }
}

/// Why a port is left: the tool widens it only where it knows that the elements fill whole words.
const OPEN_TRIPS: &str = "the trips of its loops are not constant";
const ODD_TRIPS: &str = "no wider word divides the trips of its loops";
const LARGE_BODY: &str = "its loops have too many statements";

/// The lanes that a group may have, in powers of two: all iterations of its loops fill whole words, and the engine can schedule
/// them. The reason says why they are not open.
fn list_lanes(program: &Program, group: &PortGroup) -> (Vec<u64>, Option<&'static str>) {
    let own = group.loops.iter().flat_map(|(function, label)| find_loops(program, function, label));
    let trips: Vec<Option<u64>> = own.map(constant_trips).collect();
    let fits = |lanes: &u64| lanes * group.statements as u64 <= STATEMENTS;
    let fills = |lanes: &u64| trips.iter().flatten().all(|trips| trips % lanes == 0);
    let powers = (0..).map(|n| 1_u64 << n).take_while(|lanes| *lanes <= group.most_lanes());
    let lanes: Vec<u64> = powers.filter(fits).filter(fills).collect();
    let reason = if !fits(&2) {
        Some(LARGE_BODY)
    } else if !fills(&2) {
        Some(ODD_TRIPS)
    } else {
        trips.contains(&None).then_some(OPEN_TRIPS)
    };
    (lanes, reason)
}

fn open_ports(
    program: &Program,
    written: &KernelAnswer,
    found: &mut Vec<Candidate>,
    left: &mut Vec<NotOpened>,
) {
    let groups = group_ports(program, &written.ports);
    for group in &groups {
        let is_own = |one: &Candidate| match &one.variation.target {
            VariationTarget::Unroll { function, label } => {
                group.loops.contains(&(function.clone(), label.clone()))
            }
            _ => false,
        };
        let share = found.iter().filter(|one| is_own(one)).map(|one| one.share).reduce(larger);
        let (lanes, reason) = list_lanes(program, group);
        let variation = widen_group(group, &lanes);
        match (reason, share) {
            (Some(reason), share) => {
                let mut closed = NotOpened::of_variation(&variation, share.flatten(), reason);
                closed.vary = closed.vary.filter(|_| lanes.len() > 1);
                left.push(closed);
            }
            (None, Some(share)) => {
                found.retain(|one| !is_own(one));
                found.push(Candidate { variation, share, is_advised: false });
            }
            (None, None) => {}
        }
    }
}

/// The widths that the ports of a group have with so many lanes.
fn widen_group(group: &PortGroup, lanes: &[u64]) -> Variation {
    let bits = group.ports.first().map_or(1, |port| port.1);
    Variation {
        target: VariationTarget::Port {
            ports: group.ports.iter().map(|port| port.0.clone()).collect(),
        },
        values: lanes.iter().map(|lanes| (bits * lanes).to_string()).collect(),
    }
}

/// Whether a directive can name a loop: that of a `memcpy` or of a first value `= {0}` is in no source.
fn has_name(item: &Loop) -> bool {
    item.labelled || item.label.starts_with("VITIS_LOOP_")
}

fn open_loop(
    one: &NestLoop<'_>,
    given: &Directives,
    is_scheduled: bool,
    found: &mut Vec<Candidate>,
    left: &mut Vec<NotOpened>,
) {
    let written = find_factor(one, given);
    // A loop that is not among the scheduled ones is unrolled whole by what is around a call, or nothing runs it.
    let is_gone = is_scheduled && !one.is_scheduled && written.is_none();
    if !has_name(one.item) || one.state == (State::Dissolved { asked: true }) {
        return;
    }
    let is_inside = one.state == State::Dissolved { asked: false };
    if is_gone && !is_inside {
        return;
    }
    let (function, label) = (one.function.to_owned(), one.item.label.clone());
    let pipeline = VariationTarget::Pipeline { function: function.clone(), label: label.clone() };
    let unroll = VariationTarget::Unroll { function, label };
    let mut open = |target, values: Vec<String>| {
        let variation = Variation { target, values };
        add(found, Candidate { variation, share: one.share, is_advised: false });
    };
    let could_be_pipelined = one.state == State::Around;
    let asks_for_more = one.asked_ii.is_some_and(|ii| ii > 1) || one.is_off;
    let is_long = |stmt: &Stmt| match stmt {
        Stmt::Loop(item) => constant_trips(item).is_some_and(|trips| trips > MOST_LANES),
        _ => false,
    };
    let fits = one.weight.is_some_and(|weight| weight <= STATEMENTS)
        && !any_in(&one.item.body, &mut |stmt| is_long(stmt));
    let is_slow = one.state == State::Inner && asks_for_more;
    if (could_be_pipelined && fits) || is_slow {
        open(pipeline, ["as-written", "1"].map(str::to_owned).into());
    } else if could_be_pipelined {
        let reason = explain_left(one.weight, one.calls_loops);
        let variation =
            Variation { target: pipeline, values: ["as-written", "1"].map(str::to_owned).into() };
        let mut closed = NotOpened::of_variation(&variation, one.share, reason);
        // The tool cannot unroll a loop without constant trips.
        closed.vary = closed.vary.filter(|_| one.weight.is_some());
        left.push(closed);
        return;
    }
    let factors = list_factors(one.item, one.weight, written);
    if factors.len() > 1 {
        open(unroll, factors.iter().map(u64::to_string).collect());
    } else if constant_trips(one.item).is_none() && !could_be_pipelined {
        let variation = Variation { target: unroll, values: vec!["2".to_owned()] };
        left.push(NotOpened::of_variation(&variation, one.share, "the trips are not constant"));
    }
}

/// The factor that pragmas and given directives unroll a loop by; `None` where they do not.
fn find_factor(one: &NestLoop<'_>, given: &Directives) -> Option<u64> {
    let has = |kind: &DirectiveKind| matches!(kind, DirectiveKind::Unroll { .. });
    let is_given = given.list.iter().any(|directive| {
        let label = directive.label.as_deref();
        directive.function == one.function
            && label == Some(one.item.label.as_str())
            && has(&directive.kind)
    });
    let is_written = is_given || one.item.pragmas.iter().any(|pragma| has(&pragma.kind));
    is_written.then(|| super::written::unroll_factor(one.item, one.function, given))?
}

/// Factors that divide the trips and leave an iteration short enough, with the one that is written.
fn list_factors(item: &Loop, weight: Option<u64>, written: Option<u64>) -> Vec<u64> {
    let mut factors = vec![1];
    if let Some(trips) = constant_trips(item) {
        let most = STATEMENTS / weight.unwrap_or(STATEMENTS).max(1);
        let all = (2..=MOST_LANES.min(trips).min(most)).filter(|factor| trips % factor == 0);
        let is_power = |factor: &u64| factor.is_power_of_two() || *factor == trips;
        factors.extend(all.clone().filter(is_power));
        factors.extend(Some(trips).filter(|trips| *trips <= MOST_WHOLE.min(most)));
        if factors.len() < 4 {
            // Few powers of two divide it.
            factors = [1].into_iter().chain(all).collect();
        }
    }
    factors.extend(written);
    factors.sort_unstable();
    factors.dedup();
    factors
}
