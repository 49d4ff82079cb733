//! The tokens of a unit as words, with the partner of each bracket.

use crate::preprocess::{Spellings, Token, TokenKind};

/// All tokens of a unit, by index.
pub(crate) struct Words<'a> {
    tokens: &'a [Token],
    spellings: &'a Spellings,
    /// For an opening bracket the index of the closing one; for others their own.
    partners: Vec<u32>,
}

impl<'a> Words<'a> {
    pub(crate) fn new(tokens: &'a [Token], spellings: &'a Spellings) -> Self {
        let mut words = Self { tokens, spellings, partners: Vec::with_capacity(tokens.len()) };
        let mut open: Vec<(usize, &str)> = Vec::new();
        for index in 0..tokens.len() {
            words.partners.push(u32::try_from(index).unwrap_or(u32::MAX));
            match words.text(index) {
                "(" => open.push((index, ")")),
                "[" => open.push((index, "]")),
                "{" => open.push((index, "}")),
                close @ (")" | "]" | "}") => {
                    while let Some((start, wanted)) = open.pop() {
                        words.partners[start] = words.partners[index];
                        if wanted == close {
                            break;
                        }
                    }
                }
                _ => {}
            }
        }
        words
    }

    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }

    pub(crate) fn token(&self, index: usize) -> Option<&'a Token> {
        self.tokens.get(index)
    }

    /// The spelling; empty behind the end.
    pub(crate) fn text(&self, index: usize) -> &'a str {
        self.tokens.get(index).map_or("", |token| self.spellings.text(token.spelling))
    }

    pub(crate) fn is_name(&self, index: usize) -> bool {
        self.tokens.get(index).is_some_and(|token| token.kind == TokenKind::Identifier)
    }

    pub(crate) fn is_number(&self, index: usize) -> bool {
        self.tokens.get(index).is_some_and(|token| token.kind == TokenKind::Number)
    }

    /// The index of the bracket that closes the one at `index`.
    pub(crate) fn partner(&self, index: usize) -> usize {
        self.partners.get(index).map_or(index, |&partner| partner as usize)
    }

    /// The index behind `<...>` that begins at `index`, if it looks like template arguments.
    pub(crate) fn skip_angles(&self, index: usize) -> Option<usize> {
        self.close_angles(index).map(|(behind, _)| behind)
    }

    /// As [`Self::skip_angles`], and whether the last `>>` closes one bracket more than was
    /// opened.
    pub(crate) fn close_angles(&self, index: usize) -> Option<(usize, bool)> {
        let mut depth = 0_i32;
        let mut at = index;
        // Lists of arguments are short; a comparison may have no end.
        let most = index + 400;
        while at < self.len() && at < most {
            match self.text(at) {
                "<" => depth += 1,
                ">" => depth -= 1,
                ">>" => depth -= 2,
                "(" | "[" | "{" => at = self.partner(at),
                ")" | "]" | "}" | ";" | "&&" | "||" => return None,
                _ => {}
            }
            at += 1;
            if depth <= 0 {
                return Some((at, depth < 0));
            }
        }
        None
    }
}
