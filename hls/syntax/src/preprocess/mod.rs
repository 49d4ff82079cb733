//! The preprocessor: directives, macros and includes, to one text.

mod branch;
mod condition;
mod define;
mod hide;
mod include;
mod known;
mod lexer;
mod macros;
mod token;
mod unused;

pub(crate) use token::{Spelling, Spellings, Token, TokenKind};
pub(crate) use unused::drop_unused;

use crate::ast::{Missing, Place, Pragma, Unread};
use crate::{Loader, SourceFile};
use branch::Branch;
use known::KNOWN;
use lexer::read_tokens;
use macros::Macros;
use rustc_hash::FxHashSet as HashSet;

/// What comes out of the preprocessor.
#[derive(Debug)]
pub(crate) struct Preprocessed {
    pub(crate) tokens: Vec<Token>,
    pub(crate) spellings: Spellings,
    /// Pragmas, and the index of the token that each is before.
    pub(crate) pragmas: Vec<(usize, Pragma)>,
    pub(crate) unread: Vec<Unread>,
    pub(crate) missing: Vec<Missing>,
    pub(crate) library_headers: Vec<String>,
    /// Whether the file is C.
    pub(crate) is_c: bool,
}

/// Files within files, at most.
const DEEPEST_INCLUDE: usize = 64;
/// Bytes that one unit may read, at most.
const MOST_TEXT: usize = 16 << 20;
/// Tokens of a macro's call that are looked at when a directive is among its arguments.
const LONGEST_CALL: usize = 2000;

/// Reads one source file and all that it includes. `files` gets the paths that are read.
pub(crate) fn preprocess(
    source: &SourceFile,
    loader: &mut Loader<'_>,
    defines: &[(String, String)],
    files: &mut Vec<String>,
) -> Preprocessed {
    let mut reader = Preprocessor {
        macros: Macros::new(),
        tokens: Vec::new(),
        pragmas: Vec::new(),
        unread: Vec::new(),
        missing: Vec::new(),
        library_headers: Vec::new(),
        loader,
        files,
        once: HashSet::default(),
        bytes: 0,
    };
    for (name, value) in KNOWN {
        reader.define_text(name, value);
    }
    if !known::is_c(&source.path) {
        reader.define_text("__cplusplus", "201402L");
    }
    for (name, value) in defines {
        reader.define_text(name, value);
    }
    reader.read_file(&source.path, &source.text, 0);
    let Preprocessor { tokens, pragmas, unread, missing, library_headers, macros, .. } = reader;
    let is_c = known::is_c(&source.path);
    let spellings = macros.spellings;
    Preprocessed { tokens, spellings, pragmas, unread, missing, library_headers, is_c }
}

struct Preprocessor<'a, 'b> {
    macros: Macros,
    tokens: Vec<Token>,
    pragmas: Vec<(usize, Pragma)>,
    unread: Vec<Unread>,
    missing: Vec<Missing>,
    library_headers: Vec<String>,
    loader: &'a mut Loader<'b>,
    files: &'a mut Vec<String>,
    once: HashSet<u16>,
    /// How much has been read.
    bytes: usize,
}

impl Preprocessor<'_, '_> {
    fn number_file(&mut self, path: &str) -> u16 {
        let known = self.files.iter().position(|one| one == path);
        let index = known.unwrap_or_else(|| {
            self.files.push(path.to_owned());
            self.files.len() - 1
        });
        u16::try_from(index).unwrap_or(u16::MAX)
    }

    fn read_file(&mut self, path: &str, text: &str, depth: usize) {
        let file = self.number_file(path);
        // An empty file costs something too.
        self.bytes += text.len() + 1000;
        if self.bytes > MOST_TEXT {
            if self.bytes - text.len() - 1000 <= MOST_TEXT {
                let reason = format!(
                    "this file and those after it are not read: more than {MOST_TEXT} bytes"
                );
                self.note(Place { file, line: 1 }, &reason);
            }
            return;
        }
        let tokens = read_tokens(text, file, &mut self.macros.spellings);
        let hash = self.macros.spellings.intern("#");
        let mut branches: Vec<Branch> = Vec::new();
        // Text up to the next directive: a call of a macro may run over several lines.
        let mut text_tokens: Vec<Token> = Vec::new();
        for line in tokens.split_inclusive(|token| token.kind == TokenKind::LineEnd) {
            let line = &line[..line.len() - 1];
            let active = branches.last().is_none_or(|branch| branch.active);
            match line.split_first() {
                Some((first, rest))
                    if first.spelling == hash && first.kind == TokenKind::Punctuation =>
                {
                    if self.is_conditional(rest) {
                        self.read_branch(rest, &mut branches, first.place);
                    } else if active {
                        if !self.is_within_call(&text_tokens) {
                            self.flush(&mut text_tokens);
                        }
                        self.read_directive(rest, first.place, path, depth);
                    }
                }
                Some(_) if active => text_tokens.extend_from_slice(line),
                _ => {}
            }
        }
        self.flush(&mut text_tokens);
        if !branches.is_empty() {
            let place = Place { file, line: 1 };
            self.note(place, "an `#if` of this file has no `#endif`");
        }
    }

