//! One pass over a text that finds comments, directives, attributes and placeholders.

use crate::FileId;
use crate::token::{placeholder_length, quoted_length};
use rustc_hash::FxHashMap as HashMap;
use std::ops::Range;
use std::sync::Arc;

/// A line that starts with `#`.
#[derive(Clone, Debug)]
pub(super) struct Directive {
    /// `define`, `if`...; empty for a lone `#`.
    pub(super) keyword: String,
    /// What follows, continuation lines joined, comments out.
    pub(super) text: String,
    /// Where `text` starts.
    pub(super) text_start: usize,
    /// From `#` to before the line's end, continuation lines included.
    pub(super) range: Range<usize>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Scan {
    pub(super) comments: Vec<Range<usize>>,
    pub(super) directives: Vec<Directive>,
    /// `__attribute__((...))`
    pub(super) attributes: Vec<Range<usize>>,
    pub(super) placeholders: Vec<Range<usize>>,
}

/// What was found in each text: several units include the same ones.
#[derive(Default)]
pub(crate) struct Scans {
    known: HashMap<FileId, Arc<Scan>>,
}

impl Scans {
    pub(super) fn scan_of(&mut self, file: FileId, text: &str) -> Arc<Scan> {
        Arc::clone(self.known.entry(file).or_insert_with(|| Arc::new(scan_text(text))))
    }
}

pub(super) fn scan_text(text: &str) -> Scan {
    let bytes = text.as_bytes();
    let mut found = Scan::default();
    let mut at = 0;
    // Only blanks and comments so far on this line.
    let mut fresh = true;
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1).copied();
        match byte {
            b'\n' => {
                fresh = true;
                at += 1;
            }
            b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c' => at += 1,
            b'/' if next == Some(b'/') || next == Some(b'*') => {
                let end = comment_end(text, at);
                found.comments.push(at..end);
                at = end;
            }
            b'#' if fresh => at = scan_directive(text, at, &mut found),
            b'"' => {
                at = string_end(text, at);
                fresh = false;
            }
            b'\'' if !separates_digits(bytes, at) => {
                at += quoted_length(&text[at..], '\'').max(1);
                fresh = false;
            }
            b'$' | b'@' | b'{' => {
                if let Some(length) = placeholder_length(&text[at..]) {
                    found.placeholders.push(at..at + length);
                    at += length;
                } else {
                    at += 1;
                }
                fresh = false;
            }
            b'_' if text[at..].starts_with("__attribute__") && !follows_word(bytes, at) => {
                let end = attribute_end(text, at);
                found.attributes.push(at..end);
                at = end;
                fresh = false;
            }
            _ => {
                at += 1;
                fresh = false;
                // Into a character's middle no slice may start.
                while at < bytes.len() && !text.is_char_boundary(at) {
                    at += 1;
                }
            }
        }
    }
    found
}

fn follows_word(bytes: &[u8], at: usize) -> bool {
    at.checked_sub(1)
        .and_then(|at| bytes.get(at))
        .is_some_and(|&b| b == b'_' || b.is_ascii_alphanumeric())
}

/// `1'000`: the quote is within a word that starts with a digit.
fn separates_digits(bytes: &[u8], at: usize) -> bool {
    let word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'\'';
    let back = bytes[..at].iter().rev().take(40).take_while(|b| word(b)).count();
    back > 0
        && bytes.get(at - back).is_some_and(u8::is_ascii_digit)
        && bytes.get(at + 1).is_some_and(u8::is_ascii_hexdigit)
}

fn comment_end(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    if rest.starts_with("/*") {
        return rest.get(2..).and_then(|r| r.find("*/")).map_or(text.len(), |end| at + end + 4);
    }
    // A backslash at the line's end carries a `//` comment on.
    let mut from = at;
    loop {
        let Some(end) = text[from..].find('\n').map(|end| from + end) else { return text.len() };
        if !text[at..end].trim_end_matches('\r').ends_with('\\') {
            return if text[at..end].ends_with('\r') { end - 1 } else { end };
        }
        from = end + 1;
    }
}

fn string_end(text: &str, at: usize) -> usize {
    let raw = text[..at].ends_with('R');
    // A raw string's delimiter has at most 16 characters; a search of the whole text for each string would be slow.
    let open = text.as_bytes()[at..].iter().take(18).position(|&b| b == b'(');
    if let Some(open) = open.filter(|_| raw) {
        let close = format!("){}\"", &text[at + 1..at + open]);
        if let Some(end) = text[at..].find(&close) {
            return at + end + close.len();
        }
    }
    at + quoted_length(&text[at..], '"').max(1)
}

