//! Declarations that are the whole body of a loop or of a condition, which tree-sitter does not read.

use super::words::Words;

/// Where the value begins that is left of `if (x) int y = f();`: nothing can use `y`. `None` where no such declaration is at `index`.
pub(super) fn find_value(words: &Words<'_>, index: usize) -> Option<usize> {
    let mut at = index;
    while matches!(words.text(at), "const" | "static" | "unsigned" | "signed" | "long" | "short") {
        at += 1;
    }
    let has_specifier = at > index;
    if !has_specifier || words.is_name(at + 1) {
        at = skip_type(words, at)?;
    }
    if !words.is_name(at) || is_statement(words.text(at)) {
        return None;
    }
    match words.text(at + 1) {
        "=" => Some(at + 2),
        ";" => Some(at + 1),
        _ => None,
    }
}

/// The word behind `a::b<c>`.
fn skip_type(words: &Words<'_>, start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        if !words.is_name(at) || is_statement(words.text(at)) {
            return None;
        }
        at += 1;
        if words.text(at) == "<" {
            at = words.skip_angles(at)?;
        }
        if words.text(at) != "::" {
            return Some(at);
        }
        at += 1;
    }
}

/// Words that begin a statement, or a value.
fn is_statement(word: &str) -> bool {
    matches!(
        word,
        "return"
            | "goto"
            | "throw"
            | "delete"
            | "new"
            | "case"
            | "default"
            | "if"
            | "for"
            | "while"
            | "do"
            | "switch"
            | "else"
            | "break"
            | "continue"
            | "sizeof"
            | "using"
            | "typedef"
    )
}
