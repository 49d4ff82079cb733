//! The layers of a dataflow accelerator, with the cycles that their folding gives.

use derate_render::{Block, Cell, Column, NumberFormat, Table};
use derate_units::figures::{count, grouped};
use derate_workload::graph::Graph;
use serde::Serialize;

/// The folded layers of a graph.
#[derive(Debug, Serialize)]
pub(super) struct FoldingReport {
    layers: Vec<LayerReport>,
    slowest: Option<Slowest>,
    /// Whether the layers share multipliers by a reuse factor, as those of hls4ml do.
    #[serde(skip)]
    is_reused: bool,
}

#[derive(Debug, Serialize)]
struct LayerReport {
    name: String,
    function: String,
    pe: Option<u64>,
    simd: Option<u64>,
    reuse_factor: Option<u64>,
    /// At most: a weight that is zero may need none.
    multipliers: Option<u64>,
    /// By the closed form; null where there is none, or where the folding does not divide the layer.
    cycles: Option<u64>,
    /// As the file states them.
    stated_cycles: Option<u64>,
}

/// A pipeline takes no inference sooner.
#[derive(Debug, Serialize)]
struct Slowest {
    name: String,
    cycles: u64,
}

impl FoldingReport {
    /// The folded layers; `None` where the graph has none.
    pub(super) fn find(graph: &Graph) -> Option<Self> {
        let name = |at: usize| {
            let own = &graph.operations[at];
            if own.module.is_empty() { format!("operation {at}") } else { own.module.clone() }
        };
        let mut layers = Vec::new();
        for (at, operation) in graph.operations.iter().enumerate() {
            let Some(folding) = operation.folding else { continue };
            layers.push(LayerReport {
                name: name(at),
                function: operation.function.clone(),
                pe: folding.pe,
                simd: folding.simd,
                reuse_factor: folding.reuse,
                multipliers: folding.multipliers,
                cycles: folding.cycles,
                stated_cycles: folding.stated_cycles,
            });
        }
        let slowest = graph.find_slowest().map(|(at, cycles)| Slowest { name: name(at), cycles });
        let is_reused = graph.producer.as_deref() == Some("hls4ml");
        (!layers.is_empty()).then_some(Self { layers, slowest, is_reused })
    }

    /// The same for people.
    pub(super) fn write_blocks(&self) -> Vec<Block> {
        let number = |value: Option<u64>| match value {
            Some(value) => Cell::number(value as f64, NumberFormat::Integer),
            None => Cell::Unknown(String::new()),
        };
        let table = if self.is_reused {
            let rows = self.layers.iter().map(|layer| {
                vec![
                    Cell::text(&layer.name),
                    Cell::text(&layer.function),
                    number(layer.reuse_factor),
                    number(layer.multipliers),
                    number(layer.cycles),
                ]
            });
            Table {
                name: "folding".to_owned(),
                caption: "Folding: multipliers (at most) and cycles of an inference by hls4ml's loops (modelled: no stall)"
                    .to_owned(),
                columns: vec![
                    Column::text("layer", "Layer"),
                    Column::text("function", "Function"),
                    Column::number("reuse_factor", "Reuse", ""),
                    Column::number("multipliers", "Multipliers", ""),
                    Column::number("cycles", "Cycles", ""),
                ],
                rows: rows.collect(),
            }
        } else {
            let rows = self.layers.iter().map(|layer| {
                vec![
                    Cell::text(&layer.name),
                    Cell::text(&layer.function),
                    number(layer.pe),
                    number(layer.simd),
                    number(layer.cycles),
                    number(layer.stated_cycles),
                ]
            });
            Table {
                name: "folding".to_owned(),
                caption: "Folding: cycles of an inference by FINN's closed form (modelled: no stall), and those that the file states"
                    .to_owned(),
                columns: vec![
                    Column::text("layer", "Layer"),
                    Column::text("function", "Function"),
                    Column::number("pe", "PE", ""),
                    Column::number("simd", "SIMD", ""),
                    Column::number("cycles", "Cycles", ""),
                    Column::number("stated_cycles", "Stated", ""),
                ],
                rows: rows.collect(),
            }
        };
        let mut blocks = vec![Block::Table(table)];
        if let Some(slowest) = &self.slowest {
            let unknown = self
                .layers
                .iter()
                .filter(|layer| layer.cycles.or(layer.stated_cycles).is_none())
                .count();
            let but = if unknown == 0 {
                String::new()
            } else {
                format!(" The cycles of {} are unknown and may be more.", count(unknown, "layer"))
            };
            let cycles = grouped(slowest.cycles as f64);
            let unit = if slowest.cycles == 1 { "cycle" } else { "cycles" };
            let every = if self.is_reused {
                "by the intervals that its pragmas ask for. A tool keeps a shorter one where an iteration takes less than that."
            } else {
                "at best."
            };
            blocks.push(Block::Prose(format!(
                "The slowest layer is {}: the pipeline takes an inference every {cycles} {unit} {every}{but}",
                slowest.name
            )));
        }
        for layer in &self.layers {
            if let (Some(cycles), Some(stated)) = (layer.cycles, layer.stated_cycles)
                && cycles != stated
            {
                blocks.push(Block::Prose(format!(
                    "{} has {} cycles by its folding and {} by the file: estimate the layer again in FINN.",
                    layer.name,
                    grouped(cycles as f64),
                    grouped(stated as f64)
                )));
            }
        }
        blocks
    }
}
