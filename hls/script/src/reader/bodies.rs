//! Scripts within commands: branches, loops, procedures.

use super::super::condition::decide;
use super::super::variables::Variables;
use super::super::words::{list_branches, split_words, split_words_at};
use super::{DEEPEST, ScriptReader, VARIABLES};

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

    /// Reads the body for each word of the lists, where they are known, else once: `foreach name $names top $tops {...}`.
    pub(super) fn read_foreach(
        &mut self,
        command: &str,
        rest: &[Option<String>],
        line: u32,
        depth: usize,
    ) {
        let words = split_words_at(command);
        let Some(((at, body), heads)) = words.split_last().filter(|(_, heads)| heads.len() > 2)
        else {
            return self.read_loop(command, line, depth);
        };
        let lists = heads.get(1..).unwrap_or_default().chunks(2).zip(rest.chunks(2));
        let lists: Option<Vec<List>> = lists
            .map(|(spelt, known)| {
                let ([(_, names), _], [_, Some(list), ..]) = (spelt, known) else { return None };
                Some(List { names: split_words(names), values: split_words(list) })
            })
            .collect();
        let count = |lists: &Vec<List>| lists.iter().map(List::count_iterations).max();
        let lists = lists.filter(|lists| count(lists).is_some_and(|most| most <= MOST_VALUES));
        let Some(lists) = lists else {
            self.variables.forget_named(command);
            self.read_body(body, line + at, depth);
            return self.variables.forget_named(command);
        };
        let spelt = heads.iter().skip(2).step_by(2);
        let is_sure =
            spelt.map(|(_, one)| one).all(|one| self.variables.expand_sure(one).is_some());
        for iteration in 0..count(&lists).unwrap_or(0) {
            for list in &lists {
                let own = list.values.iter().skip(iteration * list.names.len());
                // A list that has ended gives empty words.
                let own = own.cloned().chain(std::iter::repeat(String::new()));
                for (name, value) in list.names.iter().zip(own) {
                    self.variables.set(name, value, is_sure);
                }
            }
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

    /// The body of a procedure has variables of its own. One that makes projects is read where it is called.
    pub(super) fn read_procedure(&mut self, command: &str, line: u32, depth: usize) {
        self.variables.share(command);
        let words = split_words_at(command);
        if let [_, (_, name), (_, parameters), (at, body)] = words.as_slice()
            && ["open_project", "open_component"].iter().any(|one| body.contains(one))
        {
            let parameters = split_words(parameters).iter().map(|one| split_words(one)).collect();
            let body = (line + at, body.clone());
            let procedure = Procedure { parameters, body, is_called: false };
            self.procedures.insert(name.trim_start_matches("::").to_owned(), procedure);
            return;
        }
        for (at, body) in list_bodies(command) {
            self.read_own(Variables::of_body(&self.variables), &body, line + at, depth);
        }
    }

    /// Reads the body of a procedure with the words that it is called with; `false` where none has this name.
    pub(super) fn call(
        &mut self,
        name: &str,
        spelt: &[String],
        rest: &[Option<String>],
        depth: usize,
    ) -> bool {
        let Some(procedure) = self.procedures.get_mut(name.trim_start_matches("::")) else {
            return false;
        };
        procedure.is_called = true;
        let procedure = procedure.clone();
        let mut variables = self.variables.of_body();
        for (at, parameter) in procedure.parameters.iter().enumerate() {
            let [name, default @ ..] = parameter.as_slice() else { continue };
            let sure = spelt.get(at).map(|word| self.variables.expand_sure(word).is_some());
            let value = rest.get(at).cloned().unwrap_or_else(|| default.first().cloned());
            // `args` is all of the rest.
            if let Some(value) = value.filter(|_| name != "args") {
                variables.set(name, value, sure.unwrap_or(true));
            }
        }
        let (line, body) = procedure.body;
        self.read_own(variables, &body, line, depth);
        true
    }

    /// Reads the procedures that nothing calls: how a person calls them is not known.
    pub(super) fn read_uncalled(&mut self) {
        let procedures = std::mem::take(&mut self.procedures).into_values();
        for Procedure { body: (line, body), .. } in procedures.filter(|one| !one.is_called) {
            self.read_own(self.variables.of_body(), &body, line, DEEPEST);
        }
    }

    fn read_own(&mut self, variables: Variables, body: &str, line: u32, depth: usize) {
        let outer = std::mem::replace(&mut self.variables, variables);
        self.read_body(body, line, depth);
        self.variables = outer;
    }
}

/// A procedure that makes projects.
#[derive(Clone)]
pub(super) struct Procedure {
    /// The names of its parameters, each with its default if it has one.
    parameters: Vec<Vec<String>>,
    /// Its first line and its text.
    body: (u32, String),
    is_called: bool,
}

/// A list of a loop: `{a b} $list` gives each iteration two words of it.
struct List {
    names: Vec<String>,
    values: Vec<String>,
}

impl List {
    fn count_iterations(&self) -> usize {
        self.values.len().div_ceil(self.names.len().max(1))
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
