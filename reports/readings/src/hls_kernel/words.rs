//! How sentences and cells say it.

use derate_advice::{Advice, Change};
use derate_kernel::{HeldBy, Settings};
use derate_units::figures::{grouped, list_few};

/// Arrays of a bundle that a cell names.
const ARRAYS: usize = 2;

/// Cycles, as `1.234e12` where all digits would be too wide.
pub(crate) fn cycles(cycles: f64) -> String {
    if cycles < 1e10 { grouped(cycles) } else { format!("{cycles:.3e}") }
}

/// `2023.2`
pub(super) fn tool(settings: &Settings) -> String {
    format!("{}.{}", settings.tool.0, settings.tool.1)
}

/// A name, cut where a table has no room for it.
fn short(name: &str) -> String {
    const LONGEST: usize = 12;
    match name.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}…", &name[..cut]),
        None => name.to_owned(),
    }
}

/// What holds an interval; with the lines that are in this file, the one of the loop.
pub(super) fn held_by(held: &HeldBy, file: u16) -> String {
    match held {
        HeldBy::Target => "target".to_owned(),
        HeldBy::Recurrence { places, through, variable, .. } => {
            let own = places.iter().filter(|place| place.file == file);
            let mut lines: Vec<u32> = own.map(|place| place.line).collect();
            lines.sort_unstable();
            lines.dedup();
            let at = match lines.as_slice() {
                [] => String::new(),
                [one] => format!(", line {one}"),
                [first, .., last] => format!(", lines {first} to {last}"),
            };
            match through.as_ref().or(variable.as_ref()) {
                Some(array) => format!("recurrence `{}`{at}", short(array)),
                None => format!("recurrence{at}"),
            }
        }
        HeldBy::Memory { shared: Some(shared), accesses, ports, .. } => {
            let plural = if *ports == 1 { "" } else { "s" };
            let arrays: Vec<String> =
                shared.arrays.iter().map(|array| format!("`{}`", short(array))).collect();
            let arrays = list_few(&arrays, ARRAYS);
            let bundle = short(&shared.bundle);
            format!("bundle `{bundle}` of {arrays}: {accesses} on {ports} port{plural}")
        }
        HeldBy::Memory { array, accesses, ports, .. } => {
            let plural = if *ports == 1 { "" } else { "s" };
            format!("memory `{}`, {accesses} on {ports} port{plural}", short(array))
        }
        HeldBy::Module(module) => format!("module `{}`", short(module)),
    }
}

/// What a change is, in one sentence without a full stop.
pub(super) fn change(advice: &Advice) -> String {
    let subject = &advice.subject;
    match &advice.change {
        Change::Partition { array, dim, factor } => {
            format!("`{subject}` waits for `{array}`; partition cyclic factor={factor} dim={dim}")
        }
        Change::PartialSums { count } => {
            format!("`{subject}` waits for its own sum; keep {count} partial sums")
        }
        #[allow(clippy::cast_precision_loss)]
        Change::Widen { port, with, from, to, beats } => format!(
            "port `{port}` is {from} bits wide, {} beats; {to} bits{}: {}",
            grouped(beats.0),
            if with.is_empty() { String::new() } else { format!(", with `{}`", with.join("`, `")) },
            grouped(beats.1)
        ),
        Change::SecondBundle { bundle, array } => {
            format!("`{subject}` shares bundle `{bundle}`; give `{array}` a bundle of its own")
        }
        Change::Pipeline => format!("`{subject}` is not pipelined; pipeline it"),
    }
}
