//! One tensor a line: `name: torch.Size([720, 32]) [torch.float32]`, and the same with spaces,
//! tabs, tuples or bracket lists. All five differ only in punctuation, so one reader takes them.

use super::builder::{Builder, Found};
use super::dims::clip;
use super::entry::{self, Entry, NoEntry};
use super::grouping::Grouping;
use super::line::{Line, lines};
use super::shorthand::Shorthand;
use super::{ProblemKind, one_line, totals};

/// Reads every line.
pub(super) fn read(text: &str, builder: &mut Builder) {
    let grouping = Grouping::of(text);
    let mut shorthand: Option<Shorthand<'_>> = None;
    for line in lines(text) {
        if shorthand.as_mut().is_some_and(|header| !header.holds(line.text)) {
            shorthand = None;
        }
        if let Some(header) = Shorthand::header(line.text) {
            shorthand = Some(header);
            continue;
        }
        if line.is_decoration() {
            continue;
        }
        if one_line::is_one_line(line.text) {
            one_line::read(line, grouping, builder);
            continue;
        }
        match entry::parse(line.text.trim_start(), grouping) {
            Ok(entry) => {
                let all = shorthand.as_ref().and_then(|header| header.apply(entry.name));
                add(&entry, all.as_deref().unwrap_or(entry.name), line, builder);
            }
            Err(why) => other(why, line, builder),
        }
    }
}

/// Adds an entry under a name, and says what stands behind it that was not understood.
pub(super) fn add(entry: &Entry<'_>, name: &str, line: Line<'_>, builder: &mut Builder) {
    if let Some(word) = entry.leftover {
        let reason =
            format!("`{}` after the shape of `{}` was not understood", clip(word), clip(name));
        builder.problem(ProblemKind::Unread, line.range_of(word), reason);
    }
    builder.tensor(&Found {
        name,
        dims: entry.dims.clone(),
        dtype: entry.dtype,
        shape_known: true,
        place: line.range(),
    });
}

/// A line without a tensor: a total, a comment, a sign that something was left out, or unread.
pub(super) fn other(why: NoEntry, line: Line<'_>, builder: &mut Builder) {
    let text = line.text.trim_start();
    if let Some(total) = totals::parse(text) {
        return builder.total(total, line.range());
    }
    if why == NoEntry::Other {
        if text.starts_with("...") || text.starts_with('…') {
            return builder.problem(
                ProblemKind::Incomplete,
                line.range(),
                "the dump leaves lines out here",
            );
        }
        // `Model's state_dict:` heads what follows; `model.norm.weight:` lost its shape.
        let heads = text.ends_with(':') && (text.contains(' ') || !text.contains('.'));
        if heads || text.starts_with('#') || text.starts_with("//") {
            return;
        }
    }
    builder.unread(why, line.range(), text);
}
