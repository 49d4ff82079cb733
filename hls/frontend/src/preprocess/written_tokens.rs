//! What an expansion is: a statement, a declaration, specifiers or values.

use crate::token::{Token, TokenKind};

/// Whether an expansion is more than a type or a value: it ends a statement, begins one, or is none at all.
pub(super) fn is_statement(tokens: &[Token]) -> bool {
    let heads = ["for", "while", "if", "do", "switch", "return"];
    tokens.is_empty()
        || tokens.first().is_some_and(|first| heads.iter().any(|head| first.is(head)))
        || declares(tokens)
        || has_any(tokens, &[";", "{", "}", "=", "_Pragma"])
}

/// Whether what a call passes may be values: not two words in a row, and no built-in type.
pub(super) fn passes_values(call: &[Token]) -> bool {
    let types = ["int", "unsigned", "signed", "char", "short", "long", "float", "double", "bool"];
    let is_type = |token: &&Token| types.iter().any(|word| token.is(word));
    let is_word = |token: &Token| token.kind == TokenKind::Name;
    // `(int)x`, `sizeof(int)` and `int(x)` are values.
    let is_type_alone = |three: &[Token]| {
        let (before, behind) = (&three[0], &three[2]);
        let is_alone = before.is(",") && behind.is(")") || behind.is(",");
        is_type(&&three[1]) && is_alone && (before.is(",") || before.is("("))
    };
    let are_words = |two: &[Token]| is_word(&two[0]) && is_word(&two[1]) && !two[0].is("sizeof");
    !call.windows(3).any(is_type_alone) && !call.windows(2).any(are_words)
}

/// Whether an expansion begins with a word that only declarations begin with.
pub(super) fn declares(tokens: &[Token]) -> bool {
    let heads = "typedef using template struct class enum union namespace static constexpr extern";
    tokens.first().is_some_and(|first| heads.split(' ').any(|head| first.is(head)))
}

pub(super) fn has_any(tokens: &[Token], words: &[&str]) -> bool {
    tokens.iter().any(|token| words.iter().any(|word| token.is(word)))
}

/// What may be before any declaration and says nothing about its type.
pub(super) fn is_specifier(token: &Token) -> bool {
    let words = "extern static inline __inline __inline__ register thread_local virtual explicit constexpr const volatile noexcept";
    words.split(' ').any(|word| token.is(word))
        || token.kind == TokenKind::Text && token.text == "\"C\""
}

/// The tokens without `__attribute__((...))`, `__declspec(...)` and `__extension__`.
pub(super) fn without_attributes(tokens: Vec<Token>) -> Vec<Token> {
    let mut kept = Vec::new();
    let mut depth = 0_usize;
    let mut inside = false;
    for token in tokens {
        if inside {
            match token.text.as_str() {
                "(" => depth += 1,
                ")" => {
                    depth = depth.saturating_sub(1);
                    inside = depth > 0;
                }
                _ => {}
            }
        } else if token.is("__attribute__") || token.is("__declspec") {
            inside = true;
        } else if !token.is("__extension__") {
            kept.push(token);
        }
    }
    kept
}

/// Whether two tokens are one operator that is cut in two.
pub(super) fn is_joined(left: &Token, right: &Token) -> bool {
    let marks = left.kind == TokenKind::Mark && right.kind == TokenKind::Mark;
    marks && left.glued && (right.is("=") || left.is(">") && right.is(">"))
}

/// The words of a string.
pub(super) fn unquote(text: &str) -> String {
    let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
    inner.replace("\\\"", "\"").replace("\\\\", "\\")
}
