//! The words of a JSON text, with their places.

use super::builder::Place;

/// One word.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Token<'a> {
    /// `{`.
    OpenObject,
    /// `[`.
    OpenArray,
    /// `}` or `]`.
    Close,
    /// `,`.
    Comma,
    /// `:`.
    Colon,
    /// What stands between the quotes, escapes as written.
    Text(&'a str, Place),
    /// A number, or `true`, `false`, `null`.
    Word(&'a str),
    /// Something that JSON does not have, or a text without an end.
    Bad(Place),
}

/// The words of a text, up to the first bad one.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn quoted(&mut self, start: usize) -> Token<'a> {
        let mut escaped = false;
        for (offset, byte) in self.text.as_bytes()[start + 1..].iter().enumerate() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => {
                    let end = start + 1 + offset;
                    self.at = end + 1;
                    return Token::Text(&self.text[start + 1..end], (start + 1, end));
                }
                _ => {}
            }
        }
        self.bad(start)
    }

    fn bad(&mut self, start: usize) -> Token<'a> {
        self.at = self.text.len();
        Token::Bad((start, self.text.len()))
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let rest = &self.text[self.at..];
        let start = self.at
            + (rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n', '\u{feff}']).len());
        let byte = *self.text.as_bytes().get(start)?;
        self.at = start + 1;
        Some(match byte {
            b'{' => Token::OpenObject,
            b'[' => Token::OpenArray,
            b'}' | b']' => Token::Close,
            b',' => Token::Comma,
            b':' => Token::Colon,
            b'"' => self.quoted(start),
            b'-' | b'0'..=b'9' | b'a'..=b'z' => {
                let word = &self.text[start..];
                let length = word
                    .bytes()
                    .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'+' | b'.'))
                    .count();
                self.at = start + length;
                Token::Word(&self.text[start..start + length])
            }
            _ => self.bad(start),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_their_places() {
        let tokens: Vec<_> = Tokens::new("{\"a\\\"b\": [1, null]}").collect();
        assert_eq!(tokens[1], Token::Text("a\\\"b", (2, 6)));
        assert_eq!(tokens.len(), 9);
        assert_eq!(Tokens::new("\"open").collect::<Vec<_>>(), [Token::Bad((0, 5))]);
    }
}
