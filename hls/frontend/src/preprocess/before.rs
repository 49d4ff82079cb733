//! What is before a word: whether a declaration, a statement or an expression may begin there.

/// What is before a word.
#[derive(Copy, Clone, Eq, PartialEq)]
pub(super) enum Before {
    /// Where a declaration or a statement may begin.
    Start,
    /// A closing bracket.
    Closed,
    /// `(`, `,`, `=`, or an operator: an expression may begin.
    Open,
    /// Behind a label, or in an expression.
    Colon,
    /// A name.
    Name,
    Other,
}

impl Before {
    pub(super) fn of_mark(byte: u8) -> Self {
        match byte {
            b';' | b'{' | b'}' => Self::Start,
            b')' => Self::Closed,
            b':' => Self::Colon,
            b'(' | b',' | b'=' | b'+' | b'-' | b'/' | b'?' | b'[' => Self::Open,
            _ => Self::Other,
        }
    }

    pub(super) fn of_word(word: &[u8]) -> Self {
        match word {
            b"return" => Self::Open,
            b"else" | b"do" => Self::Start,
            b"throw" | b"case" | b"goto" | b"new" | b"delete" | b"sizeof" | b"typename"
            | b"typedef" | b"using" | b"const" | b"volatile" | b"static" | b"struct" | b"class"
            | b"enum" | b"union" | b"operator" | b"and" | b"or" | b"not" | b"namespace"
            | b"inline" | b"extern" | b"constexpr" | b"template" | b"public" | b"private"
            | b"protected" | b"virtual" | b"unsigned" | b"signed" | b"friend" => Self::Other,
            _ => Self::Name,
        }
    }
}
