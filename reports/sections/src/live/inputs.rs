//! The figures that formulas read: a row each, changeable where nothing else gives them.

use derate_render::formula::{min, number};
use derate_render::{Align, Cell, Column, Formula, NumberFormat, Table};

use super::cell::{choice_cell, choose_digits, count_cell, input_cell};
use super::input_rows::{Rows, TABLE};
use super::name as names;
use super::precisions::Precisions;
use derate_estimate::Analysis;
use derate_estimate::scenario::{
    Assumptions, ScenarioKind, claimed_bandwidth, claimed_tokens, derated_bandwidth,
};
use derate_project::{Schedule, Storage};
use derate_units::{Figure, Provenance};

/// In a GB/s, an MHz and an MB.
const GIGA: f64 = 1e9;
const MEGA: f64 = 1e6;
/// The greatest count that derate.toml may give.
const LONGEST: f64 = 1e6;

/// Of the workload's figures those that may be changed, with their bounds.
const PARAMETERS: [(&str, &str, f64, f64); 4] = [
    ("cameras", names::CAMERAS, 1.0, LONGEST),
    ("language tokens", names::LANGUAGE_TOKENS, 1.0, LONGEST),
    ("denoising steps", names::DENOISE_STEPS, 1.0, LONGEST),
    ("action chunk", names::CHUNK, 1.0, LONGEST),
];

/// What a caption says only where a figure may be changed.
const CHANGEABLE: &str =
    ": a figure that is marked as an input may be changed, and formulas take it from here";

/// A row that is there to be changed only.
const TO_TRY: &str = "schedule to try";

/// Whether one of the workload's figures is among the inputs.
pub(crate) fn is_input(figure: &str) -> bool {
    PARAMETERS.iter().any(|(known, ..)| *known == figure)
}

/// The table; `steps` are those of the ladder, `prefix` the tokens of a prefix over cameras and language tokens.
pub(super) fn tabulate_inputs(
    analysis: &Analysis,
    steps: &[Assumptions],
    precisions: &Precisions,
    prefix: Option<(f64, Formula)>,
    can_edit: bool,
) -> Table {
    let mut rows = Rows { analysis, rows: Vec::new() };
    add_storage(&mut rows, steps, precisions);
    add_bandwidth(&mut rows);
    add_parameters(&mut rows, prefix);
    add_chip(&mut rows);
    add_memory(&mut rows);
    super::array::add_array(&mut rows, steps, precisions);
    if can_edit {
        what_if(&mut rows);
    }
    let changeable = if can_edit { CHANGEABLE } else { "" };
    Table {
        name: TABLE.to_owned(),
        caption: format!(
            "What the numbers follow{changeable}. Commands are run in the folder of derate.toml."
        ),
        columns: vec![
            Column::text("figure", "Figure"),
            Column { align: Align::Right, ..Column::text("value", "Value") },
            Column::text("unit", "Unit"),
            Column::text("provenance", "Provenance"),
            Column::text("source", "Source"),
            Column::text("command", "Reproduce with"),
        ],
        rows: rows.rows,
    }
}

/// The number formats as claimed and as built.
fn add_storage(rows: &mut Rows<'_>, steps: &[Assumptions], precisions: &Precisions) {
    let known = [
        (ScenarioKind::Claimed, names::CLAIMED_PRECISION, "claimed"),
        (ScenarioKind::AsBuilt, names::BUILT_PRECISION, "as built"),
        (ScenarioKind::Design, names::DESIGN_PRECISION, "design"),
    ];
    for (scenario, input, word) in known {
        let Some(step) = steps.iter().find(|step| step.kind == scenario) else { continue };
        let own = matches!(step.storage, Storage::Each { .. }).then(|| step.storage.name());
        let source = match (&step.storage, scenario) {
            (Storage::Each { name: "as-stored", .. }, _) => "each tensor as the dump has it",
            (_, ScenarioKind::Design) if rows.analysis.project.design.precision.is_some() => {
                "[design] precision in derate.toml"
            }
            (_, ScenarioKind::Claimed | ScenarioKind::Design) => {
                "[claims] precision in derate.toml"
            }
            _ => "each tensor as the code declares its array",
        };
        let provenance = match scenario {
            ScenarioKind::Claimed | ScenarioKind::Design => Provenance::Assumed,
            _ => Provenance::Derived,
        };
        let choices = own.into_iter().chain(precisions.keys()).collect();
        let cell = choice_cell(input, step.storage.name(), choices);
        let figure = Figure::new((), provenance, source);
        rows.add_figure(&format!("bytes, {word}"), cell, "", &figure, &step.arguments());
    }
}

