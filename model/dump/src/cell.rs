//! One cell of a table.

use super::dims::{self, DimsError};
use super::dtype::{self, Dtype};
use super::grouping::{self, Grouping};

/// A cell without Markdown's marks around it.
pub(super) fn strip_marks(cell: &str) -> &str {
    cell.trim().trim_matches(['`', '*', ' ', '\u{a0}'])
}

/// The part behind `label:`, and the label in lower case.
pub(super) fn split_label(cell: &str) -> Option<(String, &str)> {
    let (label, value) = cell.split_once([':', '='])?;
    let label = label.trim();
    let word = !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphabetic() || b == b' ');
    word.then(|| (label.to_ascii_lowercase(), value.trim()))
}

/// A cell that is a shape by its form: brackets, or numbers with crosses. `None` for any other.
pub(super) fn read_shape(cell: &str, grouping: Grouping) -> Option<Result<Vec<u64>, DimsError>> {
    let cell = strip_marks(cell);
    if let Some((label, value)) = split_label(cell) {
        return matches!(label.as_str(), "shape" | "size" | "dims")
            .then(|| read_stated_shape(value, grouping));
    }
    let bracketed =
        cell.starts_with(['[', '(']) || cell.starts_with("torch.Size") || cell.starts_with("Size");
    let crossed = cell.contains(['x', '×'])
        && cell.starts_with(|c: char| c.is_ascii_digit())
        && cell.chars().all(|c| c.is_ascii_digit() || matches!(c, 'x' | '×' | ' ' | ','));
    (bracketed || crossed).then(|| read_stated_shape(cell, grouping))
}

/// A cell that can only be a shape.
pub(super) fn read_stated_shape(cell: &str, grouping: Grouping) -> Result<Vec<u64>, DimsError> {
    let cell = strip_marks(cell);
    let cell = cell.strip_prefix("torch.").unwrap_or(cell);
    let cell = cell
        .strip_prefix("Size")
        .map_or(cell, |inner| inner.trim().trim_start_matches('(').trim_end_matches(')'));
    for (open, close) in [('[', ']'), ('(', ')')] {
        if let Some(rest) = cell.strip_prefix(open) {
            let inside = rest.strip_suffix(close);
            let missing = || DimsError::Other(format!("the shape has no closing `{close}`"));
            return dims::parse_bracketed(inside.ok_or_else(missing)?, grouping);
        }
    }
    if cell.contains(',') && !cell.contains(['x', '×']) {
        let parts = grouping::split_wide(cell).count();
        if parts == 1 && grouping != Grouping::Commas && !grouping::shows_commas(cell) {
            return Err(DimsError::Other(format!(
                "`{cell}` may be one number or several: put brackets around a shape"
            )));
        }
        return dims::parse_bracketed(cell, grouping);
    }
    dims::parse_crossed(cell)
}

/// A cell that is a dtype by its form or its label.
pub(super) fn read_dtype(cell: &str) -> Dtype<'_> {
    let cell = strip_marks(cell);
    match split_label(cell) {
        Some((label, value)) if matches!(label.as_str(), "type" | "dtype") => {
            dtype::read_stated(strip_marks(value))
        }
        Some(_) => Dtype::No,
        None => dtype::judge_word(cell),
    }
}

/// `589.82K x24`: the number of equal tensors in a row.
pub(super) fn read_times(cell: &str) -> Option<u64> {
    let times = strip_marks(cell).split_whitespace().last()?.strip_prefix(['x', '×'])?;
    times.parse().ok().filter(|times| *times > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_by_form() {
        let read = |cell| read_shape(cell, Grouping::Unknown).and_then(Result::ok);
        assert_eq!(read("`[320, 720]`"), Some(vec![320, 720]));
        assert_eq!(read("384×384"), Some(vec![384, 384]));
        assert_eq!(read("shape: 4096x4096"), Some(vec![4096, 4096]));
        assert_eq!(read("shape: 4096"), Some(vec![4096]));
        assert_eq!(read("Size: torch.Size([512, 784])"), Some(vec![512, 784]));
        assert_eq!(read("147,456"), None);
        assert!(matches!(read_shape("[1, 2", Grouping::Unknown), Some(Err(_))));
    }

    #[test]
    fn a_multiplier_is_seen() {
        assert_eq!(read_times("589.82K x24"), Some(24));
        assert_eq!(read_times("589.82K"), None);
    }
}
