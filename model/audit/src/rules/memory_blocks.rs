//! The arrays of a kernel need more block memories than the card has.
//!
//! ## What it does
//!
//! Schedules every kernel of the sources, without the tool, and counts the BRAM18 and URAM of its arrays after partition:
//! every bank that is too large for LUT takes at least one block. The sum, times the compute units that `nk=` makes,
//! is compared with what the card's shell leaves. Below a tenth above that nothing is said: the count of one array may
//! differ from the tool's. Nothing is said where a report of this source says that it fits; where one says that it does not, the finding is a note. Where the bits of the banks would fit if each block were filled, place and route may find room: then the
//! finding is a note. So it is where scripts build the design for another chip, too, which has enough. Where a branch cannot be decided, as a macro of it is defined nowhere, a side of it may not be
//! built with its arrays: then the finding is a note, too. So it is where the solution that is taken is a step: a later one of
//! its script makes arrays FIFOs (`config_dataflow -default_channel fifo`, `set_directive_stream`), and where it would fit without the
//! tables of integer constants, whose words the tool makes no wider than their values. Where the bits alone fill more
//! than there is, the message has their number, whatever the banks are. Kernels whose largest arrays have the same names and sizes
//! are one finding.
//!
//! ## Why it matters
//!
//! Synthesis of a kernel that is too large ends well; placing it fails hours later.
//!
//! ## Example
//!
//! ```cpp
//! float w[4096][256];
//! #pragma HLS array_partition variable=w cyclic factor=4096 dim=1   // 4,096 banks: more than a U280 has BRAM18
//! ```
//!
//! ## How to fix
//!
//! Keep less on the chip where one array is too large by itself: lines or a tile, or a stream. Else partition no further than the accesses of one iteration need, put wide words into fewer banks (`array_reshape`), or
//! bind large arrays to URAM.

use crate::AuditInput;
use derate_estimate::{
    KernelModels, ModelledKernel, SolutionName, count_filled, count_full, count_used,
    fits_by_report,
};
use derate_hls::Synthesis;
use derate_kernel::{ArrayAnswer, Part, find_part, ir};
use serde_json::json;

use crate::modelled::{conditions, each_kernel, hedge_rewritten, line_span, list_differences};
use crate::{Finding, Level};
use derate_units::figures::{grouped, list_few};

/// What is less above the card's number may be the model's error.
const MARGIN: f64 = 1.1;
/// Arrays that are named.
const NAMED: usize = 3;

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let mut found: Vec<(Cause, Finding, Vec<String>)> = Vec::new();
    for (models, kernel) in each_kernel(input) {
        for is_uram in [false, true] {
            let Some((cause, finding)) = report_kernel(input, models, kernel, is_uram) else {
                continue;
            };
            let available = find_available(input, models, is_uram);
            let fits = |one: &Synthesis| {
                fits_by_report(one, kernel, is_uram, available)
                    && list_differences(input, one, kernel).is_empty()
            };
            if input.syntheses().iter().any(fits) {
                continue;
            }
            let mut finding = hedge_rewritten(input, &kernel.answer.top, finding);
            // `report/utilisation` says so.
            let exceeds = |one: &Synthesis| {
                count_used(one, kernel, is_uram).is_some_and(|used| used > available)
                    && list_differences(input, one, kernel).is_empty()
            };
            if input.syntheses().iter().any(exceeds) {
                finding.level = Level::Note;
                finding = finding.with_note("a report of this source has more than there is, too");
            }
            if let Some(roomier) = find_roomier(input, &finding, is_uram) {
                finding.level = Level::Note;
                finding = finding.with_note(roomier);
            }
            if let Some(later) = find_streamed(input, kernel) {
                finding.level = Level::Note;
                finding = finding.with_note(later);
            }
            let is_it = |(known, first, _): &&mut (Cause, Finding, Vec<String>)| {
                *known == cause && first.level == finding.level
            };
            match found.iter_mut().find(is_it) {
                Some((.., others)) => others.push(format!("`{}`", kernel.answer.top)),
                None => found.push((cause, finding, Vec::new())),
            }
        }
    }
    let noted = found.into_iter().map(|(_, finding, others)| {
        let note = (!others.is_empty()).then(|| {
            let kernels = if others.len() == 1 { "kernel has" } else { "kernels have" };
            let names = list_few(&others, NAMED);
            format!("{} more {kernels} arrays of these names and sizes: {names}", others.len())
        });
        finding.with_notes(note)
    });
    noted.collect()
}

