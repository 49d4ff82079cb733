//! The word that a request must bear where more than this machine is answered.

use std::hint::black_box;
use std::path::Path;

use anyhow::{Error, bail};

use crate::read;

/// A shorter one could be tried out.
const LEAST: usize = 16;

/// Where a token stands that no file has.
pub(crate) const VARIABLE: &str = "DERATE_SERVE_TOKEN";

/// A token. It is never printed.
pub(crate) struct Token(Vec<u8>);

impl Token {
    /// From a file, or from the environment; `None` where neither has one.
    pub(crate) fn find(file: Option<&Path>) -> Result<Option<Self>, Error> {
        let (origin, text) = match (file, std::env::var(VARIABLE)) {
            (Some(path), _) => (path.display().to_string(), read::text(path)?),
            (None, Ok(text)) => (VARIABLE.to_owned(), text),
            (None, Err(_)) => return Ok(None),
        };
        let text = text.trim();
        if text.len() < LEAST || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            bail!(
                "{origin}: a token has at least {LEAST} letters, digits or signs and no blanks: make one with `openssl rand -hex 24`"
            );
        }
        Ok(Some(Self(text.as_bytes().to_vec())))
    }

    /// Whether it is this one. The time says no more than its length.
    pub(crate) fn is(&self, given: &[u8]) -> bool {
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

    fn of(text: &str) -> Result<Token, Error> {
        let file = tempfile::NamedTempFile::new()?;
        std::fs::write(file.path(), text)?;
        Ok(Token::find(Some(file.path()))?.unwrap())
    }

    #[test]
    fn a_token_is_itself_alone() {
        let token = of("0123456789abcdef\n").unwrap();
        assert!(token.is(b"0123456789abcdef"));
        for other in ["0123456789abcdeF", "0123456789abcde", "0123456789abcdef0", ""] {
            assert!(!token.is(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn what_is_short_or_has_blanks_is_refused() {
        for text in ["", "0123456789abcde", "0123456789abcdef ghi", "0123456789abcdéf"] {
            assert!(of(text).is_err(), "{text}");
        }
    }
}
