//! Several arguments are pinned to the same memory bank.
//!
//! ## What it does
//!
//! Looks in the v++ configuration for HBM and DDR banks to which `sp=` pins more than one argument, alone or within a
//! range such as `HBM[0:3]`. A memory without a number is not judged: which bank v++ takes is unknown then. Memory of
//! the host (`HOST[0]`) is not judged either: it is not a bank of the card.
//!
//! Arguments that are all of different kernels are a note: a buffer that one kernel hands over to another lies in one bank,
//! and both have to be pinned to it. So are arguments whose ranges have room for all of them: the host may place their
//! buffers apart. Banks that ranges join are reported once: which of them two arguments share is not known. A single argument
//! on a range whose banks have one argument each is a note, and so are arguments of a memory all of whose banks have the same
//! number of arguments, or up to two more: no bank is free. Where no card is known, DDR has four banks, two beside HBM, and HBM 32. Arguments of one
//! kernel whose source uses no two of them in one loop or dataflow region are a note, too. Where the source uses one of
//! them through another pointer, or in a call without a body, that is not known.
//!
//! The banks of one configuration are one finding, which names each of them with its arguments.
//!
//! Nothing is said of arguments of one `m_axi` bundle: they share one port, and a second bank gives it nothing. Nor of an
//! argument that the definition of the kernel does not have (`connectivity/compute-unit`), or one without traffic. The source never uses it, by its name or by a macro, uses it once and not in a loop, or has at most
//! 256 accesses to it in a run of the kernel, such as a `depth=16` that one loop reads. Up to 64 accesses beside a loop of 1,024
//! iterations or more are as little. Nor of a configuration with placeholders
//! (`%NAME%`, `{{name}}`, `@NAME@`, `nk=gemm:*`), or whose kernels are all test benches by their names (`pe_tb`, `tb_pe`, `test_pe`).
//! The source of a kernel may be in another design of the folder.
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
//! Give each argument that is accessed at the same time a bank of its own. Where the configuration has more arguments than the
//! card has banks, place those on one bank that have the least traffic or are used one after another. Where they are used one
//! after another and the source does not show it, set the rule's level to `off` or `note` in `[audit.levels]`.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{Connectivity, MemoryPin, Resolver};
use derate_machine::banks::{BankGroup, BankTraffic, LinkedKernels, are_benches, find_bank_groups};
use serde_json::json;

use crate::AuditInput;
use crate::{Finding, Label, Level};
use derate_units::figures::{count, list_few};

/// Where all banks are taken, so many arguments more than on another bank are still spread.
const SPREAD: usize = 2;
/// How many arguments of a bank are labelled.
const LABELLED: usize = 3;
/// The banks of the cards that have most of them.
const DDR: u64 = 4;
const HBM: u64 = 32;
/// The banks of DDR of the cards that have HBM as well.
const DDR_BESIDE_HBM: u64 = 2;
/// How many arguments that are used at the same time are named.
const NAMED: usize = 8;

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let Some((_, connectivity)) = &input.build.connectivity else { return Vec::new() };
    if are_benches(connectivity) || connectivity.is_template() {
        return Vec::new();
    }
    let kernels = link_kernels(input, connectivity);
    let busy =
        connectivity.memory.iter().filter(|pin| !kernels.lacks(pin) && !kernels.is_idle(pin));
    let shared =
        find_bank_groups(busy).into_iter().filter(|one| !kernels.share_one_port(&one.pins));
    let help = |group: &BankGroup<'_>| help_spread(input, connectivity, group);
    let no_free = |group: &BankGroup<'_>| find_even_use(input, connectivity, group);
    shared.map(|group| report_shared(&kernels, &group, help(&group), no_free(&group))).collect()
}

/// The functions as the kernels of a configuration.
pub(super) fn link_kernels<'a>(
    input: &AuditInput<'a>,
    connectivity: &'a Connectivity,
) -> LinkedKernels<'a> {
    let (functions, constants) = (input.linked_functions(), input.code.constant_names());
    let files = input.macro_files();
    let resolver = Resolver::new(input.code.all_headers(), input.sources);
    LinkedKernels::new(input.sources, connectivity, functions, constants, files, resolver)
}

/// How many banks of a memory the card has; with no card known, as many as any card. And whether it is known.
fn number_of_banks(
    input: &AuditInput<'_>,
    connectivity: &Connectivity,
    memory: &str,
) -> (u64, bool) {
    let card = input.platform.and_then(|card| card.banks.iter().find(|one| one.memory == memory));
    let most = match memory {
        "DDR" if connectivity.memory.iter().any(|pin| pin.banks.value.memory == "HBM") => {
            DDR_BESIDE_HBM
        }
        "DDR" => DDR,
        "HBM" => HBM,
        _ => u64::MAX,
    };
    card.map_or((most, false), |one| (one.count.value, true))
}

/// What is to be said of arguments that no bank is left for: all of the memory have as many, or up to two more.
fn find_even_use(
    input: &AuditInput<'_>,
    connectivity: &Connectivity,
    group: &BankGroup<'_>,
) -> Option<String> {
    let memory = group.banks.memory.as_str();
    let (number, _) = number_of_banks(input, connectivity, memory);
    let mut on: BTreeMap<u64, BTreeSet<(&str, &str)>> = BTreeMap::new();
    for pin in connectivity.memory.iter().filter(|pin| pin.banks.value.memory == memory) {
        let bank = pin.banks.value.first.filter(|_| pin.banks.value.count() == Some(1))?;
        on.entry(bank).or_default().insert((&pin.unit.value, &pin.argument.value));
    }
    let (least, most) =
        (on.values().map(BTreeSet::len).min()?, on.values().map(BTreeSet::len).max()?);
    let is_all = u64::try_from(on.len()).is_ok_and(|used| used == number);
    let each = if least == most { least.to_string() } else { format!("{least} to {most}") };
    (is_all && on.keys().all(|bank| *bank < number) && most - least <= SPREAD).then(|| {
        format!("each of the {number} banks of {memory} has {each} arguments: none is free")
    })
}

