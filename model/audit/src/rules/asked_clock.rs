//! v++ is asked for another clock than the analysis claims.
//!
//! ## What it does
//!
//! Compares the clock options of the v++ configuration (`freqHz`, `defaultFreqHz`, `kernel_frequency`, `frequency`) with
//! `clock` under `[claims]`. What is asked below the claim is reported: an error where the option is for the whole design
//! or its first clock, a warning where it is for single units. More than is claimed is not reported, and the second clock of
//! a kernel (`kernel_frequency=1:500`) is not judged. `defaultFreqHz` is for the clocks that no `freqHz` names: beside one, it
//! is judged for the units of the file that are left, and not where none is.
//!
//! ## Why it matters
//!
//! No design runs faster than it was asked to. Each peak and each time of the analysis scales with the clock.
//!
//! ## Example
//!
//! `clock = "300 MHz"` in `derate.toml`, and `freqHz=200000000:gemm_1.ap_clk` in the configuration.
//!
//! ## How to fix
//!
//! Claim the clock that is asked for, and once there is a link report, the one that was reached.

use std::collections::BTreeSet;

use derate_hls::{Connectivity, FrequencyOption, Kernels, Located};
use serde_json::json;

use crate::AuditInput;
use crate::{Finding, Level};
use derate_finding::{Fix, Strategy, restate_claim};
use derate_project::{Claim, Project};
use derate_units::Hertz;
use derate_units::figures::quantity;

/// A clock that differs by less than this share is the same one, printed with fewer digits.
const SAME: f64 = 0.001;

/// Whom an option is for.
#[derive(Clone, Copy, Eq, PartialEq)]
enum ClockScope {
    Design,
    Units,
    /// A clock beside the first, or a default that nothing is left for.
    Nothing,
}

fn find_scope(connectivity: &Connectivity, option: &FrequencyOption) -> ClockScope {
    match &option.targets[..] {
        [] if option.key == "defaultFreqHz" => default_scope(connectivity),
        [] => ClockScope::Design,
        [one] if one.value == "0" => ClockScope::Design,
        [one] if is_number(one) => ClockScope::Nothing,
        _ => ClockScope::Units,
    }
}

fn is_number(target: &Located<String>) -> bool {
    target.value.bytes().all(|digit| digit.is_ascii_digit())
}

/// The default holds for the units whose clock no other option names.
fn default_scope(connectivity: &Connectivity) -> ClockScope {
    let targets = connectivity.frequencies.iter().flat_map(|option| &option.targets);
    // An option for `gemm_1.ap_clk_2` leaves its first clock to the default.
    let own: BTreeSet<&str> = targets
        .filter(|target| !is_number(target))
        .filter_map(|target| match target.value.split_once('.') {
            Some((unit, "ap_clk")) => Some(unit),
            Some(_) => None,
            None => Some(target.value.as_str()),
        })
        .collect();
    if own.is_empty() {
        return ClockScope::Design;
    }
    // A kernel may be named in place of its units.
    let named: BTreeSet<String> = (connectivity.kernels.iter())
        .filter(|kernels| own.contains(kernels.kernel.value.as_str()))
        .flat_map(Kernels::unit_names)
        .collect();
    let made = connectivity.kernels.iter().flat_map(Kernels::unit_names);
    let pins = connectivity.memory.iter().map(|pin| pin.unit.value.clone());
    let dies = connectivity.slr.iter().map(|pin| pin.unit.value.clone());
    let left = |unit: &String| !own.contains(unit.as_str()) && !named.contains(unit);
    if made.chain(pins).chain(dies).any(|unit| left(&unit)) {
        ClockScope::Units
    } else {
        ClockScope::Nothing
    }
}

pub(super) fn check_project(input: &AuditInput<'_>, project: &Project) -> Vec<Finding> {
    let (Some((_, connectivity)), Some(claim)) = (&input.build.connectivity, &project.claims.clock)
    else {
        return Vec::new();
    };
    let below: Vec<Below<'_>> = connectivity
        .frequencies
        .iter()
        .filter_map(|option| find_below(connectivity, claim, option))
        .collect();
    below.iter().map(|one| report_option(claim, &below, one)).collect()
}

/// An option that asks for less than is claimed.
struct Below<'a> {
    option: &'a FrequencyOption,
    clock: Hertz,
    for_design: bool,
}

fn find_below<'a>(
    connectivity: &Connectivity,
    claim: &Claim<Hertz>,
    option: &'a FrequencyOption,
) -> Option<Below<'a>> {
    let clock = Hertz(option.megahertz.value.known()? * 1e6);
    let scope = find_scope(connectivity, option);
    let is_below = clock.0 > 0.0 && clock.0 < claim.value.0 * (1.0 - SAME);
    (is_below && scope != ClockScope::Nothing).then_some(Below {
        option,
        clock,
        for_design: scope == ClockScope::Design,
    })
}

fn report_option(claim: &Claim<Hertz>, all: &[Below<'_>], one: &Below<'_>) -> Finding {
    let Below { option, clock, for_design } = one;
    let (level, whom) =
        if *for_design { (Level::Error, "") } else { (Level::Warning, " for some units") };
    let (claimed, asked) = (quantity(claim.value), quantity(*clock));
    let slowest = all.iter().map(|one| one.clock.0).fold(clock.0, f64::min);
    let slowest = quantity(Hertz(slowest));
    let (edits, help) = if all.iter().all(|one| one.for_design) {
        (
            Ok(vec![restate_claim(claim, &slowest)]),
            format!("claim {slowest}, or the clock that the link report shows"),
        )
    } else {
        let reason = "units run at different clocks, and the claim has one: claim that of the \
                      kernels that it is for";
        let help = "claim the clock of the kernels that the claims are about, or ask for one clock";
        (Err(reason.into()), help.to_owned())
    };
    let targets: Vec<&str> = option.targets.iter().map(|target| target.value.as_str()).collect();
    Finding::new("connectivity/asked-clock", level, option.key.clone())
        .by_file()
        .with_message(format!("v++ is asked for {asked}{whom}, {claimed} is claimed"))
        .with_label(option.megahertz.span, format!("{asked} is asked for"))
        .with_label(claim.span, format!("{claimed} is claimed"))
        .with_note("a design runs at most at the clock that it is linked for")
        .with_help(help)
        .with_evidence(json!({
            "claimed": claim.value,
            "option": option.key,
            "clock": clock,
            "targets": targets,
        }))
        .with_fix(Fix::of(Strategy::Claim, format!("claim {slowest}"), edits))
}
