//! The expanded text, and the place of each of its bytes.

use super::token::{Spellings, Token, TokenKind};
use crate::ast::{Place, Pragma, Unread};

/// The most text that a unit may expand to, in bytes.
const MOST_TEXT: usize = 32 << 20;

/// A unit after preprocessing.
#[derive(Debug, Default)]
pub struct Expanded {
    /// The text, without comments, directives and pragmas.
    pub text: String,
    /// The pragmas and the byte of the text that each is before, in order.
    pub pragmas: Vec<(usize, Pragma)>,
    /// What could not be read.
    pub unread: Vec<Unread>,
    /// Where a place begins, by byte, in order.
    places: Vec<(usize, Place)>,
    full: bool,
}

impl Expanded {
    /// Where the byte was written.
    pub fn place(&self, byte: usize) -> Place {
        let behind = self.places.partition_point(|&(start, _)| start <= byte);
        behind.checked_sub(1).map_or_else(Place::default, |index| self.places[index].1)
    }

    /// Writes tokens, those that say nothing about hardware left out.
    pub(crate) fn write_tokens(&mut self, tokens: &[Token], spellings: &Spellings) {
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            let text = spellings.text(token.spelling);
            if token.kind == TokenKind::Identifier && is_ignored(text) {
                continue;
            }
            if token.kind == TokenKind::Identifier && takes_arguments(text) {
                at = skip_parentheses(tokens, at, spellings);
                continue;
            }
            self.write_token(token, text);
        }
    }

    fn write_token(&mut self, token: &Token, text: &str) {
        if self.text.len() + text.len() > MOST_TEXT {
            if !self.full {
                let reason = format!("the text is longer than {MOST_TEXT} bytes from here on");
                self.unread.push(Unread { place: token.place, reason });
                self.full = true;
            }
            return;
        }
        if self.places.last().is_none_or(|&(_, place)| place != token.place) {
            self.text.push('\n');
            self.places.push((self.text.len(), token.place));
        } else {
            self.text.push(' ');
        }
        self.text.push_str(text);
    }

    pub(crate) fn write_pragma(&mut self, text: String, place: Place) {
        self.pragmas.push((self.text.len(), Pragma { text, place }));
    }
}

fn is_ignored(word: &str) -> bool {
    matches!(
        word,
        "register"
            | "volatile"
            | "restrict"
            | "__restrict"
            | "__restrict__"
            | "__extension__"
            | "__inline"
            | "__inline__"
            | "__volatile__"
            | "_Noreturn"
            | "mutable"
    )
}

fn takes_arguments(word: &str) -> bool {
    matches!(word, "__attribute__" | "__attribute" | "__declspec")
}

fn skip_parentheses(tokens: &[Token], start: usize, spellings: &Spellings) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(start) {
        match spellings.text(token.spelling) {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            let open = spellings.text(token.spelling) == ")";
            return if open { index + 1 } else { start };
        }
    }
    start
}
