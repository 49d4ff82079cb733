//! The part of Python's expressions that annotations, extents and their constants are written in.

use super::token::{Token, TokenKind, lex};

/// An expression, by the bytes that it stands in.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// What an expression is made of.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// A name, with its attributes: `allo.ir.types.int8`.
    Name(String),
    Number(i128),
    /// `(a, b)`, `[a, b]` or `a, b`.
    Sequence(Vec<Expression>),
    Call(Box<Expression>, Vec<Argument>),
    Index(Box<Expression>, Vec<Expression>),
    Negative(Box<Expression>),
    Binary(String, Box<Expression>, Box<Expression>),
    /// Anything else.
    Other,
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub(super) struct Argument {
    pub(super) name: Option<String>,
    pub(super) value: Expression,
}

/// So many nodes has an expression that is read, and so deep they nest; longer ones are no annotations.
const NODES: usize = 200;
const DEPTH: usize = 24;

struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    nodes: usize,
    depth: usize,
    /// Whether this is the text within a string, which is no annotation for another string.
    quoted: bool,
}

/// Reads tokens as one expression; what is not understood is [`Kind::Other`].
pub(super) fn expression(text: &str, tokens: &[Token]) -> Expression {
    read(text, tokens, false)
}

fn read(text: &str, tokens: &[Token], quoted: bool) -> Expression {
    let mut parser = Parser { text, tokens, at: 0, nodes: 0, depth: 0, quoted };
    let start = tokens.first().map_or(0, |token| token.start);
    let end = tokens.last().map_or(start, |token| token.end);
    parser.list(None).filter(|_| parser.at == tokens.len()).unwrap_or(Expression {
        kind: Kind::Other,
        start,
        end,
    })
}

/// How tightly an operator binds; all of them but `**` bind to the left.
fn strength(mark: &str) -> Option<u8> {
    Some(match mark {
        "<<" | ">>" => 1,
        "+" | "-" => 2,
        "*" | "/" | "//" | "%" | "@" => 3,
        "**" => 5,
        _ => return None,
    })
}

