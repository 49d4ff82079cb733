//! Every figure with its provenance, its source, and the command that uses it.

mod design;

use derate_render::{Cell, Column, NumberFormat, Table, format_quantity};

use super::live;
use derate_estimate::{Analysis, Estimate, ScenarioEstimate};
use derate_units::figures::rate;
use derate_units::{Figure, Provenance, Quantity};

fn make_row(
    name: String,
    value: String,
    provenance: Provenance,
    source: &str,
    command: &str,
) -> Vec<Cell> {
    vec![
        Cell::text(name),
        Cell::text(value),
        Cell::text(provenance.to_string()),
        Cell::text(source),
        Cell::text(command),
    ]
}

fn quantity_row<Q: Quantity>(
    name: impl Into<String>,
    figure: &Figure<Q>,
    command: &str,
) -> Vec<Cell> {
    let value = format_quantity(figure.value.value(), NumberFormat::Si(4), Q::UNIT);
    make_row(name.into(), value, figure.provenance, &figure.source, command)
}

fn number_row(
    name: impl Into<String>,
    figure: &Figure<f64>,
    unit: &str,
    command: &str,
) -> Vec<Cell> {
    let format = if figure.value.fract() == 0.0 {
        NumberFormat::Integer
    } else {
        NumberFormat::Significant(4)
    };
    make_row(
        name.into(),
        format_quantity(figure.value, format, unit),
        figure.provenance,
        &figure.source,
        command,
    )
}

fn make_table(name: &str, caption: &str, rows: Vec<Vec<Cell>>) -> Table {
    Table {
        name: name.to_owned(),
        caption: caption.to_owned(),
        columns: vec![
            Column::text("figure", "Figure"),
            Column::text("value", "Value"),
            Column::text("provenance", "Provenance"),
            Column::text("source", "Source"),
            Column::text("command", "Reproduce with"),
        ],
        rows,
    }
}

fn scenario_rows(scenario: &ScenarioEstimate) -> Vec<Vec<Cell>> {
    let command = scenario.command.as_str();
    let mut rows = vec![
        number_row("tokens", &scenario.tokens, "", command),
        quantity_row("bandwidth", &scenario.bandwidth, command),
    ];
    rows.extend(scenario.ceilings.iter().map(|c| {
        let peak = &c.peak.rate;
        let name = format!("{} peak", c.peak.precision);
        make_row(name, rate(peak.value, c.peak.precision), peak.provenance, &peak.source, command)
    }));
    rows
}

/// What one scenario assumes.
pub(super) fn of_scenario(scenario: &ScenarioEstimate) -> Table {
    make_table("figures", "", scenario_rows(scenario))
}

/// What is not an input: the card's other figures, the batch, the design's, and what is taken for granted.
pub(super) fn list_assumptions(analysis: &Analysis, estimate: &Estimate) -> Table {
    let platform = &analysis.platform;
    let all = analysis.command("estimate", "");
    let all = all.as_str();
    let mut rows = Vec::new();
    if analysis.project.assumes_platform {
        let source = "[platform] in derate.toml names no card";
        rows.push(make_row(
            "card".to_owned(),
            platform.title.clone(),
            Provenance::Assumed,
            source,
            all,
        ));
    }
    rows.push(number_row("DSP on the chip", &platform.dsp, "", all));
    rows.extend(
        platform
            .shells
            .iter()
            .filter_map(|shell| Some((shell, shell.dsp.as_ref()?)))
            .map(|(shell, dsp)| number_row(format!("DSP budget, {}", shell.name), dsp, "", all)),
    );
    // The first way to build an arithmetic is an input.
    let others = platform.macs.iter().enumerate().filter(|(at, mac)| {
        platform.macs[..*at].iter().any(|before| before.precision == mac.precision)
    });
    rows.extend(others.map(|(_, mac)| {
        number_row(
            format!("{} multiply-adds per DSP ({})", mac.precision, mac.name),
            &mac.macs_per_dsp,
            "",
            all,
        )
    }));
    let batch = Figure::new(
        analysis.batch() as f64,
        Provenance::Assumed,
        "[claims] batch in derate.toml, 1 where it is not given",
    );
    rows.push(number_row("batch", &batch, "", all));
    let figures = analysis.workload.assumed_figures();
    let told = figures.iter().filter(|(name, _)| !live::is_input(name));
    rows.extend(told.map(|(name, figure)| number_row(name.as_str(), figure, "", all)));
    rows.extend(design::design_rows(analysis, estimate));
    rows.push(make_row(
        "traffic".to_owned(),
        "what one kernel makes and another of its group reads stays on the chip".to_owned(),
        Provenance::Assumed,
        "unfused, every kernel is a group; a product whose operands do not fit on the chip reads one of them more than once",
        all,
    ));
    rows.push(make_row(
        "activations".to_owned(),
        "stored as the weights that they meet".to_owned(),
        Provenance::Assumed,
        "the dump says nothing of activations; attention scores are FP32 where tensors keep their own formats, as PyTorch runs them",
        all,
    ));
    make_table("assumptions", "What is not an input: derate sets it.", rows)
}
