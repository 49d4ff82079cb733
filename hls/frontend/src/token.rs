//! The words and marks of a short piece of C++: a spelling, an initialiser, a macro's body.

/// What a token is.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum TokenKind {
    Name,
    /// An integer, or a character; `None` where its value is not known.
    Integer(Option<i128>),
    Float,
    Text,
    Mark,
    /// `${X}`, `@X@`, `{{ x }}`: another program fills it in.
    Placeholder,
}

#[derive(Clone, Eq, PartialEq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) text: String,
    /// No blank between this token and the next: `>>` the shift differs from two closing brackets.
    pub(crate) glued: bool,
    /// Came out of a macro of the same name, and so is not expanded again.
    pub(crate) painted: bool,
}

impl Token {
    pub(crate) fn name(text: &str) -> Self {
        Self { kind: TokenKind::Name, text: text.to_owned(), glued: false, painted: false }
    }

    pub(crate) fn integer(value: i128) -> Self {
        let kind = TokenKind::Integer(Some(value));
        Self { kind, text: value.to_string(), glued: false, painted: false }
    }

    pub(crate) fn is(&self, text: &str) -> bool {
        matches!(self.kind, TokenKind::Name | TokenKind::Mark) && self.text == text
    }

    pub(crate) fn is_name(&self) -> bool {
        self.kind == TokenKind::Name
    }
}

/// `>` stays single, as it may close a template.
const MARKS: [&str; 22] = [
    "...", "<<=", ">>=", "<=>", "::", "->", "++", "--", "<<", "<=", ">=", "==", "!=", "&&", "||",
    "+=", "-=", "*=", "/=", "%=", "##", "|=",
];

/// A spelling longer than this is data, not a type.
const LIMIT: usize = 1 << 16;

/// Cuts a text without comments into tokens. Text past a limit of 64 KiB is left out, with a
/// placeholder in its place, so that the rest is not taken for the whole.
pub(crate) fn lex(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if first.is_whitespace() || first == '\\' {
            if let Some(last) = tokens.last_mut() {
                last.glued = false;
            }
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (kind, length) = if text.len() - rest.len() > LIMIT {
            (TokenKind::Placeholder, rest.len())
        } else {
            measure_token(rest, first)
        };
        let (head, tail) = rest.split_at(length);
        tokens.push(Token { kind, text: head.to_owned(), glued: true, painted: false });
        rest = tail;
    }
    if let Some(last) = tokens.last_mut() {
        last.glued = false;
    }
    tokens
}

/// The kind and the length of the first token; the length is never zero.
fn measure_token(rest: &str, first: char) -> (TokenKind, usize) {
    if let Some(length) = placeholder_length(rest) {
        return (TokenKind::Placeholder, length);
    }
    if first.is_alphabetic() || first == '_' {
        let length = span_of(rest, |c| c.is_alphanumeric() || c == '_');
        return (TokenKind::Name, length);
    }
    if first.is_ascii_digit() || (first == '.' && second_is_digit(rest)) {
        return measure_number(rest);
    }
    if first == '"' || first == '\'' {
        let length = quoted_length(rest, first);
        let kind = if first == '"' {
            TokenKind::Text
        } else {
            TokenKind::Integer(character_value(rest.get(1..length.saturating_sub(1)).unwrap_or("")))
        };
        return (kind, length);
    }
    let mark = MARKS.iter().find(|mark| rest.starts_with(**mark));
    (TokenKind::Mark, mark.map_or(first.len_utf8(), |mark| mark.len()))
}

fn second_is_digit(rest: &str) -> bool {
    rest.chars().nth(1).is_some_and(|c| c.is_ascii_digit())
}

fn span_of(rest: &str, keep: impl Fn(char) -> bool) -> usize {
    rest.find(|c| !keep(c)).unwrap_or(rest.len())
}

/// Longer ones were not seen.
const LONGEST_PLACEHOLDER: usize = 200;

