//! Where the text of a unit can be cut: between declarations that are outside of all brackets.

use super::words::Words;

/// The words that begin a declaration behind another one. None where brackets do not fit: then nothing is sure.
pub(super) fn list_cuts(words: &Words<'_>) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let close = match words.text(at) {
            "(" => ")",
            "[" => "]",
            "{" => "}",
            ")" | "]" | "}" => return Vec::new(),
            // A body is of the function before it.
            ";" if words.text(at + 1) != "{" => {
                cuts.push(at + 1);
                ""
            }
            _ => "",
        };
        if !close.is_empty() {
            let is_body = at > 0 && words.text(at - 1) == ")";
            at = words.partner(at);
            if words.text(at) != close {
                return Vec::new();
            }
            if close == "}" && begins_declaration(words.text(at + 1), is_body) {
                cuts.push(at + 1);
            }
        }
        at += 1;
    }
    cuts
}

/// Whether a word behind a closing brace begins another declaration. Behind the brace of a class there may be a declarator, and
/// words that belong to it: `struct S { int x; } static s;`.
fn begins_declaration(word: &str, is_body: bool) -> bool {
    match word {
        "template" | "namespace" | "using" | "struct" | "class" | "enum" => true,
        "typedef" | "inline" | "static" | "extern" | "void" => is_body,
        _ => false,
    }
}