impl Parser<'_> {
    fn peek(&self) -> Option<(TokenKind, &str)> {
        let token = self.tokens.get(self.at)?;
        Some((token.kind, self.text.get(token.start..token.end)?))
    }

    fn is(&self, mark: &str) -> bool {
        self.peek().is_some_and(|(kind, text)| kind == TokenKind::Mark && text == mark)
    }

    fn take(&mut self, mark: &str) -> bool {
        let is = self.is(mark);
        self.at += usize::from(is);
        is
    }

    fn start(&self) -> usize {
        self.tokens.get(self.at).map_or(0, |token| token.start)
    }

    fn node(&mut self, kind: Kind, start: usize) -> Option<Expression> {
        self.nodes += 1;
        let last = self.at.checked_sub(1).and_then(|at| self.tokens.get(at))?;
        (self.nodes <= NODES).then_some(Expression { kind, start, end: last.end })
    }

    /// Items with commas between them, up to a closing bracket or the end; one without a comma is itself.
    fn list(&mut self, close: Option<&str>) -> Option<Expression> {
        let start = self.start();
        let (items, comma) = self.items(close)?;
        match <[Expression; 1]>::try_from(items) {
            Ok([one]) if !comma => Some(one),
            Ok(one) => self.node(Kind::Sequence(one.into()), start),
            Err(items) => self.node(Kind::Sequence(items), start),
        }
    }

    fn items(&mut self, close: Option<&str>) -> Option<(Vec<Expression>, bool)> {
        let (mut items, mut comma) = (Vec::new(), false);
        while self.at < self.tokens.len() && !close.is_some_and(|close| self.is(close)) {
            items.push(self.binary(0)?);
            if !self.take(",") {
                break;
            }
            comma = true;
        }
        Some((items, comma))
    }

    fn binary(&mut self, least: u8) -> Option<Expression> {
        self.depth += 1;
        if self.depth > DEPTH {
            return None;
        }
        let start = self.start();
        let mut left = if self.take("-") {
            let inner = Box::new(self.binary(4)?);
            self.node(Kind::Negative(inner), start)?
        } else {
            self.postfix()?
        };
        while let Some((TokenKind::Mark, mark)) = self.peek() {
            let mark = mark.to_owned();
            let Some(strength) = strength(&mark).filter(|strength| *strength >= least) else {
                break;
            };
            self.at += 1;
            let right = self.binary(if mark == "**" { 4 } else { strength + 1 })?;
            left = self.node(Kind::Binary(mark, Box::new(left), Box::new(right)), start)?;
        }
        self.depth -= 1;
        Some(left)
    }

    fn postfix(&mut self) -> Option<Expression> {
        let start = self.start();
        let mut left = self.atom()?;
        loop {
            if self.take(".") {
                let Kind::Name(name) = left.kind else { return None };
                let (TokenKind::Name, part) = self.peek()? else { return None };
                let name = format!("{name}.{part}");
                self.at += 1;
                left = self.node(Kind::Name(name), start)?;
            } else if self.take("[") {
                let (items, _) = self.items(Some("]"))?;
                // `A[()]` and `A[(4, 4)]` hold one tuple.
                let items = match <[Expression; 1]>::try_from(items) {
                    Ok([Expression { kind: Kind::Sequence(inner), .. }]) => inner,
                    Ok(one) => one.into(),
                    Err(items) => items,
                };
                self.take("]").then_some(())?;
                left = self.node(Kind::Index(Box::new(left), items), start)?;
            } else if self.take("(") {
                let arguments = self.arguments()?;
                left = self.node(Kind::Call(Box::new(left), arguments), start)?;
            } else {
                return Some(left);
            }
        }
    }

    fn arguments(&mut self) -> Option<Vec<Argument>> {
        let mut arguments = Vec::new();
        while !self.take(")") {
            let word = self.peek().filter(|(kind, _)| *kind == TokenKind::Name);
            let word = word.map(|(_, word)| word.to_owned());
            self.at += 1;
            let name = word.filter(|_| self.take("="));
            if name.is_none() {
                self.at -= 1;
            }
            arguments.push(Argument { name, value: self.binary(0)? });
            if !self.take(",") && !self.is(")") {
                return None;
            }
        }
        Some(arguments)
    }

    fn atom(&mut self) -> Option<Expression> {
        let start = self.start();
        let (kind, text) = self.peek()?;
        let text = text.to_owned();
        self.at += 1;
        match (kind, text.as_str()) {
            (TokenKind::Name, "lambda" | "not" | "await" | "yield") => None,
            (TokenKind::Name, name) => self.node(Kind::Name(name.to_owned()), start),
            (TokenKind::Number, digits) => {
                let kind = integer(digits).map_or(Kind::Other, Kind::Number);
                self.node(kind, start)
            }
            (TokenKind::Text, text) => {
                let kind = self.text(text, start);
                self.node(kind, start)
            }
            (TokenKind::Mark, open @ ("(" | "[")) => {
                let close = if open == "(" { ")" } else { "]" };
                let (items, comma) = self.items(Some(close))?;
                self.take(close).then_some(())?;
                match <[Expression; 1]>::try_from(items) {
                    Ok([one]) if open == "(" && !comma => Some(one),
                    Ok(one) => self.node(Kind::Sequence(one.into()), start),
                    Err(items) => self.node(Kind::Sequence(items), start),
                }
            }
            _ => None,
        }
    }

    /// An annotation in quotes means what stands between them; its places are those of the string.
    fn text(&mut self, text: &str, start: usize) -> Kind {
        let inner = text
            .strip_prefix(['"', '\''])
            .and_then(|text| text.strip_suffix(['"', '\'']))
            .filter(|text| !self.quoted && !text.contains(['\\', '"', '\'', '\n']));
        let Some(inner) = inner else { return Kind::Other };
        let mut lines = lex(inner).lines;
        let (Some(mut line), true) = (lines.pop(), lines.is_empty()) else { return Kind::Other };
        for token in &mut line.tokens {
            token.start += start + 1;
            token.end += start + 1;
        }
        read(self.text, &line.tokens, true).kind
    }
}

fn integer(digits: &str) -> Option<i128> {
    let digits = digits.replace('_', "").to_ascii_lowercase();
    let based = [("0x", 16), ("0o", 8), ("0b", 2)]
        .into_iter()
        .find_map(|(prefix, base)| Some((digits.strip_prefix(prefix)?, base)));
    let (digits, base) = based.unwrap_or((&digits, 10));
    i128::from_str_radix(digits, base).ok()
}