/// The largest arrays with their bits, and whether it is of `UltraRAM`.
type Cause = (Vec<(String, u64)>, bool);

/// Another chip that scripts build the design for, and that has as many blocks as are needed.
fn find_roomier(input: &AuditInput<'_>, finding: &Finding, is_uram: bool) -> Option<String> {
    let needed = finding.evidence.get("needed")?.as_f64()?;
    let mut others = input.other_parts().iter().filter_map(|name| find_part(name));
    #[allow(clippy::cast_precision_loss)]
    let blocks = |part: &Part| if is_uram { part.uram as f64 } else { part.bram18 as f64 };
    let roomier = others.find(|part| blocks(part) >= needed)?;
    Some(format!(
        "scripts build it for {} too, which has {}",
        roomier.name,
        grouped(blocks(&roomier))
    ))
}

/// What is to be said where the solution that is taken is a step towards one with FIFOs in place of arrays.
fn find_streamed(input: &AuditInput<'_>, kernel: &ModelledKernel) -> Option<String> {
    let asked = input.asked()?.of_top(&kernel.answer.top);
    let name = |one: &SolutionName| one.solution.as_ref().map(|name| format!("`{name}`"));
    let (later, taken) = (asked.streamed_by.as_ref()?, asked.solution.as_ref()?);
    let (own, other) = (name(taken)?, name(later)?);
    Some(format!("this is of {own} of `{}`; {other} of it makes arrays FIFOs", later.file))
}

/// What the card's shell leaves, else what its chip has.
fn find_available(input: &AuditInput<'_>, models: &KernelModels, is_uram: bool) -> f64 {
    let shell =
        input.platform.and_then(|platform| platform.shells.first()).map(|shell| &shell.resources);
    let part = &models.settings.part;
    // What may be too much of an unknown amount is not said.
    let unknown = part.lacks_counts.then_some(f64::INFINITY);
    #[allow(clippy::cast_precision_loss)]
    if is_uram {
        let free = shell.and_then(|shell| shell.uram.as_ref());
        free.map_or(unknown.unwrap_or(part.uram as f64), |free| free.value)
    } else {
        let free = shell.and_then(|shell| shell.bram36.as_ref());
        free.map_or(unknown.unwrap_or(part.bram18 as f64), |free| 2.0 * free.value)
    }
}

