//! A dump as a document and as data: `derate.shapes/1`.

mod folding;
mod operations;

use derate_hls::Sources;
use derate_render::{Block, Cell, Column, Document, NumberFormat, Section, Table};
use serde::Serialize;

use derate_dump::{ModelShape, is_block_format};
use derate_units::Precision;
use derate_units::command::quote_word;
use derate_units::figures::{count, grouped};
use derate_workload::graph::Graph;

use operations::OperationsReport;

/// `derate.shapes/1`.
#[derive(Debug, Serialize)]
pub struct ShapesReport<'a> {
    schema: &'static str,
    command: String,
    file: &'a str,
    format: String,
    totals: Totals,
    tensors: Vec<TensorReport<'a>>,
    problems: Vec<Problem<'a>>,
    /// What to know before trusting the totals.
    notes: Vec<Problem<'a>>,
    /// What is computed, where the file says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    operations: Option<OperationsReport<'a>>,
}

#[derive(Debug, Serialize)]
struct Totals {
    tensors: usize,
    parameters: u64,
    /// Null where a dtype is not known.
    bytes: Option<u64>,
}

#[derive(Debug, Serialize)]
struct TensorReport<'a> {
    name: &'a str,
    shape: &'a [u64],
    dtype: Option<Precision>,
    parameters: Option<u64>,
    line: usize,
}

#[derive(Debug, Serialize)]
struct Problem<'a> {
    kind: &'static str,
    line: usize,
    column: usize,
    reason: &'a str,
}

/// What `derate shapes` prints: data for machines, a document for people.
pub fn shapes<'a>(
    sources: &'a Sources,
    shape: &'a ModelShape,
    file: &'a str,
    graph: Option<&'a Graph>,
) -> (ShapesReport<'a>, Document) {
    let totals = Totals {
        tensors: shape.tensors.len(),
        parameters: shape.parameters(),
        bytes: shape.bytes_as_stored(),
    };
    let summary = format!(
        "{}, {}, {}",
        count(totals.tensors, "tensor"),
        count(usize::try_from(totals.parameters).unwrap_or(usize::MAX), "parameter"),
        totals.bytes.map_or_else(
            || "bytes unknown: a tensor's dtype or size is not known".to_owned(),
            |b| format!("{} B as stored", grouped(b as f64))
        ),
    );
    let mut blocks = vec![Block::Table(tensor_table(shape))];
    if !shape.problems.is_empty() {
        blocks.push(Block::Table(problem_table(sources, shape)));
    }
    if shape.further_problems > 0 {
        blocks.push(Block::Prose(format!(
            "... and {} more.",
            grouped(shape.further_problems as f64)
        )));
    }
    blocks.extend(shape.notes.iter().map(|note| Block::Prose(note.text.clone())));
    blocks.push(Block::Prose(summary));
    let operations = graph.map(OperationsReport::new);
    // A generator's project is read as a whole; its tensors are listed as those of a binary file.
    let form = match graph.and_then(|graph| graph.producer.as_deref()) {
        Some(generator @ "hls4ml") => generator.to_owned(),
        _ => shape.format.to_string(),
    };
    let mut document = Document {
        title: format!("Shapes of {file}"),
        subtitle: format!("read as {form}"),
        controls: Vec::new(),
        sections: vec![Section {
            name: "Tensors".to_owned(),
            title: "Tensors".to_owned(),
            blocks,
            appendix: false,
        }],
    };
    document.sections.extend(operations.iter().map(OperationsReport::write_section));
    let report = ShapesReport {
        schema: "derate.shapes/1",
        command: format!("derate shapes {} --format json", quote_word(file)),
        file,
        format: form,
        totals,
        tensors: shape
            .tensors
            .iter()
            .map(|tensor| TensorReport {
                name: &tensor.name,
                shape: &tensor.dims,
                dtype: tensor.dtype,
                parameters: tensor.elements(),
                line: sources.line(tensor.span),
            })
            .collect(),
        problems: shape
            .problems
            .iter()
            .map(|problem| {
                let position = sources.position(problem.span);
                Problem {
                    kind: problem.kind.as_str(),
                    line: position.line,
                    column: position.column,
                    reason: &problem.reason,
                }
            })
            .collect(),
        notes: shape
            .notes
            .iter()
            .map(|note| {
                let position = sources.position(note.span);
                Problem {
                    kind: note.kind.as_str(),
                    line: position.line,
                    column: position.column,
                    reason: &note.text,
                }
            })
            .collect(),
        operations,
    };
    (report, document)
}

fn tensor_table(shape: &ModelShape) -> Table {
    let rows = shape.tensors.iter().map(|tensor| {
        let dims: Vec<String> = tensor.dims.iter().map(u64::to_string).collect();
        vec![
            Cell::text(&tensor.name),
            Cell::text(format!("[{}]", dims.join(", "))),
            match (tensor.dtype, &tensor.dtype_text) {
                (Some(dtype), _) => Cell::text(dtype.key()),
                (None, Some(text)) if is_block_format(text) => Cell::text(text),
                (None, Some(text)) => Cell::Unknown(format!("`{text}`")),
                (None, None) => Cell::Unknown(String::new()),
            },
            tensor.elements().map_or_else(
                || Cell::Unknown(String::new()),
                |n| Cell::number(n as f64, NumberFormat::Integer),
            ),
        ]
    });
    Table {
        name: "tensors".to_owned(),
        caption: String::new(),
        columns: vec![
            Column::text("name", "Tensor"),
            Column::text("shape", "Shape"),
            Column::text("dtype", "Dtype"),
            Column::number("parameters", "Parameters", ""),
        ],
        rows: rows.collect(),
    }
}

fn problem_table(sources: &Sources, shape: &ModelShape) -> Table {
    let rows = shape.problems.iter().map(|problem| {
        let position = sources.position(problem.span);
        vec![
            Cell::text(format!("{}:{}", position.line, position.column)),
            Cell::text(problem.kind.as_str()),
            Cell::text(&problem.reason),
        ]
    });
    Table {
        name: "problems".to_owned(),
        caption: "What the dump leaves open".to_owned(),
        columns: vec![
            Column::text("place", "Line"),
            Column::text("kind", "Kind"),
            Column::text("reason", "What"),
        ],
        rows: rows.collect(),
    }
}
