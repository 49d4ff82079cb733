//! Conditions of Tcl that are decided before the script runs: constants, and variables that it sets.

use super::variables::Variables;

/// So many `!` and parentheses may be within each other.
const DEEPEST: usize = 64;

/// Whether a condition holds; `None` where only a run of the script decides.
pub(super) fn decide(condition: &str, variables: &Variables) -> Option<bool> {
    let mut reader = Reader { rest: condition, variables, depth: 0 };
    let value = reader.read_or();
    if reader.skip().is_empty() { read_truth(&value?) } else { None }
}

struct Reader<'a> {
    rest: &'a str,
    variables: &'a Variables,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn skip(&mut self) -> &'a str {
        self.rest = self.rest.trim_start();
        self.rest
    }

    fn take(&mut self, mark: &str) -> bool {
        let Some(rest) = self.skip().strip_prefix(mark) else { return false };
        // `eq` is a word, and `equal` another one.
        let is_word = mark.ends_with(|letter: char| letter.is_ascii_alphabetic());
        if is_word && rest.starts_with(|letter: char| letter.is_ascii_alphanumeric()) {
            return false;
        }
        self.rest = rest;
        true
    }

    fn read_or(&mut self) -> Option<String> {
        self.read_chain("||", true, Self::read_and)
    }

    fn read_and(&mut self) -> Option<String> {
        self.read_chain("&&", false, Self::read_comparison)
    }

    /// Sides with a mark between them. One that is `deciding` decides, whatever the others are.
    fn read_chain(
        &mut self,
        mark: &str,
        deciding: bool,
        mut read_side: impl FnMut(&mut Self) -> Option<String>,
    ) -> Option<String> {
        let mut value = read_side(self);
        while self.take(mark) {
            let sides = [value, read_side(self)].map(|side| truth_of(side.as_ref()));
            let is_it = match sides {
                sides if sides.contains(&Some(deciding)) => Some(deciding),
                [Some(_), Some(_)] => Some(!deciding),
                _ => None,
            };
            value = is_it.map(|is_it| u8::from(is_it).to_string());
        }
        value
    }

    fn read_comparison(&mut self) -> Option<String> {
        let left = self.read_value();
        let marks = ["==", "!=", "<=", ">=", "<", ">", "eq", "ne"];
        let Some(mark) = marks.into_iter().find(|mark| self.take(mark)) else { return left };
        let right = self.read_value();
        let (left, right) = (left?, right?);
        if !["eq", "ne"].contains(&mark) && (is_other_base(&left) || is_other_base(&right)) {
            return None;
        }
        let numbers = read_number(&left).zip(read_number(&right));
        let is_it = match (mark, numbers) {
            ("eq", _) | ("==", None) => left == right,
            ("ne", _) | ("!=", None) => left != right,
            ("==", Some((a, b))) => (a - b).abs() < f64::EPSILON,
            ("!=", Some((a, b))) => (a - b).abs() >= f64::EPSILON,
            ("<=", Some((a, b))) => a <= b,
            (">=", Some((a, b))) => a >= b,
            ("<", Some((a, b))) => a < b,
            (">", Some((a, b))) => a > b,
            _ => return None,
        };
        Some(if is_it { "1" } else { "0" }.to_owned())
    }

    fn read_value(&mut self) -> Option<String> {
        if self.depth == DEEPEST {
            return None;
        }
        if self.take("!") {
            self.depth += 1;
            let value = self.read_value();
            self.depth -= 1;
            return Some(if truth_of(value.as_ref())? { "0" } else { "1" }.to_owned());
        }
        if self.take("(") {
            self.depth += 1;
            let value = self.read_or();
            self.depth -= 1;
            return if self.take(")") { value } else { None };
        }
        let rest = self.skip();
        for (open, close) in [('"', '"'), ('{', '}'), ('[', ']')] {
            let Some(behind) = rest.strip_prefix(open) else { continue };
            let (inner, after) = behind.split_once(close)?;
            self.rest = after;
            return match open {
                '"' if inner.contains('\\') => None,
                '"' => self.variables.expand_sure(inner),
                '{' => Some(inner.to_owned()),
                // The value of a command.
                _ => None,
            };
        }
        let ends = |letter: char| letter.is_whitespace() || "()=!<>&|\"".contains(letter);
        let (word, after) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
        self.rest = after;
        // Operators are not followed: `$n-1`, `$a?1:0`.
        let has_operator = word.contains(['+', '-', '*', '/', '%', '?', ':', '~', '^', '\\', ',']);
        if word.is_empty() || has_operator && read_number(word).is_none() {
            return None;
        }
        self.variables.expand_sure(word)
    }
}

fn truth_of(value: Option<&String>) -> Option<bool> {
    read_truth(value?)
}

/// What Tcl takes for true and false.
fn read_truth(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => Some(true),
        "false" | "no" | "off" => Some(false),
        other if is_other_base(other) => None,
        other => read_number(other).map(|number| number != 0.0),
    }
}

/// A decimal number.
fn read_number(word: &str) -> Option<f64> {
    let word = word.trim();
    let is_decimal = |letter: char| letter.is_ascii_digit() || "+-.eE".contains(letter);
    if word.chars().all(is_decimal) { word.parse().ok() } else { None }
}

/// Whether Tcl may take a word for a number to another base: `0x10`, `010`.
fn is_other_base(word: &str) -> bool {
    let digits = word.trim().trim_start_matches(['+', '-']);
    let behind = digits.strip_prefix('0');
    behind.is_some_and(|behind| behind.starts_with(|one: char| one.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_and_set_variables_decide() {
        let set = [("mode", "fast"), ("n", "4"), ("CSIM", "0"), ("hex", "0x10")];
        let mut variables = Variables::default();
        for (name, word) in set {
            variables.set(name, word.to_owned(), true);
        }
        variables.set("kept", "1".to_owned(), false);
        for (text, holds) in [
            ("1", Some(true)),
            ("$CSIM", Some(false)),
            ("!$CSIM && $n >= 4", Some(true)),
            ("$mode == \"fast\"", Some(true)),
            ("${mode} eq {slow}", Some(false)),
            ("$n<4||$n>8", Some(false)),
            ("($CSIM == 1) || true", Some(true)),
            ("$argc > 2", None),
            ("$argc > 2 && $CSIM", Some(false)),
            ("$argc > 2 || $CSIM", None),
            ("[info exists mode]", None),
            ("$mode", None),
            ("$n + 1 == 5", None),
            ("", None),
            ("$kept", None),
            ("$kept == 1", None),
            ("$n == -1", Some(false)),
            ("$n > 1e-3", Some(true)),
            ("$n-1 == 3", None),
            ("$n*2 == 8", None),
            ("$n == 4?0:1", None),
            ("$hex == 16", None),
            ("$hex eq \"16\"", Some(false)),
            ("010 == 10", None),
            ("((!0))", Some(true)),
        ] {
            assert_eq!(decide(text, &variables), holds, "{text}");
        }
    }
    #[test]
    fn what_is_too_deep_is_not_decided() {
        for mark in ["!", "("] {
            assert_eq!(decide(&format!("{}1", mark.repeat(200_000)), &Variables::default()), None);
        }
        let within = |count: usize| format!("{}1{}", "(".repeat(count), ")".repeat(count));
        assert_eq!(decide(&within(60), &Variables::default()), Some(true));
        assert_eq!(decide(&within(70), &Variables::default()), None);
    }
}
