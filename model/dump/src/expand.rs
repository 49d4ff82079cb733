//! Names that describe several layers at once.

/// The most tensors that one dump's shorthand may become.
pub(super) const MOST: usize = 65_536;
/// The most bytes of names that it may become: a short dump with long names is still a short dump.
pub(super) const MOST_BYTES: usize = 4 << 20;

/// A range inside a name: `layers.[0..15].mlp`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct LayerRange<'a> {
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
pub(super) fn find_range(name: &str) -> Option<LayerRange<'_>> {
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
        let (first, last, length) = parse_bounds(&name[open..])?;
        let end = open + length;
        let tail = &name[end..];
        let end = match closing {
            '.' if tail.is_empty() || tail.starts_with('.') => end,
            '.' => return None,
            closing => tail.starts_with(closing).then_some(end + 1)?,
        };
        Some(LayerRange {
            before: &name[..at],
            text: &name[at..end],
            after: &name[end..],
            first,
            last,
        })
    })
}

/// `0..15`, `0-15`, `0…15` at the start of a text: both ends, and how many bytes they take.
fn parse_bounds(text: &str) -> Option<(u64, u64, usize)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let first = digits(text);
    let rest = &text[first..];
    let gap = ["...", "..=", "..", "-", "…", "–"].iter().find(|gap| rest.starts_with(**gap))?.len();
    let rest = &rest[gap..];
    let last = digits(rest);
    let (low, high) = (text[..first].parse().ok()?, rest[..last].parse().ok()?);
    (low < high).then_some((low, high, first + gap + last))
}

/// The segment of a name that means a layer without its number: `layers.{i}.`, `blocks.n.`.
pub(super) fn find_placeholder(name: &str) -> Option<&str> {
    const STACKS: [&str; 7] = ["layers", "layer", "blocks", "block", "blk", "h", "resblocks"];
    let mut previous = "";
    for segment in name.split('.') {
        let letter = STACKS.contains(&previous)
            && matches!(segment, "i" | "l" | "n" | "N" | "L" | "X" | "x");
        if letter || matches!(segment, "*" | "#" | "%d" | "{}") || is_variable(segment) {
            return Some(segment);
        }
        previous = segment;
    }
    None
}

/// `{i}`, `<layer>`, `[n]`.
fn is_variable(segment: &str) -> bool {
    [('{', '}'), ('<', '>'), ('[', ']')].into_iter().any(|(open, close)| {
        let inside = segment.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        inside.is_some_and(|word| {
            !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_')
        })
    })
}

/// The name with its placeholder replaced by a range of so many layers.
pub(super) fn fill_placeholder(name: &str, times: u64) -> Option<String> {
    let holder = find_placeholder(name)?;
    let at = (holder.as_ptr() as usize).checked_sub(name.as_ptr() as usize)?;
    let last = times.checked_sub(1).filter(|last| *last > 0)?;
    Some(format!("{}[0..{last}]{}", name.get(..at)?, name.get(at + holder.len()..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_found_in_every_bracket() {
        for text in ["[0..15]", "{0-15}", "(0-15)", "<0..15>", "0-15"] {
            let name = format!("model.layers.{text}.mlp.weight");
            let found = find_range(&name).map(|r| (r.before, r.text, r.after, r.first, r.last));
            assert_eq!(found, Some(("model.layers.", text, ".mlp.weight", 0, 15)));
        }
        assert_eq!(find_range("model.layers.3.w[0].x-1"), None);
        assert_eq!(find_range("v1-2.weight"), None);
    }

    #[test]
    fn a_placeholder_needs_a_stack_before_it() {
        assert_eq!(find_placeholder("layers.n.fc1.weight"), Some("n"));
        assert_eq!(find_placeholder("encoder.{i}.weight"), Some("{i}"));
        assert_eq!(find_placeholder("model.x.weight"), None);
        assert_eq!(find_placeholder("blk.{N}.attn_q.weight"), Some("{N}"));
        assert_eq!(fill_placeholder("layers.N.w", 48).as_deref(), Some("layers.[0..47].w"));
    }
}
