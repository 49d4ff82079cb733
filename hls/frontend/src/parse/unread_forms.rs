//! Forms of C++ that the grammar does not read and that declare nothing: they are blanked, and every byte keeps its place.

/// Words before the body of a loop or of a condition, and those whose brackets are before it.
const HEADS: [&[u8]; 3] = [b"if", b"for", b"while"];
/// Words that begin a statement or a value, and no declaration.
const STATEMENTS: [&[u8]; 17] = [
    b"return",
    b"goto",
    b"throw",
    b"delete",
    b"new",
    b"case",
    b"default",
    b"if",
    b"for",
    b"while",
    b"do",
    b"switch",
    b"else",
    b"break",
    b"continue",
    b"using",
    b"typedef",
];

/// Attributes that the grammar reads.
const KNOWN_MARKS: [&[u8]; 3] = [b"__attribute__", b"__declspec", b"alignas"];

/// The text with blanks in place of such forms; `None` where there is none.
pub(super) fn blank_unread_forms(text: &[u8]) -> Option<Vec<u8>> {
    let mut blanked: Option<Vec<u8>> = None;
    let mut blank = |start: usize, end: usize| {
        let copy = blanked.get_or_insert_with(|| text.to_vec());
        for byte in copy.get_mut(start..end).unwrap_or_default() {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    };
    let mut at = 0;
    while at < text.len() {
        let Some(end) = word_end(text, at) else {
            if text[at..].starts_with(b"=")
                && let Some(end) = empty_default_end(text, at)
            {
                blank(at, end);
            }
            at += 1;
            continue;
        };
        let next = skip_space(text, end);
        match &text[at..end] {
            b"using" if text[next..].starts_with(b"typename ") => blank(next, next + 8),
            b"new" => {
                if let Some((start, end)) = new_pointers(text, next) {
                    blank(start, end);
                }
            }
            b"struct" | b"class" | b"union" => {
                if let Some(end) = struct_mark_end(text, next) {
                    blank(next, end);
                }
            }
            b"else" | b"do" => {
                if let Some(value) = find_value(text, next) {
                    blank(next, value);
                }
            }
            word if HEADS.contains(&word) && text.get(next) == Some(&b'(') => {
                let body = closing(text, next).map(|close| skip_space(text, close + 1));
                if let Some((body, value)) =
                    body.and_then(|body| Some((body, find_value(text, body)?)))
                {
                    blank(body, value);
                }
            }
            _ => {}
        }
        at = end;
    }
    blanked
}

/// Where the value begins that is left of `int y = f();`, or its `;`: nothing can use a name that is declared as a whole body.
fn find_value(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    let mut names = 0;
    loop {
        let end = word_end(text, at)?;
        if STATEMENTS.contains(&&text[at..end]) {
            return None;
        }
        names += 1;
        at = skip_space(text, end);
        if names == 1 && text.get(at) == Some(&b'<') {
            at = skip_space(text, angle_close(text, at)? + 1);
        }
        while text[at..].starts_with(b"::") {
            at = skip_space(text, word_end(text, skip_space(text, at + 2))?);
        }
        match text.get(at)? {
            b'=' if names > 1 && text.get(at + 1) != Some(&b'=') => return Some(at + 1),
            b';' if names > 1 => return Some(at),
            _ if names > 4 => return None,
            _ => {}
        }
    }
}

/// The end of `MARK(8)` in `struct MARK(8) name {`, a macro that nothing defines and that can only be an attribute.
fn struct_mark_end(text: &[u8], start: usize) -> Option<usize> {
    let word = &text[start..word_end(text, start)?];
    let open = skip_space(text, start + word.len());
    if text.get(open) != Some(&b'(') || KNOWN_MARKS.contains(&word) {
        return None;
    }
    let end = closing(text, open)? + 1;
    let name = skip_space(text, end);
    let after = skip_space(text, word_end(text, name)?);
    matches!(text.get(after), Some(b'{' | b':')).then_some(end)
}

/// The stars of `new T**[n]`.
fn new_pointers(text: &[u8], start: usize) -> Option<(usize, usize)> {
    let mut at = start;
    loop {
        at = skip_space(text, word_end(text, at)?);
        if text[at..].starts_with(b"::") {
            at = skip_space(text, at + 2);
            continue;
        }
        if text.get(at) == Some(&b'*') {
            break;
        }
    }
    let from = at;
    while matches!(text.get(at), Some(b'*' | b' ')) {
        at += 1;
    }
    (text.get(at) == Some(&b'[')).then_some((from, at))
}

/// The end of `= {}` behind a parameter.
fn empty_default_end(text: &[u8], at: usize) -> Option<usize> {
    let open = skip_space(text, at + 1);
    let close = skip_space(text, open + 1);
    let is_empty = text.get(open) == Some(&b'{') && text.get(close) == Some(&b'}');
    (is_empty && ends_with_bracket(text, close + 1)).then_some(close + 1)
}

/// Whether what is around a place ends with `)`.
fn ends_with_bracket(text: &[u8], from: usize) -> bool {
    let mut depth = 0_usize;
    for byte in text.get(from..).unwrap_or_default().iter().take(2000) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' if depth == 0 => return true,
            b']' | b'}' | b';' if depth == 0 => return false,
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
    }
    false
}

