//! The four bar charts of a study, and its roofline.

use derate_render::{
    Axis, BarSeries, Bars, Block, Chart, Length, LineStyle, Marker, NumberFormat, Point,
    PointSeries, Position,
};

use super::conclusions;
use crate::chart::{decade_range, roof_line};
use crate::prediction::figure::memory_wall;
use derate_predict::formats::{BitIntensity, CircuitWeights, FormatRow, FormatStudy};
use derate_units::Roofline;
use derate_units::figures::rate;

type Read<'a> = (&'a str, &'a dyn Fn(&FormatRow) -> Option<f64>);

/// A bar for each format that has one of the figures; none where no format has.
fn make_bars(
    study: &FormatStudy,
    [name, title, caption]: [&str; 3],
    [label, unit]: [&str; 2],
    read: &[Read<'_>],
) -> Option<Bars> {
    let has = |row: &&FormatRow| read.iter().any(|(_, read)| read(row).is_some());
    let rows: Vec<&FormatRow> = study.rows.iter().filter(has).collect();
    let series = |(name, read): &Read<'_>| BarSeries {
        name: (*name).to_owned(),
        lengths: rows.iter().map(|row| Some(Length { value: read(row)?, live: None })).collect(),
    };
    let some = |(_, read): &&Read<'_>| rows.iter().any(|row| read(row).is_some());
    (!rows.is_empty()).then(|| Bars {
        name: name.to_owned(),
        title: title.to_owned(),
        caption: caption.to_owned(),
        label: label.to_owned(),
        unit: unit.to_owned(),
        format: NumberFormat::Significant(4),
        bars: rows.iter().map(|row| row.mixture.to_string()).collect(),
        series: read.iter().filter(some).map(series).collect(),
        stacked: false,
    })
}

/// The best measured rate.
fn achieved_share(row: &FormatRow) -> Option<f64> {
    row.achieved.iter().map(|point| point.rate.0 / 1e12).reduce(f64::max)
}

fn of_bits(row: &FormatRow, set: CircuitWeights) -> Option<f64> {
    let own = |i: &&BitIntensity| (i.definition, i.weights) == (set, set);
    row.bit_intensity.iter().find(own).map(|i| i.value)
}

/// The roofs, arithmetic of one peak together, and where each format is below its own.
fn make_roofline(study: &FormatStudy) -> Option<Chart> {
    let bandwidth = study.bandwidth.as_ref()?.value;
    let mut roofs: Vec<(Vec<String>, String, Roofline)> = Vec::new();
    for row in &study.rows {
        let Some(peak) = &row.peak else { continue };
        let (peak, own) = (peak.value, row.arithmetic.to_string());
        match roofs.iter_mut().find(|(_, _, roof)| roof.peak == peak) {
            Some((names, ..)) if names.contains(&own) => {}
            Some((names, ..)) => names.push(own),
            None => {
                roofs.push((vec![own], rate(peak, row.arithmetic), Roofline { peak, bandwidth }));
            }
        }
    }
    let point = |row: &FormatRow| {
        let at = Position::fixed(row.oi?.0, row.attainable?.0);
        Some(Point { label: row.mixture.to_string(), at, range: None, share: None })
    };
    let points = study.rows.iter().filter_map(point).collect();
    let measured = study.rows.iter().flat_map(|row| &row.achieved);
    let measured = measured.map(|point| Point {
        label: point.name.clone(),
        at: Position::fixed(point.oi.0, point.rate.0),
        range: point.range.map(|(slowest, fastest)| (slowest.0, fastest.0)),
        share: None,
    });
    let mut points = vec![
        PointSeries { name: "attainable".to_owned(), points, marker: Marker::Hollow },
        PointSeries {
            name: "measured".to_owned(),
            points: measured.collect(),
            marker: Marker::Measured,
        },
    ];
    points.retain(|series| !series.points.is_empty());
    let all = || points.iter().flat_map(|series| &series.points);
    let x = decade_range(
        all()
            .map(|p| p.at.x)
            .chain(roofs.iter().map(|(.., roof)| roof.ridge().0))
            .chain(study.claims.iter().map(|claim| claim.claimed_ridge.0)),
    )?;
    let claims = || study.claims.iter().map(|claim| claim.claimed.0);
    let ends = |p: &Point| p.range.map_or([p.at.y; 2], |(low, high)| [low, high]);
    let peaks = roofs.iter().map(|(.., roof)| roof.peak.0).chain(claims());
    let y = decade_range(all().flat_map(ends).chain(peaks))?;
    Some(Chart {
        name: "roofline".to_owned(),
        title: "Roofline of each format".to_owned(),
        caption: conclusions::of_roofs(study),
        x: Axis {
            label: "Operational intensity".to_owned(),
            unit: "OP/B".to_owned(),
            min: x.0,
            max: x.1,
        },
        y: Axis {
            label: "Attainable rate".to_owned(),
            unit: "OP/s".to_owned(),
            min: y.0,
            max: y.1,
        },
        lines: roofs
            .into_iter()
            .map(|(names, rate, roof)| {
                let name = format!("{rate}: {}", names.join(", "));
                roof_line(name, &roof, LineStyle::Corrected, None, x)
            })
            .chain(study.claims.iter().map(|claim| {
                let roof = Roofline { peak: claim.claimed, bandwidth };
                let name = format!(
                    "claimed {}: {}",
                    rate(claim.claimed, claim.arithmetic),
                    claim.arithmetic
                );
                roof_line(name, &roof, LineStyle::Claimed, None, x)
            }))
            .chain([memory_wall(bandwidth.0, x)])
            .collect(),
        points,
    })
}

/// All that the study has figures for.
pub(super) fn chart_blocks(study: &FormatStudy) -> Vec<Block> {
    let peak = |row: &FormatRow| row.peak.as_ref().map(|peak| peak.value.0 / 1e12);
    let oi = |row: &FormatRow| row.oi.map(|oi| oi.0);
    let rho = |row: &FormatRow| row.rho;
    let is_measured = study.rows.iter().any(|row| !row.achieved.is_empty());
    let rates = if is_measured { "Achieved and peak" } else { "Peak" };
    let [text, code] = CircuitWeights::ALL.map(|set| move |row: &FormatRow| of_bits(row, set));
    let charts = [
        make_bars(
            study,
            ["peak", rates, &conclusions::of_peaks(study)],
            ["Rate", "TOP/s"],
            &[("achieved", &achieved_share), ("peak", &peak)],
        ),
        make_bars(
            study,
            ["intensity", "Operational intensity", &conclusions::of_intensities(study)],
            ["Operational intensity", "OP/B"],
            &[("operational intensity", &oi)],
        ),
        make_bars(
            study,
            ["bit-intensity", "Bit-level intensity", &conclusions::of_bits(study, &text, &code)],
            ["Bit-level intensity", ""],
            &[("by the text", &text), ("by the code", &code)],
        ),
        make_bars(
            study,
            ["rho", "Distance to the ridge", &conclusions::of_ridges(study)],
            ["rho", ""],
            &[("rho", &rho)],
        ),
    ];
    let roofline = make_roofline(study).map(Block::Chart);
    roofline.into_iter().chain(charts.into_iter().flatten().map(Block::Bars)).collect()
}
