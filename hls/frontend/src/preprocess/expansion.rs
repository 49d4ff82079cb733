//! Puts what macros expand to in place of them.

use super::macros::{Definition, Standing};
use crate::token::{Token, TokenKind, lex, spell};
use crate::{Reason, Settled};

/// A spelling that grows past this is not a type.
const TOKENS: usize = 20_000;
const DEPTH: usize = 64;
const TOO_DEEP: &str = "its macros nest too deeply";

/// Replaces every macro in `tokens`; `used` gets the outermost ones.
pub(crate) fn expand_macros<'a>(
    tokens: &[Token],
    look_up: &dyn Fn(&str) -> Standing<'a>,
    used: &mut dyn FnMut(&str, &'a Definition),
) -> Settled<Vec<Token>> {
    let mut expansion = Expansion { look_up, active: Vec::new(), arguments: 0, budget: TOKENS };
    let mut out = Vec::new();
    expansion.expand_tokens(tokens, &mut out, used)?;
    Ok(out)
}

struct Expansion<'l, 'a> {
    look_up: &'l dyn Fn(&str) -> Standing<'a>,
    active: Vec<String>,
    /// How many arguments are being expanded inside one another.
    arguments: usize,
    budget: usize,
}

impl<'a> Expansion<'_, 'a> {
    fn expand_tokens(
        &mut self,
        tokens: &[Token],
        out: &mut Vec<Token>,
        used: &mut dyn FnMut(&str, &'a Definition),
    ) -> Settled<()> {
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            self.budget = self.budget.checked_sub(1).ok_or("its macros expand without end")?;
            if !token.is_name() || token.painted {
                out.push(token.clone());
                continue;
            }
            if self.active.contains(&token.text) {
                out.push(Token { painted: true, ..token.clone() });
                continue;
            }
            let definition = match (self.look_up)(&token.text) {
                Standing::Undefined => {
                    out.push(token.clone());
                    continue;
                }
                Standing::Doubtful(reason) => return Err(reason),
                Standing::Defined(definition) => definition,
            };
            let body = match &definition.parameters {
                None => definition.body.to_vec(),
                Some(parameters) => {
                    // A function-like macro without brackets is just a name.
                    if !tokens.get(at).is_some_and(|next| next.is("(")) {
                        out.push(token.clone());
                        continue;
                    }
                    let (arguments, after) = split_arguments(tokens, at).ok_or_else(|| {
                        format!("the call of the macro `{}` is not closed", token.text)
                    })?;
                    at = after;
                    self.substitute_arguments(&token.text, definition, parameters, &arguments)?
                }
            };
            if self.active.len() >= DEPTH {
                return Err(TOO_DEEP.into());
            }
            used(&token.text, definition);
            self.active.push(token.text.clone());
            let from = out.len();
            self.expand_tokens(&body, out, &mut |_, _| {})?;
            self.active.pop();
            if let Some(last) = out[from..].last_mut() {
                last.glued = token.glued && last.glued;
            }
        }
        Ok(())
    }

    fn substitute_arguments(
        &mut self,
        name: &str,
        definition: &Definition,
        parameters: &[String],
        arguments: &[Vec<Token>],
    ) -> Settled<Vec<Token>> {
        let none = parameters.is_empty() && arguments.iter().all(Vec::is_empty);
        let (parameters, arguments) = gather_rest(parameters, arguments);
        if !none && parameters.len() != arguments.len() {
            return Err(
                format!("the macro `{name}` is called with {} arguments", arguments.len()).into()
            );
        }
        if self.arguments >= DEPTH {
            return Err(TOO_DEEP.into());
        }
        self.arguments += 1;
        let argument_of = |token: &Token| {
            let index = parameters.iter().position(|p| token.is_name() && *p == token.text);
            index.and_then(|index| arguments.get(index)).map(Vec::as_slice)
        };
        let mut body: Vec<Token> = Vec::new();
        let mut at = 0;
        while let Some(token) = definition.body.get(at) {
            let next = definition.body.get(at + 1);
            if token.is("##") {
                let Some(right) = next else { return Err(paste_reason(name)) };
                let right = argument_of(right).unwrap_or(std::slice::from_ref(right));
                if body.last().is_some_and(|last| last.is(",")) {
                    // `, ## __VA_ARGS__`: the comma goes where there are no more arguments.
                    if right.is_empty() {
                        body.pop();
                    }
                    body.extend_from_slice(right);
                } else {
                    paste_words(&mut body, right).ok_or_else(|| paste_reason(name))?;
                }
                at += 2;
                continue;
            }
            match (token.is("#").then(|| next.and_then(argument_of)).flatten(), argument_of(token))
            {
                (Some(argument), _) => {
                    body.push(Token {
                        kind: TokenKind::Text,
                        text: quote(argument),
                        ..token.clone()
                    });
                    at += 1;
                }
                // An argument beside `##` is taken as it is written.
                (None, Some(argument)) if next.is_some_and(|next| next.is("##")) => {
                    body.extend(argument.iter().cloned());
                }
                (None, Some(argument)) => {
                    self.expand_tokens(argument, &mut body, &mut |_, _| {})?;
                }
                (None, None) => body.push(token.clone()),
            }
            at += 1;
        }
        self.arguments -= 1;
        Ok(body)
    }
}

