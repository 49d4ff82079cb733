//! Words whose sign nothing depends on: their bits are cut out, copied, and compared with those of others of the type.

use std::collections::BTreeMap;

use derate_hls::{Lie, NumberKind, find_words, split_words};

use crate::ResolvedAlias;

/// A number of fewer bits may be counted with.
const WIDE: u64 = 128;

/// Whether a wide word has the width that its name promises, and another sign.
#[must_use]
pub fn is_of_other_sign(alias: &ResolvedAlias) -> bool {
    matches!(&alias.lie, Some(Lie::Format { claim, actual, bits })
        if actual.kind() == NumberKind::Integer
            && matches!(claim.format, derate_hls::ClaimedFormat::Int { .. })
            && *bits >= WIDE)
}

/// Whether no use of a type depends on its sign. What is not one of the uses that are known counts as one that may.
#[must_use]
pub fn is_used_as_bits(lines: &[&str], alias: &str) -> bool {
    let code: Vec<&str> = lines.iter().map(|line| read_code(line)).collect();
    let code = code.join("\n");
    // Such a type may be another name of this one.
    if split_words(&code).any(|word| ["template", "auto", "decltype"].contains(&word)) {
        return false;
    }
    let mut names = BTreeMap::new();
    for at in find_words(&code, alias) {
        match read_use(&code, at, alias) {
            Some(Use::Declares { name, is_pointer }) => {
                *names.entry(name).or_insert(true) &= is_pointer;
            }
            Some(Use::Plain) => {}
            None => return false,
        }
    }
    let all = names.keys().flat_map(|name| find_words(&code, name).map(move |at| (*name, at)));
    let mut all = all.peekable();
    all.peek().is_some() && all.all(|(name, at)| takes_bits_alone(&code, at, name, alias, &names))
}

/// A line without its comment; nothing of a pragma.
fn read_code(line: &str) -> &str {
    let code = line.split("//").next().unwrap_or_default();
    if code.trim_start().starts_with("#pragma") { "" } else { code }
}

/// What a text has a type for.
enum Use<'a> {
    /// Its own declaration, or its size.
    Plain,
    /// A variable.
    Declares { name: &'a str, is_pointer: bool },
}

/// A use of a type; `None` where it is neither of these.
fn read_use<'a>(code: &'a str, at: usize, alias: &str) -> Option<Use<'a>> {
    let (before, behind) = (code[..at].trim_end(), &code[at + alias.len()..]);
    let statement = before.rsplit([';', '{', '}']).next().unwrap_or_default().trim_start();
    let is_typedef = statement.lines().last().is_some_and(|line| line.starts_with("typedef"))
        && behind.trim_start().starts_with(';');
    if is_typedef || before.ends_with("using") || before.ends_with("sizeof(") {
        return Some(Use::Plain);
    }
    if statement.contains("typedef") {
        return None;
    }
    let rest = behind.trim_start_matches(|c: char| c.is_whitespace() || c == '*' || c == '&');
    let name = split_words(rest).next().filter(|name| rest.starts_with(name))?;
    let (after, indices) = skip_indices(&rest[name.len()..])?;
    let marks = &behind[..behind.len() - rest.len()];
    let is_declared = match after.chars().next()? {
        ';' | ')' => true,
        '=' => !after.starts_with("=="),
        // Another argument, and not another variable of the type.
        ',' => {
            let next = after[1..].split([',', ')', ';', '=']).next().unwrap_or_default();
            split_words(next).count() > 1
        }
        _ => false,
    };
    is_declared.then_some(Use::Declares { name, is_pointer: indices > 0 || marks.contains('*') })
}

