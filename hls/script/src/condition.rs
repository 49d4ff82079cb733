//! Conditions of Tcl that are decided before the script runs: constants, and variables that it sets.

use std::collections::BTreeMap;

use super::reader::expand;

/// Whether a condition holds; `None` where only a run of the script decides.
pub(super) fn decide(condition: &str, variables: &BTreeMap<String, String>) -> Option<bool> {
    let mut reader = Reader { rest: condition, variables };
    let value = reader.read_or();
    if reader.skip().is_empty() { read_truth(&value?) } else { None }
}

struct Reader<'a> {
    rest: &'a str,
    variables: &'a BTreeMap<String, String>,
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

    /// One side that holds decides, whatever the other one is.
    fn read_or(&mut self) -> Option<String> {
        let mut value = self.read_and();
        while self.take("||") {
            let (left, right) = (truth_of(value.as_ref()), self.read_and());
            value = match (left, truth_of(right.as_ref())) {
                (Some(true), _) | (_, Some(true)) => Some("1".to_owned()),
                (Some(false), Some(false)) => Some("0".to_owned()),
                _ => None,
            };
        }
        value
    }

    fn read_and(&mut self) -> Option<String> {
        let mut value = self.read_comparison();
        while self.take("&&") {
            let (left, right) = (truth_of(value.as_ref()), self.read_comparison());
            value = match (left, truth_of(right.as_ref())) {
                (Some(false), _) | (_, Some(false)) => Some("0".to_owned()),
                (Some(true), Some(true)) => Some("1".to_owned()),
                _ => None,
            };
        }
        value
    }

    fn read_comparison(&mut self) -> Option<String> {
        let left = self.read_value();
        let marks = ["==", "!=", "<=", ">=", "<", ">", "eq", "ne"];
        let Some(mark) = marks.into_iter().find(|mark| self.take(mark)) else { return left };
        let right = self.read_value();
        let (left, right) = (left?, right?);
        let numbers = left.parse::<f64>().ok().zip(right.parse::<f64>().ok());
        let is_it = match (mark, numbers) {
            ("eq", _) => left == right,
            ("ne", _) => left != right,
            ("==", None) => left == right,
            ("!=", None) => left != right,
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
        if self.take("!") {
            let value = self.read_value();
            return Some(if truth_of(value.as_ref())? { "0" } else { "1" }.to_owned());
        }
        if self.take("(") {
            let value = self.read_or();
            return if self.take(")") { value } else { None };
        }
        let rest = self.skip();
        for (open, close) in [('"', '"'), ('{', '}'), ('[', ']')] {
            let Some(behind) = rest.strip_prefix(open) else { continue };
            let (inner, after) = behind.split_once(close)?;
            self.rest = after;
            return match open {
                '"' => expand(inner, self.variables),
                '{' => Some(inner.to_owned()),
                // The value of a command.
                _ => None,
            };
        }
        let ends = |letter: char| letter.is_whitespace() || "()=!<>&|\"".contains(letter);
        let (word, after) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
        self.rest = after;
        if word.is_empty() { None } else { expand(word, self.variables) }
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
        other => other.parse::<f64>().ok().map(|number| number != 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_and_set_variables_decide() {
        let set = [("mode", "fast"), ("n", "4"), ("CSIM", "0")];
        let variables = set.into_iter().map(|(a, b)| (a.to_owned(), b.to_owned())).collect();
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
        ] {
            assert_eq!(decide(text, &variables), holds, "{text}");
        }
    }
}
