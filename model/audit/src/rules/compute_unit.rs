//! A compute unit that no `nk` makes, or an `nk` whose names do not fit its count.
//!
//! ## What it does
//!
//! Holds the units that `sp=`, `slr=` and `stream_connect=` of the v++ configuration name against its `nk=` entries. An
//! `nk` without names makes `kernel_1`, `kernel_2` and so on, and a kernel without `nk` is one unit, `kernel_1`. A unit
//! whose kernel has an `nk` and which that `nk` does not make is an error, as is an `nk` with more or fewer names than
//! units, or with one name twice. A unit that no `nk` of the file is about is a warning: the `nk` may be on v++'s
//! command line. A file without any `nk` is not judged so: TAPA, for one, gives that option itself. The ends of streams are judged only where their kernel has an `nk`, and no unit is reported as undeclared
//! where a line of the file is filled in by another program. An `sp=` whose argument the definition of the kernel does not have is a
//! warning.
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

use derate_hls::{Connectivity, Kernels, Located, MemoryPin};
use serde::Serialize;
use serde_json::json;

use super::shared_bank::link_kernels;
use crate::AuditInput;
use crate::{Finding, Level};
use derate_units::figures::count;

/// What the file says of a unit.
enum UnitState<'a> {
    Made,
    /// The kernel has an `nk`, which makes other units.
    NotMade(&'a Kernels),
    /// It has the name that v++ gives to the one unit of a kernel without `nk`.
    ByDefault,
    Undeclared,
}

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let Some((_, connectivity)) = &input.build.connectivity else { return Vec::new() };
    let names = connectivity.kernels.iter().filter_map(report_names);
    let units = list_units(connectivity).into_iter();
    let units = units.filter_map(|(unit, of_kernel)| report_unit(connectivity, unit, of_kernel));
    let kernels = link_kernels(input, connectivity);
    let is_lost = |pin: &&MemoryPin| !connectivity.is_template() && kernels.lacks(pin);
    let lost = connectivity.memory.iter().filter(is_lost).map(|pin| {
        let (kernel, name) = (kernels.kernel_of_unit(&pin.unit.value), &pin.argument.value);
        Finding::new("connectivity/compute-unit", Level::Warning, name)
            .by_file()
            .with_message(format!("`{kernel}` has no argument `{name}`"))
            .with_label(pin.span, format!("the definition of `{kernel}` does not name it"))
            .with_help("name an argument of the definition, or remove the line")
            .with_evidence(json!({ "kind": "no-argument", "name": name }))
            .with_cause(kernel, format!("`{name}`"), 0.0)
    });
    names.chain(units).chain(lost).collect()
}

fn find_state<'a>(connectivity: &'a Connectivity, unit: &str) -> UnitState<'a> {
    let all = &connectivity.kernels;
    if all.iter().any(|kernels| kernels.makes_unit(unit)) {
        return UnitState::Made;
    }
    let own = all
        .iter()
        .find(|kernels| kernels.kernel.value == unit || kernels.unit_number(unit).is_some());
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
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
enum ProblemKind {
    /// The kernel's `nk` has other names than units.
    Misnamed,
    /// The kernel's `nk` does not make the unit.
    NotMade,
    /// No `nk` of the file is about the unit.
    Undeclared,
}

fn report_names(kernels: &Kernels) -> Option<Finding> {
    let (kernel, misfit) = (&kernels.kernel.value, find_misfit(kernels)?);
    let message = format!("the names of `nk={kernel}` do not fit: {misfit}");
    let finding = new_finding(ProblemKind::Misnamed, kernel).with_message(message);
    Some(finding.with_label(kernels.span, misfit))
}

fn report_unit(
    connectivity: &Connectivity,
    unit: &Located<String>,
    of_kernel: bool,
) -> Option<Finding> {
    let own = unit_name(&unit.value);
    let (kind, text) = match find_state(connectivity, own) {
        UnitState::NotMade(kernels) => {
            let (kernel, made) = (&kernels.kernel.value, kernels.describe_units());
            (ProblemKind::NotMade, format!("`nk={kernel}` makes {made}"))
        }
        UnitState::Undeclared
            if of_kernel && connectivity.unread.is_empty() && !connectivity.kernels.is_empty() =>
        {
            (ProblemKind::Undeclared, format!("no `nk` of this file makes `{own}`"))
        }
        UnitState::Made | UnitState::ByDefault | UnitState::Undeclared => return None,
    };
    let finding = new_finding(kind, own);
    Some(
        finding
            .with_message(format!("no `nk` makes compute unit `{own}`"))
            .with_label(unit.span, text),
    )
}

fn new_finding(kind: ProblemKind, name: &str) -> Finding {
    let level = match kind {
        ProblemKind::Misnamed | ProblemKind::NotMade => Level::Error,
        ProblemKind::Undeclared => Level::Warning,
    };
    Finding::new("connectivity/compute-unit", level, name)
        .by_file()
        .with_note(
            "a kernel without `nk`, or with a count alone, has units named `kernel_1`, \
             `kernel_2`...",
        )
        .with_help("write `nk=kernel:count:name.name`, or use the names that v++ gives")
        .with_evidence(json!({ "kind": kind, "name": name }))
}
