//! The loader log of llama.cpp, and what `gguf-dump` prints.
//!
//! ```text
//! llama_model_loader: loaded meta data with 19 key-value pairs and 291 tensors from a.gguf
//! llama_model_loader: - tensor    0:   token_embd.weight q4_K   [  5120, 32000,     1,     1 ]
//! llama_model_loader: - tensor split  0: blk.0.attn_q.weight f16 [ 4096, 1024, 1, 1 ]    8.00 MiB
//!       1:  131072000 |  4096, 32000,     1,     1 | Q4_0    | token_embd.weight
//! ```
//!
//! Both list dimensions innermost first and pad them with ones. A log holds much else, which is
//! passed over; the count of tensors in its first line shows whether any are missing.

use super::builder::{DumpBuilder, FoundTensor};
use super::dims::{self, DimsError};
use super::dtype::{self, Dtype};
use super::entry;
use super::entry_error::NoEntry;
use super::grouping::Grouping;
use super::line::{TextLine, split_lines};
use super::totals::Total;
use super::{NoteKind, ProblemKind, entry_name};

/// The part of a log line behind `- tensor 12:`.
fn log_line(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("- tensor ")?;
    // The loader of a model in several files says `- tensor split  0:`.
    let rest = rest.strip_prefix("split ").unwrap_or(rest);
    let (number, rest) = rest.split_once(':')?;
    number.trim().bytes().all(|b| b.is_ascii_digit()).then_some(rest.trim())
}

/// The four cells of a `gguf-dump` line: elements, dimensions, type, name.
fn dump_line(line: &str) -> Option<[&str; 4]> {
    let (number, rest) = line.trim_start().split_once(':')?;
    if number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let cells: Vec<_> = rest.split('|').map(str::trim).collect();
    let cells: [&str; 4] = cells.try_into().ok()?;
    let numbers = cells[0].bytes().all(|b| b.is_ascii_digit())
        && cells[1].bytes().all(|b| b.is_ascii_digit() || matches!(b, b',' | b' '));
    (numbers && entry_name::is_name(cells[3])).then_some(cells)
}

/// Whether a line is one of either form.
pub(super) fn is_gguf_line(line: &str) -> bool {
    log_line(line).is_some() || dump_line(line).is_some()
}

/// Reads every line.
pub(super) fn read_gguf(text: &str, builder: &mut DumpBuilder) {
    for line in split_lines(text) {
        if let Some(rest) = log_line(line.text) {
            match entry::parse_entry(rest, Grouping::Unknown) {
                Ok(entry) => add_line(entry.name, entry.dims, entry.dtype, line, builder),
                Err(NoEntry::Damaged(error)) => builder.add_dims_problem(error, line.text_range()),
                Err(NoEntry::Other) => {
                    builder.add_unread(NoEntry::Other, line.text_range(), line.text);
                }
            }
        } else if let Some([elements, shape, kind, name]) = dump_line(line.text) {
            match dims::parse_bracketed(shape, Grouping::Unknown) {
                Ok(dims) => {
                    check_elements(elements, &dims, line, builder);
                    add_line(name, dims, dtype::read_stated(kind), line, builder);
                }
                Err(error) => builder.add_dims_problem(error, line.text_range()),
            }
        } else if let Some(count) = count_loaded(line.text) {
            builder.add_total(Total::Tensors(count), line.text_range());
        }
    }
}

/// `... and 291 tensors from ...`.
fn count_loaded(line: &str) -> Option<u64> {
    let (_, rest) = line.split_once("key-value pairs and ")?;
    rest.split_once(" tensors")?.0.trim().parse().ok()
}

fn check_elements(elements: &str, dims: &[u64], line: TextLine<'_>, builder: &mut DumpBuilder) {
    let product = dims.iter().try_fold(1_u64, |product, &dim| product.checked_mul(dim));
    if dims::parse_number(elements) != product.ok_or_else(|| DimsError::Other(String::new())) {
        let reason = format!("the line says {elements} elements, which its dimensions do not give");
        builder.add_problem(ProblemKind::Incomplete, line.text_range(), reason);
    }
}

fn add_line(
    name: &str,
    mut dims: Vec<u64>,
    dtype: Dtype<'_>,
    line: TextLine<'_>,
    builder: &mut DumpBuilder,
) {
    while dims.len() > 1 && dims.last() == Some(&1) {
        dims.pop();
    }
    dims.reverse();
    builder.add_note(
        NoteKind::Reversed,
        "",
        line.text_range(),
        "GGUF lists dimensions innermost first, padded with ones: they were turned round and the padding dropped",
    );
    builder.add_tensor(&FoundTensor {
        name,
        dims,
        dtype,
        shape_known: true,
        place: line.text_range(),
    });
}
