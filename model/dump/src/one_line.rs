//! A whole dictionary on one line: `OrderedDict([('fc1.weight', torch.Size([64, 16])), ...])`, or `{'fc1.weight': ...}`.

use super::ProblemKind;
use super::builder::{DumpBuilder, FoundTensor};
use super::dims::clip_text;
use super::dtype::{self, Dtype};
use super::entry;
use super::entry_error::NoEntry;
use super::grouping::Grouping;
use super::line::TextLine;

const SHAPE: &str = "torch.Size(";

/// Whether a line lists a dictionary, with one tensor or more.
pub(super) fn is_one_line(line: &str) -> bool {
    line.contains(SHAPE) && (line.matches(SHAPE).count() > 1 || line.contains("([('"))
}

/// The quoted text at the end of the text before a shape: `('fc1.weight', (`.
fn find_name(before: &str) -> Option<&str> {
    let before = before.trim_end_matches([' ', '(', ',', ':', '[']);
    let quote = before.chars().next_back().filter(|c| matches!(c, '\'' | '"'))?;
    let inner = before.strip_suffix(quote)?;
    let (_, name) = inner.rsplit_once(quote)?;
    (!name.is_empty()).then_some(name)
}

/// The dtype between one shape and the next name.
fn dtype_of(after: &str) -> Dtype<'_> {
    let words = after.split([' ', ',', '(', ')', '{', '}', ']']);
    words
        .filter(|word| word.starts_with("torch."))
        .map(dtype::judge_word)
        .next()
        .unwrap_or(Dtype::No)
}

/// Reads all pairs of a line; one that has no name in quotes is said to be unread.
pub(super) fn read_one_line(line: TextLine<'_>, grouping: Grouping, builder: &mut DumpBuilder) {
    let starts: Vec<usize> = line.text.match_indices(SHAPE).map(|(at, _)| at).collect();
    let mut from = 0;
    for (at, &start) in starts.iter().enumerate() {
        let next = starts.get(at + 1).copied().unwrap_or(line.text.len());
        let before = line.text.get(from..start).unwrap_or_default();
        let shape = line.text.get(start..next).unwrap_or_default();
        let end = shape.find("])").map_or(SHAPE.len(), |end| end + 2);
        let (shape, after) = shape.split_at(end);
        from = start + end;
        let Some(name) = find_name(before) else {
            let reason = format!(
                "`{}` is among several tensors of a line, without a name in quotes: print one tensor a line",
                clip_text(shape)
            );
            builder.add_problem(ProblemKind::Unread, line.range_of(shape), reason);
            continue;
        };
        // The reader of lines knows how a shape is written.
        match entry::parse_entry(&format!("x: {shape}"), grouping) {
            Ok(entry) => builder.add_tensor(&FoundTensor {
                name,
                dims: entry.dims,
                dtype: dtype_of(after),
                shape_known: true,
                place: line.range_of(name),
            }),
            Err(why @ (NoEntry::Other | NoEntry::Damaged(_))) => {
                builder.add_unread(why, line.range_of(shape), shape);
            }
        }
    }
}
