//! A compute unit that no `nk` makes, or an `nk` whose names do not fit its count.
//!
//! ## What it does
//!
//! Holds the units that `sp=`, `slr=` and `stream_connect=` of the v++ configuration name against its `nk=` entries. An
//! `nk` without names makes `kernel_1`, `kernel_2` and so on, and a kernel without `nk` is one unit, `kernel_1`. A unit
//! whose kernel has an `nk` and which that `nk` does not make is an error, as is an `nk` with more or fewer names than
//! units, or with one name twice. A unit that no `nk` of the file is about is a warning: the `nk` may be on v++'s
//! command line. The ends of streams are judged only where their kernel has an `nk`, and nothing is said to be undeclared
//! where a line of the file is filled in by another program.
//!
//! ## Why it matters
//!
//! v++ refuses some of these after the kernels were compiled, which costs hours. And a bank plan whose units do not exist
//! is not the plan that was built.
//!
//! ## Example
//!
//! ```ini
//! nk=gemm:2
//! sp=gemm_3.a:HBM[0]
//! ```
//!
//! ## How to fix
//!
//! Name the units in `nk`, or use the names that v++ gives them.

use std::collections::BTreeSet;

use derate_hls::{Connectivity, FileId, Kernels, Located};
use serde::Serialize;

use super::evidence;
use super::occurrences::{Occurrence, first_labels, list_names};
use crate::allow_groups::AllowGroups;
use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_units::figures::count;

const CODE: &str = "connectivity/compute-unit";

/// The evidence of a finding.
#[derive(Debug, Serialize)]
struct ComputeUnits {
    file: String,
    /// Units that their kernel's `nk` does not make.
    not_made: Vec<String>,
    /// Units that no `nk` of the file is about.
    undeclared: Vec<String>,
    /// Kernels whose `nk` has other names than units.
    misnamed: Vec<String>,
}

/// What the file says of a unit.
enum UnitState<'a> {
    Made,
    /// The kernel has an `nk`, which makes other units.
    NotMade(&'a Kernels),
    /// It has the name that v++ gives to the one unit of a kernel without `nk`.
    ByDefault,
    Undeclared,
}

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let Some((file, connectivity)) = &analysis.build.connectivity else { return Vec::new() };
    let groups = AllowGroups::new(analysis, CODE)
        .split_allowed(find_problems(connectivity), |one| one.case.label.span);
    groups.into_iter().filter_map(|wrong| make_finding(analysis, *file, wrong)).collect()
}

/// What an `nk` makes, in words.
fn describe_made(kernels: &Kernels) -> String {
    let (kernel, count) = (&kernels.kernel.value, kernels.count.value);
    if !kernels.names.is_empty() {
        return list_names(kernels.names.iter().map(|name| name.value.as_str()));
    }
    match count {
        0 => "no unit".to_owned(),
        1 => format!("`{kernel}_1`"),
        _ => format!("`{kernel}_1` to `{kernel}_{count}`"),
    }
}

fn makes_unit(kernels: &Kernels, unit: &str) -> bool {
    if !kernels.names.is_empty() {
        return kernels.names.iter().any(|name| name.value == unit);
    }
    unit_number(kernels, unit).is_some_and(|number| (1..=kernels.count.value).contains(&number))
}

/// The number behind the kernel's name.
fn unit_number(kernels: &Kernels, unit: &str) -> Option<u64> {
    let digits = unit.strip_prefix(kernels.kernel.value.as_str())?.strip_prefix('_')?;
    let plain = digits.bytes().all(|digit| digit.is_ascii_digit()) && !digits.starts_with('0');
    digits.parse().ok().filter(|_| plain)
}

fn find_state<'a>(connectivity: &'a Connectivity, unit: &str) -> UnitState<'a> {
    let all = &connectivity.kernels;
    if all.iter().any(|kernels| makes_unit(kernels, unit)) {
        return UnitState::Made;
    }
    let own = all
        .iter()
        .find(|kernels| kernels.kernel.value == unit || unit_number(kernels, unit).is_some());
    match own {
        Some(kernels) => UnitState::NotMade(kernels),
        None if unit.len() > 2 && unit.ends_with("_1") => UnitState::ByDefault,
        None => UnitState::Undeclared,
    }
}

/// The units that the file names, each once, and whether all that is named there is a unit of a kernel.
fn list_units(connectivity: &Connectivity) -> Vec<(&Located<String>, bool)> {
    let pins = connectivity.memory.iter().map(|pin| (&pin.unit, true));
    let dies = connectivity.slr.iter().map(|pin| (&pin.unit, true));
    let ends =
        connectivity.streams.iter().flat_map(|link| [(&link.from, false), (&link.to, false)]);
    let mut seen = BTreeSet::new();
    pins.chain(dies).chain(ends).filter(|(unit, _)| seen.insert(unit_name(&unit.value))).collect()
}

