//! Cards, in the catalogue's table and one by one.

use derate_render::{Block, Cell, Column, NumberFormat, Section, Table};
use serde::Serialize;

use super::bandwidth::{self, BandwidthRow};
use super::figures::{self, Named};
use super::unknown_workload;
use derate_machine::{Peak, Platform, Series};
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
    /// What the tool makes kernels for on it: `vivado` or `vitis`.
    flow: &'static str,
    /// The kind of its DSP slices.
    dsp_type: Option<&'static str>,
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
            flow: platform.flow.value.as_str(),
            dsp_type: platform.dsp_type.as_ref().map(|kind| kind.value.as_str()),
            figures: figures::list_figures(platform),
            peaks: PRECISIONS.iter().flat_map(|p| platform.peaks(*p, clock)).collect(),
            bandwidth: platform
                .memories()
                .flat_map(|m| bandwidth::list_rows(m, &platform.kernel))
                .collect(),
        }
    }
}

/// The group that a platform is listed in, in the order of the groups.
fn find_group(platform: &Platform) -> (usize, &'static str) {
    match platform.series() {
        Some(Series::UltraScalePlus | Series::UltraScale) => (0, "UltraScale+"),
        Some(Series::Versal) => (1, "Versal"),
        Some(Series::ZynqUltraScalePlus) => (2, "Zynq US+"),
        Some(Series::Zynq7000) => (3, "Zynq-7000"),
        Some(Series::Artix7 | Series::Kintex7 | Series::Virtex7) => (4, "Series 7"),
        None => (5, "others"),
    }
}

/// The memory's kind, without the rest of its title.
fn name_memory(platform: &Platform) -> &str {
    let title = platform.memory.title.as_str();
    title.split(',').next().unwrap_or(title)
}

/// All cards, one a row, those of one series together.
pub(super) fn tabulate_cards(cards: &[&Platform]) -> Table {
    let mut cards = cards.to_vec();
    cards.sort_by_key(|platform| (find_group(platform).0, platform.name.clone()));
    let mut last = None;
    let rows = cards.iter().map(|platform| {
        let memory = &platform.memory;
        let peak = |precision| {
            let peak = platform.peak(precision, &platform.clock);
            peak.map_or_else(unknown_workload, |peak| rate(peak.rate.value, precision))
        };
        let group = find_group(platform);
        let again = last.replace(group) == Some(group);
        let chip = platform.part_name().map_or_else(unknown_workload, |p| p.device().to_owned());
        vec![
            Cell::text(if again { "" } else { group.1 }),
            Cell::text(&platform.name),
            Cell::text(chip),
            Cell::text(name_memory(platform)),
            Cell::text(quantity(memory.physical_peak().value)),
            Cell::text(
                memory.achievable().map_or_else(unknown_workload, |most| quantity(most.value)),
            ),
            Cell::number(platform.dsp_budget().value, NumberFormat::Integer),
            Cell::text(
                platform.on_chip_bytes().map_or_else(unknown_workload, |b| quantity(b.value)),
            ),
            Cell::text(peak(Precision::INT8)),
        ]
    });
    let rows = rows.collect();
    Table {
        name: "platforms".to_owned(),
        caption: "`derate platform NAME` shows a board's figures with their sources".to_owned(),
        columns: vec![
            Column::text("group", "Series"),
            Column::text("name", "Name"),
            Column::text("chip", "Chip"),
            Column::text("memory", "Memory"),
            Column::text("peak", "Peak"),
            Column::text("achievable", "Streams"),
            Column::number("dsp", "DSP", ""),
            Column::text("on_chip", "On chip"),
            Column::text("int8", "INT8"),
        ],
        rows,
    }
}

/// What a card says in words: its part, its DSP slices, its flow.
fn tabulate_chip(platform: &Platform) -> Table {
    let mut rows = Vec::new();
    let mut add = |what: &str, value: Option<String>, provenance: String, source: &str| {
        rows.push(vec![
            Cell::text(what),
            Cell::text(value.unwrap_or_else(unknown_workload)),
            Cell::text(provenance),
            Cell::text(source),
        ]);
    };
    match &platform.part {
        Some(part) => {
            add("part", Some(part.value.clone()), part.provenance.to_string(), &part.source);
        }
        None => add("part", None, String::new(), "the platform file gives none"),
    }
    if let Some(kind) = &platform.dsp_type {
        let name = kind.value.as_str().to_owned();
        add("DSP slices", Some(name), kind.provenance.to_string(), &kind.source);
    }
    let flow = &platform.flow;
    add("flow", Some(flow.value.as_str().to_owned()), flow.provenance.to_string(), &flow.source);
    if let Some(own) = &platform.memory.attachment {
        let (count, bits) = (own.count.value, own.bits.value);
        let words = format!("{}: {count} of {bits} bit", own.title);
        add("reached by", Some(words), own.bits.provenance.to_string(), &own.bits.source);
    }
    Table {
        name: "chip".to_owned(),
        caption: "What kernels are made for".to_owned(),
        columns: vec![
            Column::text("what", ""),
            Column::text("value", "Value"),
            Column::text("provenance", "Provenance"),
            Column::text("source", "Source"),
        ],
        rows,
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
        Section::new("Chip", "Chip", tables(vec![tabulate_chip(platform)])),
        Section::new(
            "Figures",
            "Figures",
            tables(vec![figures::tabulate_figures(figures::list_figures(platform))]),
        ),
        Section::new("Peaks", "Peaks", tables(vec![peaks])),
        Section::new(
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
