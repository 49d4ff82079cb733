//! The figures of the design, each with where it is from.

use derate_render::Cell;

use super::{make_row, number_row, quantity_row};
use derate_estimate::{Analysis, Estimate, ScenarioEstimate};
use derate_project::DesignSection;
use derate_units::{Figure, Provenance};

/// What `[design]` says, the defaults for what it leaves open, and what the tools' reports add.
pub(super) fn design_rows(analysis: &Analysis, estimate: &Estimate) -> Vec<Vec<Cell>> {
    let all = analysis.command("estimate", "");
    // With an array it is an input, as all that the array is made of.
    let reached = analysis.reached_clock().filter(|_| estimate.design().is_none());
    let mut rows: Vec<Vec<Cell>> =
        reached.iter().map(|clock| quantity_row("clock that was reached", clock, &all)).collect();
    rows.extend(port_rows(analysis, &all));
    if let Some(design) = estimate.design() {
        rows.extend(of_scenario(analysis, design));
    }
    rows.extend(estimate.synthesised.iter().flat_map(|kernel| {
        let clock = kernel.clock.iter();
        let clock =
            clock.map(|clock| quantity_row(format!("clock of {}", kernel.top), clock, &all));
        let cycles =
            quantity_row(format!("cycles of {}, worst case", kernel.top), &kernel.worst, &all);
        clock.chain(std::iter::once(cycles))
    }));
    rows
}

/// The ports that bandwidth follows from.
fn port_rows(analysis: &Analysis, command: &str) -> Vec<Vec<Cell>> {
    let design = &analysis.project.design;
    let given = |key: &str, value: u64| {
        Figure::new(value as f64, Provenance::Assumed, format!("[design] {key} in derate.toml"))
    };
    let (Some(ports), Some(bits)) = (&design.ports, &design.port_bits) else { return Vec::new() };
    vec![
        number_row("memory ports of the design", &given("ports", ports.value.into()), "", command),
        number_row("width of each", &given("port_bits", bits.value), "bit", command),
    ]
}

fn of_scenario(analysis: &Analysis, design: &ScenarioEstimate) -> Vec<Vec<Cell>> {
    let command = design.command.as_str();
    let mut rows = Vec::new();
    if design.on_chip != analysis.on_chip() {
        rows.push(quantity_row("design: on-chip memory for operands", &design.on_chip, command));
    }
    rows.extend(design_words(&analysis.project.design).map(|(key, value)| {
        let source = format!("[design] {key} in derate.toml");
        make_row(format!("design: {key}"), value, Provenance::Assumed, &source, command)
    }));
    rows
}

/// What `[design]` says that is not an input.
fn design_words(design: &DesignSection) -> impl Iterator<Item = (&'static str, String)> {
    let is_true = |chosen: bool| chosen.then(|| "true".to_owned());
    let costs: Vec<String> =
        design.dsp_per_mac.iter().map(|(of, cost)| format!("{of} {} DSP", cost.text)).collect();
    let hold: Vec<&str> = design.hold.iter().map(|name| name.value.as_str()).collect();
    let all = [
        ("schedule", design.schedule.as_ref().map(|claim| claim.value.name().to_owned())),
        ("dsp_per_mac", (!costs.is_empty()).then(|| costs.join(", "))),
        ("hold", (!hold.is_empty()).then(|| hold.join(", "))),
        ("hoist_cross_kv", is_true(design.hoist_cross_kv)),
        ("drop_dead_work", is_true(design.drop_dead_work)),
    ];
    all.into_iter().filter_map(|(key, value)| Some((key, value?)))
}
