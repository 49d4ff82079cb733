//! Reads a Tcl script of the tool as far as it is decided before it runs.

use std::collections::BTreeMap;

use super::condition::decide;
use super::project::{OWN_CLOCK, ScriptClock, ScriptProject, ScriptSolution};
use super::tcl::{TclFile, read_command as read_asked};
use super::words::{list_branches, list_commands, split_words, split_words_at};

/// So many scripts and bodies may be within each other.
const DEEPEST: usize = 16;
/// So many scripts may read each other.
const MOST_SCRIPTS: usize = 4;
/// A longer list is not of solutions.
const MOST_ROUNDS: usize = 64;
/// Commands whose words are scripts.
const BODIES: [&str; 6] = ["while", "for", "proc", "catch", "namespace", "foreach"];

/// The projects of a script. Words that only a run of the script decides (`[lindex $argv 1]`) are left out; of a path that
/// begins with one, what follows is kept: `/src/top.cpp`. `sourced` gives the text of a script that this one reads.
pub fn read_script(
    text: &str,
    sourced: &mut dyn FnMut(&str) -> Option<String>,
) -> Vec<ScriptProject> {
    let mut reader = ScriptReader {
        projects: vec![ScriptProject::default()],
        variables: BTreeMap::new(),
        open: Vec::new(),
        sourced,
    };
    reader.read(text, 1, DEEPEST);
    let mut projects = reader.projects;
    projects.iter_mut().for_each(ScriptProject::keep_own_clocks);
    projects.retain(|project| !project.is_empty());
    projects
}

struct ScriptReader<'a> {
    projects: Vec<ScriptProject>,
    variables: BTreeMap<String, String>,
    /// The scripts that are being read.
    open: Vec<String>,
    sourced: &'a mut dyn FnMut(&str) -> Option<String>,
}

