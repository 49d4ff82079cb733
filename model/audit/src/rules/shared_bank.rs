//! Several arguments are pinned to the same memory bank.
//!
//! ## What it does
//!
//! Looks in the v++ configuration for HBM and DDR banks to which `sp=` pins more than one argument, alone or within a
//! range such as `HBM[0:3]`. A memory without a number is not judged: which bank v++ takes is unknown then. Memory of
//! the host (`HOST[0]`) is not judged either: it is not a bank of the card.
//!
//! Arguments that are all of different kernels are a note: a buffer that one kernel hands over to another lies in one bank,
//! and both have to be pinned to it. So are arguments that each have a range of at least as many banks: the host may
//! place their buffers apart. So are arguments of one kernel whose source uses no two of them in one loop or dataflow
//! region. Where the source uses one of them through another pointer, or in a call without a body, that is not known.
//! Arguments of one `m_axi` bundle are not reported: they share one port, and a second bank gives it nothing.
//!
//! ## Why it matters
//!
//! A bank serves one access at a time. Two ports on one channel of HBM have half of its bandwidth each, and ports on
//! one range meet in the same banks unless their buffers are placed apart. The card's bandwidth is that of all banks at
//! once.
//!
//! ## Example
//!
//! ```ini
//! sp=vadd_1.in1:HBM[0]
//! sp=vadd_1.in2:HBM[0]
//! ```
//!
//! ## How to fix
//!
//! Give each argument that is accessed at the same time a bank of its own. Where they are used one
//! after another and the source does not show it, set the rule's level to `off` or `note` in `[audit.levels]`.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{BankRange, ConcurrentUses, Connectivity, Function, MemoryPin};
use derate_machine::m_axi::m_axi_ports;
use serde_json::json;

use crate::AuditInput;
use crate::{Finding, Label, Level};
use derate_units::figures::count;

/// More banks than any card has: a range beyond is a slip, and not gone through.
const BANKS: u64 = 1024;

/// How many arguments of a bank are labelled.
const LABELLED: usize = 3;

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let Some((_, connectivity)) = &input.build.connectivity else { return Vec::new() };
    let functions: Vec<&Function> = input.code.functions().collect();
    let shared = find_shared(&connectivity.memory).into_iter();
    let apart =
        |(_, pins): &(BankRange, Vec<&MemoryPin>)| !share_one_port(connectivity, &functions, pins);
    shared
        .filter(apart)
        .map(|(banks, pins)| report_shared(connectivity, &functions, &banks, &pins))
        .collect()
}

/// The function of the kernel that all of these arguments are of, if it is known and they are of one compute unit.
fn find_kernel<'a>(
    connectivity: &Connectivity,
    functions: &[&'a Function],
    pins: &[&MemoryPin],
) -> Option<&'a Function> {
    let unit = &pins.first()?.unit.value;
    let kernel = connectivity.kernel_of_unit(unit);
    let mut named = functions.iter().filter(|one| one.name == kernel && one.body.is_some());
    let (only, None) = (named.next()?, named.next()) else { return None };
    pins.iter().all(|pin| pin.unit.value == *unit).then_some(*only)
}

/// Whether the arguments are of one `m_axi` bundle: they share one port, whose accesses no second bank makes more.
fn share_one_port(
    connectivity: &Connectivity,
    functions: &[&Function],
    pins: &[&MemoryPin],
) -> bool {
    let Some(kernel) = find_kernel(connectivity, functions, pins) else { return false };
    let ports = m_axi_ports(kernel);
    let find = |pin: &&MemoryPin| {
        let port = ports.iter().find(|port| port.parameter.name == pin.argument.value)?;
        port.bundle.as_deref()
    };
    let bundles: Option<BTreeSet<&str>> = pins.iter().map(find).collect();
    bundles.is_some_and(|bundles| bundles.len() == 1)
}