fn report_kernel(
    input: &AuditInput<'_>,
    models: &KernelModels,
    kernel: &ModelledKernel,
    is_uram: bool,
) -> Option<(Cause, Finding)> {
    let blocks = |one: &ArrayAnswer| if is_uram { one.uram } else { one.bram18 };
    let name = if is_uram { "URAM" } else { "BRAM18" };
    let one_unit: f64 = kernel.answer.arrays.iter().map(blocks).sum();
    #[allow(clippy::cast_precision_loss)]
    let needed = one_unit * kernel.units as f64;
    let available = find_available(input, models, is_uram);
    if needed <= available * MARGIN {
        return None;
    }
    let mut arrays: Vec<&ArrayAnswer> = kernel.answer.arrays.iter().collect();
    arrays.sort_by(|a, b| blocks(b).total_cmp(&blocks(a)));
    arrays.truncate(NAMED);
    arrays.retain(|one| blocks(one) > 0.0);
    let largest = arrays.first()?;
    let place = find_object(&kernel.program, &largest.name)
        .and_then(|place| line_span(input, kernel, place))
        .or_else(|| line_span(input, kernel, kernel.program.functions.first()?.place))?;
    let top = &kernel.answer.top;
    let units = match kernel.units {
        1 => String::new(),
        units => format!(" in {units} compute units"),
    };
    // Whatever the banks are.
    let filled: f64 = kernel.answer.arrays.iter().map(|one| count_filled(one, is_uram)).sum();
    #[allow(clippy::cast_precision_loss)]
    let filled = filled * kernel.units as f64;
    let is_too_large = filled > available;
    let undecided = kernel.program.undecided.map(|place| name_place(kernel, place));
    let least: f64 = kernel.answer.arrays.iter().map(|one| count_full(one, is_uram)).sum();
    #[allow(clippy::cast_precision_loss)]
    let least = least * kernel.units as f64;
    let may_fit = least <= available;
    let constants = kernel.answer.arrays.iter().filter(|one| one.may_be_narrower);
    let constants: f64 = constants.map(|one| count_full(one, is_uram)).sum();
    #[allow(clippy::cast_precision_loss)]
    let may_be_narrower = least - constants * kernel.units as f64 <= available;
    let level = if undecided.is_some() || may_fit || may_be_narrower {
        Level::Note
    } else {
        Level::Warning
    };
    let own = if is_too_large { count_filled(largest, is_uram) } else { blocks(largest) };
    let labels = format!("{} {name} of them for `{}`", grouped(own), largest.name);
    let (verb, amount) = if is_too_large {
        ("have bits for", format!("{} or more", grouped(filled)))
    } else {
        ("need", grouped(needed))
    };
    let cause = arrays.iter().map(|one| (one.name.clone(), one.bits)).collect();
    Some((
        (cause, is_uram),
        Finding::new("kernel/memory-blocks", level, top.clone())
            .with_message(format!(
                "the arrays of `{top}`{units} {verb} {amount} {name}; {} has {} for kernels",
                input.platform.map_or(&models.settings.part.name, |platform| &platform.name),
                grouped(available)
            ))
            .with_label(place, labels)
            .with_notes(arrays.iter().map(|one| {
                let banks = (!is_too_large).then(|| (one.banks, blocks(one)));
                describe_array(one, banks, name)
            }))
            .with_notes(may_fit.then(|| {
                format!("the bits of their banks fill {} {name}: place and route may find room", grouped(least))
            }))
            .with_notes((may_be_narrower && !may_fit).then_some(
                "of constants the tool keeps no more bits than their values have: they may take less",
            ))
            .with_notes(undecided.map(|place| {
                format!("which side of the branch in {place} is built is not known: its arrays may not be there")
            }))
            .with_note(conditions(models, kernel))
            .with_help(advise_on(largest, is_too_large))
            .with_evidence(json!({
                "kernel": top,
                "resource": name,
                "needed": needed,
                "available": available,
                "units": kernel.units,
                "filled": filled,
                "largest": largest.name,
                "banks": largest.banks,
            })),
    ))
}

/// What to do about the largest array: in one bank, it is too large by itself.
fn advise_on(largest: &ArrayAnswer, is_too_large: bool) -> &'static str {
    if largest.banks > 1 && !is_too_large {
        "partition no further than one iteration needs, reshape instead of partition, or bind large arrays to the other kind of memory"
    } else {
        "keep a part of the data on the chip (lines, a window, a tile), pass it on as a stream, or leave it in external memory"
    }
}

/// The bits of an array, and with its banks the blocks that they take.
#[allow(clippy::cast_precision_loss)]
fn describe_array(one: &ArrayAnswer, banks: Option<(u64, f64)>, name: &str) -> String {
    let copies = if one.copies == 1 { String::new() } else { format!("{} copies of ", one.copies) };
    let bits = format!("`{}`: {copies}{} bits", one.name, grouped(one.bits as f64));
    match banks {
        None => bits,
        Some((1, blocks)) => format!("{bits} in 1 bank, {} {name}", grouped(blocks)),
        Some((banks, blocks)) => {
            format!("{bits} in {} banks, {} {name}", grouped(banks as f64), grouped(blocks))
        }
    }
}

/// The file and the line of a place.
fn name_place(kernel: &ModelledKernel, place: ir::Place) -> String {
    let file = kernel.program.files.get(usize::from(place.file)).map_or("", String::as_str);
    format!("{file}:{}", place.line)
}

/// Where an array is declared.
fn find_object(program: &ir::Program, name: &str) -> Option<ir::Place> {
    let objects = program.functions.iter().flat_map(|function| &function.objects);
    let is_it = |one: &&ir::Object| one.kind == ir::ObjectKind::Array && one.name == name;
    objects.chain(&program.globals).find(is_it).map(|one| one.place)
}
