//! The front of an entry: a number or a label, the name, and what leads over to the shape.

use super::dtype::{self, Dtype};
use super::separator::Separator;

/// The name, a dtype between it and the shape, and what parts the two.
pub(super) fn split_head(text: &str) -> Option<(&str, Dtype<'_>, Separator)> {
    let text = strip_label(text);
    let (name, rest) = match text.chars().next()? {
        quote @ ('\'' | '"') => text[1..].split_once(quote)?,
        _ => text.split_at(text.find(char::is_whitespace).unwrap_or(text.len())),
    };
    let bare = name.trim_end_matches([':', '=', ',', '|']);
    let mut separator = match () {
        () if bare.len() < name.len() => Separator::Mark,
        () if rest.contains('\t') => Separator::Tab,
        () => Separator::Space,
    };
    let mut dtype = Dtype::No;
    for word in rest.split_whitespace() {
        match word.trim_matches([':', '=', ',', '|']).to_ascii_lowercase().as_str() {
            "" | "-" | "->" | "–" | "shape" | "size" | "dims" => separator = Separator::Mark,
            _ if dtype == Dtype::No && dtype::judge_word(word) != Dtype::No => {
                dtype = dtype::judge_word(word);
            }
            _ => return None,
        }
    }
    is_name(bare).then_some((bare, dtype, separator))
}

/// Whether a word can name a parameter.
pub(super) fn is_name(word: &str) -> bool {
    word.contains(|c: char| c.is_alphabetic())
        && !word.contains(|c: char| {
            c.is_whitespace() || c.is_control() || matches!(c, '|' | '├' | '└' | '│' | '`')
        })
        && !word.starts_with(['(', ')', '{', '}', '<', ','])
}

/// `- name`, `3. name`, `[12] name`, `# name`, `>>> name`: the part from `name` on.
pub(super) fn strip_ordinal(line: &str) -> &str {
    let mut line =
        if line.starts_with("{'") || line.starts_with("{\"") { &line[1..] } else { line };
    for _ in 0..3 {
        let Some((word, rest)) = line.split_once(char::is_whitespace) else { break };
        let digits = word.trim_matches(['[', ']', '(', ')', '.', ':', '#']);
        let mark = matches!(word, "-" | "*" | "•" | "#" | "//" | ">>>" | "–");
        let number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        if !mark && !number {
            break;
        }
        line = rest.trim_start();
    }
    line
}

/// `Layer: name`: the part from `name` on.
pub(super) fn strip_label(text: &str) -> &str {
    const LABELS: [&str; 8] =
        ["layer", "name", "parameter", "param", "tensor", "key", "weight", "layer name"];
    match text.split_once(':') {
        Some((label, rest))
            if LABELS.contains(&label.trim().to_ascii_lowercase().as_str())
                && !rest.trim().is_empty() =>
        {
            rest.trim_start()
        }
        _ => text,
    }
}