/// The bracket that closes the one at `open`.
fn closing(text: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut quote = None;
    let mut before = b' ';
    for (offset, &byte) in text.get(open..)?.iter().enumerate().take(4096) {
        let is_escaped = std::mem::replace(&mut before, byte) == b'\\';
        if let Some(mark) = quote {
            quote = Some(mark).filter(|mark| *mark != byte || is_escaped);
            continue;
        }
        match byte {
            b'"' | b'\'' => quote = Some(byte),
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(open + offset);
                }
            }
            _ => {}
        }
    }
    None
}

/// The `>` of template arguments.
fn angle_close(text: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0_i32;
    for (offset, byte) in text.get(open..)?.iter().enumerate().take(400) {
        match byte {
            b'<' => depth += 1,
            b'>' => depth -= 1,
            b';' | b'{' | b'}' | b'=' | b'&' | b'|' => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(open + offset);
        }
    }
    None
}

/// The end of the word that begins at a place.
fn word_end(text: &[u8], at: usize) -> Option<usize> {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    let first = text.get(at).filter(|byte| is_letter(byte))?;
    if first.is_ascii_digit() || at.checked_sub(1).is_some_and(|before| is_letter(&text[before])) {
        return None;
    }
    let rest = text[at..].iter().position(|byte| !is_letter(byte));
    Some(rest.map_or(text.len(), |length| at + length))
}

fn skip_space(text: &[u8], from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    from + rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_grammar_does_not_read_is_blanked() {
        for (text, wanted) in [
            ("for (;;)\n  word_t tmp = in.read();", "for (;;) in.read();"),
            ("if (a) ap_int<8> x = f(1); else const int y = 2;", "if (a) f(1); else 2;"),
            ("while (f(a)) a::b c;", "while (f(a)) ;"),
            ("if (c == '(') int x = f(d);", "if (c == '(') f(d);"),
            ("using typename base<T>::x;", "using base<T>::x;"),
            ("p = new char *[n];", "p = new char [n];"),
            ("struct __builtin_align__(8) int2 { int x, y; };", "struct int2 { int x, y; };"),
            ("void f(int n, opt o = {}, opt p = { });", "void f(int n, opt o , opt p );"),
        ] {
            let blanked = blank_unread_forms(text.as_bytes()).unwrap_or_default();
            assert_eq!(blanked.len(), text.len());
            let words = String::from_utf8(blanked).unwrap_or_default();
            assert_eq!(words.split_whitespace().collect::<Vec<_>>().join(" "), wanted);
        }
    }

    #[test]
    fn other_forms_stay() {
        for text in [
            "if (a) return b; else goto end;",
            "for (int i = 0; i < n; i++) x[i] = y;",
            "if (a) b = c; else if (d == 1) e;",
            "int a = {}, b = 3; p = new char[n]; q = new T*(r);",
            "opt o = { .a = {}, .b = 3 };",
            "do x = 1; while (x == y);",
            "if (a) b * c; typename T::x y;",
            "struct alignas(8) a { int x; }; struct b(c); struct d (e) f = {1};",
        ] {
            assert_eq!(blank_unread_forms(text.as_bytes()), None, "{text}");
        }
    }
}
