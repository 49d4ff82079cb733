//! Comments that an edit on their line makes false: they are corrected, or removed.

use std::collections::BTreeMap;
use std::path::Path;

use derate_hls::{Sources, Span};
use derate_units::Precision;

use derate_finding::Edit;

/// What becomes of a comment.
#[derive(Debug, PartialEq)]
enum Correction {
    /// Its text in place of the old one.
    Text(String),
    /// It goes.
    Remove,
}

/// Bits of a type or a precision.
fn bits_of(text: &str) -> Option<u32> {
    match text {
        "float" | "float32_t" => Some(32),
        "double" => Some(64),
        "half" | "bfloat16" => Some(16),
        other => Precision::parse(other).map(Precision::number_bits),
    }
}

/// A word with what is around it: the comment in pieces, words and the rest in turn.
fn split_words(comment: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut pieces = Vec::new();
    let mut begin = 0;
    let mut last = None;
    for (at, c) in comment.char_indices() {
        if last.is_some_and(|last| last != is_word(c)) {
            pieces.push(&comment[begin..at]);
            begin = at;
        }
        last = Some(is_word(c));
    }
    pieces.push(&comment[begin..]);
    pieces
}

/// Words that follow a number of bits, and of bytes.
const BITS: [&str; 2] = ["bit", "bits"];
const BYTES: [&str; 3] = ["byte", "bytes", "B"];

/// What the comment says of the old text, said of the new one; `None` where it says nothing of it.
fn correct_comment(old: &str, new: &str, comment: &str) -> Option<Correction> {
    let (old, new) = (old.trim_matches('"').trim(), new.trim_matches('"').trim());
    let mut pieces: Vec<String> = split_words(comment).into_iter().map(str::to_owned).collect();
    let widths = bits_of(old).zip(bits_of(new)).filter(|(old, new)| old != new);
    let is_number = !old.is_empty() && old.chars().all(|c| c.is_ascii_digit() || c == '.');
    let mut corrected = false;
    for at in 0..pieces.len() {
        let next = pieces.get(at + 2).cloned().unwrap_or_default();
        let unit = pieces.get(at + 1).is_some_and(|gap| matches!(gap.as_str(), " " | "-"));
        let counts = |words: &[&str]| unit && words.contains(&next.as_str());
        let word = pieces[at].clone();
        // A number alone may be of anything; with its unit it is that of the value.
        let named = !old.is_empty()
            && word.eq_ignore_ascii_case(old)
            && (!is_number || counts(&BITS) || counts(&BYTES));
        let scaled = |of: u32, to: u32, words: &[&str]| {
            (of > 0 && word == of.to_string() && counts(words)).then(|| to.to_string())
        };
        let restated = if named {
            let upper =
                word.chars().any(char::is_uppercase) && !word.chars().any(char::is_lowercase);
            Some(if upper { new.to_uppercase() } else { new.to_owned() })
        } else {
            widths.and_then(|(old, new)| {
                scaled(old, new, &BITS).or_else(|| scaled(old / 8, new / 8, &BYTES))
            })
        };
        if let Some(restated) = restated {
            pieces[at] = restated;
            corrected = true;
        }
    }
    // A precision that is said in words has no other word to put there.
    let says = |of: &str| pieces.iter().any(|piece| piece.eq_ignore_ascii_case(of));
    let said = [("half", 16), ("single", 32), ("double", 64)];
    let is_false =
        widths.is_some_and(|(old, _)| said.iter().any(|(word, bits)| *bits == old && says(word)));
    match (is_false, corrected) {
        (true, _) => Some(Correction::Remove),
        (false, true) => Some(Correction::Text(pieces.concat())),
        (false, false) => None,
    }
}

/// Edits of the comments that `edits` make false, each with the reason of its edit.
pub(super) fn correct_comments(
    sources: &Sources,
    edits: &BTreeMap<Edit, String>,
) -> BTreeMap<Edit, String> {
    let mut all = BTreeMap::new();
    for (edit, reason) in edits {
        let text = sources.text(edit.span.file);
        let (Some(old), Some(rest)) =
            (text.get(edit.span.start..edit.span.end), text.get(edit.span.end..))
        else {
            continue;
        };
        if old.is_empty() || old.contains('\n') || edit.replacement.contains('\n') {
            continue;
        }
        let line = rest.split('\n').next().unwrap_or_default().trim_end_matches('\r');
        let is_toml = Path::new(sources.name(edit.span.file))
            .extension()
            .is_some_and(|own| own.eq_ignore_ascii_case("toml"));
        let mark = if is_toml { "#" } else { "//" };
        let Some((code, comment)) = line.split_once(mark) else { continue };
        // A mark in a string is none.
        if code.matches('"').count() % 2 == 1 {
            continue;
        }
        let end = edit.span.end + line.len();
        let (from, replacement) = match correct_comment(old, &edit.replacement, comment) {
            Some(Correction::Text(text)) => (end - comment.len(), text),
            Some(Correction::Remove) => (edit.span.end + code.trim_end().len(), String::new()),
            None => continue,
        };
        let span = Span { start: from, end, ..edit.span };
        let meets = |other: &Edit| {
            other.span.file == span.file && other.span.start < end && from < other.span.end
        };
        if !edits.keys().any(meets) {
            let what = if replacement.is_empty() { "removes" } else { "corrects" };
            all.insert(Edit::new(span, replacement), format!("{reason}, which {what} the comment"));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_comment_says_of_the_old_value_is_said_of_the_new_one() {
        let text = |old: &str, new: &str, comment: &str| match correct_comment(old, new, comment) {
            Some(Correction::Text(text)) => text,
            Some(Correction::Remove) => "(removed)".to_owned(),
            None => "(kept)".to_owned(),
        };
        for (old, new, comment, wanted) in [
            ("\"bf16\"", "\"fp32\"", " bf16, as the notebook says", " fp32, as the notebook says"),
            (
                "\"bf16\"",
                "\"fp32\"",
                " 16-bit, 2 bytes per element",
                " 32-bit, 4 bytes per element",
            ),
            ("float", "half", " 4 bytes", " 2 bytes"),
            ("\"fp16\"", "\"fp32\"", " half precision", "(removed)"),
            ("2", "4", " 2 bytes an element", " 4 bytes an element"),
            ("2", "4", " see table 2", "(kept)"),
            ("\"bf16\"", "\"fp32\"", " of all weights", "(kept)"),
            ("\"BF16\"", "\"fp32\"", " BF16 everywhere", " FP32 everywhere"),
        ] {
            assert_eq!(text(old, new, comment), wanted, "{old} {new} {comment}");
        }
    }
}
