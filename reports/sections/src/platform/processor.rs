//! Processors, in the catalogue's table and one by one.

use derate_render::{Block, Cell, Column, Section, Table};
use serde::Serialize;

use super::figures::{self, Named};
use super::unknown_workload;
use derate_machine::{ArithmeticPeak, Disputed, Processor, ProcessorKind, UnknownPeak};
use derate_units::figures::{quantity, rate, significant};
use derate_units::{OpsPerByte, Precision, Roofline};

#[derive(Debug, Serialize)]
pub(super) struct ProcessorEntry {
    name: String,
    title: String,
    kind: ProcessorKind,
    memory: String,
    /// Every figure of the file but the peaks.
    figures: Vec<Named>,
    peaks: Vec<PeakEntry>,
    disputed: Vec<Disputed>,
    unknown: Vec<UnknownPeak>,
}

#[derive(Debug, Serialize)]
struct PeakEntry {
    #[serde(flatten)]
    peak: ArithmeticPeak,
    /// Where that peak and the memory's bandwidth meet.
    ridge: OpsPerByte,
}

fn find_ridge(processor: &Processor, peak: &ArithmeticPeak) -> OpsPerByte {
    let bandwidth = processor.memory.bandwidth.value;
    Roofline { peak: peak.rate.value, bandwidth }.ridge()
}

impl ProcessorEntry {
    pub(super) fn of(processor: &Processor) -> Self {
        let peak = |peak: &ArithmeticPeak| PeakEntry {
            peak: peak.clone(),
            ridge: find_ridge(processor, peak),
        };
        Self {
            name: processor.name.clone(),
            title: processor.title.clone(),
            kind: processor.kind,
            memory: processor.memory.title.clone(),
            figures: figures::of_processor(processor),
            peaks: processor.peaks.iter().map(peak).collect(),
            disputed: processor.disputed.clone(),
            unknown: processor.unknown.clone(),
        }
    }
}

/// The arithmetic whose peaks are in the catalogue's table.
const SHOWN: [Precision; 5] =
    [Precision::FP32, Precision::FP16, Precision::FP8_E4M3, Precision::INT8, Precision::FP4_E2M1];

/// All processors, one a row.
pub(super) fn tabulate_processors(processors: &[&Processor]) -> Table {
    let rows = processors.iter().map(|processor| {
        let memory = &processor.memory;
        let peak = |arithmetic| {
            let peak = processor.peak(arithmetic).ok();
            Cell::text(peak.map_or_else(|| "-".to_owned(), |p| rate(p.rate.value, arithmetic)))
        };
        let known = [
            Cell::text(&processor.name),
            Cell::text(&memory.title),
            Cell::text(
                memory.capacity.as_ref().map_or_else(unknown_workload, |c| quantity(c.value)),
            ),
            Cell::text(quantity(memory.bandwidth.value)),
        ];
        known.into_iter().chain(SHOWN.map(peak)).collect()
    });
    let named = SHOWN.map(|arithmetic| Column::text(arithmetic.key(), arithmetic.to_string()));
    let columns = [
        Column::text("name", "Name"),
        Column::text("memory", "Memory"),
        Column::text("capacity", "Size"),
        Column::text("bandwidth", "Bandwidth"),
    ];
    Table {
        name: "processors".to_owned(),
        caption: "Dense peaks; `derate platform NAME` shows the others, the ridges, what is disputed and what is \
                  unknown (-)"
            .to_owned(),
        columns: columns.into_iter().chain(named).collect(),
        rows: rows.collect(),
    }
}

fn tabulate_peaks(processor: &Processor) -> Table {
    let rows = processor.peaks.iter().map(|peak| {
        vec![
            Cell::text(peak.arithmetic.to_string()),
            Cell::text(peak.accumulate.to_string()),
            Cell::text(&peak.engine),
            Cell::text(rate(peak.rate.value, peak.arithmetic)),
            Cell::text(significant(find_ridge(processor, peak).0, 4)),
            Cell::text(peak.rate.provenance.to_string()),
            Cell::text(&peak.rate.source),
        ]
    });
    Table {
        name: "peaks".to_owned(),
        caption: "Of dense operands; the ridge is the peak over the memory's bandwidth".to_owned(),
        columns: vec![
            Column::text("arithmetic", "Arithmetic"),
            Column::text("accumulate", "Sums"),
            Column::text("engine", "Engine"),
            Column::text("peak", "Peak"),
            Column::text("ridge", "Ridge (OP/B)"),
            Column::text("provenance", "Provenance"),
            Column::text("source", "Source"),
        ],
        rows: rows.collect(),
    }
}

fn tabulate_disputed(processor: &Processor) -> Table {
    let rows = processor.disputed.iter().map(|other| {
        vec![Cell::text(&other.figure), Cell::text(&other.value), Cell::text(&other.source)]
    });
    Table {
        name: "disputed".to_owned(),
        caption: "Printed elsewhere, and not used".to_owned(),
        columns: vec![
            Column::text("figure", "Figure"),
            Column::text("value", "Other value"),
            Column::text("source", "Source"),
        ],
        rows: rows.collect(),
    }
}

fn tabulate_missing(processor: &Processor) -> Table {
    let widens = processor.unknown.iter().any(|unknown| unknown.computed_as.is_some());
    let row = |unknown: &UnknownPeak| {
        let wider = unknown.computed_as.map_or(Cell::Empty, |own| Cell::text(own.to_string()));
        let arithmetic = Cell::text(unknown.arithmetic.to_string());
        let cells = [Some(arithmetic), widens.then_some(wider), Some(Cell::text(&unknown.reason))];
        cells.into_iter().flatten().collect()
    };
    let caption = if widens {
        "Nothing is computed with them; where elements are widened, that peak counts"
    } else {
        "Nothing is computed with them"
    };
    let columns = [
        Some(Column::text("arithmetic", "Arithmetic")),
        widens.then(|| Column::text("computed_as", "Widened to")),
        Some(Column::text("reason", "Why")),
    ];
    Table {
        name: "unknown".to_owned(),
        caption: caption.to_owned(),
        columns: columns.into_iter().flatten().collect(),
        rows: processor.unknown.iter().map(row).collect(),
    }
}

/// One processor: its figures, its peaks with their ridges, what is disputed and what is unknown.
pub(super) fn processor_sections(processor: &Processor) -> Vec<Section> {
    let table = |table| vec![Block::Table(table)];
    let figures = figures::tabulate_figures(figures::of_processor(processor));
    let mut sections = vec![
        Section::new("Figures", "Figures", table(figures)),
        Section::new("Peaks", "Peaks and ridges", table(tabulate_peaks(processor))),
    ];
    if !processor.disputed.is_empty() {
        sections.push(Section::new(
            "Disputed",
            "Disputed figures",
            table(tabulate_disputed(processor)),
        ));
    }
    if !processor.unknown.is_empty() {
        sections.push(Section::new("Unknown", "Unknown peaks", table(tabulate_missing(processor))));
    }
    sections
}
