//! The same figures as formulas over the inputs, for the workbook and the page.

mod alone;
mod array;
mod cell;
mod cycles;
mod elementwise;
mod followed;
mod follows;
mod guard;
mod input_rows;
mod inputs;
mod latencies;
mod moved;
pub(super) mod name;
mod own;
mod partition;
mod polynomial;
mod precisions;
mod product;
mod products;
mod roof;
mod roofs;
mod row;
mod scheduled;
mod sheet;
mod sums;
mod symbols;
mod trials;
mod what_if;

use derate_render::{Cell, Control, Formula, Table, formula};

pub(super) use self::cell::{UNKNOWN, follow_cell, told_unless_changed, unless_changed};
pub(super) use self::elementwise::Elementwise;
pub(super) use self::followed::Followed;
pub(super) use self::guard::{NO, YES};
pub(super) use self::inputs::is_input;
pub(super) use self::latencies::Latencies;
pub(super) use self::roof::Roof;
pub(super) use self::roofs::write_intensity;
pub(super) use self::what_if::WhatIf;

use self::alone::Alone;
use self::cell::told_unless;
use self::own::Inputs;
use self::partition::Partition;
use self::precisions::Precisions;
use self::roofs::Roofs;
use self::row::Layout;
use self::scheduled::Scheduled;
use self::sheet::make_sheet;
use self::symbols::Symbols;
use derate_estimate::scenario::{
    Assumptions, PeakSource, ScenarioKind, claimed_tokens, ladder_steps,
};
use derate_estimate::{Analysis, Estimate, PeakRow, ScenarioEstimate, default_mac};
use derate_project::Schedule;
use derate_units::Precision;

/// The scenarios that are shown under every schedule.
const SCHEDULED: [ScenarioKind; 2] = [ScenarioKind::DerivedPeak, ScenarioKind::Design];

/// Who reads a report.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Reader {
    /// Somebody who can change its inputs, as in the workbook and on the page.
    Editor,
    /// Somebody who cannot, as on paper.
    Paper,
}

/// What formulas are made from.
pub(super) struct Live<'a> {
    reader: Reader,
    analysis: &'a Analysis,
    estimate: &'a Estimate,
    /// The steps of the ladder.
    steps: Vec<Assumptions>,
    precisions: Precisions,
    symbols: Option<Symbols>,
    /// Those with the tokens that an inference runs on, where the claim has others.
    corrected: Option<Symbols>,
    /// Those of the design, where its workload is another.
    designed: Option<Symbols>,
}

impl<'a> Live<'a> {
    /// Of a project and its estimate.
    pub(super) fn of(analysis: &'a Analysis, estimate: &'a Estimate, reader: Reader) -> Self {
        let steps = ladder_steps(analysis).0;
        let tokens = to_count(claimed_tokens(analysis).value);
        let own = analysis.workload.default_parameters(tokens, analysis.batch());
        let of_step = |kind| {
            let step = steps.iter().find(|step| step.kind == kind)?;
            let parameters = step.parameters(analysis);
            let tokens =
                if parameters.tokens == tokens { name::TOKENS } else { name::PREFIX_TOKENS };
            (parameters != own).then(|| Symbols::of(analysis, &parameters, tokens)).flatten()
        };
        Self {
            reader,
            analysis,
            estimate,
            precisions: Precisions::of(analysis, estimate),
            symbols: Symbols::of(analysis, &own, name::TOKENS),
            corrected: of_step(ScenarioKind::TrueTokens),
            designed: of_step(ScenarioKind::Design),
            steps,
        }
    }

    /// The workload that a step of the ladder runs.
    fn find_symbols(&self, step: &Assumptions) -> Option<&Symbols> {
        let own = [&self.symbols, &self.corrected, &self.designed].into_iter().flatten();
        let parameters = step.parameters(self.analysis);
        own.into_iter().find(|symbols| symbols.parameters == parameters)
    }