/// The parameters and arguments of a call, with all arguments for `...` as one.
fn gather_rest(parameters: &[String], arguments: &[Vec<Token>]) -> (Vec<String>, Vec<Vec<Token>>) {
    let mut names = parameters.to_vec();
    let Some(rest) = names.last_mut().filter(|last| last.ends_with("...")) else {
        return (names, arguments.to_vec());
    };
    let own = rest.trim_end_matches('.').trim_end().to_owned();
    *rest = if own.is_empty() { "__VA_ARGS__".to_owned() } else { own };
    let fixed = names.len() - 1;
    let mut all: Vec<Vec<Token>> = arguments.iter().take(fixed).cloned().collect();
    if arguments.len() >= fixed {
        let comma =
            Token { kind: TokenKind::Mark, text: ",".to_owned(), glued: false, painted: false };
        all.push(arguments[fixed..].join(&comma));
    }
    (names, all)
}

fn paste_reason(name: &str) -> Reason {
    format!("the macro `{name}` pastes words that are not one word together").into()
}

/// Joins the last word with the first of `right`; `None` if that is not one word. Nothing joined with a word is the word.
fn paste_words(body: &mut Vec<Token>, right: &[Token]) -> Option<()> {
    let Some((first, rest)) = right.split_first() else { return Some(()) };
    let joined = match body.pop() {
        None => vec![first.clone()],
        Some(left) => lex(&format!("{}{}", left.text, first.text)),
    };
    let [one] = joined.as_slice() else { return None };
    body.push(Token { glued: first.glued, ..one.clone() });
    body.extend(rest.iter().cloned());
    Some(())
}

/// What `#x` makes of an argument.
fn quote(argument: &[Token]) -> String {
    format!("\"{}\"", spell(argument).replace('\\', "\\\\").replace('"', "\\\""))
}

/// The arguments of a macro call from `(` on, and the place after `)`.
fn split_arguments(tokens: &[Token], open: usize) -> Option<(Vec<Vec<Token>>, usize)> {
    let mut all = vec![Vec::new()];
    let mut depth = 0_usize;
    for (offset, token) in tokens.get(open..)?.iter().enumerate() {
        if token.is("(") {
            depth += 1;
            if depth == 1 {
                continue;
            }
        } else if token.is(")") {
            depth -= 1;
            if depth == 0 {
                return Some((all, open + offset + 1));
            }
        } else if token.is(",") && depth == 1 {
            all.push(Vec::new());
            continue;
        }
        all.last_mut()?.push(token.clone());
    }
    None
}
