//! A parenthesis that nothing closes: such a text does not compile.

/// The first `(` that a `}` ends before a `)` does. `None` where all are closed, or where directives choose between lines.
pub fn find_unclosed(text: &str) -> Option<usize> {
    let mut open: Vec<(usize, u8)> = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at = match (byte, bytes.get(at + 1)) {
            (b'/', Some(b'/')) => find_end(text, at, "\n"),
            (b'/', Some(b'*')) => find_end(text, at + 2, "*/"),
            // A raw string may hold anything.
            (b'R', Some(b'"')) => return None,
            (b'"', _) => skip_quoted(bytes, at),
            // `1'000` and `'{'`
            (b'\'', _) if !is_in_number(bytes, at) => skip_quoted(bytes, at),
            (b'#', _) => {
                let end = end_of_directive(text, at);
                let line = text.get(at..end)?;
                let is_choice = line[1..].trim_start().starts_with(['i', 'e'])
                    && !line[1..].trim_start().starts_with("include");
                if is_choice || !is_balanced(line) {
                    return None;
                }
                end
            }
            (b'(' | b'{' | b'[', _) => {
                open.push((at, byte));
                at + 1
            }
            (b')' | b'}' | b']', _) => {
                let (start, opener) = open.pop()?;
                match (opener, byte) {
                    (b'(', b')') | (b'{', b'}') | (b'[', b']') => at + 1,
                    (b'(', b'}') => return Some(start),
                    _ => return None,
                }
            }
            _ => at + 1,
        };
    }
    None
}

/// Behind the next `end`.
fn find_end(text: &str, from: usize, end: &str) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    rest.find(end).map_or(text.len(), |found| from + found + end.len())
}

/// Behind a string or a letter in quotes; it ends with its line at the latest.
fn skip_quoted(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' => return at,
            _ if byte == bytes[start] => return at + 1,
            _ => {}
        }
        at += 1;
    }
    at
}

/// Whether a quote separates digits of a number: what is before it begins with a digit.
fn is_in_number(bytes: &[u8], at: usize) -> bool {
    let is_of_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'\'';
    let word = bytes[..at].iter().rev().take_while(is_of_word);
    word.last().is_some_and(u8::is_ascii_digit)
        && bytes.get(at + 1).is_some_and(u8::is_ascii_hexdigit)
}

/// Behind a directive with its lines.
fn end_of_directive(text: &str, from: usize) -> usize {
    let mut end = from;
    for line in text.get(from..).unwrap_or_default().split_inclusive('\n') {
        end += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    end
}

/// Whether a directive has as many brackets that open as that close.
fn is_balanced(line: &str) -> bool {
    let count = |bracket: char| line.matches(bracket).count();
    [('(', ')'), ('{', '}'), ('[', ']')].iter().all(|(open, close)| count(*open) == count(*close))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::find_unclosed;

    #[test]
    fn a_parenthesis_that_a_brace_ends_is_found() {
        let text = "void f(int a) {\n  if (g(a) == 0x80 { // )\n    h(a);\n  }\n}\n";
        let line = |text: &str| find_unclosed(text).map(|at| text[..at].matches('\n').count() + 1);
        assert_eq!(line(text), Some(2));
        assert_eq!(line(&text.replace("0x80 {", "0x80) {")), None);
        for closed in [
            "void f() { g('(', \"(\", [](int a) { h(a); }); }",
            "#if A\nvoid f( {\n#else\nvoid f() {\n#endif\n}",
            "#define BEGIN (\nvoid f() { g BEGIN 1); }",
            "END_NAMESPACE }",
            "int a = 1'000'000; void f() { /* ( */ }",
            "const char *a = R\"(()\"; void f() {}",
        ] {
            assert_eq!(line(closed), None, "{closed}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[(){}\\[\\]'\"\\\\/*#\nRa1é]{0,60}") {
            let _ = find_unclosed(&text);
        }
    }
}
