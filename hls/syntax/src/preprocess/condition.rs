//! The conditions of `#if` and `#elif`.

use super::macros::Macros;
use super::token::{Token, TokenKind};
use crate::literal::{read_character, read_integer};

const DEEPEST: usize = 100;

/// Whether the condition of `#if` holds. `None` if it cannot be read.
pub(crate) fn holds(tokens: &[Token], macros: &mut Macros) -> Option<bool> {
    let tokens = replace_defined(tokens, macros);
    let tokens = macros.expand(&tokens);
    let words: Vec<(TokenKind, &str)> =
        tokens.iter().map(|token| (token.kind, macros.text(token))).collect();
    let mut reader = Reader { words: &words, at: 0, depth: 0 };
    let value = reader.read_conditional()?;
    (reader.at == words.len()).then_some(value != 0)
}

/// `defined X` and `__has_include(...)` become a number before macros are expanded.
fn replace_defined(tokens: &[Token], macros: &mut Macros) -> Vec<Token> {
    let mut output = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        let asks = match macros.text(token) {
            "defined" => true,
            "__has_include" => false,
            _ => {
                output.push(*token);
                continue;
            }
        };
        let mut value = false;
        let open = tokens.get(at).is_some_and(|next| macros.is(next, "("));
        at += usize::from(open);
        if let Some(name) = tokens.get(at) {
            value = asks && macros.names.contains_key(&name.spelling);
            at += 1;
        }
        while open
            && tokens.get(at - 1).is_some_and(|one| !macros.is(one, ")"))
            && at < tokens.len()
        {
            at += 1;
        }
        let spelling = macros.spellings.intern(if value { "1" } else { "0" });
        output.push(Token { kind: TokenKind::Number, spelling, ..*token });
    }
    output
}

struct Reader<'a> {
    words: &'a [(TokenKind, &'a str)],
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn take(&mut self, text: &str) -> bool {
        let found = self.words.get(self.at).is_some_and(|word| word.1 == text);
        self.at += usize::from(found);
        found
    }

    fn read_conditional(&mut self) -> Option<i128> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let mut value = self.read_binary(0)?;
        if self.take("?") {
            let then = self.read_conditional()?;
            if !self.take(":") {
                return None;
            }
            let otherwise = self.read_conditional()?;
            value = if value == 0 { otherwise } else { then };
        }
        self.depth -= 1;
        Some(value)
    }

    fn read_binary(&mut self, least: u8) -> Option<i128> {
        let mut left = self.read_unary()?;
        while let Some(&(TokenKind::Punctuation, operator)) = self.words.get(self.at) {
            let Some(rank) = rank(operator).filter(|&rank| rank >= least) else { break };
            self.at += 1;
            let right = self.read_binary(rank + 1)?;
            left = apply(operator, left, right)?;
        }
        Some(left)
    }

    fn read_unary(&mut self) -> Option<i128> {
        let &(kind, text) = self.words.get(self.at)?;
        self.at += 1;
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let value = match (kind, text) {
            (_, "!") => i128::from(self.read_unary()? == 0),
            (_, "-") => self.read_unary()?.checked_neg()?,
            (_, "+") => self.read_unary()?,
            (_, "~") => !self.read_unary()?,
            (_, "(") => {
                let value = self.read_conditional()?;
                if !self.take(")") {
                    return None;
                }
                value
            }
            (TokenKind::Number, _) => read_integer(text)?.value,
            (TokenKind::Quoted, _) => read_character(text)?,
            (TokenKind::Identifier, "true") => 1,
            (TokenKind::Identifier, _) => {
                // `NAME(...)` of a macro that is not defined is an error; zero is kinder.
                0
            }
            _ => return None,
        };
        self.depth -= 1;
        Some(value)
    }
}

fn rank(operator: &str) -> Option<u8> {
    Some(match operator {
        "||" => 0,
        "&&" => 1,
        "|" => 2,
        "^" => 3,
        "&" => 4,
        "==" | "!=" => 5,
        "<" | ">" | "<=" | ">=" => 6,
        "<<" | ">>" => 7,
        "+" | "-" => 8,
        "*" | "/" | "%" => 9,
        _ => return None,
    })
}

fn apply(operator: &str, left: i128, right: i128) -> Option<i128> {
    let shift = u32::try_from(right.clamp(0, 63)).unwrap_or(0);
    Some(match operator {
        "||" => i128::from(left != 0 || right != 0),
        "&&" => i128::from(left != 0 && right != 0),
        "|" => left | right,
        "^" => left ^ right,
        "&" => left & right,
        "==" => i128::from(left == right),
        "!=" => i128::from(left != right),
        "<" => i128::from(left < right),
        ">" => i128::from(left > right),
        "<=" => i128::from(left <= right),
        ">=" => i128::from(left >= right),
        "<<" => left.checked_shl(shift)?,
        ">>" => left.checked_shr(shift)?,
        "+" => left.checked_add(right)?,
        "-" => left.checked_sub(right)?,
        "*" => left.checked_mul(right)?,
        // What is divided by zero may be in a part that is not looked at: `N != 0 && M / N`.
        "/" => left.checked_div(right).unwrap_or(0),
        "%" => left.checked_rem(right).unwrap_or(0),
        _ => return None,
    })
}
