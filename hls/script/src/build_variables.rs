//! The variables of Makefiles, shell scripts and `CMake`, as far as the text gives them.

use std::collections::{BTreeMap, BTreeSet};

use super::build_words::list_words;

/// So many letters of one word are looked at once its variables are written out.
const LONGEST: usize = 4096;
/// So many words are looked at of one variable.
const MOST_WORDS: usize = 1024;
/// A variable may name another one, and so on.
const DEEPEST: usize = 8;
/// So many variables are looked up for one word or line. Those without a letter never make it long.
const MOST_LOOKED_UP: usize = 4096;

/// Every value that a text gives to a variable.
#[derive(Debug, Default)]
pub(super) struct BuildVariables<'t> {
    all: BTreeMap<&'t str, BTreeSet<&'t str>>,
    /// What each line gives, in the order of the text: `-t hw --platform u280` of `FLAGS += -t hw --platform u280`. It lacks
    /// what a word inside a line gives, such as `K=b` of `then K=b`.
    whole: BTreeMap<&'t str, Vec<&'t str>>,
}

impl<'t> BuildVariables<'t> {
    /// What `NAME = value`, `NAME += value`, `NAME=value` or `set(NAME value)` gives.
    pub(super) fn of(lines: &'t [String]) -> Self {
        let mut variables = Self::default();
        for line in lines {
            if let Some((name, value)) = read_assignment(line.trim()) {
                variables.all.entry(name).or_default().insert(value);
                variables.whole.entry(name).or_default().push(value);
            }
            // `if x; then K=b; fi` gives `K` another value, or not.
            let words =
                line.split(|c: char| c.is_whitespace() || c == ';').filter(|word| !word.is_empty());
            for (name, value) in words.skip(1).filter_map(|word| word.split_once('=')) {
                variables.all.entry(name).or_default().insert(value);
            }
        }
        variables
    }

    /// The one word that a variable has; `None` where it has several values, or several words.
    fn one(&self, name: &str) -> Option<&'t str> {
        let mut values = self.all.get(name)?.iter();
        let first = values.next().filter(|_| values.next().is_none())?;
        (!first.contains(char::is_whitespace)).then_some(*first)
    }

    /// A word with the values of its variables; `None` where one is not known.
    pub(super) fn write_out(&self, word: &str) -> Option<String> {
        let mut left = MOST_LOOKED_UP;
        let written = self.write_within(word, DEEPEST, &mut left)?;
        Some(written.trim_matches(['(', ')']).to_owned())
    }

    fn write_within(&self, word: &str, depth: usize, left: &mut usize) -> Option<String> {
        let (mut written, mut rest) = (String::new(), word);
        while let Some((before, behind)) = rest.split_once('$') {
            written.push_str(before);
            let (name, behind) = read_name(behind)?;
            let value = self.one(name)?;
            *left = left.checked_sub(1)?;
            written.push_str(&self.write_within(value, depth.checked_sub(1)?, left)?);
            if written.len() > LONGEST {
                return None;
            }
            rest = behind;
        }
        written.push_str(rest);
        Some(written)
    }

    /// The same; where a variable is not known, what follows it as a path: `/src/top.cpp` of `$(ROOT)/src/top.cpp`.
    pub(super) fn write_path(&self, word: &str) -> Option<String> {
        if let Some(path) = self.write_out(word) {
            return Some(path);
        }
        let behind = word.get(word.rfind(['}', ')'])? + 1..)?;
        let is_path = behind.starts_with('/') && behind.len() > 1 && !behind.contains('$');
        is_path.then(|| behind.to_owned())
    }

    /// The words of a command, where `$(FLAGS)` is replaced by all that the text gives it.
    pub(super) fn write_words(&self, line: &str) -> Vec<String> {
        let (mut left, mut words) = (MOST_LOOKED_UP, Vec::new());
        self.add_words(line, DEEPEST, &mut left, &mut words);
        words
    }

    fn add_words(&self, text: &str, depth: usize, left: &mut usize, words: &mut Vec<String>) {
        for word in list_words(text) {
            if words.len() >= MOST_WORDS || *left == 0 {
                return;
            }
            let name = word.strip_prefix('$').and_then(read_name);
            let whole = name.filter(|(_, behind)| behind.is_empty());
            match whole.and_then(|(name, _)| self.whole.get(name)).zip(depth.checked_sub(1)) {
                Some((values, depth)) => {
                    for value in values {
                        *left = left.saturating_sub(1);
                        self.add_words(value, depth, left, words);
                    }
                }
                None => words.push(word.to_owned()),
            }
        }
    }
}

