//! The tree of loops as a table.

use derate_kernel::{LoopAnswer, LoopRuns, count_runs};
use derate_render::Table;
use derate_units::figures::{count, grouped};

use super::data::line_of;
use super::{KernelStudy, words};

/// The longest label that a table shows whole.
const LONGEST_LABEL: usize = 26;

/// A number that data decide.
const DATA: &str = "data";

/// A row: a loop, or how many are left out.
enum Row<'a> {
    Loop(&'a LoopRuns<'a>),
    LeftOut(usize),
}

/// The loops with the greatest share, in order of the source, in at most `rows` rows; all of them where `rows` is the most
/// that there is.
pub(super) fn loop_table(study: &KernelStudy<'_>, rows: usize) -> Option<Table> {
    let answer = study.answer;
    let loops = count_runs(&answer.loops);
    let known = |cycles: &f64| answer.latency.is_known() && *cycles > 0.0;
    let whole = Some(answer.latency.expected).filter(known);
    let share =
        |one: &LoopRuns<'_>| one.total_cycles().zip(whole).map(|(total, whole)| total / whole);
    let mut by_share: Vec<usize> = (0..loops.len()).collect();
    by_share.sort_by(|a, b| {
        // A loop without a share comes first: data decide it.
        let of = |at: usize| share(&loops[at]).unwrap_or(2.0);
        of(*b).total_cmp(&of(*a)).then(a.cmp(b))
    });
    let fits = loops.len() <= rows;
    by_share.truncate(if fits { rows } else { rows - 1 });
    by_share.sort_unstable();
    let left_out = loops.len() - by_share.len();
    let mut shown: Vec<Row<'_>> = by_share.iter().map(|at| Row::Loop(&loops[*at])).collect();
    shown.extend((left_out > 0).then_some(Row::LeftOut(left_out)));

    let several = answer.loops.iter().any(|one| one.function != answer.top);
    let mut table = Table::from_items("loops", "", shown).text("loop", "Loop", |row| match row {
        Row::Loop(one) => short_label(&one.answer.label, one.answer.nest),
        Row::LeftOut(number) => format!("and {} more", count(*number, "loop")),
    });
    if several && rows == usize::MAX {
        table = table.text("function", "Function", |row| row.show(|one| one.function.clone()));
    }
    table
        .figure("line", "Line", |row| row.show(|one| line_of(answer, one.place)))
        .figure("trips", "Trips", |row| row.show(trips))
        .figure("ii", "II", |row| row.show(|one| interval(one.ii)))
        .text("held_by", "Held by", |row| row.show(held_by))
        .figure("depth", "Depth", |row| row.show(depth))
        .figure("cycles", "Cycles", |row| row.show(cycles))
        .figure("share", "Share", |row| match row {
            Row::Loop(one) => share(one).map(describe_share),
            Row::LeftOut(_) => None,
        })
        .build_unless_empty()
}

/// Runs of a loop in processes of a dataflow are at the same time: together they may take longer than the kernel.
fn describe_share(share: f64) -> String {
    if share > 1.0005 { "runs overlap".to_owned() } else { format!("{:.1} %", 100.0 * share) }
}

impl Row<'_> {
    fn show(&self, show: impl FnOnce(&LoopAnswer) -> String) -> Option<String> {
        match self {
            Self::Loop(one) => Some(show(one.answer)),
            Self::LeftOut(_) => None,
        }
    }
}

/// The label below those of the loops around it, `VITIS_LOOP_3_1_VITIS_LOOP_4_2` as `VITIS_LOOP_3_1_4_2`.
pub(crate) fn short_label(label: &str, nest: usize) -> String {
    let mut label = label.replace("_VITIS_LOOP_", "_");
    if let Some((cut, _)) = label.char_indices().nth(LONGEST_LABEL) {
        label.truncate(cut);
        label.push('…');
    }
    match nest {
        0 => label,
        nest => format!("└{}{label}", "─".repeat(nest.min(8))),
    }
}

fn trips(one: &LoopAnswer) -> String {
    match one.trip.filter(|_| !one.trip_rests_on_type) {
        None => DATA.to_owned(),
        #[allow(clippy::float_cmp, reason = "both are whole numbers")]
        Some((least, most, _)) if least == most => grouped(most),
        Some((least, most, _)) => format!("{} to {}", grouped(least), grouped(most)),
    }
}

fn interval(ii: Option<u64>) -> String {
    ii.map_or_else(|| "-".to_owned(), |ii| ii.to_string())
}

fn held_by(one: &LoopAnswer) -> String {
    match (&one.held_by, one.ii) {
        (Some(held), Some(_)) => words::held_by(held, one.place.file),
        _ => "not pipelined".to_owned(),
    }
}

fn depth(one: &LoopAnswer) -> String {
    if one.is_depth_known { words::cycles(one.depth) } else { DATA.to_owned() }
}

fn cycles(one: &LoopAnswer) -> String {
    if one.cycles.is_known() { words::cycles(one.cycles.expected) } else { DATA.to_owned() }
}
