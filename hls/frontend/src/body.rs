//! Runs the body of a constexpr function on integers.

use crate::evaluate::apply_operator;
use crate::expression::{Expression, read_expression};
use crate::token::{Token, TokenKind, find_closing};
use crate::{Reason, Settled};

/// How a statement ends.
pub(crate) enum Flow {
    /// The next one follows.
    On,
    Return(i128),
}

type Locals = Vec<(String, i128)>;
type Compute<'c> = dyn FnMut(&Expression, &[(String, i128)]) -> Settled<i128> + 'c;

/// Loops that take longer compute no extent.
const STEPS: usize = 20_000;
const DEPTH: usize = 24;

/// Runs a body, its braces included.
pub(crate) fn run_body(
    tokens: &[Token],
    locals: &mut Locals,
    compute: &mut Compute<'_>,
) -> Settled<Flow> {
    let mut machine = Machine { locals, compute, steps: STEPS };
    machine.run_statement(tokens, 0, 0).map(|(flow, _)| flow)
}

struct Machine<'m, 'c> {
    locals: &'m mut Locals,
    compute: &'m mut Compute<'c>,
    steps: usize,
}

impl Machine<'_, '_> {
    /// Runs the statement at a place, and gives the place after it.
    fn run_statement(
        &mut self,
        tokens: &[Token],
        at: usize,
        depth: usize,
    ) -> Settled<(Flow, usize)> {
        self.steps = self.steps.checked_sub(1).ok_or("its loop runs too long")?;
        if depth > DEPTH {
            return Err("its statements nest too deeply".into());
        }
        let end = statement_end(tokens, at)?;
        let Some(first) = tokens.get(at) else { return Ok((Flow::On, at)) };
        let flow = match first.text.as_str() {
            "{" => self.run_block(&tokens[at + 1..end - 1], depth)?,
            ";" => Flow::On,
            "return" => Flow::Return(self.compute_value(&tokens[at + 1..end - 1])?),
            "if" => self.run_branch(tokens, at, depth)?,
            "while" => {
                let (condition, body) = read_head(tokens, at)?;
                self.run_loop(condition, &[], &tokens[body..end], depth)?
            }
            "for" => {
                let (inside, body) = read_head(tokens, at)?;
                let mut parts = inside.splitn(3, |token| token.is(";"));
                let mut part = || parts.next().ok_or("a `for` lacks its parts");
                let (start, condition, step) = (part()?, part()?, part()?);
                self.run_simple(start)?;
                self.run_loop(condition, step, &tokens[body..end], depth)?
            }
            "do" | "switch" | "goto" | "break" | "continue" | "try" => {
                return Err(format!("`{}` is not run here", first.text).into());
            }
            _ => {
                self.run_simple(&tokens[at..end - 1])?;
                Flow::On
            }
        };
        Ok((flow, end))
    }

    fn run_block(&mut self, tokens: &[Token], depth: usize) -> Settled<Flow> {
        let outer = self.locals.len();
        let mut at = 0;
        let mut flow = Flow::On;
        while at < tokens.len() {
            let next;
            (flow, next) = self.run_statement(tokens, at, depth + 1)?;
            if matches!(flow, Flow::Return(_)) {
                break;
            }
            at = next;
        }
        self.locals.truncate(outer);
        Ok(flow)
    }

    fn run_branch(&mut self, tokens: &[Token], at: usize, depth: usize) -> Settled<Flow> {
        let (condition, body) = read_head(tokens, at)?;
        let then_end = statement_end(tokens, body)?;
        let holds = self.compute_value(condition)? != 0;
        if holds {
            return self.run_statement(tokens, body, depth + 1).map(|(flow, _)| flow);
        }
        if tokens.get(then_end).is_some_and(|token| token.is("else")) {
            return self.run_statement(tokens, then_end + 1, depth + 1).map(|(flow, _)| flow);
        }
        Ok(Flow::On)
    }

    fn run_loop(
        &mut self,
        condition: &[Token],
        step: &[Token],
        body: &[Token],
        depth: usize,
    ) -> Settled<Flow> {
        while condition.is_empty() || self.compute_value(condition)? != 0 {
            let (flow, _) = self.run_statement(body, 0, depth + 1)?;
            if matches!(flow, Flow::Return(_)) {
                return Ok(flow);
            }
            self.run_simple(step)?;
        }
        Ok(Flow::On)
    }

    fn compute_value(&mut self, tokens: &[Token]) -> Settled<i128> {
        let expression = read_expression(tokens)?;
        (self.compute)(&expression, self.locals)
    }

