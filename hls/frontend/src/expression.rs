//! Integer expressions: initialisers, extents, template arguments, `#if` conditions.

use crate::path::{Path, read_arguments, read_path};
use crate::token::{Token, TokenKind, find_closing, is_builtin_word, shorten_text, spell};
use crate::{Reason, Settled};

/// An integer expression.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(crate) enum Expression {
    Integer(i128),
    /// A literal with the suffix `u`.
    Unsigned(i128),
    Name(Path),
    Unary(char, Box<Expression>),
    Binary(String, Box<Expression>, Box<Expression>),
    /// Condition, then, else.
    Choice(Box<[Expression; 3]>),
    Call(Path, Vec<Expression>),
    /// To a type, as it is spelt.
    Cast(Vec<Token>, Box<Expression>),
    /// `sizeof` something, as it is spelt.
    Size(Vec<Token>),
}

/// No person writes deeper or longer constants.
const DEPTH: usize = 64;
const NODES: usize = 2000;

/// Reads a whole expression; or the reason why it is not one.
pub(crate) fn read_expression(tokens: &[Token]) -> Settled<Expression> {
    let mut reader = Reader { tokens, at: 0, depth: 0, nodes: 0 };
    if tokens.is_empty() {
        return Err("there is no expression".into());
    }
    let expression = reader.read_choice()?;
    match reader.peek() {
        None => Ok(expression),
        Some(token) => Err(reader.describe_refusal(token)),
    }
}

