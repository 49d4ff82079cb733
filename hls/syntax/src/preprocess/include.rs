//! `#include`.

use super::token::{Token, TokenKind};
use super::{DEEPEST_INCLUDE, Preprocessor};
use crate::ast::{Missing, Place};

/// More are not kept in mind.
const MOST_MISSING: usize = 100;

impl Preprocessor<'_, '_> {
    pub(crate) fn include(&mut self, line: &[Token], place: Place, path: &str, depth: usize) {
        let first = line.first().map(|token| token.kind);
        let direct = first == Some(TokenKind::Quoted)
            || line.first().is_some_and(|token| self.macros.is(token, "<"));
        let line = if direct { line.to_vec() } else { self.macros.expand(line) };
        let Some((first, rest)) = line.split_first() else { return };
        let (name, quoted) = if first.kind == TokenKind::Quoted {
            (self.macros.text(first).trim_matches('"').to_owned(), true)
        } else {
            let name: String = rest
                .iter()
                .take_while(|token| !self.macros.is(token, ">"))
                .map(|token| self.macros.text(token))
                .collect();
            (name, false)
        };
        if depth >= DEEPEST_INCLUDE {
            self.note(place, &format!("`{name}` is not read: too many files within files"));
            return;
        }
        let Some((found, text)) = (self.loader)(&name, quoted, path) else {
            if !quoted {
                if self.library_headers.len() < MOST_MISSING
                    && !self.library_headers.contains(&name)
                {
                    self.library_headers.push(name);
                }
                return;
            }
            let is_new = !self.missing.iter().any(|one| one.path == name);
            if is_new && self.missing.len() < MOST_MISSING {
                self.missing.push(Missing { place, path: name });
            }
            return;
        };
        let number = self.number_file(&found);
        if !self.once.contains(&number) {
            self.read_file(&found, &text, depth + 1);
        }
    }
}