    /// The scenarios of the ladder that have formulas.
    fn follow_ladder(&self) -> Vec<Followed<'_>> {
        let scenarios = self.estimate.ladder().filter(|s| s.kind != ScenarioKind::Design);
        let followed = scenarios.filter_map(|scenario| {
            let roofs = Roofs::of(self.analysis, &self.precisions, &self.steps, scenario.kind)?;
            let parameters = roofs.step.parameters(self.analysis);
            let symbols = self.find_symbols(roofs.step)?;
            let partition = Partition::of(
                self.analysis,
                roofs.step,
                (&symbols.parts, &parameters),
                &roofs.step.storage,
                Schedule::Unfused,
            )?;
            let name = format!("kernels-{}", scenario.kind);
            let sheet = make_sheet(&name, Layout::Kernels, &roofs, symbols, scenario, &partition)?;
            Some(Followed { scenario, roofs, sheet })
        });
        followed.collect()
    }

    /// The corrected scenario and the design under the schedules that are not among `known`.
    fn follow_schedules<'l>(&'l self, known: &[Followed<'_>]) -> Vec<Scheduled<'l>> {
        let scheduled = SCHEDULED.into_iter().filter_map(|scenario| {
            let step = self.steps.iter().find(|step| step.kind == scenario)?;
            Scheduled::of(self, step, self.find_symbols(step)?, known)
        });
        scheduled.collect()
    }

    /// The formulas of the report's tables.
    pub(super) fn make_formulas(&self) -> Formulas<'_> {
        let elementwise = self.symbols.as_ref().map(Elementwise::of).unwrap_or_default();
        let alone = self.symbols.as_ref().map(Alone::of);
        let scenarios = self.follow_ladder();
        let scheduled = self.follow_schedules(&scenarios);
        let prefix = self.symbols.as_ref().and_then(Symbols::prefix_tokens);
        let can_edit = self.reader == Reader::Editor;
        let inputs =
            inputs::tabulate_inputs(self.analysis, &self.steps, &self.precisions, prefix, can_edit);
        let given = vec![inputs, self.precisions.tabulate_precisions(self.analysis)];
        let own = Inputs::of(&given);
        Formulas { live: Some(self), scenarios, scheduled, elementwise, alone, given, own }
    }

    /// What says whether inputs were changed, and the tables that formulas read.
    fn inputs(&self, formulas: &Formulas<'_>) -> (Option<Table>, Vec<Table>) {
        let Formulas { scenarios, scheduled, alone, given, own, .. } = formulas;
        let mut follows =
            follows::tabulate_scenarios(scenarios, alone.as_ref(), self.estimate, own);
        follows.rows.extend(scheduled.iter().flat_map(|scheduled| scheduled.guard_rows(own)));
        let mut tables = given.clone();
        if self.reader == Reader::Paper {
            tables.push(follows::describe_scenarios(follows));
            return (None, tables);
        }
        tables.push(follows);
        let keys = |word| self.precisions.look_up(word, "bits");
        tables.push(own.tabulate_own(&keys));
        (Some(own::tabulate_changes(own)), tables)
    }
}

/// The claimed bandwidth in GB/s.
pub(super) fn claimed_bandwidth() -> Formula {
    formula::name(name::CLAIMED_BANDWIDTH)
}

/// Formulas for a report, or none for a terminal.
#[derive(Default)]
pub(super) struct Formulas<'a> {
    live: Option<&'a Live<'a>>,
    scenarios: Vec<Followed<'a>>,
    scheduled: Vec<Scheduled<'a>>,
    pub(super) elementwise: Elementwise,
    alone: Option<Alone<'a>>,
    /// The tables with inputs.
    given: Vec<Table>,
    /// All of these.
    own: Inputs,
}

/// The kernels that the claim models, at one precision and number of tokens.
pub(super) struct Uniform<'a> {
    alone: &'a Alone<'a>,
    pub(super) precision: Precision,
    /// Bits of an element.
    bits: Formula,
    /// What gives the tokens.
    pub(super) tokens: Formula,
}

