//! ONNX's printable graph: `%conv1.weight[FLOAT, 64x3x7x7]`.
//!
//! Only the lines under `initializers (` are parameters; the graph's inputs have the same form.
//! An excerpt without such a heading is taken whole.

use super::builder::{DumpBuilder, FoundTensor};
use super::dims::{self, DimsError};
use super::dtype::{self, Dtype};
use super::line::split_lines;
use derate_units::Precision;

/// Name, element type and shape of a value line.
fn value_line(line: &str) -> Option<(&str, &str, &str)> {
    let body = line.trim().strip_prefix('%')?.trim_end_matches(',').strip_suffix(']')?;
    let (name, inside) = body.rsplit_once('[')?;
    let (kind, shape) = inside.split_once(',')?;
    let plain = !name.is_empty() && !name.contains(char::is_whitespace);
    let capital =
        !kind.is_empty() && kind.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    (plain && capital).then_some((name, kind, shape.trim()))
}

/// Whether a line is one of this form.
pub(super) fn is_onnx_line(line: &str) -> bool {
    value_line(line).is_some()
}

/// Reads every line.
pub(super) fn read_onnx(text: &str, builder: &mut DumpBuilder) {
    let headed = text.contains("initializers (");
    let mut inside = !headed;
    for line in split_lines(text) {
        if let Some((name, kind, shape)) = value_line(line.text).filter(|_| inside) {
            let dims = if shape == "scalar" { Ok(Vec::new()) } else { parse_fixed(shape) };
            match dims {
                Ok(dims) => builder.add_tensor(&FoundTensor {
                    name,
                    dims,
                    dtype: read_element(kind),
                    shape_known: true,
                    place: line.text_range(),
                }),
                Err(error) => builder.add_dims_problem(error, line.text_range()),
            }
        } else if headed && line.text.trim_end().ends_with(['(', '{']) {
            inside = line.text.contains("initializers (");
        }
    }
}

fn parse_fixed(shape: &str) -> Result<Vec<u64>, DimsError> {
    dims::parse_crossed(shape).map_err(|error| match error {
        DimsError::Other(reason) => {
            DimsError::Other(format!("{reason}: a parameter's shape is made of numbers"))
        }
        overflow @ DimsError::Overflow(_) => overflow,
    })
}

/// ONNX says `FLOAT` and `DOUBLE`; its other names are everybody's.
fn read_element(kind: &str) -> Dtype<'_> {
    match kind {
        "FLOAT" => Dtype::Known(Precision::FP32, kind),
        "DOUBLE" => Dtype::Known(Precision::FP64, kind),
        _ => dtype::read_stated(kind),
    }
}
