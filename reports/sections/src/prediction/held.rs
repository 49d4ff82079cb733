//! What was measured, counted or drawn, beside a prediction.

use derate_predict::Prediction;
use derate_render::{Block, Cell, Column, NumberFormat, Section, Table};
use derate_units::figures::{mixed_rate, quantity, significant};

use super::{list_arithmetic, right_column};

/// Samples of power that differ by more than this are hardly of one load.
const UNEVEN: f64 = 1.5;

fn share(value: Option<f64>) -> Cell {
    let unknown = || Cell::Unknown("it was not counted, or the peak is not known".to_owned());
    value.map_or_else(unknown, |value| Cell::number(value, NumberFormat::Percent(1)))
}

fn tabulate_pairs(name: &str, rows: Vec<(String, Cell)>) -> Table {
    Table {
        name: name.to_owned(),
        caption: String::new(),
        columns: vec![Column::text("figure", "Figure"), right_column("value", "Value")],
        rows: rows.into_iter().map(|(label, cell)| vec![Cell::text(label), cell]).collect(),
    }
}

/// The kernels that a profiler saw.
fn tabulate_kernels(prediction: &Prediction) -> Option<Table> {
    let counted = prediction.counted.as_ref()?;
    let unknown = || Cell::Unknown("the profile has no such metric".to_owned());
    let rows = counted.kernels.iter().map(|kernel| {
        vec![
            Cell::text(&kernel.name),
            Cell::number(kernel.launches as f64, NumberFormat::Integer),
            kernel.seconds.map_or_else(unknown, |time| Cell::text(quantity(time))),
            kernel.bytes.map_or_else(unknown, |bytes| Cell::text(quantity(bytes))),
            kernel.sm_share.map_or_else(unknown, |of| Cell::number(of, NumberFormat::Percent(1))),
            kernel.dram_share.map_or_else(unknown, |of| Cell::number(of, NumberFormat::Percent(1))),
        ]
    });
    Some(Table {
        name: "counted-kernels".to_owned(),
        caption: "Means of the launches of each kernel, as ncu counted them".to_owned(),
        columns: vec![
            Column::text("kernel", "Kernel"),
            Column::number("launches", "Launches", ""),
            right_column("seconds", "Time"),
            right_column("bytes", "DRAM bytes"),
            Column::number("sm", "SM busy", ""),
            Column::number("dram", "DRAM busy", ""),
        ],
        rows: rows.collect(),
    })
}

/// One section of all that is held against the prediction; `None` where nothing is.
pub(super) fn held_section(prediction: &Prediction) -> Option<Section> {
    let mut rows: Vec<(String, Cell)> = Vec::new();
    let (_, modelled) = prediction.work();
    let ran = || prediction.phases.iter().flat_map(list_arithmetic);
    if let Some(own) = &prediction.measured {
        rows.push(("Measured time".to_owned(), Cell::text(quantity(own.seconds))));
        rows.push(("Operations, per second".to_owned(), Cell::text(mixed_rate(own.rate, ran()))));
        rows.push(("Modelled bytes, per second".to_owned(), Cell::text(quantity(own.bandwidth))));
        rows.push(("Roofline over measured time".to_owned(), share(own.of_roofline)));
        rows.push(("Error of the prediction".to_owned(), share(own.error)));
    }
    if let Some(own) = &prediction.counted {
        let unknown = || Cell::Unknown("a kernel has no dram__bytes.sum".to_owned());
        rows.push(("Bytes, modelled".to_owned(), Cell::text(quantity(modelled))));
        let counted = own.bytes.map_or_else(unknown, |bytes| Cell::text(quantity(bytes)));
        rows.push(("Bytes, counted".to_owned(), counted));
        rows.push(("Counted over modelled".to_owned(), share(own.of_modelled)));
        if let Some(oi) = own.oi {
            let text = format!("{} OP/B", significant(oi.0, 4));
            rows.push(("Operational intensity, counted".to_owned(), Cell::text(text)));
        }
    }
    if let Some(own) = &prediction.energy {
        let power = &own.power;
        let range = format!("{} to {}", quantity(power.least), quantity(power.most));
        rows.push((
            format!("Power, mean of {} ({})", power.samples, power.tool),
            Cell::text(quantity(power.mean)),
        ));
        rows.push(("Power, least to most".to_owned(), Cell::text(range)));
        rows.push((
            "Energy of one run".to_owned(),
            Cell::text(format!("{} J", significant(own.joules, 4))),
        ));
        let each = format!("{} pJ", significant(own.joules_per_operation * 1e12, 4));
        rows.push(("Energy of an operation".to_owned(), Cell::text(each)));
    }
    if rows.is_empty() {
        return None;
    }
    let mut blocks = vec![Block::Table(tabulate_pairs("held", rows))];
    blocks.extend(tabulate_kernels(prediction).map(Block::Table));
    if let Some(own) = &prediction.energy {
        let text = "Energy is mean power times that time: it counts all that the device drew, its idle power too.";
        blocks.push(Block::Prose(text.to_owned()));
        if own.power.most.0 > UNEVEN * own.power.least.0 {
            let text = "The samples differ much: some may be from before or after the run, and then the energy is too low. Keep those of the run alone.";
            blocks.push(Block::Prose(text.to_owned()));
        }
    }
    Some(Section::new("Held", "Measured beside it", blocks))
}
