//! One tensor a line: `name: torch.Size([720, 32]) [torch.float32]`, and the same with spaces,
//! tabs, tuples or bracket lists. All five differ only in punctuation, so one reader takes them.

use super::builder::{DumpBuilder, FoundTensor};
use super::dims::clip_text;
use super::entry::{self, DumpEntry};
use super::entry_error::NoEntry;
use super::grouping::Grouping;
use super::line::{TextLine, split_lines};
use super::shorthand::Shorthand;
use super::{ProblemKind, one_line, totals};

/// Reads every line.
pub(super) fn read_flat(text: &str, builder: &mut DumpBuilder) {
    let grouping = Grouping::of(text);
    let mut shorthand: Option<Shorthand<'_>> = None;
    for line in split_lines(text) {
        if shorthand.as_mut().is_some_and(|header| !header.holds_line(line.text)) {
            shorthand = None;
        }
        if let Some(header) = Shorthand::read_header(line.text) {
            shorthand = Some(header);
            continue;
        }
        if line.is_decoration() {
            continue;
        }
        if one_line::is_one_line(line.text) {
            one_line::read_one_line(line, grouping, builder);
            continue;
        }
        match entry::parse_entry(line.text.trim_start(), grouping) {
            Ok(entry) => {
                let all = shorthand.as_ref().and_then(|header| header.apply_to(entry.name));
                add_entry(&entry, all.as_deref().unwrap_or(entry.name), line, builder);
            }
            Err(why) => read_other(why, line, builder),
        }
    }
}

/// Adds an entry under a name, and reports the words after it that are not understood.
pub(super) fn add_entry(
    entry: &DumpEntry<'_>,
    name: &str,
    line: TextLine<'_>,
    builder: &mut DumpBuilder,
) {
    if let Some(word) = entry.leftover {
        let reason = format!(
            "`{}` after the shape of `{}` was not understood",
            clip_text(word),
            clip_text(name)
        );
        builder.add_problem(ProblemKind::Unread, line.range_of(word), reason);
    }
    builder.add_tensor(&FoundTensor {
        name,
        dims: entry.dims.clone(),
        dtype: entry.dtype,
        shape_known: true,
        place: line.text_range(),
    });
}

/// A line without a tensor: a total, a comment, a sign that something was left out, or unread.
pub(super) fn read_other(why: NoEntry, line: TextLine<'_>, builder: &mut DumpBuilder) {
    let text = line.text.trim_start();
    if let Some(total) = totals::parse_total(text) {
        return builder.add_total(total, line.text_range());
    }
    if why == NoEntry::Other {
        if text.starts_with("...") || text.starts_with('…') {
            return builder.add_problem(
                ProblemKind::Incomplete,
                line.text_range(),
                "the dump leaves lines out here",
            );
        }
        // `Model's state_dict:` heads what follows; `model.norm.weight:` lost its shape.
        let heads = text.ends_with(':') && (text.contains(' ') || !text.contains('.'));
        if heads || text.starts_with('#') || text.starts_with("//") {
            return;
        }
    }
    builder.add_unread(why, line.text_range(), text);
}
