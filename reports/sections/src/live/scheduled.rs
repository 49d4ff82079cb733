//! The corrected scenario and the design under every schedule, as formulas.

use derate_render::{Cell, Table};

use super::Live;
use super::cycles::Cycles;
use super::followed::Followed;
use super::latencies::Latencies;
use super::own::Inputs;
use super::partition::Partition;
use super::products::Products;
use super::roofs::Roofs;
use super::row::Layout;
use super::sheet::make_sheet;
use super::symbols::Symbols;
use super::trials::{Trials, guard_row};
use derate_estimate::scenario::Assumptions;
use derate_estimate::{ArrayNumbers, ScenarioEstimate};
use derate_project::Schedule;

/// One scenario under its schedules.
pub(crate) struct Scheduled<'a> {
    pub(super) all: Vec<Followed<'a>>,
    /// What the latency of each is made of, where there is an array.
    cycles: Vec<Option<Cycles>>,
    symbols: &'a Symbols,
    trials: Trials,
    products: Option<Products>,
}

impl<'a> Scheduled<'a> {
    /// Those of a step of the ladder under each schedule but those that `known` has.
    pub(super) fn of(
        live: &'a Live<'_>,
        step: &'a Assumptions,
        symbols: &'a Symbols,
        known: &[Followed<'_>],
    ) -> Option<Self> {
        let (scenario, parameters) = (step.kind, step.parameters(live.analysis));
        let parts = &symbols.parts;
        let estimates: Vec<&'a ScenarioEstimate> = live
            .estimate
            .scenarios
            .iter()
            .filter(|s| s.kind == scenario && known.iter().all(|known| !known.is_scenario(s)))
            .collect();
        let partitions = estimates.iter().map(|estimate| {
            let schedule = estimate.schedule;
            let work = (&parts[..], &parameters);
            let own = Partition::of(live.analysis, step, work, &step.storage, schedule)?;
            Some((schedule, own))
        });
        let partitions: Vec<(Schedule, Partition<'_>)> = partitions.collect::<Option<_>>()?;
        let products = match step.array() {
            Some(array) => Some(Products::of(scenario, symbols, &ArrayNumbers::from(array))?),
            None => None,
        };
        let (mut all, mut all_cycles) = (Vec::new(), Vec::new());
        for (estimate, (_, partition)) in estimates.iter().zip(&partitions) {
            let roofs = Roofs::of(live.analysis, &live.precisions, &live.steps, scenario)?;
            let table = if estimate.chosen && roofs.of_array() {
                format!("kernels-{scenario}")
            } else {
                format!("groups-{scenario}-{}", estimate.schedule.name())
            };
            let sheet = make_sheet(&table, Layout::Groups, &roofs, symbols, estimate, partition)?;
            let cycles = match &products {
                Some(products) => Some(Cycles::of(estimate, &sheet, partition, symbols, products)?),
                None => None,
            };
            all.push(Followed { scenario: estimate, roofs, sheet });
            all_cycles.push(cycles);
        }
        let trials = Trials::of(live, step, symbols, &partitions, &estimates);
        Some(Self { all, cycles: all_cycles, symbols, trials, products })
    }

    /// The latency of a scenario under its schedule.
    pub(super) fn find_latency(&self, scenario: &ScenarioEstimate) -> Option<Latencies<'_>> {
        let mut all = self.all.iter().zip(&self.cycles);
        let (followed, cycles) = all.find(|(followed, _)| followed.is_scenario(scenario))?;
        Some(Latencies { followed, cycles: cycles.as_ref()? })
    }

    /// Rows of what follows: one per schedule.
    pub(super) fn guard_rows(&self, inputs: &Inputs) -> Vec<Vec<Cell>> {
        let rows = self.all.iter().enumerate().filter_map(|(at, followed)| {
            let Followed { scenario, roofs, sheet } = followed;
            let answer = self.trials.write_guard(scenario, roofs, self.symbols, sheet, inputs)?;
            // The roofs of the ladder's own are above.
            Some(guard_row(roofs, scenario, answer, at == 0 && roofs.of_array()))
        });
        rows.collect()
    }

    /// What the formulas of fusion and latency read.
    pub(super) fn list_tables(&self) -> Vec<Table> {
        let shown_elsewhere = |f: &Followed<'_>| f.scenario.chosen && f.roofs.of_array();
        let groups = self.all.iter().filter(|f| !shown_elsewhere(f)).map(Followed::kernel_table);
        let cycles = self.cycles.iter().flatten().map(|cycles| cycles.table.clone());
        let products = self.products.iter().map(|products| products.table.clone());
        groups.chain(products).chain(cycles).chain(self.trials.trial_table()).collect()
    }
}
