//! A memory port is so narrow that the kernel waits for it.
//!
//! ## What it does
//!
//! Schedules every kernel of the sources, without the tool, and then anew with each narrow `m_axi` port made 512 bits
//! wide, the loops that use it unrolled to its lanes and their arrays cut alike. It reports ports whose widening makes
//! the whole kernel at least 1.5 times as fast, and only where one channel of the memory gives so much more. Other ports that the same loops use are made as many elements wide. Ports
//! that move fewer than 1,024 elements, or a number that is not known, are not judged. Nor are numbers, of which the tool makes no such port, members of structs, ports of
//! which an iteration needs several elements, and kernels that mostly wait for a sum. Nor are
//! ports whose widening saves more than 4 cycles a beat: unrolling saves them, or another array of the loop. Where data decide how often a loop
//! runs, the cycles are those of the iterations that its `LOOP_TRIPCOUNT` gives, and the finding is a note.
//!
//! The tool may widen such a port by itself. That saves beats on the bus, but a loop that takes one element in each
//! iteration takes as many cycles as before. Where a report of this source has the port wider than its elements, nothing is
//! said. Where a kernel for v++ copies with `memcpy`, which the tool makes wide with its port,
//! the finding is a note.
//!
//! ## Why it matters
//!
//! A port of 8 bits moves 1 byte a cycle: 300 MB/s at 300 MHz, where a port of 512 bits moves 19.2 GB/s. Bandwidth that
//! is counted by the pseudo channel is then off by the factor of the widths.
//!
//! ## Example
//!
//! ```cpp
//! void top(const int8_t a[65536], ...) {   // 65,536 cycles to read it; 1,024 at 512 bits
//! ```
//!
//! ## How to fix
//!
//! Move `ap_uint<512>` or `hls::vector<T, N>` words over the port and take them apart inside.

use std::cell::LazyCell;
use std::collections::BTreeSet;

use crate::AuditInput;
use derate_advice::{Advice, Change, find_wide_ports};
use derate_estimate::{KernelModels, ModelledKernel, is_stencil};
use derate_hls::{Function, MemoryPort};
use derate_kernel::ir::{Stmt, any_in};
use derate_kernel::{Directives, Settings};
use derate_machine::{Platform, m_axi::is_scalar};
use serde_json::json;

use crate::modelled::{
    conditions, each_kernel, hedge_rewritten, line_span, list_differences, may_widen,
};
use crate::{Finding, Level};
use derate_units::figures::{grouped, list_few, significant};

/// What makes a kernel less than so much faster is not reported.
const LEAST_GAIN: f64 = 1.5;
/// What moves fewer elements waits for the memory's latency rather than for the width.
const FEWEST_BEATS: f64 = 1024.0;
/// A beat that is not moved saves at most so many cycles: what is saved beyond is not saved by the width.
const MOST_CYCLES: f64 = 4.0;
/// Loops that are named.
const SHOWN: usize = 4;

pub(super) fn check_project(input: &AuditInput<'_>, platform: &Platform) -> Vec<Finding> {
    each_kernel(input)
        .flat_map(|(models, kernel)| report_kernel(input, platform, models, kernel))
        .collect()
}

fn report_kernel(
    input: &AuditInput<'_>,
    platform: &Platform,
    models: &KernelModels,
    kernel: &ModelledKernel,
) -> Vec<Finding> {
    let (program, answer) = (&kernel.program, &kernel.answer);
    let settings = &Settings { clock_ns: 1e9 / kernel.clock.0, ..models.settings.clone() };
    let advice = find_wide_ports(program, &Directives::default(), settings, answer, LEAST_GAIN);
    // One look at the reports for all advice.
    let widened = LazyCell::new(|| list_widened(input, kernel));
    let mut covered: Vec<&str> = Vec::new();
    let mut found = Vec::new();
    for one in advice.iter().filter(|one| one.before >= one.after * LEAST_GAIN) {
        let Change::Widen { port, with, from, .. } = &one.change else { continue };
        if platform.channel_gain(*from, settings.clock_ns) < LEAST_GAIN {
            continue;
        }
        let mut tops = input.code.functions().filter(|one| one.name == answer.top);
        let is_number = |function: &Function| {
            function.parameters.iter().any(|one| one.name == *port && is_scalar(one))
        };
        if tops.any(is_number) || is_among(&widened, kernel, port) {
            continue;
        }
        let is_covered = covered.contains(&port.as_str());
        let held = std::iter::once(port).chain(with).any(|port| kernel.is_held_by(port));
        if is_covered || held || is_stencil(&kernel.program) || kernel.waits_for_sum(one) {
            continue;
        }
        covered.extend(with.iter().map(String::as_str));
        let finding = report_port(input, models, kernel, one);
        found.extend(finding.map(|one| hedge_rewritten(input, &answer.top, one)));
    }
    found
}