/// The length of a placeholder that the text starts with.
pub(crate) fn placeholder_length(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let (close, from) = match bytes.first()? {
        b'$' if bytes.get(1) == Some(&b'{') => ("}", 2),
        b'$' => ("", 1),
        b'@' => ("@", 1),
        b'{' if bytes.get(1) == Some(&b'{') => ("}}", 2),
        b'{' if bytes.get(1) == Some(&b'%') => ("%}", 2),
        _ => return None,
    };
    if close.is_empty() {
        return Some(1);
    }
    let inner = &rest[from..];
    // A placeholder is short and on one line: initialiser tables begin with `{{` too, row after row.
    let line = inner.find('\n').map_or(inner, |end| &inner[..end]);
    let near = line.char_indices().nth(LONGEST_PLACEHOLDER).map_or(line, |(end, _)| &line[..end]);
    let end = near.find(close)?;
    let inner = &inner[..end];
    let simple = |c: char| c.is_alphanumeric() || "_ .|()'\"-:".contains(c);
    let named = inner.trim_start().starts_with(|c: char| c.is_alphabetic() || c == '_');
    let ok = match close {
        "@" => end > 0 && inner.chars().all(|c| c.is_alphanumeric() || c == '_'),
        "}}" => named && inner.chars().all(simple),
        _ => true,
    };
    ok.then_some(from + end + close.len())
}

/// How long a quoted text is, its quotes included; it ends with its line.
pub(crate) fn quoted_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            // A backslash at the line's end carries the text on.
            '\r' if escaped => {}
            _ if escaped => escaped = false,
            '\n' => return at,
            '\\' => escaped = true,
            _ if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// The value of a character constant. `char` is signed where HLS runs: `'\xFF'` is -1. Several characters, and those past
/// ASCII, whose value the compiler decides, have none.
fn character_value(inner: &str) -> Option<i128> {
    let Some(escape) = inner.strip_prefix('\\') else {
        let mut chars = inner.chars();
        let only = chars.next().filter(char::is_ascii)?;
        return chars.next().is_none().then(|| i128::from(u32::from(only)));
    };
    let byte = match escape {
        "n" => b'\n',
        "t" => b'\t',
        "r" => b'\r',
        "a" => 7,
        "b" => 8,
        "f" => 12,
        "v" => 11,
        "\\" | "'" | "\"" | "?" => *escape.as_bytes().first()?,
        _ => {
            let (digits, radix) = match escape.strip_prefix('x') {
                Some(hex) => (hex, 16),
                None => (Some(escape).filter(|octal| octal.len() <= 3)?, 8),
            };
            let digits = Some(digits).filter(|all| all.chars().all(|c| c.is_digit(radix)))?;
            u8::from_str_radix(digits, radix).ok()?
        }
    };
    Some(i128::from(byte.cast_signed()))
}

fn measure_number(rest: &str) -> (TokenKind, usize) {
    let hex = rest.starts_with("0x") || rest.starts_with("0X");
    let mut length = 0;
    let mut previous = ' ';
    for c in rest.chars() {
        let sign = matches!(c, '+' | '-') && (if hex { "pP" } else { "eE" }).contains(previous);
        if !(c.is_alphanumeric() || matches!(c, '.' | '_' | '\'') || sign) {
            break;
        }
        length += c.len_utf8();
        previous = c;
    }
    let digits: String = rest[..length].chars().filter(|&c| c != '\'').collect();
    let lower = digits.to_ascii_lowercase();
    let float = lower.contains('.')
        || (hex && lower.contains('p'))
        || (!hex && !lower.starts_with("0b") && lower.contains(['e', 'f']));
    if float {
        return (TokenKind::Float, length);
    }
    let plain = lower.trim_end_matches(['u', 'l', 'z']);
    let value = if let Some(hex) = plain.strip_prefix("0x") {
        i128::from_str_radix(hex, 16)
    } else if let Some(binary) = plain.strip_prefix("0b") {
        i128::from_str_radix(binary, 2)
    } else if plain.len() > 1 && plain.starts_with('0') {
        i128::from_str_radix(plain, 8)
    } else {
        plain.parse()
    };
    (TokenKind::Integer(value.ok()), length)
}

