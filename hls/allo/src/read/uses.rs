//! Where functions are given to Allo, or called with type arguments.

use super::super::expression::{Expression, Kind, read_expression};
use super::super::pieces::{find_closing, split_pieces};
use super::super::program::Use;
use super::super::token::{Token, TokenKind};
use super::Reader;

/// So many tokens have a call's arguments.
const ARGUMENTS: usize = 2_000;

impl Reader<'_> {
    /// `customize(f, instantiate=[...])` and its like, and `f[T, 4](...)`.
    pub(super) fn note_uses(&mut self, tokens: &[Token]) {
        let scope = self.current_scope();
        for at in 0..tokens.len() {
            if !Self::is_name(tokens, at) {
                continue;
            }
            let end = tokens.len().min(at + ARGUMENTS);
            let rest = tokens.get(at + 1..end).unwrap_or(&[]);
            let found = match self.word_at(rest, 0) {
                "(" => self.read_customisation(self.word_at(tokens, at), rest),
                "[" if self.word_at(tokens, at.wrapping_sub(1)) != "def" => {
                    self.read_instantiation(self.word_at(tokens, at), rest)
                }
                _ => None,
            };
            let Some((function, arguments, length)) = found else { continue };
            let span = self.span_of(tokens.get(at..=at + length).unwrap_or(tokens));
            self.program.uses.push(Use { scope, function, arguments, span });
        }
    }

    /// A call whose first argument is a function, and which customises it.
    fn read_customisation(
        &self,
        name: &str,
        rest: &[Token],
    ) -> Option<(String, Option<Expression>, usize)> {
        if !matches!(name, "customize" | "compose" | "build" | "process") {
            return None;
        }
        let end = find_closing(self.text, rest)?;
        let pieces = split_pieces(self.text, rest.get(1..end)?, ",");
        let [function] = pieces.first()? else { return None };
        (function.kind == TokenKind::Name).then_some(())?;
        let arguments = pieces.iter().find_map(|piece| {
            let is = self.word_at(piece, 0) == "instantiate" && self.word_at(piece, 1) == "=";
            let list = piece.get(2..).filter(|_| is)?;
            let list = read_expression(self.text, list);
            let literal = matches!(list.kind, Kind::Sequence(_));
            Some(if literal { list } else { Expression { kind: Kind::Other, ..list } })
        });
        Some((self.word_at(std::slice::from_ref(function), 0).to_owned(), arguments, end + 1))
    }

    fn read_instantiation(
        &self,
        name: &str,
        rest: &[Token],
    ) -> Option<(String, Option<Expression>, usize)> {
        let end = find_closing(self.text, rest)?;
        (self.word_at(rest, end + 1) == "(").then_some(())?;
        let inner = read_expression(self.text, rest.get(1..end)?);
        let (start, stop) = (inner.start, inner.end);
        let items = match inner.kind {
            Kind::Sequence(items) => items,
            Kind::Other => {
                return Some((
                    name.to_owned(),
                    Some(Expression { kind: Kind::Other, start, end: stop }),
                    end + 1,
                ));
            }
            kind => vec![Expression { kind, start, end: stop }],
        };
        let list = Expression { kind: Kind::Sequence(items), start, end: stop };
        Some((name.to_owned(), Some(list), end + 1))
    }
}