impl Uniform<'_> {
    /// Whose tokens they are, where these are an input or follow from some.
    pub(super) fn token_role(&self) -> Option<&'static str> {
        match &self.tokens {
            Formula::Name(name) if name == name::TOKENS => Some("claim"),
            Formula::Name(name) if name == name::PREFIX_TOKENS => Some("prefix"),
            _ => None,
        }
    }

    /// The same in words.
    pub(super) fn whose_tokens(&self) -> String {
        match self.token_role() {
            Some(role) => format!("the tokens of the {role}"),
            None => "the tokens in its name".to_owned(),
        }
    }

    /// Of `elements` in bytes.
    fn write_bytes(&self, elements: Formula) -> Formula {
        elements * self.bits.clone() / 8.0
    }

    /// Operations, bytes and MB of weights of each kernel's one call.
    pub(super) fn list_kernels(&self) -> Vec<[Formula; 3]> {
        let kernels = self.alone.list_calls(&self.tokens).into_iter();
        let figures = kernels.map(|[flops, elements, weights]| {
            [flops, self.write_bytes(elements), self.write_bytes(weights) / 1e6]
        });
        figures.collect()
    }

    /// Intensity and MB of weights of the first part, over the column of tokens.
    pub(super) fn sum_first_part(&self) -> [Formula; 2] {
        let [flops, elements, weights] = self.alone.sum_first_part(&formula::column(name::TOKENS));
        [flops / self.write_bytes(elements), self.write_bytes(weights) / 1e6]
    }

    /// Roofline time of the first part in ms, over the column of tokens.
    pub(super) fn time_first_part(&self, roof: &Roof) -> Option<Formula> {
        let tokens = formula::column(name::TOKENS);
        self.alone.time_first_part(&tokens, [&self.bits, &roof.peak, &roof.bandwidth])
    }
}

