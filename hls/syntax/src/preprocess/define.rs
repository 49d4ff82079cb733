//! `#define`.

use super::Preprocessor;
use super::lexer::read_tokens;
use super::macros::Macro;
use super::token::{Spelling, Token, TokenKind};
use std::rc::Rc;

impl Preprocessor<'_, '_> {
    /// A macro of the command line; the name may have parameters.
    pub(crate) fn define_text(&mut self, name: &str, value: &str) {
        let tokens = read_tokens(&format!("{name} {value}"), 0, &mut self.macros.spellings);
        self.define(&tokens);
    }

    pub(crate) fn define(&mut self, line: &[Token]) {
        let Some((name, rest)) = line.split_first() else { return };
        if name.kind != TokenKind::Identifier {
            return;
        }
        let called = rest.first().is_some_and(|next| self.macros.is(next, "(") && !next.spaced);
        let mut made = Macro { parameters: None, variadic: false, body: Vec::new() };
        let mut body = rest;
        if called {
            let end =
                rest.iter().position(|token| self.macros.is(token, ")")).unwrap_or(rest.len());
            let (parameters, variadic) = self.read_parameters(&rest[1..end.max(1)]);
            made.parameters = Some(parameters);
            made.variadic = variadic;
            body = rest.get(end + 1..).unwrap_or_default();
        }
        let ends = |token: &&Token| token.kind != TokenKind::LineEnd;
        made.body = self.join_hashes(body.iter().filter(ends).copied());
        self.macros.names.insert(name.spelling, Rc::new(made));
    }

    fn read_parameters(&mut self, tokens: &[Token]) -> (Vec<Spelling>, bool) {
        let mut parameters = Vec::new();
        let mut variadic = false;
        let mut named = false;
        for token in tokens {
            match self.macros.text(token) {
                "," => named = false,
                "..." => {
                    variadic = true;
                    if !named {
                        parameters.push(self.macros.spellings.intern("__VA_ARGS__"));
                    }
                }
                _ => {
                    parameters.push(token.spelling);
                    named = true;
                }
            }
        }
        (parameters, variadic)
    }

    /// `# #` without a space between is `##`.
    fn join_hashes(&mut self, tokens: impl Iterator<Item = Token>) -> Vec<Token> {
        let hash = self.macros.spellings.intern("#");
        let paste = self.macros.spellings.intern("##");
        let mut output: Vec<Token> = Vec::new();
        for token in tokens {
            match output.last_mut() {
                Some(last) if token.spelling == hash && !token.spaced && last.spelling == hash => {
                    last.spelling = paste;
                }
                _ => output.push(token),
            }
        }
        output
    }
}
