//! Macro calls in the place of a type: `typedef FIXED(16, 6) data_t;`.
//!
//! The grammar would take the brackets for a declarator and lose the name behind them, so the
//! parser is given one plain name instead. Whoever reads its text sees the call, and expands it.

use super::macros::Definition;
use std::ops::Range;

/// A longer call is not a type.
const LONGEST: usize = 1000;

/// What a name is to the preprocessor, as far as a call of it goes.
pub(super) type LookUp<'l> = dyn Fn(&str) -> Option<Definition> + 'l;

/// The calls within `range`, from the macro's name to the closing bracket.
pub(super) fn type_calls(
    masked: &[u8],
    range: Range<usize>,
    look_up: &LookUp<'_>,
) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let text = masked.get(..range.end).unwrap_or(masked);
    let mut before = Word::Other;
    let mut at = range.start;
    while let Some(&byte) = text.get(at) {
        if !is_letter(byte) {
            before = match byte {
                b' ' | b'\t' | b'\n' | b'\r' => before,
                b'=' if before == Word::NewName => Word::Is,
                _ => Word::Other,
            };
            at += 1;
            continue;
        }
        let end = word_end(text, at);
        let word = &text[at..end];
        if let Some(call) = find_call(text, at, end, before, look_up) {
            at = call.end;
            before = Word::Other;
            found.push(call);
            continue;
        }
        before = match word {
            b"typedef" => Word::Typedef,
            b"using" => Word::Using,
            b"const" | b"volatile" | b"typename" | b"static" | b"unsigned" => before,
            _ if before == Word::Using => Word::NewName,
            _ => Word::Other,
        };
        at = end;
    }
    found
}

/// What came before a word.
#[derive(Copy, Clone, Eq, PartialEq)]
enum Word {
    Typedef,
    Using,
    /// `using x`
    NewName,
    /// `using x =`
    Is,
    Other,
}

fn find_call(
    text: &[u8],
    at: usize,
    end: usize,
    before: Word,
    look_up: &LookUp<'_>,
) -> Option<Range<usize>> {
    let open = skip_blanks(text, end);
    if text.get(open) != Some(&b'(') || text.get(at)?.is_ascii_digit() {
        return None;
    }
    let close = find_closing(text, open)?;
    let after = skip_blanks(text, close);
    let next = *text.get(after)?;
    let name = std::str::from_utf8(&text[at..end]).ok()?;
    let named = is_letter(next) && !next.is_ascii_digit() && {
        let next = &text[after..word_end(text, after)];
        !matches!(next, b"return" | b"if" | b"else" | b"for" | b"while" | b"do" | b"and" | b"or")
    };
    let defined = look_up(name).filter(|one| one.parameters.is_some());
    let fits = match (&defined, before) {
        (Some(_), Word::Typedef) => named || matches!(next, b'<' | b'*' | b'&' | b':'),
        (Some(_), Word::Is) => true,
        (Some(definition), _) => named && is_quiet(definition),
        // Of a text that is not at hand; `typedef a (*f)(b);` declares a pointer.
        (None, Word::Typedef) => named && !is_pointer(text, open) && !is_keyword(name),
        (None, _) => false,
    };
    fits.then_some(at..close)
}

/// Whether a macro holds no statement.
fn is_quiet(definition: &Definition) -> bool {
    let words = ["for", "while", "do", "if", "else", "switch", "return", ";", "{", "}", "="];
    !definition.body.is_empty()
        && !definition.body.iter().any(|token| words.iter().any(|one| token.is(one)))
}

fn is_pointer(text: &[u8], open: usize) -> bool {
    matches!(text.get(skip_blanks(text, open + 1)), Some(b'*' | b'&' | b'^' | b')'))
}

fn is_keyword(name: &str) -> bool {
    crate::token::is_builtin_word(name)
        || matches!(
            name,
            "__attribute__" | "alignas" | "decltype" | "typeof" | "__typeof__" | "struct"
        )
}

fn find_closing(text: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (offset, byte) in text.get(open..)?.iter().take(LONGEST).enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(open + offset + 1);
                }
            }
            b';' | b'{' | b'}' => return None,
            _ => {}
        }
    }
    None
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

fn word_end(text: &[u8], from: usize) -> usize {
    text[from..]
        .iter()
        .position(|&byte| !is_letter(byte))
        .map_or(text.len(), |length| from + length)
}

fn skip_blanks(text: &[u8], from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    from + rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preprocess::macros::read_definition;

    fn found(text: &str) -> Vec<&str> {
        let look_up = |name: &str| {
            let known = ["FX(w, i) ap_fixed<w, i>", "LOOP(i) for (int i = 0; i < 4; i++)", "N 4"];
            let known = known.iter().filter_map(|text| read_definition(text));
            known.into_iter().find(|(known, _)| known == name).map(|(_, definition)| definition)
        };
        let calls = type_calls(text.as_bytes(), 0..text.len(), &look_up);
        calls.into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn a_call_that_is_a_type_is_found() {
        assert_eq!(
            found("typedef FX(16, (6)) a; using b = FX(8, 2);"),
            ["FX(16, (6))", "FX(8, 2)"]
        );
        assert_eq!(
            found("struct { const FX(4, 1) x; FX (5, 2) y[3]; };"),
            ["FX(4, 1)", "FX (5, 2)"]
        );
        assert_eq!(found("typedef GONE(B18, 3) t;"), ["GONE(B18, 3)"]);
    }

    #[test]
    fn a_call_that_is_none_is_left() {
        let other = "typedef int (*f)(int); typedef T (*g)(T); typedef T (h)(T); using k = T(int);\n\
                     LOOP(i) x = 3; N (3) y; f(x) + FX(1, 2) * 3; typedef struct { int a; } s;";
        assert_eq!(found(other), Vec::<&str>::new());
    }
}
