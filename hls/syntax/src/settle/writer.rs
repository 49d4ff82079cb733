//! Writes words so that they have one reading.

use super::learn::{is_fundamental, learn};
use super::output::Expanded;
use super::single::find_value;
use super::vocabulary::Vocabulary;
use super::words::Words;
use crate::preprocess::{Token, TokenKind};
use rustc_hash::FxHashSet as HashSet;

/// Written for `operator()` where it is called by name, which tree-sitter does not read.
pub(crate) const CALL_OPERATOR: &str = "operator_call";

pub(crate) struct Writer<'w, 'a> {
    words: &'w Words<'a>,
    vocabulary: &'w mut Vocabulary,
    pub(crate) output: Expanded,
    /// Closing brackets that are not written, the next one last.
    dropped: Vec<usize>,
    /// Closing brackets of casts, the next one last.
    casts: Vec<usize>,
    /// Where template arguments end.
    angles: HashSet<usize>,
    /// Where the brackets of casts end.
    cast_ends: HashSet<usize>,
    /// Where the heads of loops and of conditions end.
    head_ends: HashSet<usize>,
    is_c: bool,
}

impl<'w, 'a> Writer<'w, 'a> {
    pub(crate) fn new(words: &'w Words<'a>, vocabulary: &'w mut Vocabulary, is_c: bool) -> Self {
        Self {
            words,
            vocabulary,
            output: Expanded::default(),
            dropped: Vec::new(),
            casts: Vec::new(),
            angles: HashSet::default(),
            cast_ends: HashSet::default(),
            head_ends: HashSet::default(),
            is_c,
        }
    }

    /// Writes the word at `index` and gives the index of the next one.
    pub(crate) fn write_word(&mut self, index: usize) -> usize {
        let Some(token) = self.words.token(index) else { return index + 1 };
        let text = self.words.text(index);
        match token.kind {
            TokenKind::Identifier => self.write_name(index, token, text),
            TokenKind::Punctuation => {
                match text {
                    "(" => self.write_parenthesis(index, token),
                    ")" if self.dropped.last() == Some(&index) => {
                        self.dropped.pop();
                    }
                    ")" if self.casts.last() == Some(&index) => {
                        self.casts.pop();
                        self.output.write(token.place, "const");
                        self.output.write(token.place, ")");
                    }
                    "<" if self.compares(index) => self.output.write_less(token),
                    // `new T*[n]`: tree-sitter reads no pointers there.
                    "*" if self.is_new_pointer(index) => {}
                    // `T x = {}` among parameters.
                    "=" if self.is_empty_default(index) => return index + 3,
                    _ => self.output.write(token.place, text),
                }
                index + 1
            }
            _ => {
                self.output.write(token.place, text);
                index + 1
            }
        }
    }

    /// Writes `{}` for the list at `index`, and gives its first byte.
    pub(crate) fn write_empty_list(&mut self, index: usize) -> usize {
        let place = self.words.token(index).map_or_else(Default::default, |token| token.place);
        self.output.write(place, "{");
        let start = self.output.text.len() - 1;
        self.output.write(place, "}");
        start
    }

    fn write_name(&mut self, index: usize, token: &Token, text: &str) -> usize {
        if is_ignored(text) {
            return index + 1;
        }
        if matches!(text, "__attribute__" | "__attribute" | "__declspec") {
            return self.words.partner(index + 1) + 1;
        }
        let is_head = matches!(text, "if" | "for" | "while") && self.words.text(index + 1) == "(";
        if is_head {
            self.head_ends.insert(self.words.partner(index + 1));
        } else if self.begins_body(index)
            && let Some(value) = find_value(self.words, index)
        {
            return value;
        }
        learn(self.words, index, self.vocabulary);
        if self.is_c && is_word_of_cpp(text) {
            self.output.write(token.place, &format!("{text}_"));
            return index + 1;
        }
        // `= typename T::value_type(x)`, `using typename T::x`: the grammar has no such word there.
        let is_less = |before: &str| begins_value(before) || before == "using";
        if text == "typename" && index > 0 && is_less(self.words.text(index - 1)) {
            return index + 1;
        }
        let member = index > 0 && matches!(self.words.text(index - 1), "." | "->");
        if member && self.words.text(index + 1) == "<" && self.vocabulary.is_template(text) {
            self.output.write(token.place, "template");
        }
        let behind_member = member || (index > 0 && self.words.text(index - 1) == "template");
        if text == "operator"
            && let open @ ("(" | "[") = self.words.text(index + 1)
            && self.words.partner(index + 1) == index + 2
        {
            let whole = if open == "(" { "operator()" } else { "operator[]" };
            self.output.write(token.place, if behind_member { CALL_OPERATOR } else { whole });
            return index + 3;
        }
        self.output.write(token.place, text);
        index + 1
    }

    /// Whether the body of a loop or of a condition begins at `index`.
    fn begins_body(&self, index: usize) -> bool {
        index > 0
            && (self.head_ends.contains(&(index - 1))
                || matches!(self.words.text(index - 1), "else" | "do"))
    }

    /// Whether `*` is in `new T*[n]`.
    fn is_new_pointer(&self, index: usize) -> bool {
        let mut end = index;
        while self.words.text(end) == "*" {
            end += 1;
        }
        // The name of a type has a few words.
        let first = index.saturating_sub(16);
        let mut start = index;
        while start > first
            && (self.words.is_name(start - 1) || matches!(self.words.text(start - 1), "::" | "*"))
        {
            start -= 1;
            if self.words.text(start) == "new" {
                return start + 1 < index && self.words.text(end) == "[";
            }
        }
        false
    }

