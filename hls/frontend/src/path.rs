//! Names with their scopes and template arguments, as they are spelt.

use crate::token::{Token, TokenKind, spell};
use std::fmt;

/// One step of a path: `ap_fixed<16, 6>` of `a::ap_fixed<16, 6>::type`.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(crate) struct Segment {
    pub(crate) name: String,
    /// Between `<` and `>`; `None` without brackets.
    pub(crate) arguments: Option<Vec<Vec<Token>>>,
}

/// `a::b<4>::c`; `global` if it starts with `::`.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(crate) struct Path {
    pub(crate) global: bool,
    pub(crate) segments: Vec<Segment>,
}

impl Path {
    /// The names without template arguments: `std::array`.
    pub(crate) fn plain(&self) -> String {
        let names: Vec<&str> = self.segments.iter().map(|s| s.name.as_str()).collect();
        names.join("::")
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, segment) in self.segments.iter().enumerate() {
            if index > 0 || self.global {
                f.write_str("::")?;
            }
            f.write_str(&segment.name)?;
            if let Some(arguments) = &segment.arguments {
                let all: Vec<String> = arguments.iter().map(|tokens| spell(tokens)).collect();
                write!(f, "<{}>", all.join(", "))?;
            }
        }
        Ok(())
    }
}

/// A path may have no more steps than this.
const STEPS: usize = 16;

/// Reads a path; `brackets` decides whether a `<` after a name, at that place, opens template
/// arguments. Gives the path and the place after it.
pub(crate) fn read_path(
    tokens: &[Token],
    from: usize,
    brackets: impl Fn(usize) -> bool,
) -> Option<(Path, usize)> {
    let mut at = from;
    let global = tokens.get(at)?.is("::");
    at += usize::from(global);
    let mut segments = Vec::new();
    loop {
        if tokens.get(at).is_some_and(|t| t.is("template") || t.is("typename")) {
            at += 1;
        }
        let name = tokens.get(at).filter(|t| t.is_name())?.text.clone();
        at += 1;
        let mut arguments = None;
        if tokens.get(at).is_some_and(|t| t.is("<")) && brackets(at) {
            let (inside, after) = read_arguments(tokens, at)?;
            arguments = Some(inside);
            at = after;
        }
        segments.push(Segment { name, arguments });
        if segments.len() > STEPS {
            return None;
        }
        if !tokens.get(at).is_some_and(|t| t.is("::")) {
            return Some((Path { global, segments }, at));
        }
        at += 1;
    }
}

/// The template arguments from `<` on, and the place after `>`.
pub(crate) fn read_arguments(tokens: &[Token], open: usize) -> Option<(Vec<Vec<Token>>, usize)> {
    let mut all = Vec::new();
    let mut one: Vec<Token> = Vec::new();
    let (mut angles, mut rounds) = (1_usize, 0_usize);
    for at in open + 1..tokens.len() {
        let token = &tokens[at];
        if token.kind == TokenKind::Mark {
            match token.text.as_str() {
                "(" | "[" | "{" => rounds += 1,
                ")" | "]" | "}" => rounds = rounds.checked_sub(1)?,
                // After a name it opens arguments; after a number it compares.
                "<" if rounds == 0 && tokens[at - 1].is_name() => angles += 1,
                ">" if rounds == 0 => {
                    angles -= 1;
                    if angles == 0 {
                        if !(one.is_empty() && all.is_empty()) {
                            all.push(one);
                        }
                        return Some((all, at + 1));
                    }
                }
                "," if rounds == 0 && angles == 1 => {
                    all.push(std::mem::take(&mut one));
                    continue;
                }
                ";" => return None,
                _ => {}
            }
        }
        one.push(token.clone());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::lex;

    fn read(text: &str) -> Option<String> {
        read_path(&lex(text), 0, |_| true).map(|(path, _)| path.to_string())
    }

    #[test]
    fn nested_arguments_close_in_pairs() {
        let text = "hls::stream<hls::axis<ap_fixed<16,6>,0,0,0>>";
        assert_eq!(read(text).as_deref(), Some("hls::stream<hls::axis<ap_fixed<16, 6>, 0, 0, 0>>"));
        let text = "ap_fixed<(A>B)?16:8, W+2*(I>3)>";
        assert_eq!(read(text).as_deref(), Some("ap_fixed<(A>B)?16:8, W+2*(I>3)>"));
        assert_eq!(read("ap_int<4"), None);
        assert_eq!(
            read("::std::array<int, 3>::value_type").as_deref(),
            Some("::std::array<int, 3>::value_type")
        );
    }
}
