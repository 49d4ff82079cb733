//! `#if`, `#elif`, `#else` and `#endif`.

use super::Preprocessor;
use super::condition::holds;
use super::token::Token;
use crate::ast::Place;

/// An `#if` that is open.
pub(crate) struct Branch {
    /// Whether the text around it is read.
    pub(crate) outer: bool,
    /// Whether this part is read.
    pub(crate) active: bool,
    /// Whether a part has been read.
    pub(crate) taken: bool,
}

impl Preprocessor<'_, '_> {
    pub(crate) fn is_conditional(&self, line: &[Token]) -> bool {
        let word = line.first().map_or("", |token| self.macros.text(token));
        matches!(word, "if" | "ifdef" | "ifndef" | "elif" | "else" | "endif")
    }

    pub(crate) fn read_branch(&mut self, line: &[Token], branches: &mut Vec<Branch>, place: Place) {
        let outer = branches.last().is_none_or(|branch| branch.active);
        let word = line.first().map_or("", |token| self.macros.text(token)).to_owned();
        let rest = line.get(1..).unwrap_or_default();
        match word.as_str() {
            "if" | "ifdef" | "ifndef" => {
                let active = outer && self.decide(&word, rest, place);
                branches.push(Branch { outer, active, taken: active });
            }
            "endif" => {
                if branches.pop().is_none() {
                    self.note(place, "this `#endif` has no `#if`");
                }
            }
            _ => {
                let Some(mut branch) = branches.pop() else {
                    self.note(place, "this `#else` has no `#if`");
                    return;
                };
                let wanted = branch.outer && !branch.taken;
                branch.active = wanted && (word == "else" || self.decide("if", rest, place));
                branch.taken |= branch.active;
                branches.push(branch);
            }
        }
    }

    fn decide(&mut self, word: &str, rest: &[Token], place: Place) -> bool {
        if word == "if" {
            let held = holds(rest, &mut self.macros);
            if held.is_none() {
                self.note(place, "the condition of this `#if` is not understood");
            }
            return held.unwrap_or(false);
        }
        let name = rest.first().map(|token| token.spelling);
        let defined = name.is_some_and(|name| self.macros.names.contains_key(&name));
        defined == (word == "ifdef")
    }
}
