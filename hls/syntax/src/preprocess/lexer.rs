//! Text into preprocessing tokens: comments become white space, continued lines one line.

use super::token::{Spellings, Token, TokenKind};
use crate::ast::Place;

/// Punctuation of more than one character, the longest first.
const PUNCTUATION: [&str; 25] = [
    "<<=", ">>=", "...", "->*", "<=>", "::", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
    "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
];

/// The tokens of a text. Each logical line ends with [`TokenKind::LineEnd`].
pub(crate) fn read_tokens(text: &str, file: u16, spellings: &mut Spellings) -> Vec<Token> {
    let lines = splice_lines(text);
    let text = lines.text.as_ref();
    let mut lexer = Lexer { text, at: 0, line: 1, seams: &lines.seams, spaced: false };
    let mut tokens = Vec::with_capacity(text.len() / 4);
    while let Some((kind, start, line)) = lexer.next_token() {
        let spelling = spellings.intern(&text[start..lexer.at]);
        let place = Place { file, line };
        tokens.push(Token { kind, spelling, place, spaced: lexer.spaced, hidden: 0 });
        lexer.spaced = false;
    }
    let place = Place { file, line: lexer.line };
    let spelling = spellings.intern("\n");
    tokens.push(Token { kind: TokenKind::LineEnd, spelling, place, spaced: true, hidden: 0 });
    tokens
}

/// A text whose continued lines are joined.
struct Spliced<'a> {
    text: std::borrow::Cow<'a, str>,
    /// The bytes before which a line end is left out.
    seams: Vec<usize>,
}

fn splice_lines(text: &str) -> Spliced<'_> {
    let mut seams = Vec::new();
    if !text.contains('\\') {
        return Spliced { text: text.into(), seams };
    }
    let mut joined = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let behind = &rest[at + 1..];
        let ended = behind.trim_start_matches([' ', '\t', '\r']);
        joined.push_str(&rest[..at]);
        if let Some(next) = ended.strip_prefix('\n') {
            seams.push(joined.len());
            rest = next;
        } else {
            joined.push('\\');
            rest = behind;
        }
    }
    joined.push_str(rest);
    Spliced { text: joined.into(), seams }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    seams: &'a [usize],
    spaced: bool,
}

impl Lexer<'_> {
    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    fn advance(&mut self, bytes: usize) {
        let end = (self.at + bytes).min(self.text.len());
        self.line += count_newlines(&self.text.as_bytes()[self.at..end]);
        self.at = end;
        while let Some((&seam, later)) = self.seams.split_first() {
            if seam > self.at {
                break;
            }
            self.line += 1;
            self.seams = later;
        }
    }

    /// The kind of the next token, where it starts and its line. `at` is then behind it.
    fn next_token(&mut self) -> Option<(TokenKind, usize, u32)> {
        self.skip_white();
        let start = self.at;
        if start >= self.text.len() {
            return None;
        }
        self.advance(0);
        let line = self.line;
        let first = self.byte(0);
        let kind = match first {
            b'\n' => {
                self.advance(1);
                TokenKind::LineEnd
            }
            b'0'..=b'9' => self.read_number(),
            b'.' if self.byte(1).is_ascii_digit() => self.read_number(),
            b'"' | b'\'' => self.read_quoted(),
            _ if is_word(first) => self.read_word(),
            _ => {
                let rest = &self.text[self.at..];
                let found = PUNCTUATION.iter().find(|one| rest.starts_with(**one));
                let length = rest.chars().next().map_or(1, char::len_utf8);
                self.advance(found.map_or(length, |one| one.len()));
                TokenKind::Punctuation
            }
        };
        Some((kind, start, line))
    }

    fn skip_white(&mut self) {
        loop {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            let length = match rest {
                [b' ' | b'\t' | b'\r' | 0x0b | 0x0c, ..] => 1,
                [b'/', b'/', ..] => rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len()),
                [b'/', b'*', ..] => {
                    self.text[self.at + 2..].find("*/").map_or(rest.len(), |at| at + 4)
                }
                [0xef, 0xbb, 0xbf, ..] => 3,
                _ => return,
            };
            self.spaced = true;
            self.advance(length);
        }
    }

    fn read_number(&mut self) -> TokenKind {
        let rest = &self.text.as_bytes()[self.at..];
        let mut length = 0;
        while let Some(&byte) = rest.get(length) {
            let before = if length == 0 { 0 } else { rest[length - 1] };
            let signed = matches!(byte, b'+' | b'-') && matches!(before, b'e' | b'E' | b'p' | b'P');
            // `0xe+1` is an addition.
            let signed = signed && !(rest.starts_with(b"0x") && matches!(before, b'e' | b'E'));
            let separator =
                byte == b'\'' && rest.get(length + 1).is_some_and(u8::is_ascii_alphanumeric);
            if !(is_word(byte) || byte == b'.' || signed || separator) {
                break;
            }
            length += 1;
        }
        self.advance(length);
        TokenKind::Number
    }

    fn read_word(&mut self) -> TokenKind {
        let rest = &self.text.as_bytes()[self.at..];
        let length = rest.iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len());
        let prefix = &rest[..length];
        if rest.get(length) == Some(&b'"') && prefix.ends_with(b"R") && length <= 3 {
            self.advance(length);
            return self.read_raw();
        }
        let quoted = matches!(rest.get(length), Some(b'"' | b'\''));
        self.advance(length);
        if quoted && matches!(prefix, b"L" | b"u" | b"U" | b"u8") {
            return self.read_quoted();
        }
        TokenKind::Identifier
    }

    fn read_quoted(&mut self) -> TokenKind {
        let quote = self.byte(0);
        let rest = &self.text.as_bytes()[self.at..];
        let mut length = 1;
        while let Some(&byte) = rest.get(length) {
            if byte == b'\n' {
                break;
            }
            length += 1;
            if byte == quote {
                break;
            }
            if byte == b'\\' && rest.get(length).is_some_and(|&next| next != b'\n') {
                length += 1;
            }
        }
        while !self.text.is_char_boundary((self.at + length).min(self.text.len())) {
            length += 1;
        }
        self.advance(length);
        TokenKind::Quoted
    }

    /// `R"mark( ... )mark"`
    fn read_raw(&mut self) -> TokenKind {
        let rest = &self.text[self.at + 1..];
        let length = rest.find('(').filter(|&at| at <= 16).and_then(|at| {
            let end = format!("){}\"", &rest[..at]);
            rest.find(&end).map(|found| found + end.len() + 1)
        });
        match length {
            Some(length) => {
                self.advance(length);
                TokenKind::Quoted
            }
            None => self.read_quoted(),
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn count_newlines(bytes: &[u8]) -> u32 {
    bytes.iter().map(|&byte| u32::from(byte == b'\n')).sum()
}
