//! Tokens in pieces, brackets kept whole.

use super::token::{Token, TokenKind};

/// The pieces between `mark`s outside brackets.
pub(super) fn split_pieces<'t>(text: &str, tokens: &'t [Token], mark: &str) -> Vec<&'t [Token]> {
    let mut pieces = Vec::new();
    let mut rest = tokens;
    while let Some(at) = find_mark(text, rest, mark) {
        pieces.push(&rest[..at]);
        rest = &rest[at + 1..];
    }
    if !rest.is_empty() {
        pieces.push(rest);
    }
    pieces
}

/// The first place of `mark` outside brackets.
pub(super) fn find_mark(text: &str, tokens: &[Token], mark: &str) -> Option<usize> {
    let mut depth = 0_usize;
    tokens.iter().position(|token| {
        let word = text.get(token.start..token.end).unwrap_or("");
        if token.kind == TokenKind::Text {
            return false;
        }
        match word {
            _ if depth == 0 && word == mark => return true,
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        false
    })
}

/// Where the bracket that the tokens begin with is closed.
pub(super) fn find_closing(text: &str, tokens: &[Token]) -> Option<usize> {
    let mut depth = 0_usize;
    tokens.iter().position(|token| {
        if token.kind == TokenKind::Mark {
            match text.get(token.start..token.end).unwrap_or("") {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        depth == 0
    })
}