/// Whether a use of a variable gives the same bits with and without a sign.
fn takes_bits_alone(
    code: &str,
    at: usize,
    name: &str,
    alias: &str,
    names: &BTreeMap<&str, bool>,
) -> bool {
    let mut before = code[..at].trim_end();
    let marks = |c: char| c.is_whitespace() || c == '*' || c == '&';
    if before.trim_end_matches(marks).ends_with(alias) {
        return true;
    }
    let Some((behind, indices)) = skip_indices(&code[at + name.len()..]) else { return false };
    let has_both = |rest: &str| rest.split(')').next().is_some_and(|own| own.contains(','));
    if behind.starts_with(".range(") || behind.strip_prefix('(').is_some_and(has_both) {
        return true;
    }
    if behind.starts_with('=') && !behind.starts_with("==") {
        return true;
    }
    let is_address = names.get(name) == Some(&true) && indices == 0;
    if is_address {
        match before.strip_suffix('*') {
            Some(rest) => before = rest.trim_end(),
            None => return behind.starts_with([',', ')', '+', ';']),
        }
    }
    let is_same = |word: Option<&str>| word.is_some_and(|word| names.contains_key(word));
    if let Some(other) = behind.strip_prefix("==").or_else(|| behind.strip_prefix("!=")) {
        return other.trim_start().starts_with(|c: char| c.is_alphabetic() || c == '_')
            && is_same(split_words(other).next());
    }
    let ends_with = |sign: &str| before.strip_suffix(sign);
    if let Some(other) = ends_with("==").or_else(|| ends_with("!=")) {
        return behind.starts_with([')', ';']) && is_same(find_target(other));
    }
    ends_with("=").is_some_and(|left| behind.starts_with(';') && is_same(find_target(left)))
}

/// The variable at the end of a text: `word` of `*word` and of `word[i][j + 1]`.
fn find_target(text: &str) -> Option<&str> {
    let mut text = text.trim_end();
    while text.ends_with(']') {
        let mut depth = 0_u32;
        let start = text.char_indices().rev().find(|(_, sign)| {
            match sign {
                ']' => depth += 1,
                '[' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        text = text[..start?.0].trim_end();
    }
    split_words(text).last().filter(|word| text.ends_with(word))
}

/// What follows the indices behind a variable, and how many there are.
fn skip_indices(text: &str) -> Option<(&str, usize)> {
    let (mut rest, mut indices) = (text.trim_start(), 0);
    while rest.starts_with('[') {
        let mut depth = 0_u32;
        let (end, _) = rest.char_indices().find(|(_, sign)| {
            match sign {
                '[' => depth += 1,
                ']' => depth -= 1,
                _ => {}
            }
            depth == 0
        })?;
        (rest, indices) = (rest[end + 1..].trim_start(), indices + 1);
    }
    Some((rest, indices))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_whose_bits_are_cut_out_needs_no_sign() {
        let of = |text: &str| is_used_as_bits(&text.lines().collect::<Vec<_>>(), "uint512_t");
        let bits = "typedef ap_int<512> uint512_t;\nvoid f(uint512_t in[4],\nuint512_t* to, int n) {\n\
                    uint512_t cur = in[i];\nif (key == cur.range(j + 31, j)) n++;\n\
                    memcpy(local, to + j * 4, 64);\nto[idx[i]] = cur;\nif (cur == in[1]) n--;\n*to = in[idx[2]];\nlow = cur(31, 0);\n";
        assert!(of(bits));
        assert!(!of("typedef ap_int<512> uint512_t;\n"), "nothing is declared with it");
        for other in [
            "half = cur / 2;",
            "half = in[idx[i]] / 3;",
            "if (cur[0] < in[1]) n++;",
            "out = cur >> 8;",
            "x = cur.to_double();",
            "x = float(cur);",
            "x = (long) cur;",
            "ap_int<1024> x = cur;",
            "wide = *to;",
            "if (cur == wide) n++;",
            "if (wide == cur) n++;",
            "hls::stream<uint512_t> s;",
            "uint512_t a, b;",
            "f(cur);",
            "x = (uint512_t) y;",
            "typedef uint512_t word;",
            "uint512_t next(int n);",
        ] {
            assert!(!of(&format!("{bits}{other}\n")), "{other}");
        }
    }
}
