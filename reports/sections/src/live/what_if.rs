//! The corrected scenario under the schedule that is chosen among the inputs.

use derate_render::formula::{choose, name, text};
use derate_render::{Cell, Column, Formula, NumberFormat, Table};

use super::guard::{YES, guard_name};
use super::{Followed, Formulas, UNKNOWN, follow_cell, name as names};
use crate::part_rows::{list_part_rows, name_row};
use derate_estimate::scenario::ScenarioKind;
use derate_estimate::{Estimate, ScenarioEstimate};
use derate_project::Schedule;

const TABLE: &str = "what-if";
const FOLLOWS: &str = "what-if-follows";

/// The schedules with their estimates and formulas, the one first that the input begins with.
pub(crate) struct WhatIf<'a> {
    each: Vec<(&'a ScenarioEstimate, &'a Followed<'a>)>,
}

impl<'a> WhatIf<'a> {
    /// `None` where not all schedules have formulas.
    pub(crate) fn of(estimate: &'a Estimate, formulas: &'a Formulas<'_>) -> Option<Self> {
        let all = estimate.schedules(ScenarioKind::DerivedPeak);
        let each = all.map(|s| Some((s, formulas.of(s)?))).collect::<Option<Vec<_>>>()?;
        (each.len() == Schedule::ALL.len()).then_some(Self { each })
    }

    /// As derate has it.
    pub(crate) fn own_estimate(&self) -> Option<&'a ScenarioEstimate> {
        let mut all = self.each.iter().map(|(estimate, _)| *estimate);
        all.find(|s| s.schedule == Schedule::Block)
    }

    /// A formula of the schedule that is chosen.
    pub(crate) fn pick_schedule(
        &self,
        of: impl Fn(&Followed<'_>) -> Option<Formula>,
    ) -> Option<Formula> {
        let mut all = self.each.iter().rev().map(|(s, followed)| Some((s.schedule, of(followed)?)));
        let (_, last) = all.next()??;
        all.try_fold(last, |otherwise, one| {
            let (schedule, formula) = one?;
            Some(choose(name(names::SCHEDULE).equals(text(schedule.name())), formula, otherwise))
        })
    }

    /// The parts and the whole under it, and whether that holds.
    pub(crate) fn make_tables(&self) -> Option<[Table; 2]> {
        let own = self.own_estimate()?;
        let four = NumberFormat::Significant(4);
        let rows = list_part_rows(own).into_iter().enumerate().map(|(at, (part, totals))| {
            let number = |value: f64, format, formula| Cell::formula(value, formula, format);
            let bound = totals.bound.map_or(UNKNOWN, |bound| bound.as_str());
            Some(vec![
                name_row(own, at, part),
                number(
                    totals.bytes.0 / 1e6,
                    four,
                    self.pick_schedule(|f| Some(f.sum_figure(at, "bytes") / 1e6))?,
                ),
                number(
                    totals.oi.0,
                    NumberFormat::Significant(3),
                    self.pick_schedule(|f| Some(f.write_intensity(at)))?,
                ),
                Cell::formula(
                    bound,
                    self.pick_schedule(|f| Some(f.write_bound(at)))?,
                    NumberFormat::Integer,
                ),
                follow_cell(
                    totals.throughput_seconds.map(|time| time.0 * 1e3),
                    self.pick_schedule(|f| Some(f.roofline_time(at)))?,
                    four,
                ),
            ])
        });
        let table = Table {
            name: TABLE.to_owned(),
            caption: format!(
                "Scenario {} under the schedule to try, which is an input under Assumptions",
                ScenarioKind::DerivedPeak
            ),
            columns: vec![
                Column::text("part", "Part"),
                Column::number("traffic", "Traffic", "MB"),
                Column::number("oi", "OI", "OP/B"),
                Column::text("bound", "Bound"),
                Column::number("time", "Roofline time", "ms"),
            ],
            rows: rows.collect::<Option<_>>()?,
        };
        let guard = |f: &Followed<'_>| Some(name(guard_name(f.scenario.kind, f.scenario.schedule)));
        let asked = Table {
            name: FOLLOWS.to_owned(),
            caption: String::new(),
            columns: vec![
                Column::text("schedule", "Schedule to try"),
                Column::text("follows", "Formulas follow"),
            ],
            rows: vec![vec![
                Cell::formula(own.schedule.name(), name(names::SCHEDULE), NumberFormat::Integer),
                Cell::formula(YES, self.pick_schedule(guard)?, NumberFormat::Integer),
            ]],
        };
        Some([asked, table])
    }
}
