//! What torchinfo and torchsummary print: layers, shapes of their activations, parameter counts.
//!
//! ```text
//! Layer (type:depth-idx)          Input Shape      Output Shape     Param #
//! ├─Linear: 1-1                   [1, 50, 960]     [1, 50, 2560]    2,460,160
//! ```
//!
//! Neither prints the shape of a parameter. Where the activations and the count leave only one
//! answer it is given; else the layer is one tensor with a known count and no known shape.

use super::builder::{DumpBuilder, FoundTensor};
use super::dtype::Dtype;
use super::grouping::Grouping;
use super::line::{TextLine, split_lines};
use super::{NoteKind, ProblemKind, dims, layer, totals};

/// One row: the layer's class and label, its last input and output dimension, its count.
#[derive(Debug, Default)]
struct SummaryRow<'a> {
    class: &'a str,
    label: &'a str,
    input: Option<u64>,
    output: Option<u64>,
    count: Option<u64>,
}

/// Whether a line heads such a table.
pub(super) fn is_heading(line: &str) -> bool {
    line.trim_start().trim_start_matches(['#', '|', ' ']).starts_with("Layer (type")
}

/// Reads every row below a heading.
pub(super) fn read_summary(text: &str, builder: &mut DumpBuilder) {
    let mut headings: Vec<&str> = Vec::new();
    for line in split_lines(text) {
        if is_heading(line.text) {
            headings = split_cells(line.text);
            if headings.iter().any(|heading| heading.starts_with("Mult-Adds")) {
                counts_note(line, builder);
            }
        } else if let Some(total) = totals::parse_total(line.text.trim_start_matches(['#', ' '])) {
            builder.add_total(total, line.text_range());
            headings.clear();
        } else if line.text.contains("mult-adds") {
            counts_note(line, builder);
        } else if !headings.is_empty() && !line.is_decoration() {
            add_row(&read_row(line.text, &headings), line, builder);
        }
    }
}

fn counts_note(line: TextLine<'_>, builder: &mut DumpBuilder) {
    let text = "torchinfo's mult-adds count a linear layer once, whatever the sequence length: they are not used";
    builder.add_note(NoteKind::OperationCounts, "", line.text_range(), text);
}

/// Cells are parted by two spaces or more.
fn split_cells(line: &str) -> Vec<&str> {
    if let Some(row) = line.trim_start().strip_prefix('|') {
        return row.trim_end().trim_end_matches('|').split('|').map(str::trim).collect();
    }
    line.split("  ")
        .map(str::trim)
        .filter(|cell| !cell.trim_matches(['│', '|', '#', ' ']).is_empty())
        .collect()
}

fn read_row<'a>(line: &'a str, headings: &[&str]) -> SummaryRow<'a> {
    let mut cells = split_cells(line).into_iter();
    let mut row = SummaryRow::default();
    (row.class, row.label) = split_label(cells.next().unwrap_or_default());
    for (heading, cell) in headings.iter().skip(1).zip(cells) {
        let last = || {
            let inside = cell.strip_prefix('[').and_then(|cell| cell.strip_suffix(']'))?;
            dims::parse_bracketed(inside.rsplit(',').next()?, Grouping::Unknown)
                .ok()?
                .first()
                .copied()
        };
        match *heading {
            "Input Shape" => row.input = last(),
            "Output Shape" => row.output = last(),
            "Param #" => {
                row.count =
                    dims::parse_number(cell.split_whitespace().next().unwrap_or_default()).ok();
            }
            _ => {}
        }
    }
    row
}

/// `├─Linear (fc1): 1-1` and `Linear-1`: the class, and the whole label.
fn split_label(cell: &str) -> (&str, &str) {
    let label = cell.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '_');
    let end = label.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(label.len());
    (&label[..end], label)
}

fn add_row(row: &SummaryRow<'_>, line: TextLine<'_>, builder: &mut DumpBuilder) {
    let Some(count) = row.count.filter(|count| *count > 0) else { return };
    if row.label.is_empty() {
        return builder.add_problem(
            ProblemKind::Unread,
            line.text_range(),
            "the row names no layer",
        );
    }
    let label = row.label.replace(": ", ":").replace(' ', "_");
    let mut put = |name: &str, dims: Vec<u64>, shape_known: bool| {
        builder.add_tensor(&FoundTensor {
            name,
            dims,
            dtype: Dtype::No,
            shape_known,
            place: line.text_range(),
        });
    };
    if let Some(parameters) = layer::from_count(row.class, row.input, row.output, count) {
        for (parameter, dims) in parameters {
            put(&format!("{label}.{parameter}"), dims, true);
        }
        return;
    }
    put(&label, vec![count], false);
    let text = "some layers are known by their number of parameters only: their shapes are not in this form";
    builder.add_note(NoteKind::ShapeUnknown, "", line.text_range(), text);
}