fn attribute_end(text: &str, at: usize) -> usize {
    let mut end = at + "__attribute__".len();
    let mut depth = 0_usize;
    for (offset, byte) in text.as_bytes()[end..].iter().enumerate().take(400) {
        match byte {
            b'(' => depth += 1,
            b')' if depth <= 1 => return end + offset + 1,
            b')' => depth -= 1,
            b';' | b'{' => break,
            _ if depth == 0 && !byte.is_ascii_whitespace() => break,
            _ => {}
        }
    }
    end = end.min(text.len());
    end
}

/// Reads the directive at `#` and gives the place after it.
fn scan_directive(text: &str, start: usize, found: &mut Scan) -> usize {
    let mut at = start + 1;
    let mut clean = String::new();
    // Where each byte of `clean` comes from is only needed for its first one.
    let mut word_start = None;
    let mut keyword: Option<String> = None;
    let mut text_start = None;
    let mut looked_at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let step = if c == '\n' {
            break;
        } else if rest.starts_with("\\\n") {
            clean.push(' ');
            2
        } else if rest.starts_with("\\\r\n") {
            clean.push(' ');
            3
        } else if rest.starts_with("//") || rest.starts_with("/*") {
            let end = comment_end(text, at);
            found.comments.push(at..end);
            clean.push(' ');
            end - at
        } else if (c == '"' || c == '\'') && keyword.is_some() {
            let length = quoted_length(rest, c).max(1);
            text_start.get_or_insert(at);
            clean.push_str(&rest[..length]);
            length
        } else {
            if !c.is_whitespace() {
                if keyword.is_none() {
                    word_start.get_or_insert(clean.len());
                } else {
                    text_start.get_or_insert(at);
                }
            }
            clean.push(c);
            c.len_utf8()
        };
        at += step;
        // Only the last part may end the word; the parts before were looked at already.
        let from = word_start.filter(|_| keyword.is_none());
        let seen = looked_at.max(from.unwrap_or(0));
        let end = from.and_then(|_| {
            let inside = |c: char| c.is_alphanumeric() || c == '_';
            clean[seen..].find(|c| !inside(c)).map(|end| seen + end)
        });
        looked_at = clean.len();
        if let (Some(from), Some(end)) = (from, end) {
            let tail = clean.split_off(end);
            keyword = Some(clean.split_off(from));
            if !tail.trim().is_empty() {
                text_start = Some(at - tail.len());
            }
            clean = tail;
        }
    }
    let end = if text[start..at].ends_with('\r') { at - 1 } else { at };
    let (keyword, rest) = match keyword {
        Some(keyword) => (keyword, clean),
        None => (clean.trim().to_owned(), String::new()),
    };
    found.directives.push(Directive {
        keyword,
        text: rest.trim().to_owned(),
        text_start: text_start.unwrap_or(end).min(end),
        range: start..end,
    });
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<(String, String)> {
        scan_text(text).directives.into_iter().map(|d| (d.keyword, d.text)).collect()
    }

    #[test]
    fn directives_lose_comments_and_continuations() {
        let text = "#define A 1 // one\n  # define B \\\n  2 /* two */\n#pragma HLS pipeline II=1\r\n#endif";
        let expected = [
            ("define", "A 1"),
            ("define", "B    2"),
            ("pragma", "HLS pipeline II=1"),
            ("endif", ""),
        ];
        let expected = expected.map(|(k, t)| (k.to_owned(), t.to_owned()));
        assert_eq!(words(text), expected);
        let first = &scan_text(text).directives[0];
        assert!(text[first.text_start..].starts_with("A 1"));
    }

    /// A `#define` in a comment or a string is not read.
    #[test]
    fn hidden_directives_are_not_found() {
        assert!(
            words("/*\n#define SW_TEST\n*/\n// #define X\nconst char* s = \"\\\n#if\";").is_empty()
        );
        assert!(words("auto s = R\"x(\n#define A\n)x\"; int n = 1'000'000;").is_empty());
    }

    #[test]
    fn placeholders_and_attributes() {
        let text = "using D = ${T}; int a[2][2] = {{1,2},{3,4}}; typedef float h __attribute__((__mode__(__HF__)));";
        let found = scan_text(text);
        assert_eq!(found.placeholders.len(), 1);
        assert_eq!(&text[found.attributes[0].clone()], "__attribute__((__mode__(__HF__)))");
    }

    proptest! {
        #[test]
        fn every_range_lies_on_boundaries(text in "([#/*\"'\\\\\n\r ${}@()_a-c1é权]|__attribute__|define){0,40}") {
            let found = scan_text(&text);
            let ranges = found.comments.iter().chain(&found.attributes).chain(&found.placeholders);
            for range in ranges.chain(found.directives.iter().map(|d| &d.range)) {
                prop_assert!(text.get(range.clone()).is_some());
            }
        }
    }
}