/// The name in parentheses or braces with which a text begins, and what follows. The value of `$X`, `$@` and `$<` is not known.
fn read_name(text: &str) -> Option<(&str, &str)> {
    let close = match text.chars().next()? {
        '(' => ')',
        '{' => '}',
        _ => return None,
    };
    text[1..].split_once(close)
}

fn read_assignment(line: &str) -> Option<(&str, &str)> {
    let (name, value) = match line.strip_prefix("set(").or_else(|| line.strip_prefix("set (")) {
        Some(set) => {
            let (name, value) = set.trim_start().split_once(char::is_whitespace)?;
            // `set(CLOCK "300" CACHE STRING "in MHz")`: a user may give another one, and this is the default.
            let value = value.split(" CACHE ").next()?.trim();
            (name, value.strip_suffix(')').unwrap_or(value))
        }
        None => line.split_once('=')?,
    };
    let name = name.trim_end_matches([':', '?', '+']).trim().trim_start_matches("export ").trim();
    let value = value.trim().trim_matches(['"', '\'']);
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then_some((name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_variable_of_another_one_is_written_out() {
        let lines = lines(
            "TOP ?= conv\nNAME := $(TOP)_k\nA = $(B)\nB = $(A)\nset(MHZ \"130\" CACHE STRING \"clock\")\n",
        );
        let variables = BuildVariables::of(&lines);
        assert_eq!(variables.write_out("$(NAME).xo").as_deref(), Some("conv_k.xo"));
        assert_eq!(variables.write_out("${MHZ}").as_deref(), Some("130"));
        // Two that name each other have no value.
        assert_eq!(variables.write_out("$(A)"), None);
        assert_eq!(variables.write_path("$(ROOT)/src/a.cpp").as_deref(), Some("/src/a.cpp"));
        assert_eq!(variables.write_path("$(ROOT)"), None);
    }

    #[test]
    fn what_is_added_to_a_variable_is_all_of_its_words() {
        let lines =
            lines("FLAGS += -t hw -I./lib\nFLAGS += $(MORE)\nMORE = -I inc\nK = a\nK += b\n");
        let variables = BuildVariables::of(&lines);
        let words = variables.write_words("\tv++ $(FLAGS) -c $(GONE) '$<'");
        assert_eq!(words, ["v++", "-t", "hw", "-I./lib", "-I", "inc", "-c", "$(GONE)", "$<"]);
        assert_eq!(variables.write_out("$(K)"), None);
    }

    #[test]
    fn empty_variables_of_variables_come_to_an_end() {
        let many = |name: &str, used: &str, times: usize| {
            format!("{name} = {}\n", vec![format!("$({used})"); times].join(" "))
        };
        let names = ["A", "B", "C", "D", "E", "F", "G", "H"];
        let levels = |times: usize| -> String {
            names.windows(2).map(|pair| many(pair[0], pair[1], times)).collect()
        };
        let text =
            levels(40) + "H =\n" + &levels(40).replace(") $(", ")$(").to_lowercase() + "h =\n";
        let lines = lines(&text);
        let variables = BuildVariables::of(&lines);
        assert_eq!(variables.write_words("v++ $(A) -c").first().map(String::as_str), Some("v++"));
        assert_eq!(variables.write_out("$(a)"), None);
        // Few of them are written out as a whole.
        assert_eq!(variables.write_words("v++ $(F) -c"), ["v++", "-c"]);
        assert_eq!(variables.write_out("$(f).xo").as_deref(), Some(".xo"));
    }
}
