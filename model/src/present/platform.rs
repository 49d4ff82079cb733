//! The catalogue and its cards as a document and as data: `derate.platform/1`.

mod bandwidth;
mod figures;

use derate_reports::{Block, Cell, Column, Document, NumberFormat, Table, format_quantity};
use serde::Serialize;

use crate::command::quoted;
use crate::figures::{quantity, rate};
use crate::units::Bytes;
use crate::{Peak, Platform, Precision};
use bandwidth::BandwidthRow;
use figures::Named;

/// The precisions whose peaks are shown.
const PRECISIONS: [Precision; 5] =
    [Precision::FP32, Precision::BF16, Precision::INT16, Precision::INT8, Precision::INT4];

/// `derate.platform/1`.
#[derive(Debug, Serialize)]
pub struct PlatformReport {
    schema: &'static str,
    command: String,
    platforms: Vec<PlatformEntry>,
}

#[derive(Debug, Serialize)]
struct PlatformEntry {
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

impl PlatformEntry {
    fn of(platform: &Platform) -> Self {
        let clock = &platform.clock;
        Self {
            name: platform.name.clone(),
            title: platform.title.clone(),
            part: platform.part.as_ref().map(|part| part.value.clone()),
            figures: figures::all(platform),
            peaks: PRECISIONS.iter().flat_map(|p| platform.peaks(*p, clock)).collect(),
            bandwidth: platform
                .memories()
                .flat_map(|m| bandwidth::rows(m, &platform.kernel))
                .collect(),
        }
    }
}

fn report(command: String, platforms: &[Platform]) -> PlatformReport {
    PlatformReport {
        schema: "derate.platform/1",
        command,
        platforms: platforms.iter().map(PlatformEntry::of).collect(),
    }
}

/// All cards, one a row.
pub fn platforms(platforms: &[Platform]) -> (PlatformReport, Document) {
    let unknown = || "unknown".to_owned();
    let rows = platforms.iter().map(|platform| {
        let memory = &platform.memory;
        let peak = |precision| {
            let peak = platform.peak(precision, &platform.clock);
            peak.map_or_else(unknown, |peak| rate(peak.rate.value, precision))
        };
        vec![
            Cell::text(&platform.name),
            Cell::text(&memory.title),
            Cell::text(memory.capacity().map_or_else(unknown, binary)),
            Cell::text(quantity(memory.physical_peak().value)),
            Cell::text(quantity(memory.achievable().value)),
            Cell::number(platform.dsp_budget().value, NumberFormat::Integer),
            Cell::text(platform.on_chip_bytes().map_or_else(unknown, |b| quantity(b.value))),
            Cell::text(peak(Precision::FP32)),
            Cell::text(peak(Precision::INT8)),
        ]
    });
    let table = Table {
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
    };
    let document = Document {
        title: "Platforms".to_owned(),
        subtitle: "at each card's default kernel clock and shell".to_owned(),
        controls: Vec::new(),
        sections: vec![super::section("Platforms", "The catalogue", vec![Block::Table(table)])],
    };
    (report("derate platform --format json".to_owned(), platforms), document)
}

/// Sizes of memories are powers of two.
fn binary(bytes: Bytes) -> String {
    const GIB: f64 = 1024.0 * 1024.0 * 1024.0;
    format_quantity(bytes.0 / GIB, NumberFormat::Significant(4), "GiB")
}

/// One card: its figures, the peaks and the bandwidths that follow from them. `asked` is the name or the path that was
/// asked for.
pub fn platform(platform: &Platform, asked: &str) -> (PlatformReport, Document) {
    let command = format!("derate platform {} --format json", quoted(asked));
    let report = report(command, std::slice::from_ref(platform));
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
    let document = Document {
        title: platform.title.clone(),
        subtitle: "figures, and what follows from them".to_owned(),
        controls: Vec::new(),
        sections: vec![
            super::section("Figures", "Figures", tables(vec![figures::table(platform)])),
            super::section("Peaks", "Peaks", tables(vec![peaks])),
            super::section(
                "Bandwidth",
                "Bandwidth by port width and kernel clock",
                tables(
                    platform.memories().map(|m| bandwidth::table(m, &platform.kernel)).collect(),
                ),
            ),
        ],
    };
    (report, document)
}
