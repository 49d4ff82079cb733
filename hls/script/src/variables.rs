//! The variables of a script, as far as they are known before it runs.

use std::collections::{BTreeMap, BTreeSet};

/// A longer word is not known.
const LONGEST: usize = 1 << 16;
/// Commands of Tcl and of the tool that change no variable.
const READERS: [&str; 39] = [
    "add_file",
    "add_files",
    "cd",
    "clock",
    "close_project",
    "close_solution",
    "concat",
    "cosim_design",
    "create_clock",
    "csim_design",
    "csynth_design",
    "directive",
    "error",
    "exec",
    "exit",
    "expr",
    "file",
    "format",
    "glob",
    "go",
    "info",
    "join",
    "lindex",
    "list",
    "llength",
    "lrange",
    "open_component",
    "open_project",
    "open_solution",
    "options",
    "package",
    "puts",
    "pwd",
    "return",
    "set_clock_uncertainty",
    "set_part",
    "set_top",
    "solution",
    "split",
];
/// Commands that make a script of their words.
const MAKERS: [&str; 4] = ["apply", "eval", "uplevel", "upvar"];

/// The words of variables. One that is not sure serves for paths and clocks, and does not decide a condition.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    known: BTreeMap<String, Known>,
    /// What follows the unknown part of a path: `/src` of `[pwd]/src`.
    ends: BTreeMap<String, String>,
    /// The variables that a procedure may change when it is called.
    shared: BTreeSet<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Known {
    word: String,
    is_sure: bool,
}

impl Variables {
    pub(super) fn len(&self) -> usize {
        self.known.len() + self.shared.len()
    }

    pub(super) fn set(&mut self, name: &str, word: String, is_sure: bool) {
        let name = name.trim_start_matches("::");
        let is_sure = is_sure && !self.shared.contains(name);
        self.ends.remove(name);
        self.known.insert(name.to_owned(), Known { word, is_sure });
    }

    /// Keeps the end of a path whose beginning is not known.
    pub(super) fn set_end(&mut self, name: &str, end: Option<String>) {
        self.ends.extend(end.map(|end| (name.trim_start_matches("::").to_owned(), end)));
    }

    /// The word of a variable, or of an array's elements, is not known from here on.
    pub(super) fn forget(&mut self, name: &str) {
        let name = name.trim_start_matches("::");
        self.known.remove(name);
        self.ends.remove(name);
        let first = format!("{name}(");
        let elements = self.known.range(first.clone()..).map(|(element, _)| element.clone());
        let elements: Vec<String> =
            elements.take_while(|element| element.starts_with(&first)).collect();
        for element in &elements {
            self.known.remove(element);
        }
    }

    /// Forgets each variable that a text names without a `$`.
    pub(super) fn forget_named(&mut self, text: &str) {
        for name in list_bare_words(text) {
            self.forget(name);
        }
    }

    /// Anything may have changed.
    pub(super) fn doubt_all(&mut self) {
        self.known.values_mut().for_each(|known| known.is_sure = false);
    }

    /// What a text names without a `$` may have changed.
    pub(super) fn doubt_named(&mut self, text: &str) {
        for name in list_bare_words(text) {
            if let Some(known) = self.known.get_mut(name.trim_start_matches("::")) {
                known.is_sure = false;
            }
        }
    }

    /// What the body of a procedure may change of its callers' variables is never sure.
    pub(super) fn share(&mut self, body: &str) {
        if ["global", "variable", "upvar", "uplevel", "::"].iter().any(|one| body.contains(one)) {
            self.doubt_named(body);
            let names = list_bare_words(body).map(|name| name.trim_start_matches("::").to_owned());
            self.shared.extend(names);
        }
    }

    /// The variables of a procedure's body: none is known.
    pub(super) fn of_body(&self) -> Self {
        Self { shared: self.shared.clone(), ..Self::default() }
    }

    /// Forgets what a command changes besides what `set` sets.
    pub(super) fn forget_changed(&mut self, command: &str) {
        let name = find_first_word(command);
        if name == "set" || changes_nothing(name) {
            return self.forget_changed_within(command);
        }
        if makes_script(name) {
            self.doubt_all();
        }
        self.forget_changed_within(command);
        self.forget_named(command.get(name.len()..).unwrap_or_default());
    }

