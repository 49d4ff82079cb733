//! What host and card exchange.

use derate_design::{KernelDesign, Transfer, TransferDirection};
use derate_render::{Cell, Column, NumberFormat, Table};

use super::number_cell;

/// Each transfer of an inference; `None` where there is none.
pub(super) fn tabulate_transfers(design: &KernelDesign) -> Option<Table> {
    let list = &design.transfers.list;
    let row = |one: &Transfer| {
        let way = match one.direction {
            TransferDirection::ToCard => "to the card",
            TransferDirection::FromCard => "from the card",
        };
        let (time, three) = (one.time.as_ref(), NumberFormat::Significant(3));
        let known = time.map_or(one.bytes.provenance, |time| time.provenance);
        vec![
            Cell::text(&one.what),
            Cell::text(known.to_string()),
            Cell::text(way),
            Cell::number(one.bytes.value.0 / 1e6, three),
            number_cell(one.rate.as_ref().map(|rate| rate.value.0 / 1e9), three),
            number_cell(time.map(|time| 1e3 * time.value.0), three),
        ]
    };
    (!list.is_empty()).then(|| Table {
        name: "design-transfers".to_owned(),
        caption: "What host and card exchange in an inference".to_owned(),
        columns: vec![
            Column::text("what", "What"),
            Column::text("provenance", "Known as"),
            Column::text("way", "Way"),
            Column::number("bytes", "Bytes", "MB"),
            Column::number("rate", "Rate", "GB/s"),
            Column::number("time", "Time", "ms"),
        ],
        rows: list.iter().map(row).collect(),
    })
}

/// Where the rates are from, a sentence for each way.
pub(super) fn list_rates(design: &KernelDesign) -> Vec<String> {
    let find = |direction: TransferDirection, way: &str| {
        let own = design.transfers.list.iter().find(|one| one.direction == direction)?;
        let rate = own.rate.as_ref()?;
        Some(format!("Rate {way} the card: {}.", rate.source.trim_end_matches('.')))
    };
    [(TransferDirection::ToCard, "to"), (TransferDirection::FromCard, "from")]
        .into_iter()
        .filter_map(|(direction, way)| find(direction, way))
        .collect()
}
