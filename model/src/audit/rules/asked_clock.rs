//! v++ is asked for another clock than the analysis claims.
//!
//! ## What it does
//!
//! Compares the clock options of the v++ configuration (`freqHz`, `defaultFreqHz`, `kernel_frequency`, `frequency`) with
//! `clock` under `[claims]`. What is asked below the claim is reported: an error where the option is for the whole design
//! or its first clock, a warning where it is for single units. More than is claimed is no finding, and the second clock of
//! a kernel (`kernel_frequency=1:500`) is not judged.
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

use derate_hls::{FrequencyOption, Located};
use serde::Serialize;

use super::cases::{Case, labels};
use super::evidence;
use crate::audit::fix::{Fix, Strategy, restate};
use crate::audit::{Finding, Label, Level};
use crate::figures::quantity;
use crate::units::Hertz;
use crate::{Analysis, Claim};

/// A clock that differs by less than this share is the same one, printed with fewer digits.
const SAME: f64 = 0.001;

/// What the finding stands on.
#[derive(Debug, Serialize)]
struct AskedClock {
    file: String,
    claimed: Hertz,
    asked: Vec<Asked>,
}

#[derive(Debug, Serialize)]
struct Asked {
    option: String,
    clock: Hertz,
    targets: Vec<String>,
}

/// Whom an option is for.
enum Reach {
    Design,
    Units,
    OtherClock,
}

fn reach(targets: &[Located<String>]) -> Reach {
    match targets {
        [] => Reach::Design,
        [one] if one.value == "0" => Reach::Design,
        [one] if one.value.bytes().all(|digit| digit.is_ascii_digit()) => Reach::OtherClock,
        _ => Reach::Units,
    }
}

/// See the module's page.
pub(super) fn check(analysis: &Analysis) -> Vec<Finding> {
    let (Some((file, connectivity)), Some(claim)) =
        (&analysis.build.connectivity, &analysis.project.claims.clock)
    else {
        return Vec::new();
    };
    let file = analysis.sources.name(*file).to_owned();
    finding(file, claim, &connectivity.frequencies).into_iter().collect()
}

fn finding(file: String, claim: &Claim<Hertz>, options: &[FrequencyOption]) -> Option<Finding> {
    let (mut level, mut slowest) = (Level::Warning, f64::INFINITY);
    let (mut cases, mut asked) = (Vec::new(), Vec::new());
    for option in options {
        let Some(megahertz) = option.megahertz.value.known() else { continue };
        let clock = Hertz(megahertz * 1e6);
        let judged = clock.0 > 0.0 && clock.0 < claim.value.0 * (1.0 - SAME);
        match reach(&option.targets) {
            _ if !judged => continue,
            Reach::OtherClock => continue,
            Reach::Design => level = Level::Error,
            Reach::Units => {}
        }
        slowest = slowest.min(clock.0);
        let text = format!("{} is asked for", quantity(clock));
        cases.push(Case::new(option.key.clone(), Label::new(option.megahertz.span, text)));
        asked.push(Asked {
            option: option.key.clone(),
            clock,
            targets: option.targets.iter().map(|target| target.value.clone()).collect(),
        });
    }
    if cases.is_empty() {
        return None;
    }
    let (claimed, clock) = (quantity(claim.value), quantity(Hertz(slowest)));
    let whom = if level == Level::Error { "" } else { " for some units" };
    let mut labels = labels(&cases);
    labels.push(Label::new(claim.span, format!("the analysis counts with {claimed}")));
    Some(Finding {
        code: "connectivity/asked-clock",
        level,
        subject: file.clone(),
        message: format!("v++ is asked for {clock}{whom}, {claimed} is claimed"),
        labels,
        notes: vec!["a design runs at most at the clock that it is linked for".to_owned()],
        help: format!("claim {clock}, or the clock that the link report shows"),
        evidence: evidence(&AskedClock { file, claimed: claim.value, asked }),
        fixes: vec![Fix::of(
            Strategy::Claim,
            format!("claim {clock}"),
            Ok(vec![restate(claim, &clock)]),
        )],
    })
}
