//! Scripts within commands: branches, loops, procedures.

use super::super::condition::decide;
use super::super::variables::Variables;
use super::super::words::{list_branches, split_words, split_words_at};
use super::ScriptReader;
use super::VARIABLES;

/// A longer list is not of solutions.
const MOST_VALUES: usize = 64;

/// How much is kept, and in which solution.
type Kept = (usize, usize, Option<String>);

impl ScriptReader<'_> {
    /// What tells whether something is kept: lists only grow.
    fn count_kept(&self) -> Kept {
        let Some(last) = self.projects.last() else { return (0, 0, None) };
        let solution = last.solutions.last();
        let of_solution = solution.map_or(0, |one| {
            let asked =
                one.asked.directives.len() + one.asked.settings.len() + one.asked.unread.len();
            asked + one.clocks.len() + one.absent.len() + one.undecided.len()
        });
        let of_project = last.tops.len() + last.files.len() + last.benches.len();
        let others = last.cflags.len() + last.parts.len() + last.solutions.len();
        let name = solution.and_then(|one| one.name.clone());
        (self.projects.len(), of_project + others + of_solution, name)
    }

    /// Keeps a condition of which all branches are read, if they ask for anything.
    fn keep_undecided(&mut self, condition: Option<String>, before: &Kept) {
        if let Some(condition) = condition
            && self.count_kept() != *before
            && let Some(project) = self.projects.last_mut()
        {
            project.solution().undecided.push(condition);
        }
    }

    /// Reads the branch whose condition holds. Where only a run of the script decides, all branches are read: what they ask
    /// for is kept with the condition, and a variable to which they give different words is not known. A branch that takes its
    /// word from the run leaves the default of another one.
    pub(super) fn read_if(&mut self, command: &str, line: u32, depth: usize) {
        let before = self.count_kept();
        let mut undecided = None;
        let mut ends: Vec<Variables> = Vec::new();
        let mut is_closed = false;
        let branches = list_branches(command, line);
        for condition in branches.iter().filter_map(|branch| branch.condition.as_ref()) {
            self.variables.forget_changed_within(condition);
        }
        let start = self.variables.clone();
        for branch in branches {
            let holds = match &branch.condition {
                Some(text) => decide(text, &start),
                None => Some(true),
            };
            if holds == Some(false) {
                continue;
            }
            // Copies of the variables are work, too.
            if !self.spend(start.len() / VARIABLES) {
                return;
            }
            self.variables.clone_from(&start);
            self.read_body(&branch.body, branch.line, depth);
            ends.push(std::mem::take(&mut self.variables));
            if holds == Some(true) {
                is_closed = true;
                break;
            }
            undecided = undecided.or(branch.condition);
        }
        if !is_closed {
            ends.push(start);
        }
        self.variables = Variables::join(&ends);
        self.keep_undecided(undecided, &before);
    }

    /// Reads all bodies of a `switch`.
    pub(super) fn read_switch(&mut self, command: &str, line: u32, depth: usize) {
        let words = split_words_at(command);
        let Some((at, cases)) = words.last() else { return };
        let before = self.count_kept();
        self.variables.forget_changed_within(command);
        let mut ends = vec![self.variables.clone()];
        for (below, body) in split_words_at(cases).iter().skip(1).step_by(2) {
            if !self.spend(1 + ends[0].len() / VARIABLES) {
                return;
            }
            self.variables.clone_from(&ends[0]);
            self.read_body(body, line + at + below, depth);
            ends.push(std::mem::take(&mut self.variables));
        }
        self.variables = Variables::join(&ends);
        self.variables.doubt_named(command);
        let value = words.get(words.len().saturating_sub(2));
        let value = value.map(|(_, word)| word.clone()).unwrap_or_default();
        self.keep_undecided(Some(value), &before);
    }

    /// Reads the body for each word of a list that is known, else once.
    pub(super) fn read_foreach(
        &mut self,
        command: &str,
        rest: &[Option<String>],
        line: u32,
        depth: usize,
    ) {
        let words = split_words_at(command);
        let ([_, (_, name), (_, spelt), (at, body)], [_, list, _]) = (words.as_slice(), rest)
        else {
            return self.read_loop(command, line, depth);
        };
        let values = list.as_ref().map(|list| split_words(list));
        let is_one = split_words(name).len() == 1;
        let Some(values) = values.filter(|values| is_one && values.len() <= MOST_VALUES) else {
            self.variables.forget_named(command);
            self.read_body(body, line + at, depth);
            return self.variables.forget_named(command);
        };
        let is_sure = self.variables.expand_sure(spelt).is_some();
        for value in values {
            self.variables.set(name, value, is_sure);
            self.read_body(body, line + at, depth);
        }
        // Some iterations may not be whole.
        if ["break", "continue"].iter().any(|one| body.contains(one)) {
            self.variables.doubt_named(body);
        }
    }

    /// Reads the words of a command that are scripts. How often they run is not known, so what they change is not either.
    pub(super) fn read_loop(&mut self, command: &str, line: u32, depth: usize) {
        for (at, body) in list_bodies(command) {
            self.variables.forget_named(command);
            self.read_body(&body, line + at, depth);
        }
        self.variables.forget_named(command);
    }

    /// A script that may end before its end.
    pub(super) fn read_catch(&mut self, command: &str, line: u32, depth: usize) {
        let start = self.variables.clone();
        for (at, body) in list_bodies(command) {
            self.read_body(&body, line + at, depth);
        }
        let end = std::mem::take(&mut self.variables);
        self.variables = Variables::join(&[start, end]);
        for name in split_words(command).iter().skip(2) {
            self.variables.forget(name);
        }
    }

    /// The body of a procedure has variables of its own.
    pub(super) fn read_procedure(&mut self, command: &str, line: u32, depth: usize) {
        self.variables.share(command);
        let body = self.variables.of_body();
        let outer = std::mem::replace(&mut self.variables, body);
        for (at, body) in list_bodies(command) {
            self.read_body(&body, line + at, depth);
        }
        self.variables = outer;
    }
}

/// The words of a command that are scripts, each with the number of lines before it.
fn list_bodies(command: &str) -> Vec<(u32, String)> {
    let words = split_words_at(command);
    let is_body = |at: usize| match words.first().map(|(_, name)| name.as_str()) {
        Some("catch") => at == 1,
        // The second word is the condition.
        Some("for") => at == 1 || at > 2,
        _ => at > 1 && at + 1 == words.len(),
    };
    words.iter().enumerate().filter(|(at, _)| is_body(*at)).map(|(_, word)| word.clone()).collect()
}
