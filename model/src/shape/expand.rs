//! Names that stand for several layers at once.

/// The most tensors that one dump's shorthand may become.
pub(super) const MOST: usize = 65_536;

/// A range inside a name: `layers.[0..15].mlp`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Range<'a> {
    /// Up to the range.
    pub(super) before: &'a str,
    /// The range as spelled.
    pub(super) text: &'a str,
    /// From behind the range.
    pub(super) after: &'a str,
    /// First layer.
    pub(super) first: u64,
    /// Last layer, included.
    pub(super) last: u64,
}

/// The first range in a name: `[0..15]`, `{0-15}`, `(0-15)`, `<0..15>`, or a whole segment `0-15`.
pub(super) fn range(name: &str) -> Option<Range<'_>> {
    name.char_indices().find_map(|(at, c)| {
        let closing = match c {
            '[' => ']',
            '{' => '}',
            '(' => ')',
            '<' => '>',
            '0'..='9' if name[..at].is_empty() || name[..at].ends_with('.') => '.',
            _ => return None,
        };
        let open = if closing == '.' { at } else { at + 1 };
        let (first, last, length) = bounds(&name[open..])?;
        let end = open + length;
        let tail = &name[end..];
        let end = match closing {
            '.' if tail.is_empty() || tail.starts_with('.') => end,
            '.' => return None,
            closing => tail.starts_with(closing).then_some(end + 1)?,
        };
        Some(Range { before: &name[..at], text: &name[at..end], after: &name[end..], first, last })
    })
}

/// `0..15`, `0-15`, `0…15` at the start of a text: both ends, and how many bytes they take.
fn bounds(text: &str) -> Option<(u64, u64, usize)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let first = digits(text);
    let rest = &text[first..];
    let gap = ["...", "..=", "..", "-", "…", "–"].iter().find(|gap| rest.starts_with(**gap))?.len();
    let rest = &rest[gap..];
    let last = digits(rest);
    let (low, high) = (text[..first].parse().ok()?, rest[..last].parse().ok()?);
    (low < high).then_some((low, high, first + gap + last))
}

/// The segment of a name that stands for a layer without saying which: `layers.{i}.`, `blocks.n.`.
pub(super) fn placeholder(name: &str) -> Option<&str> {
    const HOLDERS: [&str; 14] =
        ["*", "{}", "{i}", "{n}", "{l}", "i", "n", "N", "X", "x", "<i>", "[i]", "%d", "#"];
    let mut previous = "";
    for segment in name.split('.') {
        let stack =
            matches!(previous, "layers" | "layer" | "blocks" | "block" | "blk" | "h" | "resblocks");
        if HOLDERS.contains(&segment)
            && (stack || segment.len() > 1 || matches!(segment, "*" | "#"))
        {
            return Some(segment);
        }
        previous = segment;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_found_in_every_bracket() {
        for text in ["[0..15]", "{0-15}", "(0-15)", "<0..15>", "0-15"] {
            let name = format!("model.layers.{text}.mlp.weight");
            let found = range(&name).map(|r| (r.before, r.text, r.after, r.first, r.last));
            assert_eq!(found, Some(("model.layers.", text, ".mlp.weight", 0, 15)));
        }
        assert_eq!(range("model.layers.3.w[0].x-1"), None);
        assert_eq!(range("v1-2.weight"), None);
    }

    #[test]
    fn a_placeholder_needs_a_stack_before_it() {
        assert_eq!(placeholder("layers.n.fc1.weight"), Some("n"));
        assert_eq!(placeholder("encoder.{i}.weight"), Some("{i}"));
        assert_eq!(placeholder("model.x.weight"), None);
    }
}
