//! Function-like macros that are a `? :` without brackets: what is written beside a call of one belongs to its last branch.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::split_words;

/// A macro with arguments or without, as it is written.
struct Written<'a> {
    has_arguments: bool,
    body: &'a str,
}

/// A macro with a `? :` without brackets that these words are made of, with an operator beside its call.
#[must_use]
pub fn find_open_macro<'a>(
    texts: impl Iterator<Item = &'a str>,
    words: &[&'a str],
) -> Option<&'a str> {
    let all: BTreeMap<&str, Written<'_>> =
        texts.flat_map(str::lines).filter_map(read_macro).collect();
    let (mut seen, mut left) = (BTreeSet::new(), words.to_vec());
    while let Some(word) = left.pop() {
        let Some(own) = all.get(word).filter(|_| seen.insert(word)) else { continue };
        let mut called = split_words(own.body).filter(|name| {
            all.get(name).is_some_and(|other| other.has_arguments && is_open(other.body))
                && has_operator_beside(own.body, name)
        });
        if let Some(name) = called.next() {
            return Some(name);
        }
        left.extend(split_words(own.body));
    }
    None
}

/// The name of a macro and what it is replaced by.
fn read_macro(line: &str) -> Option<(&str, Written<'_>)> {
    let rest =
        line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?.trim_start();
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
    let (name, rest) = rest.split_at(end);
    let (has_arguments, body) = match rest.strip_prefix('(') {
        Some(behind) => (true, behind.split_once(')')?.1),
        None => (false, rest),
    };
    Some((name, Written { has_arguments, body }))
}

/// Whether a `?` is in no brackets.
fn is_open(body: &str) -> bool {
    let mut depth = 0_i32;
    body.chars().any(|sign| {
        match sign {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        sign == '?' && depth == 0
    })
}

/// Whether an operator follows the call of a macro, or is before it.
fn has_operator_beside(body: &str, name: &str) -> bool {
    const OPERATORS: [char; 5] = ['+', '-', '*', '/', '%'];
    body.match_indices(name).any(|(at, _)| {
        let rest = body[at + name.len()..].trim_start();
        let mut depth = 0_i32;
        let end = rest.char_indices().find(|(_, sign)| {
            match sign {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let behind = end.map_or("", |(end, _)| rest[end + 1..].trim_start());
        rest.starts_with('(')
            && (behind.starts_with(OPERATORS) || body[..at].trim_end().ends_with(OPERATORS))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_without_brackets_takes_what_is_beside_it() {
        let found = |ceil: &str, used: &str| {
            let text =
                format!("#define CEIL(x) {ceil}\n#define ALL ({used})\n#define TILES ALL / 8\n");
            find_open_macro(std::iter::once(text.as_str()), &["TILES"]).map(str::to_owned)
        };
        let open = "x % 8 == 0 ? x:x+1";
        assert_eq!(found(open, "CEIL((N + 7) / 8) * 8 - N").as_deref(), Some("CEIL"));
        assert_eq!(found(open, "N + CEIL(N)").as_deref(), Some("CEIL"));
        assert_eq!(found("((x) % 8 == 0 ? (x) : (x) + 1)", "CEIL(N) * 8"), None);
        assert_eq!(found(open, "CEIL(N)"), None, "nothing is beside it");
        assert_eq!(found(open, "N * 8"), None, "it is not used");
    }
}
