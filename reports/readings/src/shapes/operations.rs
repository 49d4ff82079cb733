//! The operations of a workload that a file gives, by kind.

use std::collections::BTreeMap;

use derate_render::{Block, Cell, Column, NumberFormat, Section, Table};
use derate_units::figures::grouped;
use derate_workload::graph::{Graph, KindTotals};
use serde::Serialize;

use super::folding::FoldingReport;

/// What a file's operations are, as data.
#[derive(Debug, Serialize)]
pub(super) struct OperationsReport<'a> {
    name: &'a str,
    producer: Option<&'a str>,
    /// Of matrix products, loops included.
    flops: u64,
    /// Of all operands in their own formats, nothing kept from one operation to the next.
    bytes: u64,
    loops: Vec<LoopReport<'a>>,
    kinds: BTreeMap<&'static str, KindTotals>,
    /// Operators that derate does not know, and how often they run.
    unknown: BTreeMap<&'a str, u64>,
    /// The layers of a dataflow accelerator.
    #[serde(skip_serializing_if = "Option::is_none")]
    folding: Option<FoldingReport>,
}

#[derive(Debug, Serialize)]
struct LoopReport<'a> {
    name: &'a str,
    count: u64,
}

impl<'a> OperationsReport<'a> {
    pub(super) fn new(graph: &'a Graph) -> Self {
        let loops = graph.loops.iter().map(|one| LoopReport { name: &one.name, count: one.count });
        Self {
            name: &graph.name,
            producer: graph.producer.as_deref(),
            flops: graph.count_flops(),
            bytes: graph.count_bytes(),
            loops: loops.collect(),
            kinds: graph.totals(),
            unknown: graph.list_unknown(),
            folding: FoldingReport::find(graph),
        }
    }

    /// The same for people.
    pub(super) fn write_section(&self) -> Section {
        let whole = NumberFormat::Integer;
        let rows = self.kinds.iter().map(|(kind, own)| {
            vec![
                Cell::text(*kind),
                Cell::number(own.operations as f64, whole),
                Cell::number(own.flops as f64, whole),
                Cell::number(own.bytes as f64, whole),
            ]
        });
        let table = Table {
            name: "operations".to_owned(),
            caption: String::new(),
            columns: vec![
                Column::text("kind", "Kind"),
                Column::number("calls", "Calls", ""),
                Column::number("flops", "Products", "OP"),
                Column::number("bytes", "Operands", "B"),
            ],
            rows: rows.collect(),
        };
        let mut blocks = vec![Block::Table(table)];
        for (operator, calls) in &self.unknown {
            blocks.push(Block::Prose(format!(
                "The operator `{operator}` is not known ({} of its calls): its operations are in no figure.",
                grouped(*calls as f64)
            )));
        }
        for one in &self.loops {
            blocks.push(Block::Prose(format!("The loop {} runs {} times.", one.name, one.count)));
        }
        blocks.push(Block::Prose(format!(
            "{}{}: {} operations of matrix products (a multiply-add is two), {} B of operands where nothing is kept from one operation to the next",
            self.name,
            self.producer.map(|by| format!(", recorded by {by}")).unwrap_or_default(),
            grouped(self.flops as f64),
            grouped(self.bytes as f64)
        )));
        blocks.extend(self.folding.iter().flat_map(FoldingReport::write_blocks));
        let (name, title) = ("Operations".to_owned(), "Operations".to_owned());
        Section { name, title, blocks, appendix: false }
    }
}
