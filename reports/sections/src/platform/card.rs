//! Cards, in the catalogue's table and one by one.

use derate_render::{Block, Cell, Column, NumberFormat, Section, Table};
use serde::Serialize;

use super::bandwidth::{self, BandwidthRow};
use super::figures::{self, Named};
use super::{unknown_workload, write_binary};
use crate::section::new_section;
use derate_machine::{Peak, Platform};
use derate_units::Precision;
use derate_units::figures::{quantity, rate};

/// The precisions whose peaks are shown.
const PRECISIONS: [Precision; 5] =
    [Precision::FP32, Precision::BF16, Precision::INT16, Precision::INT8, Precision::INT4];

#[derive(Debug, Serialize)]
pub(super) struct CardEntry {
    name: String,
    title: String,
    part: Option<String>,
    /// Every figure of the file, and those that follow from them.
    figures: Vec<Named>,
    /// Peaks at the default kernel clock.
    peaks: Vec<Peak>,
    /// One sequential reader on each channel.
    bandwidth: Vec<BandwidthRow>,
}

impl CardEntry {
    pub(super) fn of(platform: &Platform) -> Self {
        let clock = &platform.clock;
        Self {
            name: platform.name.clone(),
            title: platform.title.clone(),
            part: platform.part.as_ref().map(|part| part.value.clone()),
            figures: figures::list_figures(platform),
            peaks: PRECISIONS.iter().flat_map(|p| platform.peaks(*p, clock)).collect(),
            bandwidth: platform
                .memories()
                .flat_map(|m| bandwidth::list_rows(m, &platform.kernel))
                .collect(),
        }
    }
}

/// All cards, one a row.
pub(super) fn tabulate_cards(cards: &[&Platform]) -> Table {
    let rows = cards.iter().map(|platform| {
        let memory = &platform.memory;
        let peak = |precision| {
            let peak = platform.peak(precision, &platform.clock);
            peak.map_or_else(unknown_workload, |peak| rate(peak.rate.value, precision))
        };
        vec![
            Cell::text(&platform.name),
            Cell::text(&memory.title),
            Cell::text(memory.capacity().map_or_else(unknown_workload, write_binary)),
            Cell::text(quantity(memory.physical_peak().value)),
            Cell::text(quantity(memory.achievable().value)),
            Cell::number(platform.dsp_budget().value, NumberFormat::Integer),
            Cell::text(
                platform.on_chip_bytes().map_or_else(unknown_workload, |b| quantity(b.value)),
            ),
            Cell::text(peak(Precision::FP32)),
            Cell::text(peak(Precision::INT8)),
        ]
    });
    Table {
        name: "platforms".to_owned(),
        caption: "`derate platform NAME` shows a card's figures with their sources".to_owned(),
        columns: vec![
            Column::text("name", "Name"),
            Column::text("memory", "Memory"),
            Column::text("capacity", "Size"),
            Column::text("peak", "Peak"),
            Column::text("achievable", "Streams reach"),
            Column::number("dsp", "DSP", ""),
            Column::text("on_chip", "On chip"),
            Column::text("fp32", "FP32"),
            Column::text("int8", "INT8"),
        ],
        rows: rows.collect(),
    }
}

/// One card: its figures, the peaks and the bandwidths that follow from them.
pub(super) fn card_sections(platform: &Platform) -> Vec<Section> {
    let peaks = PRECISIONS.iter().flat_map(|p| platform.peaks(*p, &platform.clock)).map(|peak| {
        vec![
            Cell::text(peak.precision.to_string()),
            Cell::text(&peak.variant),
            Cell::text(rate(peak.rate.value, peak.precision)),
            Cell::text(peak.rate.provenance.to_string()),
            Cell::text(&peak.rate.source),
        ]
    });
    let peaks = Table {
        name: "peaks".to_owned(),
        caption: format!("At {}, the default kernel clock", quantity(platform.clock.value)),
        columns: vec![
            Column::text("precision", "Precision"),
            Column::text("variant", "Multiply-add"),
            Column::text("peak", "Peak"),
            Column::text("provenance", "Provenance"),
            Column::text("source", "Source"),
        ],
        rows: peaks.collect(),
    };
    let tables = |tables: Vec<Table>| tables.into_iter().map(Block::Table).collect::<Vec<_>>();
    vec![
        new_section(
            "Figures",
            "Figures",
            tables(vec![figures::tabulate_figures(figures::list_figures(platform))]),
        ),
        new_section("Peaks", "Peaks", tables(vec![peaks])),
        new_section(
            "Bandwidth",
            "Bandwidth by port width and kernel clock",
            tables(
                platform
                    .memories()
                    .map(|m| bandwidth::tabulate_bandwidth(m, &platform.kernel))
                    .collect(),
            ),
        ),
    ]
}
