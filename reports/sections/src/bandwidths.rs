//! Bandwidth as it is claimed, derated, modelled and measured.

use derate_render::{BarSeries, Bars, Block, Cell, Column, Formula, Length, NumberFormat, Table};

use super::live::{self, Formulas};
use derate_estimate::{BandwidthOwner, BandwidthRow, Estimate};
use derate_measure::Validation;
use derate_units::figures::{quantity, significant};
use derate_units::{BytesPerSecond, Provenance};

const GIGA: f64 = 1e9;
const FOUR: NumberFormat = NumberFormat::Significant(4);

/// What gives a bandwidth in GB/s.
fn find_formula(row: &BandwidthRow, formulas: &Formulas<'_>) -> Option<Formula> {
    match row.owner {
        BandwidthOwner::Claimed => formulas.is_live().then(live::claimed_bandwidth),
        BandwidthOwner::Derated => formulas.is_live().then(|| formulas.derated_bandwidth()),
        BandwidthOwner::OwnPorts => formulas.ports_bandwidth(),
        BandwidthOwner::Other => None,
    }
}

/// What was measured, or emulated: a name, GB/s, and how it is known.
fn list_measured(validation: Option<&Validation>) -> Vec<(String, f64, Provenance, String)> {
    let files = validation.into_iter().flat_map(|validation| &validation.files);
    let figures = files.flat_map(|file| {
        file.figures.iter().filter_map(|figure| {
            let rate = figure.bandwidth.as_ref()?;
            let word = match rate.provenance {
                Provenance::Emulated => "emulated",
                _ => "measured",
            };
            let name = format!("{word}: {}, {}", file.file, figure.name);
            let why = format!("{}; {}", figure.verdict, rate.source);
            Some((name, rate.value.0 / GIGA, rate.provenance, why))
        })
    });
    figures.collect()
}

/// The table, and bars where something was measured.
pub(super) fn bandwidth_blocks(
    estimate: &Estimate,
    validation: Option<&Validation>,
    formulas: &Formulas<'_>,
) -> Vec<Block> {
    let measured = list_measured(validation);
    let mut rows: Vec<Vec<Cell>> = estimate
        .bandwidths
        .iter()
        .map(|row| {
            let rate = row.bandwidth.as_ref().map(|b| b.value.0 / GIGA);
            let live = find_formula(row, formulas);
            let told = |text: String| match live {
                Some(_) => formulas.told_of_bandwidth(&text),
                None => Cell::Text(text),
            };
            vec![
                Cell::text(&row.name),
                match (rate, live.clone()) {
                    (Some(rate), Some(formula)) => Cell::formula(rate, formula, FOUR),
                    (Some(rate), None) => Cell::number(rate, FOUR),
                    (None, _) => Cell::Empty,
                },
                told(
                    row.bandwidth
                        .as_ref()
                        .map_or("unknown".to_owned(), |b| b.provenance.to_string()),
                ),
                told(row.sentence.clone()),
            ]
        })
        .collect();
    rows.extend(measured.iter().map(|(name, rate, provenance, why)| {
        vec![
            Cell::text(name),
            Cell::number(*rate, FOUR),
            Cell::text(provenance.to_string()),
            Cell::text(why),
        ]
    }));
    let caption = if measured.is_empty() {
        "Bandwidth as claimed, and as ports and channels give it"
    } else {
        "Bandwidth as claimed, as ports and channels give it, and as it was measured"
    };
    let table = Table {
        name: "bandwidths".to_owned(),
        caption: caption.to_owned(),
        columns: vec![
            Column::text("what", "Of what"),
            Column::number("bandwidth", "Bandwidth", "GB/s"),
            Column::text("provenance", "Provenance"),
            Column::text("why", "Why"),
        ],
        rows,
    };
    let bars = make_bars(estimate, &measured, formulas).map(Block::Bars);
    bars.into_iter().chain([Block::Table(table)]).collect()
}

/// The same as lengths, where there is a measurement beside the claim.
fn make_bars(
    estimate: &Estimate,
    measured: &[(String, f64, Provenance, String)],
    formulas: &Formulas<'_>,
) -> Option<Bars> {
    let (fastest, rate, ..) = measured.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let known = estimate.bandwidths.iter().filter_map(|row| {
        let value = row.bandwidth.as_ref()?.value.0 / GIGA;
        Some((row.name.clone(), Length { value, live: find_formula(row, formulas) }))
    });
    let found =
        measured.iter().map(|(name, rate, ..)| (name.clone(), Length { value: *rate, live: None }));
    let (bars, lengths): (Vec<String>, Vec<Option<Length>>) =
        known.chain(found).map(|(name, length)| (name, Some(length))).unzip();
    let claim = estimate.bandwidths.iter().find(|row| row.owner == BandwidthOwner::Claimed)?;
    let claim = claim.bandwidth.as_ref()?.value;
    Some(Bars {
        name: "bandwidth".to_owned(),
        title: "Bandwidth as claimed, derated, modelled and measured".to_owned(),
        caption: format!(
            "The fastest of what was recorded ({fastest}) is {}, {} % of the claim of {}.",
            quantity(BytesPerSecond(rate * GIGA)),
            significant(100.0 * rate * GIGA / claim.0, 3),
            quantity(claim)
        ),
        label: "Bandwidth".to_owned(),
        unit: "GB/s".to_owned(),
        format: FOUR,
        bars,
        series: vec![BarSeries { name: "bandwidth".to_owned(), lengths }],
        stacked: false,
    })
}
