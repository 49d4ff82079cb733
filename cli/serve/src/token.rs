//! The token that a request must carry if more than this machine is answered.

use std::hint::black_box;

/// A shorter token could be guessed.
const LEAST: usize = 16;

/// The environment variable of the token, used if no file has one.
pub const VARIABLE: &str = "DERATE_SERVE_TOKEN";

/// A token. It is never printed.
pub struct Token(Vec<u8>);

/// A text that cannot be a token.
#[derive(Debug, thiserror::Error)]
#[error(
    "a token has at least {LEAST} letters, digits or signs and no blanks: make one with `openssl rand -hex 24`"
)]
pub struct TokenError;

impl Token {
    /// Of a text; blanks around it do not count.
    pub fn parse(text: &str) -> Result<Self, TokenError> {
        let text = text.trim();
        if text.len() < LEAST || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(TokenError);
        }
        Ok(Self(text.as_bytes().to_vec()))
    }

    /// Whether `given` is this token. The time it takes depends only on the length.
    pub(crate) fn matches(&self, given: &[u8]) -> bool {
        if self.0.len() != given.len() {
            return false;
        }
        let differ = self.0.iter().zip(given).fold(0, |sum: u8, (a, b)| black_box(sum | (a ^ b)));
        black_box(differ) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_matches_itself_alone() {
        let token = Token::parse("0123456789abcdef\n").unwrap();
        assert!(token.matches(b"0123456789abcdef"));
        for other in ["0123456789abcdeF", "0123456789abcde", "0123456789abcdef0", ""] {
            assert!(!token.matches(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn a_short_text_or_one_with_blanks_is_refused() {
        for text in ["", "0123456789abcde", "0123456789abcdef ghi", "0123456789abcdéf"] {
            assert!(Token::parse(text).is_err(), "{text}");
        }
    }
}
