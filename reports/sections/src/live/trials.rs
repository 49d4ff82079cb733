//! Which choices leave what is fused as it is: derate's own pass for each precision and number of cameras.

use derate_render::formula::{choose, known, lookup, name, number, range};
use derate_render::{Cell, Column, Formula, NumberFormat, Table};

use super::Live;
use super::guard::{YES, guard_name, refuse};
use super::name as names;
use super::own::Inputs;
use super::partition::Partition;
use super::roofs::Roofs;
use super::sheet::Sheet;
use super::symbols::Symbols;
use derate_estimate::scenario::{Assumptions, PeakBasis};
use derate_estimate::{Analysis, ScenarioEstimate};
use derate_project::{Schedule, Storage};
use derate_workload::{InferenceParameters, Part};

/// So many cameras are tried.
const MOST_CAMERAS: u64 = 4;
/// Inputs that sizes may depend on, but for cameras, which are tried.
const PARAMETERS: [&str; 4] =
    [names::LANGUAGE_TOKENS, names::DENOISE_STEPS, names::CHUNK, names::TOKENS];

/// What was tried for one scenario: rows of a table, one per schedule and precision.
pub(super) struct Trials {
    table: Table,
    /// Cameras of the columns.
    cameras: Vec<u64>,
    /// Schedules in the order of their rows, each with as many rows as there are precisions.
    schedules: Vec<Schedule>,
    precisions: usize,
}

fn column_key(cameras: u64) -> String {
    format!("cameras_{cameras}")
}