    /// Whether `= {}` is the default of a parameter: what is around it ends with `)`.
    fn is_empty_default(&self, index: usize) -> bool {
        if self.words.text(index + 1) != "{" || self.words.partner(index + 1) != index + 2 {
            return false;
        }
        let mut at = index + 3;
        // A list of parameters is short.
        while at < index + 400 {
            match self.words.text(at) {
                ")" => return true,
                "" | "]" | "}" | ";" => return false,
                "(" | "[" | "{" => at = self.words.partner(at),
                _ => {}
            }
            at += 1;
        }
        false
    }

    /// Whether `<` is a comparison, for all that is known.
    fn compares(&mut self, index: usize) -> bool {
        if index == 0 || !self.words.is_name(index - 1) {
            return false;
        }
        let name = self.words.text(index - 1);
        if name == "operator" {
            return false;
        }
        match self.words.close_angles(index) {
            Some(_) if name != "template" && self.vocabulary.is_value(name) => true,
            // In `n < a >> b` nothing is open that the second `>` closes.
            Some((behind, true)) if !self.angles.contains(&(behind - 1)) => {
                !self.vocabulary.is_template(name)
            }
            Some((behind, _)) => {
                self.angles.insert(behind - 1);
                false
            }
            None => name != "template" && !self.vocabulary.is_template(name),
        }
    }

    /// `(k)` of a value is written without its brackets, `(T)` of a type as `(T const)`.
    fn write_parenthesis(&mut self, index: usize, token: &Token) {
        let close = self.words.partner(index);
        let casts = self.starts_operand(close + 1);
        let calls = index > 0 && self.is_callee(index - 1);
        if calls || close == index {
            self.output.write(token.place, "(");
            return;
        }
        let single = close == index + 2;
        if single && (self.words.is_number(index + 1) || self.is_value(index + 1, casts)) {
            self.dropped.push(close);
            return;
        }
        self.output.write(token.place, "(");
        if casts && self.is_type(index + 1, close) {
            self.casts.push(close);
            self.cast_ends.insert(close);
        } else if casts && self.is_fundamental_type(index + 1, close) {
            self.cast_ends.insert(close);
        }
    }

    /// Whether the words are a type of the language: `unsigned long *`.
    fn is_fundamental_type(&self, start: usize, end: usize) -> bool {
        is_fundamental(self.words.text(start))
            && (start..end).all(|at| {
                let text = self.words.text(at);
                text == "*" || is_fundamental(text)
            })
    }

    fn is_callee(&self, index: usize) -> bool {
        let text = self.words.text(index);
        let name = self.words.is_name(index) && !matches!(text, "return" | "case" | "else" | "do");
        let closes = matches!(text, ")" | "]" | "}") && !self.cast_ends.contains(&index);
        name || closes || self.angles.contains(&index)
    }

    fn is_value(&self, index: usize, casts: bool) -> bool {
        let name = self.words.text(index);
        let ty = casts && (self.vocabulary.is_type(name) || self.is_plain_operand(index + 2));
        self.words.is_name(index) && !ty && !is_fundamental(name)
    }

    /// Whether something begins there that cannot follow a value, as in `(T)x`.
    fn is_plain_operand(&self, index: usize) -> bool {
        self.words.token(index).is_some_and(|token| token.kind != TokenKind::Punctuation)
    }

    /// Whether what a cast applies to may begin there.
    fn starts_operand(&self, index: usize) -> bool {
        let Some(token) = self.words.token(index) else { return false };
        let text = self.words.text(index);
        token.kind != TokenKind::Punctuation
            || matches!(text, "(" | "{" | "+" | "-" | "*" | "&" | "!" | "~" | "++" | "--" | "::")
    }

    /// Whether the words are the name of a type: `T`, `ns::T`, `ap_int<8>`.
    fn is_type(&self, start: usize, end: usize) -> bool {
        let mut at = start;
        let mut name = "";
        while at < end {
            match self.words.text(at) {
                "::" => {}
                "<" if !name.is_empty() => match self.words.skip_angles(at) {
                    Some(behind) => at = behind - 1,
                    None => return false,
                },
                text if self.words.is_name(at) && !is_fundamental(text) => name = text,
                _ => return false,
            }
            at += 1;
        }
        let templated = self.words.text(end.saturating_sub(1)) == ">";
        at == end
            && (self.vocabulary.is_type(name) || (templated && self.vocabulary.is_template(name)))
    }
}

/// Words that say nothing about hardware.
fn is_ignored(word: &str) -> bool {
    matches!(
        word,
        "register"
            | "volatile"
            | "restrict"
            | "__restrict"
            | "__restrict__"
            | "__extension__"
            | "__volatile__"
            | "_Noreturn"
            | "mutable"
    )
}

/// Words before a value that cannot be before a type.
fn begins_value(word: &str) -> bool {
    matches!(word, "=" | "return" | "+=" | "-=" | "*=" | "+" | "-" | "/" | "?" | "[")
}

/// Words that C gives no meaning.
fn is_word_of_cpp(word: &str) -> bool {
    matches!(
        word,
        "new"
            | "delete"
            | "class"
            | "template"
            | "this"
            | "typename"
            | "namespace"
            | "private"
            | "public"
            | "protected"
            | "operator"
            | "try"
            | "catch"
            | "throw"
            | "friend"
            | "using"
            | "virtual"
            | "and"
            | "or"
            | "not"
            | "xor"
            | "export"
            | "explicit"
            | "mutable"
            | "final"
            | "override"
    )
}
