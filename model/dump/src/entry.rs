//! `NAME shape dtype` on one line, with any separators.

use super::dims::{self, DimsError};
use super::dtype::Dtype;
use super::entry_error::NoEntry;
use super::entry_name::{split_head, strip_ordinal};
use super::entry_tail::read_tail;
use super::grouping::Grouping;
use super::separator::Separator;

/// How an entry spells its shape.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum ShapeStyle {
    /// `torch.Size([720, 32])`.
    Sized,
    /// `(720, 32)`.
    Tuple,
    /// `[720, 32]`.
    List,
}

/// One tensor as a line states it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct DumpEntry<'a> {
    pub(super) name: &'a str,
    pub(super) dims: Vec<u64>,
    pub(super) dtype: Dtype<'a>,
    pub(super) style: ShapeStyle,
    pub(super) separator: Separator,
    /// The first word after the shape that means nothing to us.
    pub(super) leftover: Option<&'a str>,
}

fn damaged_entry(reason: impl Into<String>) -> NoEntry {
    NoEntry::Damaged(DimsError::Other(reason.into()))
}

/// Where a shape begins: the start of its first word, its opening bracket, and its spelling.
struct Opening {
    start: usize,
    bracket: usize,
    style: ShapeStyle,
}

fn find_opening(text: &str) -> Option<Opening> {
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        if c == '(' || c == '[' {
            let head = &text[..at];
            if c == '(' && (head.ends_with("Size") || head.ends_with("TensorShape")) {
                let word = head
                    .trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_');
                return Some(Opening { start: word.len(), bracket: at, style: ShapeStyle::Sized });
            }
            let separated = before.is_whitespace() || matches!(before, ':' | '=' | ',' | '|' | '>');
            let next = text[at + 1..].trim_start().chars().next();
            let closing = if c == '(' { ')' } else { ']' };
            if separated && next.is_some_and(|n| n.is_ascii_digit() || n == closing) {
                let style = if c == '(' { ShapeStyle::Tuple } else { ShapeStyle::List };
                return Some(Opening { start: at, bracket: at, style });
            }
        }
        before = c;
    }
    None
}

/// Reads one line; `line` has no white space around it.
pub(super) fn parse_entry(line: &str, grouping: Grouping) -> Result<DumpEntry<'_>, NoEntry> {
    let line = strip_ordinal(line);
    let Some(opening) = find_opening(line) else {
        return Err(if line.contains("torch.Size") {
            damaged_entry("the shape has no opening bracket")
        } else {
            NoEntry::Other
        });
    };
    let (name, middle, separator) = split_head(&line[..opening.start]).ok_or(NoEntry::Other)?;
    let (inside, rest) = split_brackets(&line[opening.bracket..], opening.style)?;
    let (after, leftover) = read_tail(rest)?;
    if leftover.is_some() && opening.style != ShapeStyle::Sized && !name.contains(['.', '_', '/']) {
        return Err(NoEntry::Other);
    }
    let dims = dims::parse_bracketed(inside, grouping).map_err(NoEntry::Damaged)?;
    let dtype = if middle == Dtype::No { after } else { middle };
    Ok(DumpEntry { name, dims, dtype, style: opening.style, separator, leftover })
}

/// The text between the brackets, and what follows the closing one.
fn split_brackets(text: &str, style: ShapeStyle) -> Result<(&str, &str), NoEntry> {
    let (open, close) = if style == ShapeStyle::Tuple { ('(', ')') } else { ('[', ']') };
    let missing = || damaged_entry(format!("the shape has no closing `{close}`"));
    if style != ShapeStyle::Sized {
        return text[1..].split_once(close).ok_or_else(missing);
    }
    let text = text[1..].trim_start();
    if let Some(rest) = text.strip_prefix(')') {
        return Ok(("", rest));
    }
    let text = text
        .strip_prefix(open)
        .ok_or_else(|| damaged_entry(format!("the shape has no opening `{open}`")))?;
    let (inside, rest) = text.split_once(close).ok_or_else(missing)?;
    let rest = rest.trim_start().strip_prefix(')');
    Ok((inside, rest.ok_or_else(|| damaged_entry("the shape has no closing `)`"))?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use derate_units::Precision;

    fn read(line: &str) -> Option<(&str, Vec<u64>, Dtype<'_>)> {
        parse_entry(line, Grouping::Unknown).ok().map(|e| (e.name, e.dims, e.dtype))
    }

    #[test]
    fn the_ways_to_write_one_tensor() {
        let bf16 = |text| Dtype::Known(Precision::BF16, text);
        for (line, dtype) in [
            ("a.weight: torch.Size([720, 32]) [torch.bfloat16]", bf16("torch.bfloat16")),
            ("a.weight torch.Size([720, 32]) torch.bfloat16", bf16("torch.bfloat16")),
            ("a.weight \t torch.Size([720, 32])", Dtype::No),
            ("a.weight (720, 32)", Dtype::No),
            ("a.weight [720,32]", Dtype::No),
            ("a.weight: shape=(720, 32), dtype=torch.bfloat16", bf16("torch.bfloat16")),
            ("'a.weight': torch.Size([720, 32]),", Dtype::No),
            ("a.weight BF16 [720, 32]", bf16("BF16")),
            ("# 12. a.weight: torch.Size([720, 32])", Dtype::No),
            ("Layer: a.weight | Size: torch.Size([720, 32]) | Values : tensor([[", Dtype::No),
        ] {
            assert_eq!(read(line), Some(("a.weight", vec![720, 32], dtype)), "{line}");
        }
        assert_eq!(read("scale ()"), Some(("scale", vec![], Dtype::No)));
        assert_eq!(read("h[0].bias: [3]"), Some(("h[0].bias", vec![3], Dtype::No)));
    }

    #[test]
    fn what_is_no_tensor_is_not_taken_for_one() {
        for line in [
            "(norm): LayerNorm((960,), eps=1e-05)",
            "Sequential    [1, 50, 960]    [1, 50, 2560]   --",
            "Loading checkpoint shards [1/3]",
            "text with [2] somewhere",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }

    #[test]
    fn damage_is_named() {
        for line in [
            "a: torch.Size([720, 32",
            "a: torch.Size(720])",
            "a: torch.Size 720",
            "a: torch.Size([n, 3])",
        ] {
            assert!(
                matches!(parse_entry(line, Grouping::Unknown), Err(NoEntry::Damaged(_))),
                "{line}"
            );
        }
    }
}