fn add_bandwidth(rows: &mut Rows<'_>) {
    let (claimed, derated) = (claimed_bandwidth(rows.analysis), derated_bandwidth(rows.analysis));
    let cell = |name, value, most| input_cell(name, value / GIGA, 1e-3, most);
    let claim = cell(names::CLAIMED_BANDWIDTH, claimed.value.0, 1e6);
    rows.add_figure("bandwidth, claimed", claim, "GB/s", &claimed, "--scenario claimed");
    // What the memory does not give corrects nothing.
    let achievable = rows.analysis.platform.memory.most().value.0 / GIGA;
    let left = cell(names::DERATED_BANDWIDTH, derated.value.0, achievable);
    rows.add_figure("bandwidth, derated", left, "GB/s", &derated, "--scenario derated");
}

/// What an inference is run with.
fn add_parameters(rows: &mut Rows<'_>, prefix: Option<(f64, Formula)>) {
    let tokens = claimed_tokens(rows.analysis);
    let cell = count_cell(names::TOKENS, tokens.value, 1.0, LONGEST);
    rows.add_figure("tokens of the claim", cell, "", &tokens, "--scenario claimed");
    for (figure, of) in rows.analysis.workload.assumed_figures() {
        let known = PARAMETERS.iter().find(|(known, ..)| *known == figure);
        if let Some((_, name, least, most)) = known {
            rows.add_figure(&figure, count_cell(*name, of.value, *least, *most), "", &of, "");
        }
    }
    if let Some((value, formula)) = prefix {
        let cell =
            Cell::formula(value, formula, NumberFormat::Integer).called(names::PREFIX_TOKENS);
        let tokens = rows.analysis.workload.token_counts().into_iter().next();
        let figure =
            tokens.map_or_else(|| Figure::new(value, Provenance::Derived, ""), |t| t.figure);
        rows.add_figure("tokens of the prefix", cell, "", &figure, "");
    }
}

/// What the chip has.
fn add_chip(rows: &mut Rows<'_>) {
    let platform = &rows.analysis.platform;
    let (clock, fastest) = (rows.analysis.clock(), platform.clock_bound().value.0);
    let cell = input_cell(names::KERNEL_CLOCK, clock.value.0 / MEGA, 1.0, fastest / MEGA);
    let budget = platform.dsp_budget().clone();
    let on_chip = rows.analysis.on_chip();
    rows.add_figure("kernel clock", cell, "MHz", &clock, "");
    rows.add_figure(
        "DSP budget",
        count_cell(names::DSP_BUDGET, budget.value, 1.0, 1e6),
        "",
        &budget,
        "",
    );
    let cell = input_cell(names::ON_CHIP, on_chip.value.0 / MEGA, 0.0, 1e6);
    rows.add_figure("on-chip memory for operands", cell, "MB", &on_chip, "");
}

/// What the table of fusion is asked.
fn what_if(rows: &mut Rows<'_>) {
    if !rows.analysis.workload.is_whole() {
        return;
    }
    let all = Schedule::ALL.map(|schedule| schedule.name().to_owned());
    let cell = choice_cell(names::SCHEDULE, Schedule::Block.name().to_owned(), all.into());
    let source = "a question to the formulas: what if that is fused; nothing but the table what-if and its points depend on it";
    let figure = Figure::new((), Provenance::Assumed, source);
    rows.add_figure(TO_TRY, cell, "", &figure, "--scenario derived-peak --schedule block");
}

/// What bandwidths are measured by: no scenario reads it.
fn add_memory(rows: &mut Rows<'_>) {
    let memory = rows.analysis.platform.memory.clone();
    let fixed = |value: f64| Cell::number(value, choose_digits(value));
    let channels = f64::from(memory.channels.value);
    rows.add_figure("memory channels", fixed(channels), "", &memory.channels, "");
    rows.add_figure(
        "memory port width",
        fixed(memory.port_bits.value),
        "bit",
        &memory.port_bits,
        "",
    );
    let clock = fixed(memory.axi_clock.value.0 / MEGA);
    rows.add_figure("memory AXI clock", clock, "MHz", &memory.axi_clock, "");
    let share = memory.share();
    rows.add_figure("memory efficiency, sequential", fixed(share.value), "", &share, "");
    let pins = rows.cell_above(4) * rows.cell_above(3) / 8.0 * rows.cell_above(2) / 1e3;
    let streams = pins.clone() * rows.cell_above(1);
    let least = |formula: Formula, card: Option<f64>| match card {
        Some(card) => min(formula, number(card / GIGA)),
        None => formula,
    };
    let peak = memory.physical_peak();
    let bears = memory.peak.as_ref().map(|peak| peak.value.0);
    let cell =
        |value: f64, formula| Cell::formula(value / GIGA, formula, choose_digits(value / GIGA));
    rows.add_figure(
        "memory physical peak",
        cell(peak.value.0, least(pins, bears)),
        "GB/s",
        &peak,
        "",
    );
    let achievable = memory.most();
    let bears = memory.card().map(|card| card.value.0);
    let value = cell(achievable.value.0, least(streams, bears));
    rows.add_figure("memory achievable", value, "GB/s", &achievable, "");
}