impl Trials {
    /// Tries every precision with every number of cameras under `schedules`, whose own groups are `partitions`.
    pub(super) fn of(
        live: &Live<'_>,
        step: &Assumptions,
        symbols: &Symbols,
        partitions: &[(Schedule, Partition<'_>)],
        estimates: &[&ScenarioEstimate],
    ) -> Self {
        let (analysis, own) = (live.analysis, step.parameters(live.analysis));
        let mut cameras = vec![own.cameras];
        if symbols.depend_on(names::CAMERAS, false) {
            cameras.extend((1..=MOST_CAMERAS).filter(|c| *c != own.cameras));
            cameras.sort_unstable();
        }
        let each = matches!(step.storage, Storage::Each { .. });
        let each = each.then(|| (step.storage.name(), step.storage.clone()));
        let uniform = live.precisions.all().map(|p| (p.key(), Storage::Uniform(p)));
        let storages: Vec<(String, Storage)> = each.into_iter().chain(uniform).collect();
        let of_cameras: Vec<(InferenceParameters, Vec<Part>)> = cameras
            .iter()
            .map(|&cameras| {
                let parameters = symbols.with_cameras(analysis, cameras);
                let workload = &analysis.workload;
                let mut parts = workload.as_claimed(&parameters);
                parts.extend(workload.inference_parts(&parameters));
                (parameters, parts)
            })
            .collect();
        let mut rows = Vec::new();
        for (schedule, partition) in partitions {
            let estimate = estimates.iter().find(|s| s.schedule == *schedule);
            let command = estimate.map_or("", |estimate| &estimate.command);
            // Formats of as many bits are fused alike.
            let mut tried: Vec<(u32, Vec<bool>)> = Vec::new();
            for (key, storage) in &storages {
                let bits = match storage {
                    Storage::Uniform(precision) => Some(precision.bits()),
                    Storage::Each { .. } => None,
                };
                let before = tried.iter().find(|(of, _)| Some(*of) == bits);
                let alike = before.map_or_else(
                    || {
                        let like = |(parameters, parts): &(InferenceParameters, Vec<Part>)| {
                            let work = (&parts[..], parameters);
                            let other = Partition::of(analysis, step, work, storage, *schedule);
                            other.is_some_and(|other| partition.is_like(&other))
                        };
                        of_cameras.iter().map(like).collect()
                    },
                    |(_, alike)| alike.clone(),
                );
                let cells = cameras.iter().zip(&alike).map(|(&cameras, alike)| match alike {
                    true => Cell::text(YES),
                    false => {
                        let cameras = (cameras != own.cameras).then_some(cameras);
                        let schedule = *schedule;
                        let said =
                            suggest_command(analysis, step, storage, cameras, (command, schedule));
                        Cell::Text(said)
                    }
                });
                let row = [Cell::text(schedule.name()), Cell::text(key)];
                rows.push(row.into_iter().chain(cells).collect());
                if let Some(bits) = bits {
                    tried.push((bits, alike));
                }
            }
        }
        let mut columns =
            vec![Column::text("schedule", "Schedule"), Column::text("precision", "Bytes as")];
        columns.extend(cameras.iter().map(|&c| match &cameras[..] {
            [_] => Column::text(column_key(c), "As it is"),
            _ => Column::text(column_key(c), format!("Cameras: {c}")),
        }));
        let table = Table {
            name: format!("tried-{}", step.kind),
            caption: format!(
                "Scenario {}: at which precision{} the formulas hold, as the same kernels are fused and their operands are read as often",
                step.kind,
                if cameras.len() > 1 { " and number of cameras" } else { "" }
            ),
            columns,
            rows,
        };
        let schedules = partitions.iter().map(|(schedule, _)| *schedule).collect();
        Self { table, cameras, schedules, precisions: storages.len() }
    }

    /// What was tried; nothing where the scenario has no schedule to try.
    pub(super) fn trial_table(&self) -> Option<Table> {
        (!self.table.rows.is_empty()).then(|| self.table.clone())
    }

    /// What was found for the precision and the cameras that are chosen.
    fn write_verdict(
        &self,
        schedule: Schedule,
        precision: &Formula,
        command: &str,
    ) -> Option<Formula> {
        let at = self.schedules.iter().position(|own| *own == schedule)?;
        let rows = at * self.precisions..(at + 1) * self.precisions;
        let table = &self.table.name;
        let keys = || range(table, "precision", rows.clone());
        let found = |cameras: u64| {
            known(
                lookup(precision.clone(), keys(), range(table, column_key(cameras), rows.clone())),
                refuse("nobody tried what is fused at that precision", command),
            )
        };
        match self.cameras[..] {
            [only] => Some(found(only)),
            _ => Some(self.cameras.iter().rev().fold(
                refuse("nobody tried what is fused with so many cameras", command),
                |otherwise, &cameras| {
                    let chosen = name(names::CAMERAS).equals(number(cameras as f64));
                    choose(chosen, found(cameras), otherwise)
                },
            )),
        }
    }

    /// Whether the formulas of a scenario under a schedule hold.
    pub(super) fn write_guard(
        &self,
        estimate: &ScenarioEstimate,
        roofs: &Roofs<'_>,
        symbols: &Symbols,
        sheet: &Sheet,
        inputs: &Inputs,
    ) -> Option<Formula> {
        let (command, schedule) = (estimate.command.as_str(), estimate.schedule);
        let mut answer = self.write_verdict(schedule, &roofs.precision(), command)?;
        // Only the unfused schedule has the claim's own kernels.
        let all = schedule == Schedule::Unfused;
        let fused = |input: &str| {
            input == names::ON_CHIP || PARAMETERS.contains(&input) && symbols.depend_on(input, all)
        };
        answer = if sheet.reads_once() {
            // Nothing is fused, and what fits is read once.
            sheet.while_held(command, answer)
        } else {
            let reason = "what is fused, or how often it is read, may depend on what was changed";
            inputs.unless_changed(fused, (reason, command), answer)
        };
        if roofs.of_ports() {
            let clock = |i: &str| i == names::KERNEL_CLOCK || i == names::DESIGN_CLOCK;
            let reason = "the bandwidth of the design's ports follows the clock";
            answer = inputs.unless_changed(clock, (reason, command), answer);
        }
        if roofs.of_array() {
            // A cost that nobody knows is not a reason.
            let dsp = known(name(names::ARRAY_DSP) * 1.0, number(0.0));
            let reason = "the array takes more DSP slices than the shell leaves";
            answer = choose(dsp.exceeds(name(names::DSP_BUDGET)), refuse(reason, command), answer);
        }
        Some(inputs.unless_outside(answer))
    }
}

/// What to do where the groups are others; `cameras` are given where they are not the project's own.
fn suggest_command(
    analysis: &Analysis,
    step: &Assumptions,
    storage: &Storage,
    cameras: Option<u64>,
    (command, schedule): (&str, Schedule),
) -> String {
    let mut written: Vec<String> = Vec::new();
    written.extend(cameras.map(|cameras| format!("cameras = {cameras} under [model]")));
    let mut command = command.to_owned();
    if *storage != step.storage {
        if step.array().is_some() {
            written.push(format!("precision = \"{}\" under [design]", storage.name()));
        } else {
            let (storage, tokens) = (storage.clone(), step.tokens.clone());
            let bandwidth = step.bandwidth.clone();
            let other = Assumptions::custom(storage, tokens, bandwidth, PeakBasis::Derived);
            let options = format!("{} --schedule {}", other.arguments(), schedule.name());
            command = analysis.command("estimate", &options);
        }
    }
    let write = match &written[..] {
        [] => String::new(),
        all => format!("write {} and ", all.join(", ")),
    };
    format!("no: what is fused changes: {write}run {command}")
}

/// A row of what follows.
pub(super) fn guard_row(
    roofs: &Roofs<'_>,
    estimate: &ScenarioEstimate,
    answer: Formula,
    first: bool,
) -> Vec<Cell> {
    let heading = format!("{} ({})", estimate.kind, estimate.schedule.name());
    let mut cells: Vec<Cell> =
        if first { roofs.make_cells(estimate).into() } else { vec![Cell::Empty; 6] };
    if let Some(cell) = cells.first_mut() {
        *cell = Cell::Text(heading);
    }
    let guard = guard_name(estimate.kind, estimate.schedule);
    cells.push(Cell::formula(YES, answer, NumberFormat::Integer).called(guard));
    cells
}
