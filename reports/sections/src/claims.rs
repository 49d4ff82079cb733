//! Claimed figures beside what the model says of them.

use derate_design::{ModelledClaim, ModelledRange, model_claims};
use derate_estimate::Analysis;
use derate_project::ClaimedFigure;
use derate_render::{Cell, Column, NumberFormat, Table};
use derate_units::figures::{quantity, significant};
use derate_units::{Bytes, Ops, OpsPerByte, Seconds};

/// A row for each claimed figure; `None` where nothing is claimed.
pub(crate) fn tabulate_claims(analysis: &Analysis) -> Option<Table> {
    let claims = model_claims(analysis);
    (!claims.is_empty()).then(|| Table {
        name: "claims".to_owned(),
        caption: "Claimed beside modelled".to_owned(),
        columns: vec![
            Column::text("of", "Of"),
            Column::text("figure", "Figure"),
            Column::text("claimed", "Claimed"),
            Column::text("modelled", "Modelled"),
            Column::number("ratio", "Modelled / claimed", ""),
            Column::text("source", "From"),
        ],
        rows: claims.iter().map(write_row).collect(),
    })
}

fn write_row(claim: &ModelledClaim) -> Vec<Cell> {
    let of = claim.of.as_deref().unwrap_or("the inference");
    let claimed = claim.figure.value();
    let mut row = vec![
        Cell::text(of),
        Cell::text(format!("{}{}", claim.figure.key(), claim.per)),
        Cell::text(write_figure(claim.figure, claimed)),
    ];
    match &claim.modelled {
        Ok(range) => {
            let nearest = find_nearest(range, claimed);
            row.push(Cell::text(write_range(claim.figure, range)));
            row.push(nearest.map_or(Cell::Empty, |modelled| {
                Cell::number(modelled / claimed, NumberFormat::Significant(3))
            }));
            row.push(Cell::text(&range.source));
        }
        Err(reason) => {
            row.push(Cell::Unknown(reason.to_string()));
            row.push(Cell::Unknown(String::new()));
            row.push(Cell::text(reason.to_string()));
        }
    }
    row
}

/// The value of a range that is nearest to the claim.
fn find_nearest(range: &ModelledRange, claimed: f64) -> Option<f64> {
    let (least, most) = (range.least.unwrap_or(0.0), range.most.unwrap_or(f64::INFINITY));
    Some(claimed.max(least).min(most)).filter(|value| value.is_finite() && claimed > 0.0)
}

fn write_range(figure: ClaimedFigure, range: &ModelledRange) -> String {
    let write = |value: f64| write_figure(figure, value);
    match (range.least, range.most) {
        (Some(least), Some(most)) if write(least) == write(most) => write(least),
        (Some(least), Some(most)) => format!("{} to {}", write(least), write(most)),
        (None, Some(most)) => format!("at most {}", write(most)),
        (Some(least), None) => format!("at least {}", write(least)),
        (None, None) => "unknown".to_owned(),
    }
}

/// A value in the unit of a figure.
fn write_figure(figure: ClaimedFigure, value: f64) -> String {
    match figure {
        ClaimedFigure::Work(_) => quantity(Ops(value)),
        ClaimedFigure::Weights(_) | ClaimedFigure::Activations(_) => quantity(Bytes(value)),
        ClaimedFigure::Intensity(_) => quantity(OpsPerByte(value)),
        ClaimedFigure::Throughput(_) => format!("{} per second", significant(value, 4)),
        ClaimedFigure::Latency(_) => quantity(Seconds(value)),
        ClaimedFigure::Utilisation(_) => format!("{} %", significant(100.0 * value, 3)),
    }
}
