//! A large part of a pipelined loop's time is filling it.
//!
//! ## What it does
//!
//! Takes the pipelined loops whose trip count T, initiation interval II and depth D are known numbers, and derives
//! their latency, `(T-1)*II + max(D-1, 1)`. Where the fill, `D-1`, is more than a tenth of it, the loop is named with
//! the share. A note; a warning where batch 1 is claimed, as there nothing else runs meanwhile.
//!
//! ## Why it matters
//!
//! `T*II` is what a roofline counts. In short loops the fill is as long as the work: a tile of 16 iterations in a pipeline
//! of 64 stages runs at a fifth of its rate, and it is filled again for each tile and each layer.
//!
//! ## Example
//!
//! `T = 16`, `II = 1`, `D = 64`: 63 of 78 cycles are fill.
//!
//! ## How to fix
//!
//! Flatten the loops around it into one, so that the pipeline is filled once; make the tiles longer; or count the
//! fills in the latency that is claimed.

use derate_hls::{Figure, Located, Report, ReportedLoop};
use serde::Serialize;
use serde_json::json;

use super::occurrences::{NAMED, Occurrence, file_of, first_labels};
use super::repeats::{ReportFinding, drop_repeats, make_key};
use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_units::figures::{count, grouped, significant};

/// A fill up to this share is usual.
const SHARE: f64 = 0.1;

/// One loop. Counts are in clock cycles, except the trip count.
#[derive(Clone, Debug, Serialize)]
struct ShortLoop {
    name: String,
    trip_count: u64,
    ii: u64,
    depth: u64,
    cycles: u64,
    fill: u64,
    share: f64,
}

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    drop_repeats(analysis.build.reports.iter().filter_map(|report| make_finding(analysis, report)))
}

fn make_finding(analysis: &Analysis, report: &Report) -> Option<ReportFinding> {
    let loops = report.modules.iter().flat_map(derate_hls::Module::all_loops);
    let mut found: Vec<(ShortLoop, Occurrence)> = loops.filter_map(find_fill).collect();
    // The order of the report stays among equals.
    found.sort_by(|(a, _), (b, _)| b.share.total_cmp(&a.share));
    let (fills, cases): (Vec<ShortLoop>, Vec<Occurrence>) = found.into_iter().unzip();
    let worst = fills.first()?;
    let share = |fill: &ShortLoop| significant(fill.share * 100.0, 3);
    let named: Vec<String> =
        fills.iter().take(NAMED).map(|fill| format!("`{}` {} %", fill.name, share(fill))).collect();
    let batch = analysis.project.claims.batch.as_ref().filter(|batch| batch.value == 1);
    let mut all = first_labels(&cases);
    all.extend(batch.map(|batch| Label::new(batch.span, "at batch 1 nothing else runs meanwhile")));
    let file = file_of(&analysis.sources, &cases);
    let keys = fills
        .iter()
        .map(|one| {
            let figures = [one.trip_count, one.ii, one.depth].map(|figure| figure.to_string());
            make_key(&[super::occurrences::top_name(report), &one.name, &figures.join(" ")])
        })
        .collect();
    let level = if batch.is_some() { Level::Warning } else { Level::Note };
    let finding = Finding::new("latency/fill-share", level, file.clone())
        .with_message(match fills.len() {
            1 => format!("filling the pipeline is {} % of the time of `{}`", share(worst), worst.name),
            many => format!(
                "in {} filling the pipeline is more than a tenth of the time, in `{}` {} %",
                count(many, "loop"),
                worst.name,
                share(worst)
            ),
        })
        .with_labels(all)
        .with_note(format!("the worst: {}", named.join(", ")))
        .with_note("fill D-1, of (T-1)*II + max(D-1, 1) cycles")
        .with_help(
            "flatten the loops around it so that the pipeline is filled once, make the tiles longer, \
             or count the fills in the claimed latency",
        )
        .with_evidence(json!({ "file": file, "loops": fills }));
    Some(ReportFinding { keys, weight: 0, finding })
}

fn find_fill(one: &ReportedLoop) -> Option<(ShortLoop, Occurrence)> {
    if one.pipelined == Some(false) {
        return None;
    }
    let place = one.trip_count.as_ref()?.span;
    let rounds = known_count(one.trip_count.as_ref())?;
    let ii = known_count(one.ii_achieved.as_ref())?;
    let depth = known_count(one.depth.as_ref())?;
    let fill = depth.checked_sub(1)?;
    let cycles = rounds.checked_sub(1)?.checked_mul(ii)?.checked_add(fill.max(1))?;
    let share = fill as f64 / cycles as f64;
    if share <= SHARE {
        return None;
    }
    let text = format!(
        "{} of `{}`, and a depth of {depth}: {} of {} cycles are fill",
        count(usize::try_from(rounds).ok()?, "round"),
        one.name.value,
        grouped(fill as f64),
        grouped(cycles as f64)
    );
    let name = one.name.value.clone();
    let case = Occurrence::new(name.clone(), Label::new(place, text));
    Some((ShortLoop { name, trip_count: rounds, ii, depth, cycles, fill, share }, case))
}

fn known_count(figure: Option<&Located<Figure>>) -> Option<u64> {
    figure.and_then(|figure| figure.value.known())
}
