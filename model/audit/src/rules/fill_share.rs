//! A large part of a pipelined loop's time is filling it.
//!
//! ## What it does
//!
//! Takes the pipelined loops whose trip count T, initiation interval II and depth D are known numbers, and derives
//! their latency, `(T-1)*II + max(D-1, 1)`. Where the fill, `D-II`, is more than a tenth of it, the loop is named with
//! the share. Loops of fewer than 32 cycles are not. A note; a warning where batch 1 is claimed, as there nothing else runs meanwhile.
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

use derate_hls::{Report, ReportedLoop, base_of, top_name, without_number};
use serde_json::json;

use super::repeats::{ReportFinding, drop_repeats, known_count, make_key};
use crate::AuditInput;
use crate::{Finding, Label, Level};
use derate_units::figures::{count, grouped, significant};

/// A fill up to this share is usual.
const SHARE: f64 = 0.1;
/// A loop that ends within so many cycles costs nobody anything.
const SHORTEST: u64 = 32;

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let found = input.build.reports.iter().flat_map(|report| {
        let loops = report.modules.iter().flat_map(|module| {
            module.all_loops().into_iter().map(move |one| (module.name.value.as_str(), one))
        });
        loops.filter_map(move |(module, one)| report_loop(input, report, module, one))
    });
    drop_repeats(input, found)
}

fn report_loop(
    input: &AuditInput<'_>,
    report: &Report,
    module: &str,
    one: &ReportedLoop,
) -> Option<ReportFinding> {
    if one.pipelined == Some(false) {
        return None;
    }
    let name = &one.name.value;
    let place = one.trip_count.as_ref()?.span;
    let trips = known_count(one.trip_count.as_ref())?;
    let ii = known_count(one.ii_achieved.as_ref())?;
    let depth = known_count(one.depth.as_ref())?;
    // What the pipeline takes beyond the interval of its last iteration.
    let fill = depth.checked_sub(ii)?;
    let rest = depth.checked_sub(1)?.max(1);
    let cycles = trips.checked_sub(1)?.checked_mul(ii)?.checked_add(rest)?;
    let share = fill as f64 / cycles as f64;
    if share <= SHARE || cycles < SHORTEST {
        return None;
    }
    let batch = input
        .project
        .and_then(|project| project.claims.batch.as_ref())
        .filter(|batch| batch.value == 1);
    let level = if batch.is_some() { Level::Warning } else { Level::Note };
    let finding = Finding::new("latency/fill-share", level, name)
        .by_file()
        .with_message(format!(
            "filling the pipeline is {} % of the time of `{name}`",
            significant(share * 100.0, 3)
        ))
        .with_label(
            place,
            format!(
                "{} of `{name}`, and a depth of {depth}: {} of {} cycles are fill",
                count(usize::try_from(trips).ok()?, "iteration"),
                grouped(fill as f64),
                grouped(cycles as f64)
            ),
        )
        .with_labels(
            batch.map(|batch| Label::new(batch.span, "at batch 1 nothing else runs meanwhile")),
        )
        .with_note("fill D-II, of (T-1)*II + max(D-1, 1) cycles")
        .with_help(
            "flatten the loops around it so that the pipeline is filled once, make the tiles \
             longer, or count the fills in the claimed latency",
        )
        .with_evidence(json!({
            "loop": name,
            "trip_count": trips,
            "ii": ii,
            "depth": depth,
            "cycles": cycles,
            "fill": fill,
            "share": share,
        }));
    let figures = [trips, ii, depth].map(|figure| figure.to_string());
    let base = base_of(module);
    let key = make_key(&[top_name(report), without_number(base), name, &figures.join(" ")]);
    Some(ReportFinding { key, instance: Some(base.to_owned()), weight: 0, finding })
}