    /// Forgets what commands in brackets change.
    pub(super) fn forget_changed_within(&mut self, text: &str) {
        let within = text.split('[').skip(1).map(find_first_word);
        let changing: Vec<&str> = within.filter(|name| !changes_nothing(name)).collect();
        if changing.into_iter().any(makes_script) {
            self.doubt_all();
        }
        if text.split('[').skip(1).map(find_first_word).any(|name| !changes_nothing(name)) {
            self.forget_named(text.get(text.find('[').unwrap_or(0)..).unwrap_or_default());
        }
    }

    /// The variables to which all ends of a condition give one word, as far as it is known. One that some ends do not know is
    /// a default, which is not sure.
    pub(super) fn join(ends: &[Self]) -> Self {
        let mut joined = Self::default();
        for (name, known) in ends.iter().flat_map(|end| &end.known) {
            joined.known.entry(name.clone()).or_insert_with(|| known.clone());
        }
        joined.known.retain(|name, known| {
            let others = ends.iter().map(|end| end.known.get(name));
            let mut is_one = true;
            for other in others {
                is_one &= other.is_none_or(|other| other.word == known.word);
                known.is_sure &= other.is_some_and(|other| other.is_sure);
            }
            is_one
        });
        let first = ends.first().into_iter().flat_map(|end| &end.ends);
        let agreed =
            first.filter(|(name, own)| ends.iter().all(|end| end.ends.get(*name) == Some(own)));
        joined.ends = agreed.map(|(name, end)| (name.clone(), end.clone())).collect();
        joined.shared.extend(ends.iter().flat_map(|end| end.shared.iter().cloned()));
        joined
    }

    /// A word with the variables that the script sets; `None` where another one is in it.
    pub(super) fn expand(&self, word: &str) -> Option<String> {
        self.expand_known(word, |_| true)
    }

    /// The same, with what is sure only.
    pub(super) fn expand_sure(&self, word: &str) -> Option<String> {
        self.expand_known(word, |known| known.is_sure)
    }

    /// What follows the unknown part of a path, with the variables that are known: `/src/top.cpp` of `$here/src/$name.cpp`.
    pub(super) fn expand_end(&self, word: &str) -> Option<String> {
        if let Some((name, behind)) = word.strip_prefix('$').and_then(split_name)
            && let Some(end) = self.ends.get(name)
        {
            return Some(format!("{end}{}", self.expand(behind)?));
        }
        let is_whole = |at: usize| {
            let count = |sign: char| word[..at].matches(sign).count();
            count('[') <= count(']') && count('{') <= count('}')
        };
        let mut ends = word.match_indices('/').filter(|(at, _)| is_whole(*at));
        let end = ends.find_map(|(at, _)| self.expand(&word[at..]));
        end.filter(|path| path.len() > 1 && path.len() <= LONGEST)
    }

    fn expand_known(&self, word: &str, may_take: impl Fn(&Known) -> bool) -> Option<String> {
        let mut out = String::new();
        let mut rest = word;
        while let Some(at) = rest.find(['$', '[', ']']) {
            out.push_str(rest.get(..at)?);
            let (name, after) = split_name(rest.get(at..)?.strip_prefix('$')?)?;
            let known = self.known.get(name).filter(|known| may_take(known))?;
            if out.len() + known.word.len() > LONGEST {
                return None;
            }
            out.push_str(&known.word);
            rest = after;
        }
        out.push_str(rest);
        Some(out)
    }
}

/// The name of a variable behind its `$`, and what follows.
fn split_name(behind: &str) -> Option<(&str, &str)> {
    if let Some(braced) = behind.strip_prefix('{') {
        return braced.split_once('}');
    }
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    Some(behind.split_at(behind.find(|letter| !is_word(letter)).unwrap_or(behind.len())))
}

fn find_first_word(text: &str) -> &str {
    let ends = |letter: char| letter.is_whitespace() || "];".contains(letter);
    let text = text.trim_start();
    text.split(ends).next().unwrap_or_default()
}

/// Whether a command only reads variables.
pub(super) fn changes_nothing(name: &str) -> bool {
    let is_of_tool =
        ["set_directive_", "config_", "export_"].iter().any(|one| name.starts_with(one));
    is_of_tool || READERS.contains(&name)
}

fn makes_script(name: &str) -> bool {
    name.starts_with(['$', '{', '[']) || MAKERS.contains(&name)
}

/// The words of a text that may name a variable: `n` of `incr n`, not of `$n` and `src/n.cpp`.
fn list_bare_words(text: &str) -> impl Iterator<Item = &str> {
    let is_edge = |letter: char| letter.is_whitespace() || "{}[]\"();".contains(letter);
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || "_:".contains(letter);
    text.split(is_edge).filter(move |word| !word.is_empty() && word.chars().all(is_name))
}
