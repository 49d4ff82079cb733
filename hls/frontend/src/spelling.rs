//! The parts of a type as it is spelt.

use crate::path::{Path, read_path};
use crate::token::{Token, TokenKind, find_closing, is_builtin_word, shorten_text, spell};
use crate::{Reason, Settled};

/// What a spelling is built on.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(crate) enum Base {
    /// `unsigned long int`
    Words(Vec<String>),
    Path(Path),
    /// `struct x`
    Elaborated(Path),
}

/// A type as it is spelt.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(crate) struct Spelling {
    pub(crate) base: Base,
    pub(crate) pointers: usize,
    /// Between `[` and `]`, outermost first.
    pub(crate) extents: Vec<Vec<Token>>,
    /// What an attribute makes of the type.
    pub(crate) change: Option<Change>,
}

/// An attribute that gives a type its width.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(crate) enum Change {
    /// `HF` of `__attribute__((mode(HF)))`.
    Mode(String),
    /// `N` of `__attribute__((bitwidth(N)))`, with which Vivado HLS writes its integers of C.
    Width(Vec<Token>),
}

const QUALIFIERS: &str = "const volatile static extern constexpr inline typename mutable register restrict \
    __restrict__ __restrict thread_local friend virtual constinit";

/// Whether a word says how an object is kept, and not what it is.
pub(crate) fn is_qualifier(word: &str) -> bool {
    QUALIFIERS.split(' ').any(|one| one == word)
}

/// Reads a whole type; or the reason why it is not one.
pub(crate) fn read_spelling(tokens: &[Token]) -> Settled<Spelling> {
    if let Some(token) = tokens.iter().find(|token| token.kind == TokenKind::Placeholder) {
        return Err(
            format!("`{}` is filled in by another program", shorten_text(&token.text)).into()
        );
    }
    let no = || Reason::from(format!("`{}` is not read as a type", shorten_text(&spell(tokens))));
    let (mut words, mut path, mut elaborated) = (Vec::new(), None, false);
    let (mut pointers, mut extents, mut change) = (0, Vec::new(), None);
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let text = token.text.as_str();
        let starts_path = token.is_name() || token.is("::");
        if is_qualifier(text) {
            at += 1;
        } else if token.is("__attribute__") {
            let end = tokens[at..].iter().position(|t| t.is("]") || t.is(";"));
            let end = end.map_or(tokens.len(), |end| at + end);
            change = read_attribute(&tokens[at..end])?;
            at = end;
        } else if is_builtin_word(text) && path.is_none() && pointers == 0 && extents.is_empty() {
            words.push(text.to_owned());
            at += 1;
        } else if matches!(text, "struct" | "class" | "union" | "enum") && token.is_name() {
            elaborated = true;
            at += 1;
        } else if token.is("(") && at > 0 {
            return Err("it is a function, or points to one: it has no width".into());
        } else if matches!(text, "decltype" | "auto" | "__typeof__" | "typeof") {
            return Err(format!("`{text}` asks for a type that depends on an expression").into());
        } else if starts_path && path.is_none() && words.is_empty() && pointers == 0 {
            let (read, after) = read_path(tokens, at, |_| true).ok_or_else(no)?;
            path = Some(read);
            at = after;
        } else if token.is("*") && extents.is_empty() {
            pointers += 1;
            at += 1;
        } else if token.is("&") || token.is("&&") {
            at += 1;
        } else if token.is("[") {
            let close = find_closing(tokens, at + 1, "[", "]").ok_or_else(no)?;
            extents.push(tokens[at + 1..close].to_vec());
            at = close + 1;
        } else {
            return Err(no());
        }
        if pointers > 8 || extents.len() > 16 {
            return Err(no());
        }
    }
    let base = match path {
        Some(path) if elaborated => Base::Elaborated(path),
        Some(path) => Base::Path(path),
        None if words.is_empty() => return Err(no()),
        None => Base::Words(words),
    };
    Ok(Spelling { base, pointers, extents, change })
}

/// The change that an attribute makes to a type; those that make a vector of it are refused.
fn read_attribute(tokens: &[Token]) -> Settled<Option<Change>> {
    let find = |what| tokens.iter().position(|token| token.text.trim_matches('_') == what);
    if let Some(mode) = find("mode").and_then(|at| tokens.get(at + 2)) {
        return Ok(Some(Change::Mode(mode.text.trim_matches('_').to_owned())));
    }
    if let Some(at) = find("bitwidth")
        && let Some(close) = find_closing(tokens, at + 2, "(", ")")
    {
        return Ok(Some(Change::Width(tokens[at + 2..close].to_vec())));
    }
    if find("vector_size").or_else(|| find("ext_vector_type")).is_some() {
        let words = shorten_text(&spell(tokens));
        return Err(format!("`{words}` makes it a vector of unknown length").into());
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::lex;

    fn read(text: &str) -> Settled<Spelling> {
        read_spelling(&lex(text))
    }

    #[test]
    fn qualifiers_go_and_shapes_stay() {
        let spelling = read("const unsigned char * __restrict__").unwrap();
        assert_eq!(spelling.base, Base::Words(vec!["unsigned".into(), "char".into()]));
        assert_eq!(spelling.pointers, 1);
        let spelling = read("typename a::b<4>::c[N][2*M]").unwrap();
        assert!(matches!(&spelling.base, Base::Path(path) if path.plain() == "a::b::c"));
        assert_eq!(spelling.extents.len(), 2);
    }

    /// GCC's way to say half precision: the base type alone would be 32 bits.
    #[test]
    fn a_machine_mode_is_kept() {
        let spelling = read("float __attribute__((__mode__(__HF__)))").unwrap();
        assert_eq!(spelling.change, Some(Change::Mode("HF".to_owned())));
        let spelling = read("int __attribute__ ((bitwidth(7)))").unwrap();
        assert!(matches!(&spelling.change, Some(Change::Width(width)) if spell(width) == "7"));
        assert_eq!(read("int __attribute__((aligned(8)))").unwrap().change, None);
    }

    #[test]
    fn what_is_no_type_says_so() {
        assert!(read("${MM_DATA_TYPE}").unwrap_err().contains("another program"));
        assert!(read("decltype(x)").is_err() && read("").is_err() && read("1 + 2").is_err());
        assert!(read("float __attribute__((vector_size(16)))").is_err());
    }
}
