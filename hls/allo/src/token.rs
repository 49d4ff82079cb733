//! Python text to logical lines of tokens: strings, comments, brackets and continued lines, and nothing of grammar.

use std::ops::Range;

/// What a token is.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum TokenKind {
    Name,
    Number,
    /// A string with its quotes and prefix.
    Text,
    /// An operator or a bracket.
    Mark,
}

/// A piece of the text, by its bytes.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// One statement, or the head of a compound one.
#[derive(Debug)]
pub(super) struct Line {
    /// Columns before it; a tab goes on to the next multiple of eight.
    pub(super) indent: usize,
    pub(super) tokens: Vec<Token>,
}

/// A text in tokens.
#[derive(Debug, Default)]
pub(super) struct Lexed {
    pub(super) lines: Vec<Line>,
    pub(super) comments: Vec<Range<usize>>,
    /// What could not be read, and why.
    pub(super) problems: Vec<(Range<usize>, String)>,
}

/// A text with more problems than this is not Python; the rest are not listed.
const PROBLEMS: usize = 100;

const MARKS: [&str; 24] = [
    "**=", "//=", ">>=", "<<=", "...", "->", ":=", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=",
    "%=", "@=", "&=", "|=", "^=", "**", "//", "<<", ">>",
];

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    indent: usize,
    /// Whether only blanks are before on the line.
    fresh: bool,
    open: Vec<(char, usize)>,
    tokens: Vec<Token>,
    done: Lexed,
}

/// The lines of a whole text.
pub(super) fn lex(text: &str) -> Lexed {
    let lexer = Lexer {
        text,
        at: 0,
        indent: 0,
        fresh: true,
        open: Vec::new(),
        tokens: Vec::new(),
        done: Lexed::default(),
    };
    lexer.lex_all()
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn note_problem(&mut self, range: Range<usize>, reason: &str) {
        match self.done.problems.len() {
            PROBLEMS => self.done.problems.push((range, "further problems are not listed".into())),
            0..PROBLEMS => self.done.problems.push((range, reason.to_owned())),
            _ => {}
        }
    }

    fn end_line(&mut self) {
        if !self.tokens.is_empty() {
            let tokens = std::mem::take(&mut self.tokens);
            self.done.lines.push(Line { indent: self.indent, tokens });
        }
    }

    fn push_token(&mut self, kind: TokenKind, length: usize) {
        self.fresh = false;
        self.tokens.push(Token { kind, start: self.at, end: self.at + length });
        self.at += length;
    }

    fn lex_all(mut self) -> Lexed {
        while let Some(c) = self.rest().chars().next() {
            self.lex_token(c);
        }
        if let Some(&(bracket, at)) = self.open.first() {
            let reason = format!("this `{bracket}` is not closed: nothing below it is read");
            self.note_problem(at..self.text.len(), &reason);
        } else {
            self.end_line();
        }
        self.done
    }

    fn lex_token(&mut self, c: char) {
        match c {
            '\n' => {
                self.at += 1;
                if self.open.is_empty() {
                    self.end_line();
                    (self.indent, self.fresh) = (0, true);
                }
            }
            '\\' if self.rest().starts_with("\\\n") => self.at += 2,
            '\\' if self.rest().starts_with("\\\r\n") => self.at += 3,
            c if c.is_whitespace() => {
                if self.fresh && self.open.is_empty() {
                    self.indent =
                        if c == '\t' { (self.indent / 8 + 1) * 8 } else { self.indent + 1 };
                }
                self.at += c.len_utf8();
            }
            '#' => {
                let length = self.rest().find('\n').unwrap_or(self.rest().len());
                let comment = self.rest().get(..length).unwrap_or("").trim_end().len();
                self.done.comments.push(self.at..self.at + comment);
                self.at += length;
            }
            '"' | '\'' => self.lex_string(0),
            ';' if self.open.is_empty() => {
                self.end_line();
                self.at += 1;
            }
            c if c.is_ascii_digit() => {
                let more = |c: char| !(c.is_alphanumeric() || c == '_' || c == '.');
                let length = self.rest().find(more).unwrap_or(self.rest().len());
                self.push_token(TokenKind::Number, length);
            }
            c if c.is_alphabetic() || c == '_' => self.lex_name(),
            c => self.lex_mark(c),
        }
    }

    fn lex_name(&mut self) {
        let more = |c: char| !(c.is_alphanumeric() || c == '_');
        let length = self.rest().find(more).unwrap_or(self.rest().len());
        let (word, after) = self.rest().split_at(length);
        let prefix = length <= 2 && word.chars().all(|c| "rbfutRBFUT".contains(c));
        if prefix && after.starts_with(['"', '\'']) {
            self.lex_string(length);
        } else {
            self.push_token(TokenKind::Name, length);
        }
    }

    /// A string whose quotes follow a prefix of `prefix` bytes.
    fn lex_string(&mut self, prefix: usize) {
        let body = self.rest().get(prefix..).unwrap_or("");
        let quote = body.get(..1).unwrap_or("\"");
        let triple = quote.repeat(3);
        let (quotes, long) =
            if body.starts_with(&triple) { (triple.as_str(), true) } else { (quote, false) };
        let mut length = quotes.len();
        let closed = loop {
            let left = body.get(length..).unwrap_or("");
            if left.starts_with(quotes) {
                length += quotes.len();
                break true;
            }
            match left.chars().next() {
                None => break false,
                Some('\n') if !long => break false,
                Some('\\') => {
                    length += 1 + left.chars().nth(1).map_or(0, char::len_utf8);
                }
                Some(c) => length += c.len_utf8(),
            }
        };
        if !closed {
            let range = self.at..self.at + prefix + length;
            self.note_problem(range, "this string is not closed");
        }
        self.push_token(TokenKind::Text, prefix + length);
    }

    fn lex_mark(&mut self, c: char) {
        let long = MARKS.iter().find(|mark| self.rest().starts_with(**mark)).map(|mark| mark.len());
        match c {
            '(' | '[' | '{' => self.open.push((c, self.at)),
            ')' | ']' | '}' => {
                let opening = match c {
                    ')' => '(',
                    ']' => '[',
                    _ => '{',
                };
                if self.open.last().is_some_and(|(open, _)| *open == opening) {
                    self.open.pop();
                } else {
                    let range = self.at..self.at + 1;
                    self.note_problem(range, &format!("no `{opening}` is before this `{c}`"));
                }
            }
            _ => {}
        }
        self.push_token(TokenKind::Mark, long.unwrap_or(c.len_utf8()));
    }
}