struct Reader<'t> {
    tokens: &'t [Token],
    at: usize,
    depth: usize,
    nodes: usize,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<&'t Token> {
        self.tokens.get(self.at)
    }

    fn take_mark(&mut self, mark: &str) -> bool {
        let found = self.peek().is_some_and(|token| token.is(mark));
        self.at += usize::from(found);
        found
    }

    fn expect_mark(&mut self, mark: &str) -> Settled<()> {
        if self.take_mark(mark) {
            return Ok(());
        }
        Err(format!("`{}` lacks a `{mark}`", spell(self.tokens)).into())
    }

    fn describe_refusal(&self, token: &Token) -> Reason {
        let reason = match token.kind {
            TokenKind::Float => format!("`{}` is a floating-point number", token.text),
            TokenKind::Placeholder => format!("`{}` is filled in by another program", token.text),
            TokenKind::Integer(_) => {
                // Compilers differ on the value of `'ab'`.
                let why = if token.text.starts_with('\'') {
                    "has no value that is known"
                } else {
                    "is too large"
                };
                format!("`{}` {why}", token.text)
            }
            _ => format!("`{}` is not an integer expression", shorten_text(&spell(self.tokens))),
        };
        reason.into()
    }

    fn read_deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Settled<T>) -> Settled<T> {
        self.nodes += 1;
        if self.depth >= DEPTH || self.nodes > NODES {
            return Err("the expression is too long".into());
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn read_choice(&mut self) -> Settled<Expression> {
        self.read_deeper(|reader| {
            let condition = reader.read_binary(0)?;
            if !reader.take_mark("?") {
                return Ok(condition);
            }
            let yes = reader.read_choice()?;
            reader.expect_mark(":")?;
            let no = reader.read_choice()?;
            Ok(Expression::Choice(Box::new([condition, yes, no])))
        })
    }

    /// The operator at this place, and how tightly it binds.
    fn peek_operator(&self) -> Option<(String, usize, usize)> {
        let token = self.peek().filter(|token| token.kind == TokenKind::Mark)?;
        let next = self.tokens.get(self.at + 1);
        let (text, length) = match token.text.as_str() {
            ">" if token.glued && next.is_some_and(|next| next.is(">")) => (">>", 2),
            text => (text, 1),
        };
        let binding = match text {
            "||" => 1,
            "&&" => 2,
            "|" => 3,
            "^" => 4,
            "&" => 5,
            "==" | "!=" => 6,
            "<" | ">" | "<=" | ">=" => 7,
            "<<" | ">>" => 8,
            "+" | "-" => 9,
            "*" | "/" | "%" => 10,
            _ => return None,
        };
        Some((text.to_owned(), length, binding))
    }

    fn read_binary(&mut self, least: usize) -> Settled<Expression> {
        self.read_deeper(|reader| {
            let mut left = reader.read_unary()?;
            while let Some((operator, length, binding)) = reader.peek_operator() {
                if binding <= least {
                    break;
                }
                reader.nodes += 1;
                if reader.nodes > NODES {
                    return Err("the expression is too long".into());
                }
                reader.at += length;
                let right = reader.read_binary(binding)?;
                left = Expression::Binary(operator, Box::new(left), Box::new(right));
            }
            Ok(left)
        })
    }

    fn read_unary(&mut self) -> Settled<Expression> {
        self.read_deeper(|reader| {
            for mark in ['-', '+', '!', '~'] {
                if reader.take_mark(mark.encode_utf8(&mut [0; 4])) {
                    return Ok(Expression::Unary(mark, Box::new(reader.read_unary()?)));
                }
            }
            if reader.take_mark("(") {
                let open = reader.at;
                let close = find_closing(reader.tokens, open, "(", ")")
                    .ok_or_else(|| format!("`{}` lacks a `)`", spell(reader.tokens)))?;
                let inside = &reader.tokens[open..close];
                if is_cast(inside, reader.tokens.get(close + 1)) {
                    reader.at = close + 1;
                    return Ok(Expression::Cast(inside.to_vec(), Box::new(reader.read_unary()?)));
                }
                let inner = reader.read_choice()?;
                reader.expect_mark(")")?;
                return Ok(inner);
            }
            reader.read_primary()
        })
    }

    fn read_primary(&mut self) -> Settled<Expression> {
        let Some(token) = self.peek() else {
            return Err(format!("`{}` ends too early", shorten_text(&spell(self.tokens))).into());
        };
        if let TokenKind::Integer(Some(value)) = token.kind {
            self.at += 1;
            let hex = token.text.starts_with("0x") || token.text.starts_with("0X");
            let suffix = token.text.trim_start_matches(|c: char| {
                c.is_ascii_digit() || (hex && c.is_ascii_hexdigit()) || c == 'x' || c == 'X'
            });
            let unsigned = suffix.contains(['u', 'U']) && !token.text.starts_with('\'');
            return Ok(if unsigned {
                Expression::Unsigned(value)
            } else {
                Expression::Integer(value)
            });
        }
        if token.is("true") || token.is("false") {
            self.at += 1;
            return Ok(Expression::Integer(i128::from(token.text == "true")));
        }
        if token.is("sizeof") {
            self.at += 1;
            return self.read_sizeof();
        }
        if token.is("static_cast") {
            let (arguments, after) = read_arguments(self.tokens, self.at + 1)
                .ok_or_else(|| self.describe_refusal(token))?;
            self.at = after;
            self.expect_mark("(")?;
            let inner = self.read_choice()?;
            self.expect_mark(")")?;
            return Ok(Expression::Cast(arguments.concat(), Box::new(inner)));
        }
        if is_builtin_word(&token.text) {
            let from = self.at;
            while self.peek().is_some_and(|token| is_builtin_word(&token.text)) {
                self.at += 1;
            }
            let kind = self.tokens[from..self.at].to_vec();
            let (open, close) = if self.take_mark("{") { ("{", "}") } else { ("(", ")") };
            if open == "(" {
                self.expect_mark(open)?;
            }
            let inner = self.read_choice()?;
            self.expect_mark(close)?;
            return Ok(Expression::Cast(kind, Box::new(inner)));
        }
        self.read_named(token)
    }

    fn read_named(&mut self, token: &Token) -> Settled<Expression> {
        if !(token.is_name() || token.is("::")) {
            return Err(self.describe_refusal(token));
        }
        let tokens = self.tokens;
        // `a < 4` compares, `a<4>::b` and `a<4>(c)` do not.
        let brackets = |at: usize| {
            read_arguments(tokens, at).is_some_and(|(_, after)| {
                tokens.get(after).is_none_or(|next| {
                    ["::", "(", "{", ")", ",", "]"].iter().any(|mark| next.is(mark))
                })
            })
        };
        let (path, after) =
            read_path(tokens, self.at, brackets).ok_or_else(|| self.describe_refusal(token))?;
        self.at = after;
        let (open, close) =
            if self.peek().is_some_and(|t| t.is("{")) { ("{", "}") } else { ("(", ")") };
        if !self.take_mark(open) {
            return Ok(Expression::Name(path));
        }
        let mut arguments = Vec::new();
        if !self.take_mark(close) {
            loop {
                arguments.push(self.read_choice()?);
                if !self.take_mark(",") {
                    break;
                }
            }
            self.expect_mark(close)?;
        }
        Ok(Expression::Call(path, arguments))
    }

    fn read_sizeof(&mut self) -> Settled<Expression> {
        if !self.take_mark("(") {
            return Err("`sizeof` without brackets is not read".into());
        }
        let close = find_closing(self.tokens, self.at, "(", ")")
            .ok_or_else(|| format!("`{}` lacks a `)`", spell(self.tokens)))?;
        let inside = self.tokens[self.at..close].to_vec();
        self.at = close + 1;
        Ok(Expression::Size(inside))
    }
}

/// Whether `(inside)` before `next` is a cast and not a bracket: `(int)x`, but not `(a) - x`.
fn is_cast(inside: &[Token], next: Option<&Token>) -> bool {
    let Some(next) = next else { return false };
    let operand = next.is_name()
        || matches!(next.kind, TokenKind::Integer(_) | TokenKind::Float)
        || next.is("(")
        || next.is("~");
    let Some(first) = inside.first() else { return false };
    if is_builtin_word(&first.text) {
        return operand || next.is("-") || next.is("+");
    }
    let path = read_path(inside, 0, |_| true);
    operand && path.is_some_and(|(_, after)| after == inside.len())
}
