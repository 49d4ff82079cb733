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
use serde::Serialize;
use serde_json::json;

use super::occurrences::{Occurrence, first_labels, list_names};
use crate::fix::{Fix, Strategy, restate_claim};
use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_project::Claim;
use derate_units::Hertz;
use derate_units::figures::quantity;

/// A clock that differs by less than this share is the same one, printed with fewer digits.
const SAME: f64 = 0.001;

#[derive(Debug, Serialize)]
struct Asked {
    option: String,
    clock: Hertz,
    targets: Vec<String>,
}

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

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let (Some((file, connectivity)), Some(claim)) =
        (&analysis.build.connectivity, &analysis.project.claims.clock)
    else {
        return Vec::new();
    };
    make_finding(analysis.sources.name(*file), claim, connectivity).into_iter().collect()
}

fn make_finding(file: &str, claim: &Claim<Hertz>, connectivity: &Connectivity) -> Option<Finding> {
    // The slowest that is asked of the design, and of single units.
    let (mut design, mut units) = (None::<f64>, None::<f64>);
    let (mut cases, mut asked) = (Vec::new(), Vec::new());
    for option in &connectivity.frequencies {
        let Some(megahertz) = option.megahertz.value.known() else { continue };
        let clock = Hertz(megahertz * 1e6);
        if !(clock.0 > 0.0 && clock.0 < claim.value.0 * (1.0 - SAME)) {
            continue;
        }
        let slowest = match find_scope(connectivity, option) {
            ClockScope::Nothing => continue,
            ClockScope::Design => &mut design,
            ClockScope::Units => &mut units,
        };
        *slowest = Some(slowest.unwrap_or(clock.0).min(clock.0));
        let text = format!("{} is asked for", quantity(clock));
        cases.push(Occurrence::new(option.key.clone(), Label::new(option.megahertz.span, text)));
        asked.push(Asked {
            option: option.key.clone(),
            clock,
            targets: option.targets.iter().map(|target| target.value.clone()).collect(),
        });
    }
    let (level, whom) =
        if design.is_some() { (Level::Error, "") } else { (Level::Warning, " for some units") };
    let (claimed, clock) = (quantity(claim.value), quantity(Hertz(design.or(units)?)));
    let edits = match units {
        None => Ok(vec![restate_claim(claim, &clock)]),
        Some(_) => Err(format!(
            "units run at different clocks ({}), and the claim has one: claim that of the \
             kernels that it is for",
            list_names(cases.iter().map(|case: &Occurrence| case.name.as_str()))
        )
        .into()),
    };
    let mut labels = first_labels(&cases);
    labels.push(Label::new(claim.span, format!("{claimed} is claimed")));
    Some(
        Finding::new("connectivity/asked-clock", level, file)
            .with_message(format!("v++ is asked for {clock}{whom}, {claimed} is claimed"))
            .with_labels(labels)
            .with_note("a design runs at most at the clock that it is linked for")
            .with_help(match units {
                None => format!("claim {clock}, or the clock that the link report shows"),
                Some(_) => {
                    "claim the clock of the kernels that the claims are about, or ask for one clock"
                        .to_owned()
                }
            })
            .with_evidence(json!({ "file": file, "claimed": claim.value, "asked": asked }))
            .with_fix(Fix::of(Strategy::Claim, format!("claim {clock}"), edits)),
    )
}