impl Formulas<'_> {
    /// Those of a scenario.
    pub(super) fn of(&self, scenario: &ScenarioEstimate) -> Option<&Followed<'_>> {
        let fused = self.scheduled.iter().flat_map(|scheduled| &scheduled.all);
        self.scenarios.iter().chain(fused).find(|followed| followed.is_scenario(scenario))
    }

    /// The latency of a scenario under its schedule.
    pub(super) fn find_latency(&self, scenario: &ScenarioEstimate) -> Option<Latencies<'_>> {
        self.scheduled.iter().find_map(|scheduled| scheduled.find_latency(scenario))
    }

    /// The peak of a design's array in TOP/s.
    pub(super) fn array_peak(&self, scenario: &ScenarioEstimate) -> Option<Formula> {
        let followed = self.of(scenario)?;
        followed.roofs.of_array().then(|| formula::name(name::ARRAY_PEAK))
    }

    /// Whether a reader can change the inputs.
    pub(super) fn can_edit(&self) -> bool {
        self.live.is_some_and(|live| live.reader == Reader::Editor)
    }

    /// Whether it is a report that nobody can change.
    pub(super) fn is_on_paper(&self) -> bool {
        self.live.is_some_and(|live| live.reader == Reader::Paper)
    }

    /// Whether there are inputs to follow.
    pub(super) fn is_live(&self) -> bool {
        self.live.is_some()
    }

    /// The bandwidth of the design's ports, where an array reads it.
    pub(super) fn ports_bandwidth(&self) -> Option<Formula> {
        let mut all = self.scheduled.iter().flat_map(|scheduled| &scheduled.all);
        all.any(|followed| followed.roofs.of_ports()).then(|| formula::name(name::DESIGN_BANDWIDTH))
    }

    /// What the formulas of fusion and latency read.
    pub(super) fn group_tables(&self) -> Vec<Table> {
        self.scheduled.iter().flat_map(Scheduled::list_tables).collect()
    }

    /// The kernels that the claim models at a precision and a number of tokens; `None` where formulas do not give them.
    pub(super) fn find_uniform(&self, precision: &str, tokens: f64) -> Option<Uniform<'_>> {
        let (live, alone) = (self.live?, self.alone.as_ref()?);
        let precision = Precision::parse(precision)?;
        let capacity = live.analysis.on_chip().value.0;
        let fits = alone.fits_on_chip(tokens, f64::from(precision.bits()), capacity);
        let bits = live.precisions.find_figure(precision, "bits").filter(|_| fits)?;
        Some(Uniform { alone, precision, bits, tokens: alone.find_tokens(tokens)? })
    }

    /// The claimed or the derived roof of a precision, at the claimed bandwidth or another.
    pub(super) fn find_roof(
        &self,
        precision: Precision,
        basis: PeakSource,
        bandwidth: Formula,
    ) -> Option<Roof> {
        let peak =
            self.live?.precisions.find_figure(precision, &format!("{}_peak", basis.name()))?;
        Some(Roof { peak, bandwidth })
    }

    /// A claimed or derived peak, by its place among those of its basis and precision.
    pub(super) fn find_peak(&self, row: &PeakRow, variant: usize) -> Option<Formula> {
        let live = self.live?;
        let precision = row.peak.precision;
        if variant == 0 {
            return live.precisions.find_figure(precision, &format!("{}_peak", row.basis.name()));
        }
        let mac = live.analysis.platform.costs(precision).get(variant)?.macs_per_dsp.value;
        Some(precisions::write_peak(cell::round_down(formula::name(name::DSP_BUDGET) * mac)))
    }

    /// A sentence about a peak: it holds while none of the peak's inputs is changed.
    pub(super) fn told_of_peak(&self, row: &PeakRow, told: &str) -> Cell {
        let Some(live) = self.live else { return Cell::text(told) };
        let precision = row.peak.precision;
        let stands_on = if row.basis == PeakSource::Claimed {
            vec![precisions::claim_input(live.analysis, precision)]
        } else {
            let mut all = Vec::from(precisions::cost_inputs(live.analysis, precision));
            all.extend([name::KERNEL_CLOCK, name::DSP_BUDGET].map(str::to_owned));
            all
        };
        let stands_on = |input: &str| stands_on.iter().any(|own| own == input);
        told_unless(self.own.count_changed(stands_on), told)
    }

    /// A sentence about a bandwidth: it holds while none is changed, nor the clock that ports have.
    pub(super) fn told_of_bandwidth(&self, told: &str) -> Cell {
        let stands_on = [
            name::CLAIMED_BANDWIDTH,
            name::DERATED_BANDWIDTH,
            name::DESIGN_BANDWIDTH,
            name::KERNEL_CLOCK,
            name::DESIGN_CLOCK,
        ];
        told_unless(self.own.count_changed(|input| stands_on.contains(&input)), told)
    }

    /// Who says what the multiply-add of a derived peak costs.
    pub(super) fn cost_source(&self, row: &PeakRow, variant: usize) -> Option<String> {
        let analysis = self.live.filter(|_| row.basis == PeakSource::Derived)?.analysis;
        let precision = row.peak.precision;
        let cost = match variant {
            0 => default_mac(analysis, precision)?.1,
            variant => analysis.platform.costs(precision).get(variant)?.cost(),
        };
        Some(cost.source)
    }

    /// The derated bandwidth in GB/s; where `derate.toml` gives none, no more than the claim.
    pub(super) fn derated_bandwidth(&self) -> Formula {
        let given = formula::name(name::DERATED_BANDWIDTH);
        let is_given = |live: &Live<'_>| live.analysis.project.derated_bandwidth.is_some();
        if self.live.is_some_and(is_given) {
            given
        } else {
            formula::min(claimed_bandwidth(), given)
        }
    }

    /// What a reader wants to change first, of the cells of `tables`.
    pub(super) fn list_controls(tables: &[Table]) -> Vec<Control> {
        let labelled = [
            ("Bytes as built", name::BUILT_PRECISION),
            ("Bytes as claimed", name::CLAIMED_PRECISION),
            ("Bandwidth, derated (GB/s)", name::DERATED_BANDWIDTH),
            ("Cameras", name::CAMERAS),
            ("Tokens of the claim", name::TOKENS),
            ("Fusion to try", name::SCHEDULE),
        ];
        let has = |input: &str| {
            tables.iter().flat_map(Table::cells).any(|(_, _, cell)| cell.name() == Some(input))
        };
        let instead = |input: &str| input != name::CLAIMED_PRECISION || !has(name::BUILT_PRECISION);
        let known = labelled.into_iter().filter(|(_, input)| has(input) && instead(input));
        known
            .map(|(label, input)| Control { label: label.to_owned(), input: input.to_owned() })
            .collect()
    }

    /// What says whether inputs were changed, and the tables that formulas read.
    pub(super) fn input_tables(&self) -> (Option<Table>, Vec<Table>) {
        self.live.map(|live| live.inputs(self)).unwrap_or_default()
    }
}

/// A count that was made from one; the cast saturates.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "made from a count; the cast saturates"
)]
fn to_count(count: f64) -> u64 {
    count as u64
}