/// The end of a stream without its port.
fn unit_name(unit: &str) -> &str {
    unit.split_once('.').map_or(unit, |(unit, _)| unit)
}

/// Why the names of an `nk` do not fit it.
fn find_misfit(kernels: &Kernels) -> Option<String> {
    let names: BTreeSet<&str> = kernels.names.iter().map(|name| name.value.as_str()).collect();
    let given = kernels.names.len();
    let units = usize::try_from(kernels.count.value).unwrap_or(usize::MAX);
    if given == 0 {
        None
    } else if names.len() < kernels.names.len() {
        Some("one name is given twice".to_owned())
    } else if given != units {
        Some(format!("{} and {}", count(units, "unit"), count(given, "name")))
    } else {
        None
    }
}

/// What is wrong at one place.
struct UnitProblem {
    what: ProblemKind,
    /// The kernel or the unit.
    name: String,
    case: Occurrence,
}

#[derive(Clone, Copy, Eq, PartialEq)]
enum ProblemKind {
    Misnamed,
    NotMade,
    Undeclared,
}

/// All that is wrong, the light cases behind the grave ones.
fn find_problems(connectivity: &Connectivity) -> Vec<UnitProblem> {
    let (mut grave, mut light) = (Vec::new(), Vec::new());
    for kernels in &connectivity.kernels {
        if let Some(text) = find_misfit(kernels) {
            let kernel = &kernels.kernel.value;
            let case = Occurrence::new(format!("nk={kernel}"), Label::new(kernels.span, text));
            grave.push(UnitProblem { what: ProblemKind::Misnamed, name: kernel.clone(), case });
        }
    }
    for (unit, of_kernel) in list_units(connectivity) {
        let own = unit_name(&unit.value);
        match find_state(connectivity, own) {
            UnitState::NotMade(kernels) => {
                let text =
                    format!("`nk={}` makes {}", kernels.kernel.value, describe_made(kernels));
                let case = Occurrence::new(own, Label::new(unit.span, text));
                grave.push(UnitProblem { what: ProblemKind::NotMade, name: own.to_owned(), case });
            }
            UnitState::Undeclared if of_kernel && connectivity.unread.is_empty() => {
                let text = format!("no `nk` of this file makes `{own}`");
                let case = Occurrence::new(own, Label::new(unit.span, text));
                light.push(UnitProblem {
                    what: ProblemKind::Undeclared,
                    name: own.to_owned(),
                    case,
                });
            }
            UnitState::Made | UnitState::ByDefault | UnitState::Undeclared => {}
        }
    }
    grave.extend(light);
    grave
}

fn make_finding(analysis: &Analysis, file: FileId, wrong: Vec<UnitProblem>) -> Option<Finding> {
    let of = |what| {
        let of = wrong.iter().filter(move |one| one.what == what);
        of.map(|one| one.name.clone()).collect::<Vec<String>>()
    };
    let found = ComputeUnits {
        file: analysis.sources.name(file).to_owned(),
        not_made: of(ProblemKind::NotMade),
        undeclared: of(ProblemKind::Undeclared),
        misnamed: of(ProblemKind::Misnamed),
    };
    let light = wrong.iter().all(|one| one.what == ProblemKind::Undeclared);
    let level = if light { Level::Warning } else { Level::Error };
    let cases: Vec<Occurrence> = wrong.into_iter().map(|one| one.case).collect();
    let units: Vec<&str> =
        found.not_made.iter().chain(&found.undeclared).map(String::as_str).collect();
    let message = match (units.len(), found.misnamed.len()) {
        (0, 0) => return None,
        (0, kernels) => format!("{} of units and names that do not fit", count_nk(kernels)),
        (many, 0) => {
            format!("{} no `nk` makes: {}", count_units(many), list_names(units.into_iter()))
        }
        (many, kernels) => {
            format!(
                "{} no `nk` makes, and {} whose names do not fit",
                count_units(many),
                count_nk(kernels)
            )
        }
    };
    Some(
        Finding::new(CODE, level, found.file.clone())
            .with_message(message)
            .with_labels(first_labels(&cases))
            .with_note(
                "a kernel without `nk`, or with a count alone, has units named `kernel_1`, \
                    `kernel_2`...",
            )
            .with_help("write `nk=kernel:count:name.name`, or use the names that v++ gives")
            .with_evidence(evidence(&found)),
    )
}

fn count_nk(number: usize) -> String {
    if number == 1 { "an `nk`".to_owned() } else { format!("{number} `nk`s") }
}

fn count_units(number: usize) -> String {
    format!("{} that", count(number, "compute unit"))
}