    /// A declaration, an assignment, an increment, or an assertion.
    fn run_simple(&mut self, tokens: &[Token]) -> Settled<()> {
        self.steps = self.steps.checked_sub(1).ok_or("its loop runs too long")?;
        let unknown = || Reason::from("one of its statements is not run here");
        let Some(first) = tokens.first() else { return Ok(()) };
        if first.is("static_assert") || first.is("using") {
            return Ok(());
        }
        for (mark, change) in [("++", 1), ("--", -1)] {
            let named = match tokens {
                [sign, name] if sign.is(mark) => Some(name),
                [name, sign] if sign.is(mark) => Some(name),
                _ => None,
            };
            if let Some(name) = named {
                let variable = self.find_variable(&name.text).ok_or_else(unknown)?;
                *variable = variable.checked_add(change).ok_or_else(unknown)?;
                return Ok(());
            }
        }
        let is_assignment = |token: &Token| {
            token.kind == TokenKind::Mark
                && token.text.ends_with('=')
                && !matches!(token.text.as_str(), "==" | "!=" | "<=" | ">=")
        };
        let at = tokens.iter().position(is_assignment).ok_or_else(unknown)?;
        let name = tokens.get(at.wrapping_sub(1)).filter(|t| t.is_name()).ok_or_else(unknown)?;
        let value = self.compute_value(&tokens[at + 1..])?;
        let sign = tokens[at].text.trim_end_matches('=').to_owned();
        if at > 1 {
            // A declaration. Only integer types are computed.
            let inexact = ["float", "double", "half", "*", "&", ","];
            if !sign.is_empty() || tokens[..at].iter().any(|t| inexact.iter().any(|no| t.is(no))) {
                return Err(unknown());
            }
            self.locals.push((name.text.clone(), value));
            return Ok(());
        }
        let variable = self.find_variable(&name.text).ok_or_else(unknown)?;
        *variable = if sign.is_empty() { value } else { apply_operator(&sign, *variable, value)? };
        Ok(())
    }

    fn find_variable(&mut self, name: &str) -> Option<&mut i128> {
        self.locals.iter_mut().rev().find(|(other, _)| other == name).map(|(_, value)| value)
    }
}

/// The brackets' inside of `if (...)`, and the place of what follows.
fn read_head(tokens: &[Token], at: usize) -> Settled<(&[Token], usize)> {
    let lacks = || Reason::from("a bracket is missing in its body");
    let open = at + 1 + usize::from(tokens.get(at + 1).is_some_and(|token| token.is("constexpr")));
    tokens.get(open).filter(|token| token.is("(")).ok_or_else(lacks)?;
    let close = find_closing(tokens, open + 1, "(", ")").ok_or_else(lacks)?;
    Ok((&tokens[open + 1..close], close + 1))
}

/// The place after the statement at a place.
fn statement_end(tokens: &[Token], at: usize) -> Settled<usize> {
    let lacks = || Reason::from("a statement of its body does not end");
    let mut at = at;
    // `if (a) if (b) ...`: each head is followed by one statement.
    for _ in 0..64 {
        let Some(first) = tokens.get(at) else { return Ok(at) };
        match first.text.as_str() {
            "{" => return Ok(find_closing(tokens, at + 1, "{", "}").ok_or_else(lacks)? + 1),
            "if" => {
                let (_, body) = read_head(tokens, at)?;
                let then = simple_end(tokens, body)?;
                if !tokens.get(then).is_some_and(|token| token.is("else")) {
                    return Ok(then);
                }
                at = then + 1;
            }
            "while" | "for" => at = read_head(tokens, at)?.1,
            _ => {
                let offset = tokens[at..].iter().position(|token| token.is(";"));
                return Ok(at + offset.ok_or_else(lacks)? + 1);
            }
        }
    }
    Err(lacks())
}

/// The end of what an `if` holds; an `if` directly inside another is not untangled.
fn simple_end(tokens: &[Token], at: usize) -> Settled<usize> {
    if tokens.get(at).is_some_and(|token| token.is("if")) {
        return Err("an `if` is directly inside another in its body".into());
    }
    statement_end(tokens, at)
}

#[cfg(test)]
mod tests {
    use crate::{Sources, parse};

    fn value(function: &str, call: &str) -> Option<i128> {
        let mut sources = Sources::default();
        let file = sources.add("a.h", format!("{function}\nconstexpr long N = {call};"));
        parse(&sources, file).constants.last()?.value
    }

    #[test]
    fn loops_branches_and_recursion_are_run() {
        let log =
            "constexpr int log2(int n) { int r = 0; while (n > 1) { n /= 2; r++; } return r; }";
        assert_eq!(value(log, "log2(1024) + 1"), Some(11));
        let sum = "constexpr int sum(int n) { int s = 0; for (int i = 1; i <= n; ++i) s += i; return s; }";
        assert_eq!(value(sum, "sum(10)"), Some(55));
        let fib =
            "constexpr int f(int n) { if (n < 2) { return n; } else return f(n - 1) + f(n - 2); }";
        assert_eq!(value(fib, "f(9)"), Some(34));
    }

    /// Without end, without a return, in floating point, or on more than numbers: unknown.
    #[test]
    fn what_cannot_be_run_has_no_value() {
        for function in [
            "constexpr int f(int n) { while (true) { n++; } return n; }",
            "constexpr int f(int n) { return f(n + 1); }",
            "constexpr int f(int n) { n++; }",
            "constexpr int f(int n) { double d = n; return d; }",
            "constexpr double f(int n) { return n; }",
            "constexpr int f(int* n) { return 1; }",
            "constexpr int f(int n) { do { n++; } while (n < 4); return n; }",
            "constexpr int f(int n) { if (n) if (n > 1) return 1; else return 2; return 3; }",
            "int f(int n);",
        ] {
            assert_eq!(value(function, "f(1)"), None, "{function}");
        }
    }
}