impl ScriptReader<'_> {
    /// Reads a script whose first line has this number. `depth` says how many scripts and bodies may follow within.
    fn read(&mut self, text: &str, first: u32, depth: usize) {
        for (line, command) in list_commands(text, first) {
            let words = split_words(&command);
            let Some((name, spelt)) = words.split_first() else { continue };
            let name = name.as_str();
            let rest: Vec<Option<String>> =
                spelt.iter().map(|one| expand(one, &self.variables)).collect();
            match name {
                "if" => self.read_if(&command, line, depth),
                "foreach" => self.read_foreach(&command, &rest, line, depth),
                "switch" => self.read_switch(&command, line, depth),
                _ if BODIES.contains(&name) => self.read_bodies(&command, line, depth),
                "set" => self.set_variable(&rest),
                "source" => self.read_sourced(spelt, depth),
                "open_project" | "open_component" => {
                    let name = split_options(&rest, &["flow_target"]).0.into_iter().next();
                    self.projects.push(ScriptProject { name, ..ScriptProject::default() });
                    self.keep_asked(&command, &rest, line);
                }
                "add_files" => self.add_files(spelt, &rest),
                "solution" => self.read_catapult(&rest),
                _ => {
                    self.read_command(name, &rest);
                    self.keep_asked(&command, &rest, line);
                }
            }
        }
    }

    /// Reads the branch whose condition holds. Where only a run of the script decides, all branches are read: what they ask
    /// for is kept with the condition, and a variable to which they give different words is not known. A branch that takes its
    /// word from the run leaves the default of another one.
    fn read_if(&mut self, command: &str, line: u32, depth: usize) {
        if depth == 0 {
            return;
        }
        let before = self.projects.clone();
        let (start, mut undecided) = (self.variables.clone(), None);
        let mut ends: Vec<BTreeMap<String, String>> = Vec::new();
        let mut is_closed = false;
        for branch in list_branches(command, line) {
            let holds = match &branch.condition {
                Some(text) => decide(text, &start),
                None => Some(true),
            };
            if holds == Some(false) {
                continue;
            }
            self.variables.clone_from(&start);
            self.read(&branch.body, branch.line, depth - 1);
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
        self.variables = join_variables(&ends);
        if let Some(condition) = undecided
            && self.projects != before
            && let Some(project) = self.projects.last_mut()
        {
            project.solution().undecided.push(condition);
        }
    }

    /// Reads all bodies of a `switch`.
    fn read_switch(&mut self, command: &str, line: u32, depth: usize) {
        let words = split_words_at(command);
        let Some((at, cases)) = words.last().filter(|_| depth > 0) else { return };
        let before = self.projects.clone();
        for (below, body) in split_words_at(cases).iter().skip(1).step_by(2) {
            self.read(body, line + at + below, depth - 1);
        }
        if self.projects != before
            && let Some(project) = self.projects.last_mut()
        {
            let value = words.get(words.len().saturating_sub(2));
            let value = value.map(|(_, word)| word.clone()).unwrap_or_default();
            project.solution().undecided.push(value);
        }
    }

    /// Reads the body for each word of a list that is known, else once.
    fn read_foreach(&mut self, command: &str, rest: &[Option<String>], line: u32, depth: usize) {
        let words = split_words_at(command);
        let ([_, (_, name), _, (at, body)], [_, list, _]) = (words.as_slice(), rest) else {
            return self.read_bodies(command, line, depth);
        };
        if depth == 0 {
            return;
        }
        let values = list.as_ref().map(|list| split_words(list));
        let values = values.filter(|values| values.len() <= MOST_ROUNDS);
        let Some(values) = values else {
            self.variables.remove(name);
            return self.read(body, line + at, depth - 1);
        };
        for value in values {
            self.variables.insert(name.clone(), value);
            self.read(body, line + at, depth - 1);
        }
    }

    /// Reads the words of a command that are scripts.
    fn read_bodies(&mut self, command: &str, line: u32, depth: usize) {
        if depth == 0 {
            return;
        }
        for (at, body) in split_words_at(command).into_iter().skip(1) {
            self.read(&body, line + at, depth - 1);
        }
    }

    /// Keeps a directive or a setting, as the readers of such files take it. One with a word that only a run of the script
    /// decides is not read.
    fn keep_asked(&mut self, command: &str, rest: &[Option<String>], line: u32) {
        let mut file = TclFile::default();
        if command.contains(['$', '[']) {
            let name = command.split_whitespace().next().unwrap_or_default();
            let known: Option<Vec<String>> =
                rest.iter().map(|word| Some(format!("{{{}}}", word.as_ref()?))).collect();
            match known {
                Some(words) => read_asked(&format!("{name} {}", words.join(" ")), line, &mut file),
                None if ["set_directive_", "config_"].iter().any(|one| name.starts_with(one)) => {
                    file.unread.push((line, command.to_owned()));
                }
                None => {}
            }
        } else {
            read_asked(command, line, &mut file);
        }
        if let Some(project) = self.projects.last_mut()
            && file != TclFile::default()
        {
            let asked = &mut project.solution().asked;
            asked.directives.extend(file.directives);
            asked.settings.extend(file.settings);
            asked.unread.extend(file.unread);
        }
    }

    fn set_variable(&mut self, rest: &[Option<String>]) {
        if let [Some(variable), Some(value)] = rest {
            self.variables.insert(variable.clone(), value.clone());
        } else if let Some(Some(variable)) = rest.first() {
            self.variables.remove(variable);
        }
    }

    /// `source project.tcl`, `source [file join $here project.tcl]`.
    fn read_sourced(&mut self, spelt: &[String], depth: usize) {
        let last =
            spelt.last().and_then(|word| expand(word.trim_end_matches(']'), &self.variables));
        let may_read = depth > 0 && self.open.len() < MOST_SCRIPTS;
        let Some(path) = last.filter(|_| may_read) else { return };
        // A script that reads itself adds nothing.
        if self.open.contains(&path) {
            return;
        }
        match (self.sourced)(&path) {
            Some(text) => {
                self.open.push(path);
                self.read(&text, 1, depth - 1);
                self.open.pop();
            }
            // Others may be of the simulator.
            None if path.contains("directives") => {
                if let Some(project) = self.projects.last_mut() {
                    project.solution().absent.push(path);
                }
            }
            None => {}
        }
    }

    fn add_files(&mut self, spelt: &[String], rest: &[Option<String>]) {
        let is_bench = rest.iter().flatten().any(|word| word == "-tb");
        let Some(project) = self.projects.last_mut() else { return };
        let (files, options) = split_options(rest, &["cflags", "csimflags"]);
        let files = files.iter().flat_map(|word| word.split_whitespace()).map(str::to_owned);
        let open = spelt
            .iter()
            .zip(rest)
            .filter(|(word, known)| known.is_none() && !word.starts_with('-'));
        let open = open.flat_map(|(word, _)| word.split_whitespace()).filter_map(|word| {
            expand(word, &self.variables).or_else(|| Some(known_end(word)?.to_owned()))
        });
        if is_bench {
            project.benches.extend(files.chain(open));
            return;
        }
        project.files.extend(files.chain(open));
        project.cflags.extend(options.get("cflags").iter().flat_map(|one| split_words(one)));
    }

    /// `solution file add top.cpp -type C++` and `solution design set top -top` of Catapult.
    fn read_catapult(&mut self, rest: &[Option<String>]) {
        let Some(project) = self.projects.last_mut() else { return };
        let (plain, options) = split_options(rest, &["type", "exclude"]);
        let is_excluded = options.get("exclude").is_some_and(|word| word == "true");
        let is_bench = |file: &str| {
            let name = file.rsplit('/').next().unwrap_or(file);
            let stem = name.split('.').next().unwrap_or(name);
            stem.starts_with("test") || stem.ends_with("_tb") || stem.ends_with("_test")
        };
        match plain.as_slice() {
            // Test benches are compiled with the design.
            [what, how, file]
                if what == "file" && how == "add" && !is_excluded && !is_bench(file) =>
            {
                project.files.push(file.clone());
            }
            [what, how, top] if what == "design" && how == "set" => {
                project.tops.push(top.clone());
            }
            _ => {}
        }
    }

    fn read_command(&mut self, name: &str, rest: &[Option<String>]) {
        let Some(project) = self.projects.last_mut() else { return };
        match name {
            "set_top" => project.tops.extend(split_options(rest, &[]).0),
            "set_part" => project.parts.extend(split_options(rest, &["board", "tool"]).0),
            "open_solution" => {
                let (plain, options) = split_options(rest, &["flow_target", "part"]);
                project.parts.extend(options.get("part").cloned());
                let name = plain.into_iter().next();
                // What comes before the first solution is of it.
                if let [first] = project.solutions.as_mut_slice()
                    && first.name.is_none()
                {
                    first.name = name;
                } else if name.is_some()
                    && !rest.iter().flatten().any(|word| word == "-reset")
                    && let Some(at) = project.solutions.iter().position(|one| one.name == name)
                {
                    // It goes on where it was left.
                    let known = project.solutions.remove(at);
                    project.solutions.push(known);
                } else {
                    project.solutions.push(ScriptSolution { name, ..ScriptSolution::default() });
                }
            }
            "create_clock" => {
                let (plain, mut options) = split_options(rest, &["period", "name"]);
                // Scripts of Vivado name the port: `[get_ports clk]`.
                let is_of_ports = !plain.is_empty() || rest.iter().any(Option::is_none);
                if let Some(period) = options.remove("period").filter(|_| !is_of_ports) {
                    let name = options.remove("name").unwrap_or_else(|| OWN_CLOCK.to_owned());
                    project.solution().clocks.push(ScriptClock { period, name });
                }
            }
            _ => {}
        }
    }
}