/// What can be done: there are banks for all arguments, or there are not.
fn help_spread(
    input: &AuditInput<'_>,
    connectivity: &Connectivity,
    group: &BankGroup<'_>,
) -> String {
    let memory = group.banks.memory.as_str();
    let pinned = connectivity.memory.iter().filter(|pin| pin.banks.value.memory == memory).count();
    let (banks, is_known) = number_of_banks(input, connectivity, memory);
    let of_it = || connectivity.memory.iter().map(|pin| &pin.banks.value);
    let used = || of_it().filter(|one| one.memory == memory);
    // With no card known, banks below the highest that is used are there.
    let highest = used().filter_map(|one| one.last).max().unwrap_or_default();
    let end = if is_known { banks } else { highest.min(banks) };
    let is_free =
        |bank: &u64| !used().any(|one| one.first <= Some(*bank) && Some(*bank) <= one.last);
    let free: Vec<String> =
        (0..end).filter(is_free).map(|bank| format!("{memory}[{bank}]")).collect();
    let free =
        (!free.is_empty()).then(|| format!("; no argument is on {}", list_few(&free, NAMED)));
    let free = free.unwrap_or_default();
    if u64::try_from(pinned).is_ok_and(|pinned| pinned > banks) {
        let on = if is_known { "this card" } else { "no card" };
        let more = if is_known { "" } else { "more than " };
        return format!(
            "{pinned} arguments are pinned to {memory}, of which {on} has {more}{banks} banks: have those share one that have \
             little traffic, or are used one after another{free}"
        );
    }
    format!("pin each argument that is accessed at the same time to a bank of its own{free}")
}

fn report_shared(
    kernels: &LinkedKernels<'_>,
    group: &BankGroup<'_>,
    help: String,
    no_free: Option<String>,
) -> Finding {
    let BankGroup { banks, pins, may_be_apart } = group;
    let arguments: Vec<String> = pins.iter().map(|pin| argument_name(pin)).collect();
    let number = count(arguments.len(), "argument");
    let labels = pins.iter().take(LABELLED);
    let is_joined = pins.iter().any(|pin| pin.banks.value.count() != banks.count());
    let named: BTreeSet<&str> =
        pins.iter().map(|pin| kernels.kernel_of_unit(&pin.unit.value)).collect();
    let may_hand_over = named.len() == pins.len();
    let traffic = kernels.find_traffic(pins);
    let (is_free, shown) = match traffic {
        BankTraffic::Unknown => (false, None),
        BankTraffic::InTurn => (
            true,
            Some(
                "the kernel reads or writes no two of them in one loop or dataflow region"
                    .to_owned(),
            ),
        ),
        BankTraffic::Seldom(times) => {
            (true, Some(format!("two of them meet in at most {times} accesses of a run")))
        }
        BankTraffic::Together(names) => (
            false,
            (names.len() < pins.len())
                .then(|| format!("used at the same time: {}", list_few(&names, NAMED))),
        ),
    };
    let is_one_over = is_one_over(pins);
    let costs_little =
        may_hand_over || *may_be_apart || is_free || is_one_over || no_free.is_some();
    let level = if costs_little { Level::Note } else { Level::Warning };
    let over = "only the argument on the range shares a bank, with one of the others";
    let placed = "the host may place their buffers in different banks of their ranges";
    let handed = "a buffer that one kernel writes and another reads has to be on one bank for both";
    Finding::new("connectivity/shared-bank", level, banks.to_string())
        .by_file()
        .with_message(if is_joined && !may_be_apart {
            format!("{number} have the banks {banks}: at least two of them share one")
        } else {
            format!("{number} share {banks}")
        })
        .with_labels(labels.map(|pin| Label::new(pin.span, format!("here on {}", pin.banks.value))))
        .with_note(format!("{banks}: {}", arguments.join(", ")))
        .with_notes(may_hand_over.then(|| handed.to_owned()))
        .with_notes(may_be_apart.then(|| placed.to_owned()))
        .with_notes(is_one_over.then(|| over.to_owned()))
        .with_notes(no_free)
        .with_notes(shown)
        .with_help(help)
        .with_evidence(json!({ "banks": banks.to_string(), "arguments": arguments }))
        // The banks of one configuration are one decision.
        .with_cause(
            "configuration",
            format!("{banks} ({})", arguments.join(", ")),
            arguments.len() as f64,
        )
}

/// Whether all arguments but one have banks of their own, and that one a range of several.
fn is_one_over(pins: &[&MemoryPin]) -> bool {
    let (fixed, ranges): (Vec<&MemoryPin>, Vec<&MemoryPin>) =
        pins.iter().partition(|pin| pin.banks.value.count() == Some(1));
    let banks: BTreeSet<Option<u64>> = fixed.iter().map(|pin| pin.banks.value.first).collect();
    ranges.len() == 1 && banks.len() == fixed.len()
}

fn argument_name(pin: &MemoryPin) -> String {
    format!("{}.{}", pin.unit.value, pin.argument.value)
}