    /// Whether the text ends inside of the arguments of a macro.
    fn is_within_call(&self, tokens: &[Token]) -> bool {
        let mut depth = 0_usize;
        for (index, token) in tokens.iter().enumerate().rev().take(LONGEST_CALL) {
            match self.macros.text(token) {
                ")" => depth += 1,
                "(" if depth == 0 => {
                    let name = index.checked_sub(1).and_then(|index| tokens.get(index));
                    let known = name.and_then(|name| self.macros.names.get(&name.spelling));
                    return known.is_some_and(|known| known.parameters.is_some());
                }
                "(" => depth -= 1,
                ";" | "{" | "}" => return false,
                _ => {}
            }
        }
        false
    }

    fn note(&mut self, place: Place, reason: &str) {
        self.unread.push(Unread { place, reason: reason.to_owned() });
    }

    fn flush(&mut self, tokens: &mut Vec<Token>) {
        let whole = !self.macros.is_exhausted();
        let expanded = self.macros.expand(tokens);
        if whole && self.macros.is_exhausted() {
            let place = tokens.first().map_or_else(Place::default, |token| token.place);
            self.note(place, "the macros from here on expand to too much text, which is left out");
        } else {
            self.write(&expanded);
        }
        tokens.clear();
    }

    /// Writes tokens; `_Pragma("...")` becomes a pragma.
    fn write(&mut self, tokens: &[Token]) {
        let mut rest = tokens;
        while let Some(at) = rest.iter().position(|token| self.macros.is(token, "_Pragma")) {
            self.tokens.extend_from_slice(&rest[..at]);
            let place = rest[at].place;
            rest = &rest[at + 1..];
            let Some(end) = rest.iter().position(|token| self.macros.is(token, ")")) else {
                continue;
            };
            let quoted = rest[..end].iter().find(|token| token.kind == TokenKind::Quoted);
            if let Some(quoted) = quoted {
                let text = self.macros.text(quoted).trim_start_matches(['L', 'u', 'U', '8']);
                let text = text.trim_matches('"').replace("\\\"", "\"").replace("\\\\", "\\");
                let words = read_tokens(&text, place.file, &mut self.macros.spellings);
                let words: Vec<Token> = words.iter().map(|one| Token { place, ..*one }).collect();
                self.read_pragma(&words[..words.len() - 1], place);
            }
            rest = &rest[end + 1..];
        }
        self.tokens.extend_from_slice(rest);
    }

    fn read_directive(&mut self, line: &[Token], place: Place, path: &str, depth: usize) {
        let Some((word, rest)) = line.split_first() else { return };
        match self.macros.text(word) {
            "define" => self.define(rest),
            "undef" => {
                if let Some(name) = rest.first() {
                    self.macros.names.remove(&name.spelling);
                }
            }
            "include" | "include_next" | "import" => self.include(rest, place, path, depth),
            "pragma" => self.read_pragma(rest, place),
            "error" => {
                let text = self.join(rest);
                self.note(place, &format!("`#error {text}` is reached"));
            }
            _ => {}
        }
    }

    fn read_pragma(&mut self, words: &[Token], place: Place) {
        let Some((first, rest)) = words.split_first() else { return };
        let word = self.macros.text(first);
        if word == "once" {
            self.once.insert(place.file);
        } else if word.eq_ignore_ascii_case("hls") || word.eq_ignore_ascii_case("ap") {
            let expanded = self.macros.expand(rest);
            let text = self.join(&expanded);
            self.pragmas.push((self.tokens.len(), Pragma { text, place }));
        }
    }

    fn join(&self, tokens: &[Token]) -> String {
        let mut text = String::new();
        for token in tokens {
            if token.spaced && !text.is_empty() {
                text.push(' ');
            }
            text.push_str(self.macros.text(token));
        }
        text
    }
}
