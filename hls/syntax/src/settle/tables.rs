//! Long lists of numbers: weights and tables are most of the text of some units, and need no parser.

use super::words::Words;
use crate::ast::{Expr, ExprKind, Place, UnaryOp};
use crate::literal::read_number;
use crate::preprocess::TokenKind;

/// A shorter list is parsed as everything else is.
const LONG: usize = 256;
/// Lists within each other.
const DEEPEST: usize = 16;

/// The first value that a variable has from the list at `index`: `= {1, -2, {3.5f}}`. `None` of a short one, or where
/// something else than numbers and lists is in it.
pub(crate) fn read_table(words: &Words<'_>, index: usize) -> Option<Expr> {
    let end = words.partner(index);
    if index == 0 || words.text(index - 1) != "=" || end < index + LONG {
        return None;
    }
    let place = |at: usize| words.token(at).map_or_else(Place::default, |token| token.place);
    let mut open: Vec<(Vec<Expr>, Place)> = Vec::new();
    let mut sign = None;
    let mut is_due = true;
    for at in index..=end {
        let token = words.token(at)?;
        match (token.kind, words.text(at)) {
            (TokenKind::Punctuation, "{") if is_due && sign.is_none() && open.len() < DEEPEST => {
                open.push((Vec::new(), place(at)));
            }
            (TokenKind::Punctuation, "}") if sign.is_none() => {
                let (values, place) = open.pop()?;
                let list = Expr { kind: ExprKind::List(values), place };
                match open.last_mut() {
                    Some((outer, _)) => outer.push(list),
                    None => return (at == end).then_some(list),
                }
                is_due = false;
            }
            (TokenKind::Punctuation, ",") if !is_due && sign.is_none() => is_due = true,
            (TokenKind::Punctuation, "-") if is_due && sign.is_none() => {
                sign = Some((UnaryOp::Negate, place(at)));
            }
            (TokenKind::Punctuation, "+") if is_due && sign.is_none() => {
                sign = Some((UnaryOp::Plus, place(at)));
            }
            (TokenKind::Number, text) if is_due => {
                let number = Expr { kind: read_number(text)?, place: place(at) };
                let value = match sign.take() {
                    Some((op, place)) => {
                        Expr { kind: ExprKind::Unary(op, Box::new(number)), place }
                    }
                    None => number,
                };
                open.last_mut()?.0.push(value);
                is_due = false;
            }
            _ => return None,
        }
    }
    None
}
