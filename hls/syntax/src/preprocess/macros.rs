//! Macros: their definitions and their expansion.

use super::hide::HideSets;
use super::token::{Spelling, Spellings, Token, TokenKind};
use rustc_hash::FxHashMap as HashMap;
use std::rc::Rc;

/// Arguments within arguments, at most.
const DEEPEST_NESTING: usize = 64;
/// Tokens that one unit may expand to.
const MOST_TOKENS: usize = 1_000_000;

/// A `#define`.
#[derive(Debug)]
pub(crate) struct Macro {
    /// The parameters of a function-like macro.
    pub(crate) parameters: Option<Vec<Spelling>>,
    /// Whether the last parameter takes all arguments that are left.
    pub(crate) variadic: bool,
    pub(crate) body: Vec<Token>,
}

/// The macros that are defined, and what expanding them needs.
#[derive(Debug)]
pub(crate) struct Macros {
    pub(crate) spellings: Spellings,
    pub(crate) names: HashMap<Spelling, Rc<Macro>>,
    hide: HideSets,
    made: usize,
}

impl Macros {
    pub(crate) fn new() -> Self {
        let (spellings, names) = (Spellings::default(), HashMap::default());
        Self { spellings, names, hide: HideSets::new(), made: 0 }
    }

    /// Whether the expansions became too long; from there on nothing is expanded.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.made > MOST_TOKENS
    }

    pub(crate) fn text(&self, token: &Token) -> &str {
        self.spellings.text(token.spelling)
    }

    pub(crate) fn is(&self, token: &Token, text: &str) -> bool {
        self.text(token) == text
    }

    /// All macros expanded; line ends are left out.
    pub(crate) fn expand(&mut self, tokens: &[Token]) -> Vec<Token> {
        self.expand_within(tokens, 0)
    }

    fn expand_within(&mut self, tokens: &[Token], depth: usize) -> Vec<Token> {
        let mut output = Vec::with_capacity(tokens.len());
        // The tokens still to be read, the next one last.
        let mut input: Vec<Token> =
            tokens.iter().rev().filter(|one| one.kind != TokenKind::LineEnd).copied().collect();
        while let Some(token) = input.pop() {
            match self.find_macro(&token) {
                Some(found) if depth < DEEPEST_NESTING && !self.is_exhausted() => {
                    if let Some(made) = self.replace(&token, &found, &mut input, depth) {
                        self.made += made.len() + 1;
                        input.extend(made.into_iter().rev());
                    } else {
                        output.push(token);
                    }
                }
                _ if token.kind == TokenKind::Identifier && self.is(&token, "__LINE__") => {
                    let spelling = self.spellings.intern(&token.place.line.to_string());
                    output.push(Token { kind: TokenKind::Number, spelling, ..token });
                }
                _ => output.push(token),
            }
        }
        output
    }

    fn find_macro(&self, token: &Token) -> Option<Rc<Macro>> {
        if token.kind != TokenKind::Identifier {
            return None;
        }
        let found = self.names.get(&token.spelling)?;
        (!self.hide.contains(token.hidden, token.spelling)).then(|| Rc::clone(found))
    }

    /// What a macro name becomes. `None` if a function-like macro is not called there.
    fn replace(
        &mut self,
        name: &Token,
        found: &Macro,
        input: &mut Vec<Token>,
        depth: usize,
    ) -> Option<Vec<Token>> {
        let Some(parameters) = &found.parameters else {
            let hidden = self.hide.with(name.hidden, name.spelling);
            let made = self.substitute(found, &[], &[], name, depth);
            return Some(self.finish(made, hidden, name));
        };
        if !input.last().is_some_and(|next| self.is(next, "(")) {
            return None;
        }
        let (arguments, consumed, close) = self.read_arguments(input, parameters.len(), found)?;
        input.truncate(input.len() - consumed);
        let hidden = self.hide.intersect(name.hidden, close.hidden);
        let hidden = self.hide.with(hidden, name.spelling);
        let made = self.substitute(found, parameters, &arguments, name, depth);
        Some(self.finish(made, hidden, name))
    }

    fn finish(&mut self, mut made: Vec<Token>, hidden: u32, name: &Token) -> Vec<Token> {
        made.retain(|token| token.kind != TokenKind::Placemarker);
        for token in &mut made {
            token.hidden = self.hide.unite(token.hidden, hidden);
            token.place = name.place;
        }
        if let Some(first) = made.first_mut() {
            first.spaced = name.spaced;
        }
        made
    }

    /// The arguments of a call, the number of tokens of the call and its last token.
    fn read_arguments(
        &self,
        input: &[Token],
        wanted: usize,
        found: &Macro,
    ) -> Option<(Vec<Vec<Token>>, usize, Token)> {
        let mut arguments = vec![Vec::new()];
        let mut depth = 0_usize;
        for (index, token) in input.iter().rev().enumerate() {
            let text = if token.kind == TokenKind::Punctuation { self.text(token) } else { "" };
            match text {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                arguments.resize(wanted.max(arguments.len()), Vec::new());
                return Some((arguments, index + 1, *token));
            }
            let last = found.variadic && arguments.len() >= wanted;
            if text == "," && depth == 1 && !last {
                arguments.push(Vec::new());
            } else if !(text == "(" && depth == 1)
                && let Some(argument) = arguments.last_mut()
            {
                argument.push(*token);
            }
        }
        None
    }

    fn substitute(
        &mut self,
        found: &Macro,
        parameters: &[Spelling],
        arguments: &[Vec<Token>],
        name: &Token,
        depth: usize,
    ) -> Vec<Token> {
        let mut expanded: Vec<Option<Vec<Token>>> = vec![None; arguments.len()];
        let parameter = |token: &Token| {
            let known = token.kind == TokenKind::Identifier;
            parameters.iter().position(|&one| known && one == token.spelling)
        };
        let mut output: Vec<Token> = Vec::new();
        let body = &found.body;
        let mut at = 0;
        while let Some(token) = body.get(at) {
            let next = body.get(at + 1);
            if self.is(token, "#")
                && found.parameters.is_some()
                && let Some(index) = next.and_then(parameter)
            {
                let text = self.quote(arguments.get(index).map_or(&[], Vec::as_slice));
                let spelling = self.spellings.intern(&text);
                output.push(Token { kind: TokenKind::Quoted, spelling, ..*token });
                at += 2;
                continue;
            }
            if self.is(token, "##")
                && let Some(next) = next
                && let Some(left) = output.pop()
            {
                self.paste(left, next, parameter(next), arguments, &mut output);
                at += 2;
                continue;
            }
            let pasted = next.is_some_and(|next| self.is(next, "##"));
            match parameter(token) {
                Some(index) if pasted => {
                    let argument = arguments.get(index).map_or(&[][..], Vec::as_slice);
                    extend_spaced(&mut output, argument, token);
                    if argument.is_empty() {
                        output.push(Token { kind: TokenKind::Placemarker, ..*token });
                    }
                }
                Some(index) => {
                    if expanded[index].is_none() {
                        let made = self.expand_within(&arguments[index], depth + 1);
                        expanded[index] = Some(made);
                    }
                    let made = expanded[index].as_deref().unwrap_or_default();
                    self.made += made.len();
                    extend_spaced(&mut output, made, token);
                }
                None => output.push(Token { place: name.place, ..*token }),
            }
            at += 1;
            if self.is_exhausted() {
                break;
            }
        }
        output
    }

    /// `left ## right`
    fn paste(
        &mut self,
        left: Token,
        right: &Token,
        parameter: Option<usize>,
        arguments: &[Vec<Token>],
        output: &mut Vec<Token>,
    ) {
        let one = [*right];
        let right: &[Token] = match parameter {
            Some(index) => arguments.get(index).map_or(&[], Vec::as_slice),
            None => &one,
        };
        let Some((first, rest)) = right.split_first() else {
            // GNU: the comma before empty variadic arguments goes.
            if !self.is(&left, ",") || arguments.is_empty() {
                output.push(left);
            }
            return;
        };
        if left.kind == TokenKind::Placemarker {
            output.extend_from_slice(right);
            return;
        }
        if self.is(&left, ",") {
            output.push(left);
            output.extend_from_slice(right);
            return;
        }
        let text = format!("{}{}", self.text(&left), self.text(first));
        let spelling = self.spellings.intern(&text);
        output.push(Token { spelling, ..left });
        output.extend_from_slice(rest);
    }

    /// `#argument`
    fn quote(&self, argument: &[Token]) -> String {
        let mut text = String::from("\"");
        for (index, token) in argument.iter().enumerate() {
            if index > 0 && token.spaced {
                text.push(' ');
            }
            for character in self.text(token).chars() {
                if character == '"' || (character == '\\' && token.kind == TokenKind::Quoted) {
                    text.push('\\');
                }
                text.push(character);
            }
        }
        text.push('"');
        text
    }
}

fn extend_spaced(output: &mut Vec<Token>, tokens: &[Token], at: &Token) {
    let start = output.len();
    output.extend_from_slice(tokens);
    if let Some(first) = output.get_mut(start) {
        first.spaced = at.spaced;
    }
}
