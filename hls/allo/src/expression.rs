//! The part of Python's expressions that annotations, extents and their constants are written in.

use super::token::{Token, TokenKind, lex};

/// An expression and its bytes in the text.
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

/// The most nodes of an expression that is read, and how deep they nest; longer ones are not annotations.
const NODES: usize = 200;
const DEPTH: usize = 24;

struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    nodes: usize,
    depth: usize,
    /// Whether this is the text within a string, which does not hold another string's annotation.
    quoted: bool,
}

/// Reads tokens as one expression; what is not understood is [`Kind::Other`].
pub(super) fn read_expression(text: &str, tokens: &[Token]) -> Expression {
    read_nested(text, tokens, false)
}

fn read_nested(text: &str, tokens: &[Token], quoted: bool) -> Expression {
    let mut parser = Parser { text, tokens, at: 0, nodes: 0, depth: 0, quoted };
    let start = tokens.first().map_or(0, |token| token.start);
    let end = tokens.last().map_or(start, |token| token.end);
    parser.read_list(None).filter(|_| parser.at == tokens.len()).unwrap_or(Expression {
        kind: Kind::Other,
        start,
        end,
    })
}

/// How tightly an operator binds; all of them but `**` bind to the left.
fn binding_strength(mark: &str) -> Option<u8> {
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

    fn next_is(&self, mark: &str) -> bool {
        self.peek().is_some_and(|(kind, text)| kind == TokenKind::Mark && text == mark)
    }

    fn take_mark(&mut self, mark: &str) -> bool {
        let is = self.next_is(mark);
        self.at += usize::from(is);
        is
    }

    fn next_start(&self) -> usize {
        self.tokens.get(self.at).map_or(0, |token| token.start)
    }

    fn make_node(&mut self, kind: Kind, start: usize) -> Option<Expression> {
        self.nodes += 1;
        let last = self.at.checked_sub(1).and_then(|at| self.tokens.get(at))?;
        (self.nodes <= NODES).then_some(Expression { kind, start, end: last.end })
    }

    /// Items with commas between them, up to a closing bracket or the end; one without a comma is itself.
    fn read_list(&mut self, close: Option<&str>) -> Option<Expression> {
        let start = self.next_start();
        let (items, comma) = self.read_items(close)?;
        match <[Expression; 1]>::try_from(items) {
            Ok([one]) if !comma => Some(one),
            Ok(one) => self.make_node(Kind::Sequence(one.into()), start),
            Err(items) => self.make_node(Kind::Sequence(items), start),
        }
    }

    fn read_items(&mut self, close: Option<&str>) -> Option<(Vec<Expression>, bool)> {
        let (mut items, mut comma) = (Vec::new(), false);
        while self.at < self.tokens.len() && !close.is_some_and(|close| self.next_is(close)) {
            items.push(self.read_binary(0)?);
            if !self.take_mark(",") {
                break;
            }
            comma = true;
        }
        Some((items, comma))
    }

    fn read_binary(&mut self, least: u8) -> Option<Expression> {
        self.depth += 1;
        if self.depth > DEPTH {
            return None;
        }
        let start = self.next_start();
        let mut left = if self.take_mark("-") {
            let inner = Box::new(self.read_binary(4)?);
            self.make_node(Kind::Negative(inner), start)?
        } else {
            self.read_postfix()?
        };
        while let Some((TokenKind::Mark, mark)) = self.peek() {
            let mark = mark.to_owned();
            let Some(strength) = binding_strength(&mark).filter(|strength| *strength >= least)
            else {
                break;
            };
            self.at += 1;
            let right = self.read_binary(if mark == "**" { 4 } else { strength + 1 })?;
            left = self.make_node(Kind::Binary(mark, Box::new(left), Box::new(right)), start)?;
        }
        self.depth -= 1;
        Some(left)
    }

    fn read_postfix(&mut self) -> Option<Expression> {
        let start = self.next_start();
        let mut left = self.read_atom()?;
        loop {
            if self.take_mark(".") {
                let Kind::Name(name) = left.kind else { return None };
                let (TokenKind::Name, part) = self.peek()? else { return None };
                let name = format!("{name}.{part}");
                self.at += 1;
                left = self.make_node(Kind::Name(name), start)?;
            } else if self.take_mark("[") {
                let (items, _) = self.read_items(Some("]"))?;
                // `A[()]` and `A[(4, 4)]` hold one tuple.
                let items = match <[Expression; 1]>::try_from(items) {
                    Ok([Expression { kind: Kind::Sequence(inner), .. }]) => inner,
                    Ok(one) => one.into(),
                    Err(items) => items,
                };
                self.take_mark("]").then_some(())?;
                left = self.make_node(Kind::Index(Box::new(left), items), start)?;
            } else if self.take_mark("(") {
                let arguments = self.read_arguments()?;
                left = self.make_node(Kind::Call(Box::new(left), arguments), start)?;
            } else {
                return Some(left);
            }
        }
    }

    fn read_arguments(&mut self) -> Option<Vec<Argument>> {
        let mut arguments = Vec::new();
        while !self.take_mark(")") {
            let word = self.peek().filter(|(kind, _)| *kind == TokenKind::Name);
            let word = word.map(|(_, word)| word.to_owned());
            self.at += 1;
            let name = word.filter(|_| self.take_mark("="));
            if name.is_none() {
                self.at -= 1;
            }
            arguments.push(Argument { name, value: self.read_binary(0)? });
            if !self.take_mark(",") && !self.next_is(")") {
                return None;
            }
        }
        Some(arguments)
    }

    fn read_atom(&mut self) -> Option<Expression> {
        let start = self.next_start();
        let (kind, text) = self.peek()?;
        let text = text.to_owned();
        self.at += 1;
        match (kind, text.as_str()) {
            (TokenKind::Name, "lambda" | "not" | "await" | "yield") => None,
            (TokenKind::Name, name) => self.make_node(Kind::Name(name.to_owned()), start),
            (TokenKind::Number, digits) => {
                let kind = parse_integer(digits).map_or(Kind::Other, Kind::Number);
                self.make_node(kind, start)
            }
            (TokenKind::Text, text) => {
                let kind = self.read_text(text, start);
                self.make_node(kind, start)
            }
            (TokenKind::Mark, open @ ("(" | "[")) => {
                let close = if open == "(" { ")" } else { "]" };
                let (items, comma) = self.read_items(Some(close))?;
                self.take_mark(close).then_some(())?;
                match <[Expression; 1]>::try_from(items) {
                    Ok([one]) if open == "(" && !comma => Some(one),
                    Ok(one) => self.make_node(Kind::Sequence(one.into()), start),
                    Err(items) => self.make_node(Kind::Sequence(items), start),
                }
            }
            _ => None,
        }
    }

    /// An annotation in quotes means what is between them; its places are those of the string.
    fn read_text(&mut self, text: &str, start: usize) -> Kind {
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
        read_nested(self.text, &line.tokens, true).kind
    }
}

fn parse_integer(digits: &str) -> Option<i128> {
    let digits = digits.replace('_', "").to_ascii_lowercase();
    let based = [("0x", 16), ("0o", 8), ("0b", 2)]
        .into_iter()
        .find_map(|(prefix, base)| Some((digits.strip_prefix(prefix)?, base)));
    let (digits, base) = based.unwrap_or((&digits, 10));
    i128::from_str_radix(digits, base).ok()
}