/// Whether the source of their kernel shows that no two of the arguments are used at the same time.
fn take_turns(connectivity: &Connectivity, functions: &[&Function], pins: &[&MemoryPin]) -> bool {
    let Some(kernel) = find_kernel(connectivity, functions, pins) else { return false };
    let names: Vec<&str> = pins.iter().map(|pin| pin.argument.value.as_str()).collect();
    let is_parameter = |name: &&str| kernel.parameters.iter().any(|one| one.name == **name);
    let uses = ConcurrentUses::find(kernel, functions);
    let is_known = |name: &&str| is_parameter(name) && uses.has_use(name) && !uses.is_open(name);
    names.iter().all(is_known) && !uses.any_meet(&names)
}

fn report_shared(
    connectivity: &Connectivity,
    functions: &[&Function],
    banks: &BankRange,
    pins: &[&MemoryPin],
) -> Finding {
    let arguments: Vec<String> = pins.iter().map(|pin| argument_name(pin)).collect();
    let number = count(arguments.len(), "argument");
    let labels = pins.iter().take(LABELLED);
    let kernels: BTreeSet<&str> =
        pins.iter().map(|pin| connectivity.kernel_of_unit(&pin.unit.value)).collect();
    let may_hand_over = kernels.len() == pins.len();
    let room = pins.iter().filter_map(|pin| pin.banks.value.count()).min().unwrap_or(1);
    let may_be_apart = usize::try_from(room).is_ok_and(|room| room >= pins.len());
    let take_turns = take_turns(connectivity, functions, pins);
    let level =
        if may_hand_over || may_be_apart || take_turns { Level::Note } else { Level::Warning };
    let in_turn = "the kernel reads or writes no two of them in one loop or dataflow region";
    let placed = "the host may place their buffers in different banks of their ranges";
    let handed = "a buffer that one kernel writes and another reads has to be on one bank for both";
    Finding::new("connectivity/shared-bank", level, banks.to_string())
        .by_file()
        .with_message(format!("{number} share {banks}"))
        .with_labels(labels.map(|pin| Label::new(pin.span, format!("here on {}", pin.banks.value))))
        .with_note(format!("{banks}: {}", arguments.join(", ")))
        .with_notes(may_hand_over.then(|| handed.to_owned()))
        .with_notes(may_be_apart.then(|| placed.to_owned()))
        .with_notes(take_turns.then(|| in_turn.to_owned()))
        .with_help("pin each argument that is accessed at the same time to a bank of its own")
        .with_evidence(json!({ "banks": banks.to_string(), "arguments": arguments }))
}

/// Banks with more than one argument; neighbours with the same arguments are one range.
fn find_shared(pins: &[MemoryPin]) -> Vec<(BankRange, Vec<&MemoryPin>)> {
    let mut on: BTreeMap<(&str, u64), Vec<&MemoryPin>> = BTreeMap::new();
    for pin in pins {
        let banks = &pin.banks.value;
        let (Some(first), Some(last)) = (banks.first, banks.last) else { continue };
        let judged = matches!(banks.memory.as_str(), "HBM" | "DDR");
        if !judged || banks.count().is_none_or(|number| number > BANKS) {
            continue;
        }
        for bank in first..=last {
            let here = on.entry((&banks.memory, bank)).or_default();
            // An argument that is pinned twice does not share with itself.
            if here.iter().all(|other| argument_name(other) != argument_name(pin)) {
                here.push(pin);
            }
        }
    }
    let mut groups: Vec<(BankRange, Vec<&MemoryPin>)> = Vec::new();
    for ((memory, bank), here) in on.into_iter().filter(|(_, here)| here.len() > 1) {
        match groups.last_mut() {
            Some((range, same))
                if *same == here
                    && range.memory == memory
                    && range.last.and_then(|last| last.checked_add(1)) == Some(bank) =>
            {
                range.last = Some(bank);
            }
            _ => {
                let range =
                    BankRange { memory: memory.to_owned(), first: Some(bank), last: Some(bank) };
                groups.push((range, here));
            }
        }
    }
    groups
}

fn argument_name(pin: &MemoryPin) -> String {
    format!("{}.{}", pin.unit.value, pin.argument.value)
}