/// The variables to which all ends of a condition give one word, as far as it is known.
fn join_variables(ends: &[BTreeMap<String, String>]) -> BTreeMap<String, String> {
    let mut joined: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in ends.iter().flatten() {
        joined.entry(name.clone()).or_insert_with(|| value.clone());
    }
    joined.retain(|name, value| {
        ends.iter().all(|end| end.get(name).is_none_or(|other| other == value))
    });
    joined
}

/// The words that are not options, and the options that have a value. What is not known is left out.
fn split_options(
    words: &[Option<String>],
    valued: &[&str],
) -> (Vec<String>, BTreeMap<String, String>) {
    let (mut plain, mut options) = (Vec::new(), BTreeMap::new());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let Some(word) = word else { continue };
        match word.strip_prefix('-') {
            Some(key) if valued.contains(&key) => {
                if let Some(Some(value)) = words.next() {
                    options.insert(key.to_owned(), value.clone());
                }
            }
            Some(_) => {}
            None => plain.push(word.clone()),
        }
    }
    (plain, options)
}

/// A word with the variables that the script sets; `None` where another one is in it.
pub(super) fn expand(word: &str, variables: &BTreeMap<String, String>) -> Option<String> {
    let mut out = String::new();
    let mut rest = word;
    while let Some(at) = rest.find(['$', '[', ']']) {
        out.push_str(rest.get(..at)?);
        let behind = rest.get(at..)?.strip_prefix('$')?;
        let (name, after) = if let Some(braced) = behind.strip_prefix('{') {
            braced.split_once('}')?
        } else {
            let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            behind.split_at(behind.find(|letter| !is_word(letter)).unwrap_or(behind.len()))
        };
        out.push_str(variables.get(name)?);
        rest = after;
    }
    out.push_str(rest);
    Some(out)
}

/// What follows the last unknown part of a path: `/src/top.cpp` of `$here/src/top.cpp`.
fn known_end(word: &str) -> Option<&str> {
    let at = word.rfind([']', '}', '$'])?;
    let behind = word.get(at + 1..)?;
    behind.get(behind.find('/')?..).filter(|path| path.len() > 1)
}

#[cfg(test)]
mod tests;
