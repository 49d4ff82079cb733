//! The spelling of element types.

use derate_units::Precision;

/// How sure it is that a word is a dtype.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Dtype<'a> {
    /// A dtype that derate knows.
    Known(Precision, &'a str),
    /// Clearly a dtype, but none that derate knows.
    Unknown(&'a str),
    /// Something else.
    No,
}

/// The bare spelling: without brackets, quotes, `dtype=` and the like.
pub(super) fn strip_dtype(word: &str) -> &str {
    let word = word.trim_matches(|c| {
        matches!(c, '[' | ']' | '(' | ')' | '`' | '\'' | '"' | ',' | ';' | '<' | '>' | '*' | ' ')
    });
    let word = ["dtype=", "dtype:", "type=", "type:"]
        .iter()
        .find_map(|prefix| word.strip_prefix(prefix))
        .unwrap_or(word);
    word.trim_matches(|c| matches!(c, '`' | '\'' | '"' | ' '))
}

/// The number format of a dtype's spelling.
pub(super) fn parse_precision(text: &str) -> Option<Precision> {
    let text = ["np.", "numpy.", "jnp.", "tf.", "mx.", "DT_"]
        .iter()
        .find_map(|prefix| text.strip_prefix(prefix))
        .unwrap_or(text);
    Precision::parse(text)
        .or_else(|| Precision::parse(text.strip_suffix("FN").or_else(|| text.strip_suffix("fn"))?))
}

/// Judges one word at a place where a dtype may be.
///
/// A marked word (`torch.x`, `dtype=x`, `[x]`) is a dtype whatever it spells; any other only when
/// it has the form of one, such as `q4_K` or `F8_E8M0`.
pub(super) fn judge_word(word: &str) -> Dtype<'_> {
    let text = strip_dtype(word);
    if text.is_empty() || !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Dtype::No;
    }
    if let Some(precision) = parse_precision(text) {
        return Dtype::Known(precision, text);
    }
    let bracketed = word.starts_with('[') && word.ends_with(']');
    // `torch.nn.parameter.Parameter` and `torch.Tensor` are not dtypes.
    let torch = text.strip_prefix("torch.").is_some_and(|rest| {
        rest.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
    });
    let marked = bracketed || torch || word.contains("dtype");
    if marked || has_dtype_form(text) { Dtype::Unknown(text) } else { Dtype::No }
}

/// A word at a place where only a dtype can be.
pub(super) fn read_stated(word: &str) -> Dtype<'_> {
    match (strip_dtype(word), parse_precision(strip_dtype(word))) {
        (text, _) if !text.contains(char::is_alphanumeric) => Dtype::No,
        (text, Some(precision)) => Dtype::Known(precision, text),
        (text, None) => Dtype::Unknown(text),
    }
}

fn has_dtype_form(text: &str) -> bool {
    const FAMILIES: [&str; 17] = [
        "bfloat", "bf", "float", "fp", "f", "uint", "int", "u", "iq", "tq", "q", "i", "mxfp",
        "nvfp", "nf", "complex", "c",
    ];
    let lower = text.to_ascii_lowercase();
    if !lower.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        return false;
    }
    FAMILIES.iter().any(|family| {
        lower
            .strip_prefix(family)
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_words_are_dtypes_whatever_they_spell() {
        assert_eq!(judge_word("[torch.bfloat16]"), Dtype::Known(Precision::BF16, "torch.bfloat16"));
        assert_eq!(
            judge_word("dtype=torch.float32,"),
            Dtype::Known(Precision::FP32, "torch.float32")
        );
        assert_eq!(judge_word("[torch.floaty]"), Dtype::Unknown("torch.floaty"));
        assert!(matches!(judge_word("q4_K"), Dtype::Unknown("q4_K")));
        assert_eq!(judge_word("frozen"), Dtype::No);
        assert_eq!(judge_word("921,600"), Dtype::No);
    }
}