/// The tokens as a text that reads like source, one blank where two words meet.
pub(crate) fn spell(tokens: &[Token]) -> String {
    let mut text = String::new();
    for (index, token) in tokens.iter().enumerate() {
        text.push_str(&token.text);
        let wordy = |t: &Token| !matches!(t.kind, TokenKind::Mark);
        let next = tokens.get(index + 1);
        if next.is_some_and(|next| (wordy(token) && wordy(next)) || token.is(",")) {
            text.push(' ');
        }
    }
    text
}

const BUILTIN_WORDS: [&str; 20] = [
    "unsigned", "signed", "int", "char", "short", "long", "float", "double", "bool", "void",
    "wchar_t", "char8_t", "char16_t", "char32_t", "_Float16", "__fp16", "__bf16", "_Bool",
    "__int128", "_Float32",
];

/// Whether a word names a fundamental type, alone or with others.
pub(crate) fn is_builtin_word(word: &str) -> bool {
    BUILTIN_WORDS.contains(&word)
}

/// The place of the bracket that closes one opened just before `from`.
pub(crate) fn find_closing(
    tokens: &[Token],
    from: usize,
    open: &str,
    close: &str,
) -> Option<usize> {
    let mut depth = 0_usize;
    for (offset, token) in tokens.get(from..)?.iter().enumerate() {
        if token.is(open) {
            depth += 1;
        } else if token.is(close) {
            if depth == 0 {
                return Some(from + offset);
            }
            depth -= 1;
        }
    }
    None
}

/// A long spelling, cut for a message.
pub(crate) fn shorten_text(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn values(text: &str) -> Vec<Option<i128>> {
        let integer = |token: Token| match token.kind {
            TokenKind::Integer(value) => Some(value),
            _ => None,
        };
        lex(text).into_iter().filter_map(integer).collect()
    }

    #[test]
    fn integers_of_every_base_and_suffix() {
        let all = values("12 0x1F 0b101 017 1'000'000 64ULL 'A' 0");
        assert_eq!(all, [12, 31, 5, 15, 1_000_000, 64, 65, 0].map(Some));
        assert!(values("1.5 1e3 2.f 0x1p4").is_empty());
        assert_eq!(values("99999999999999999999999999999999999999999"), [None]);
    }

    #[test]
    fn characters_and_their_escapes() {
        let all = values(r"'A' '\x41' '\101' '\0' '\n' '\\' '\'' '\xff'");
        assert_eq!(all, [65, 65, 65, 0, 10, 92, 39, -1].map(Some));
        assert_eq!(values(r"'\x141' '\9' 'ab' 'é' '\x' '\1010'"), [None; 6]);
    }

    #[test]
    fn closing_brackets_stay_single() {
        let tokens = lex("a<b<4>>");
        assert_eq!(tokens.iter().filter(|token| token.is(">")).count(), 2);
        assert_eq!(tokens[5].text, ">");
        assert!(tokens[5].glued);
    }

    /// `{{1, 2}}` is an initialiser; `{{ width }}` is a template of another language.
    #[test]
    fn placeholders_of_three_template_languages() {
        let kinds = |text: &str| lex(text)[0].kind;
        for text in ["${MM_DATA_TYPE}", "@DEVICE_DATA_TYPE@", "{{ layer.width }}", "{% if x %}"] {
            assert_eq!(kinds(text), TokenKind::Placeholder, "{text}");
        }
        assert_eq!(kinds("{{1, 2}, {3, 4}}"), TokenKind::Mark);
    }

    proptest! {
        #[test]
        fn any_text_is_cut_without_panic(text in "\\PC{0,60}") {
            let total: usize = lex(&text).iter().map(|token| token.text.len()).sum();
            prop_assert!(total <= text.len());
        }
    }
}
