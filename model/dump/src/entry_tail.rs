//! The end of an entry: the text after the shape.

use super::dtype::{self, Dtype};
use super::entry_error::NoEntry;

/// The dtype among the words after the shape, and the first word that means nothing.
pub(super) fn read_tail(rest: &str) -> Result<(Dtype<'_>, Option<&str>), NoEntry> {
    let mut dtype = Dtype::No;
    let mut leftover = None;
    for word in rest.split(|c: char| c.is_whitespace() || c == '|').filter(|word| !word.is_empty())
    {
        if word.starts_with('#') || word.starts_with("//") || word.starts_with("Values") {
            break;
        }
        if word.starts_with(['(', '['])
            && word[1..].starts_with(|c: char| c.is_ascii_digit() || c == '-')
        {
            return Err(NoEntry::Other);
        }
        if dtype == Dtype::No {
            dtype = dtype::judge_word(word);
            if dtype != Dtype::No {
                continue;
            }
        }
        if leftover.is_none() && !is_known_extra(word) {
            leftover = Some(word);
        }
    }
    Ok((dtype, leftover))
}

/// Counts, devices, flags and `key=value` pairs, which change nothing here.
fn is_known_extra(word: &str) -> bool {
    let word = word.trim_matches([',', ';', ':', '(', ')', '}', ']', '=', '-', '>']);
    let counts =
        word.strip_prefix('x').unwrap_or(word).trim_end_matches(['K', 'M', 'B', 'G', 'k', '%']);
    counts.bytes().all(|b| b.is_ascii_digit() || matches!(b, b',' | b'.' | b'_'))
        || word.contains('=')
        || word.contains("torch.")
        || word == "<class"
        || word.starts_with("cuda")
        || matches!(
            word,
            "True"
                | "False"
                | "cpu"
                | "meta"
                | "mps"
                | "dtype"
                | "type"
                | "params"
                | "parameters"
                | "elements"
                | "numel"
                | "trainable"
                | "frozen"
                | "requires_grad"
                | "device"
                | "KB"
                | "MB"
                | "GB"
                | "MiB"
                | "GiB"
        )
}