/// The ports that reports of this source have wider than their elements, in small letters: the tool has done it by itself.
fn list_widened(input: &AuditInput<'_>, kernel: &ModelledKernel) -> BTreeSet<String> {
    let solutions = input.gather_solutions();
    let all = input.syntheses().iter().chain(&solutions).filter(|one| {
        one.top == kernel.answer.top
            && one.ports.iter().any(MemoryPort::is_widened)
            && list_differences(input, one, kernel).is_empty()
    });
    let wide = all.flat_map(|one| &one.ports).filter(|one| one.is_widened());
    wide.map(|one| one.name.value.trim_start_matches("m_axi_").to_ascii_lowercase()).collect()
}

/// Whether the port's bundle is among them.
fn is_among(widened: &BTreeSet<String>, kernel: &ModelledKernel, port: &str) -> bool {
    let own = kernel.answer.ports.iter().find(|one| one.name == port);
    let bundle = own.and_then(|one| one.bundle.as_deref());
    bundle.is_some_and(|bundle| widened.contains(&bundle.to_ascii_lowercase()))
}

/// The loops that data decide: their cycles are those of an assumption.
fn list_given(kernel: &ModelledKernel) -> Option<String> {
    let given = kernel.answer.loops.iter().filter(|one| one.trip_is_given);
    let names: BTreeSet<&str> = given.map(|one| one.label.as_str()).collect();
    let shown: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let shown = list_few(&shown, SHOWN);
    (!names.is_empty()).then(|| {
        format!(
            "data decide how often {shown} iterate: `LOOP_TRIPCOUNT`, or else the bound, is assumed"
        )
    })
}

/// What the tool may do with a port that is copied with `memcpy`, a note each.
const WIDENED: [&str; 2] = [
    "the kernel copies with `memcpy`: where v++ links, the tool widens the port of such a copy to 512 bits by itself \
     (`m_axi_max_widen_bitwidth`)",
    "the report of the tool says how wide it made the port (`Data Width`)",
];

/// Whether the kernel copies with `memcpy`, and the tool makes the port of such a copy wider by itself.
fn is_widened(
    input: &AuditInput<'_>,
    models: &KernelModels,
    kernel: &ModelledKernel,
    port: &str,
) -> bool {
    let is_copy =
        |stmt: &Stmt| matches!(stmt, Stmt::Loop(item) if item.label.starts_with("memcpy"));
    let mut functions = kernel.program.functions.iter();
    functions.any(|function| any_in(&function.body, &mut |stmt| is_copy(stmt)))
        && may_widen(input, models, kernel, port)
}

fn report_port(
    input: &AuditInput<'_>,
    models: &KernelModels,
    kernel: &ModelledKernel,
    advice: &Advice,
) -> Option<Finding> {
    let Change::Widen { port, with, from, to, beats } = &advice.change else { return None };
    // The members of a struct share one port.
    if port.contains('.') || beats.0 < FEWEST_BEATS {
        return None;
    }
    // More than the beats take is saved elsewhere: by unrolling, or at another array of the loop.
    if advice.before - advice.after > MOST_CYCLES * (beats.0 - beats.1) {
        return None;
    }
    let together = match with.as_slice() {
        [] => String::new(),
        others => format!(", with `{}`", others.join("`, `")),
    };
    let (top, place) = (&kernel.answer.top, line_span(input, kernel, advice.place)?);
    let (now, then) = (grouped(advice.before), grouped(advice.after));
    let given = list_given(kernel);
    let widened = is_widened(input, models, kernel, port).then_some(WIDENED);
    let (level, condition) = match (&given, widened) {
        (None, None) => (Level::Warning, ""),
        (None, Some(_)) => (Level::Note, ""),
        (Some(_), _) => (Level::Note, ", for the iterations that are assumed"),
    };
    Some(
        Finding::new("kernel/narrow-port", level, format!("{top}::{port}"))
            .in_group(top.clone())
            .with_message(format!(
                "port `{port}` of `{top}` is {from} bits wide: the kernel takes {now} cycles, and {then} with {to} bits{together}{condition}"
            ))
            .with_notes(given)
            .with_notes(widened.into_iter().flatten())
            .with_label(
                place,
                format!("{} beats of {from} bits; {} of {to} bits", grouped(beats.0), grouped(beats.1)),
            )
            .with_note(format!(
                "{} times as fast with this port {to} bits wide, its loops unrolled and their arrays cut to its lanes",
                significant(advice.before / advice.after, 2)
            ))
            .with_note(conditions(models, kernel))
            .with_help(format!(
                "move words of {to} bits over `{port}` and take them apart inside the kernel"
            ))
            .with_evidence(json!({
                "kernel": top,
                "port": port,
                "with": with,
                "bits": from,
                "wide_bits": to,
                "beats": beats.0,
                "wide_beats": beats.1,
                "cycles": advice.before,
                "wide_cycles": advice.after,
            })),
    )
}
