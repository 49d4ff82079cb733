//! Function-like macros that are a `? :` without brackets: what is written beside a call of one belongs to its last branch.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{find_words, split_words};

/// A macro with arguments or without, as it is written.
#[derive(PartialEq)]
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
    let mut all: BTreeMap<&str, Written<'_>> = BTreeMap::new();
    let mut unclear = BTreeSet::new();
    for (name, own) in texts.flat_map(str::lines).filter_map(read_macro) {
        // Which of several definitions counts, only a build decides, and a continued one is not read to its end.
        if own.body.ends_with('\\') || all.get(name).is_some_and(|other| *other != own) {
            unclear.insert(name);
        }
        all.insert(name, own);
    }
    all.retain(|name, _| !unclear.contains(name));
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
    let ends = ["//", "/*"].into_iter().filter_map(|sign| body.find(sign));
    let end = ends.min().unwrap_or(body.len());
    // Behind a comment in the middle more may follow: that is like a body without an end.
    let is_whole = body[end..].split_once("*/").is_none_or(|(_, rest)| rest.trim().is_empty());
    let body = if is_whole && !body.ends_with('\\') { &body[..end] } else { "\\" };
    Some((name, Written { has_arguments, body: body.trim() }))
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
    find_words(body, name).any(|at| {
        let rest = body[at + name.len()..].trim_start();
        if !rest.starts_with('(') {
            return false;
        }
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
        behind.starts_with(OPERATORS) || body[..at].trim_end().ends_with(OPERATORS)
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
        assert_eq!(found(open, "N + CEIL \u{2013} M"), None, "it is not called");
        assert_eq!(found(open, "CEIL + MYCEIL(N) * 8"), None, "another one is called");
    }

    #[test]
    fn a_comment_is_no_choice_and_one_of_several_definitions_is_not_judged() {
        let found = |text: &str| {
            let text = format!("{text}\n#define TILES PAD(N) / 8\n");
            find_open_macro(std::iter::once(text.as_str()), &["TILES"]).map(str::to_owned)
        };
        let open = "#define PAD(x) x % 8 ? x + 1 : x";
        assert_eq!(found(&format!("{open} // all\n{open}")).as_deref(), Some("PAD"));
        assert_eq!(found("#define PAD(x) ((x)+7) // enough?"), None);
        assert_eq!(found("#define PAD(x) ((x)+7) /* enough? */"), None);
        assert_eq!(found("#define PAD(x) /* enough? */ ((x)+7)"), None);
        assert_eq!(found("#define PAD(x) x ? \\\n  1 : 2"), None);
        assert_eq!(found(&format!("#define PAD(x) (x)\n{open}")), None);
        assert_eq!(found("#define TILES 8 // PAD \u{2013} up\n#define PAD(x) x ? 1 : 2"), None);
    }
}
