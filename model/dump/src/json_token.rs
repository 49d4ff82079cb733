//! The words of a JSON text, with their places.

use super::builder::ByteRange;

/// One word.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum JsonToken<'a> {
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
    /// The text between the quotes, escapes as written.
    Text(&'a str, ByteRange),
    /// A number, or `true`, `false`, `null`.
    Word(&'a str),
    /// Something that JSON does not have, or a text without an end.
    Bad(ByteRange),
}

/// The words of a text, up to the first bad one.
#[derive(Clone, Debug)]
pub(super) struct JsonTokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> JsonTokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn read_quoted(&mut self, start: usize) -> JsonToken<'a> {
        let mut escaped = false;
        for (offset, byte) in self.text.as_bytes()[start + 1..].iter().enumerate() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => {
                    let end = start + 1 + offset;
                    self.at = end + 1;
                    return JsonToken::Text(&self.text[start + 1..end], (start + 1, end));
                }
                _ => {}
            }
        }
        self.stop_at(start)
    }

    fn stop_at(&mut self, start: usize) -> JsonToken<'a> {
        self.at = self.text.len();
        JsonToken::Bad((start, self.text.len()))
    }
}

impl<'a> Iterator for JsonTokens<'a> {
    type Item = JsonToken<'a>;

    fn next(&mut self) -> Option<JsonToken<'a>> {
        let rest = &self.text[self.at..];
        let start = self.at
            + (rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n', '\u{feff}']).len());
        let byte = *self.text.as_bytes().get(start)?;
        self.at = start + 1;
        Some(match byte {
            b'{' => JsonToken::OpenObject,
            b'[' => JsonToken::OpenArray,
            b'}' | b']' => JsonToken::Close,
            b',' => JsonToken::Comma,
            b':' => JsonToken::Colon,
            b'"' => self.read_quoted(start),
            b'-' | b'0'..=b'9' | b'a'..=b'z' => {
                let word = &self.text[start..];
                let length = word
                    .bytes()
                    .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'+' | b'.'))
                    .count();
                self.at = start + length;
                JsonToken::Word(&self.text[start..start + length])
            }
            _ => self.stop_at(start),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_their_places() {
        let tokens: Vec<_> = JsonTokens::new("{\"a\\\"b\": [1, null]}").collect();
        assert_eq!(tokens[1], JsonToken::Text("a\\\"b", (2, 6)));
        assert_eq!(tokens.len(), 9);
        assert_eq!(JsonTokens::new("\"open").collect::<Vec<_>>(), [JsonToken::Bad((0, 5))]);
    }
}
