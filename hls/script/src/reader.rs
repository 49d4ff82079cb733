//! Reads a Tcl script of the tool as far as it is decided before it runs.

use std::collections::BTreeMap;

use super::project::{OWN_CLOCK, ScriptClock, ScriptProject, ScriptSolution};
use super::tcl::{TclFile, read_command as read_asked};
use super::variables::{Variables, changes_nothing};
use super::words::{list_commands, split_words};

/// So many scripts and bodies may be within each other.
const DEEPEST: usize = 16;
/// So many scripts may read each other.
const MOST_SCRIPTS: usize = 4;
/// The variable with the command that rewrites the code between the front end and the scheduler.
const REWRITES: &str = "LLVM_CUSTOM_CMD";
/// So many commands are read of a script, with those that it reads and the iterations of its lists.
const MOST_COMMANDS: usize = 100_000;
/// So many letters count as a command, and so many variables.
const LETTERS: usize = 256;
const VARIABLES: usize = 64;

/// The projects of a script. Words that only a run of the script decides (`[lindex $argv 1]`) are left out; of a path that
/// begins with one, what follows is kept: `/src/top.cpp`. `sourced` gives the text of a script that this one reads.
pub fn read_script(
    text: &str,
    sourced: &mut dyn FnMut(&str) -> Option<String>,
) -> Vec<ScriptProject> {
    let mut reader = ScriptReader {
        projects: vec![ScriptProject::default()],
        variables: Variables::default(),
        procedures: BTreeMap::new(),
        open: Vec::new(),
        left: MOST_COMMANDS,
        is_cut: false,
        sourced,
    };
    reader.read(text, 1, DEEPEST);
    reader.read_uncalled();
    let (mut projects, is_cut) = (reader.projects, reader.is_cut);
    for solution in projects.iter_mut().flat_map(|project| &mut project.solutions) {
        solution.is_cut = is_cut;
    }
    projects.iter_mut().for_each(ScriptProject::keep_own_clocks);
    projects.retain(|project| !project.is_empty());
    projects
}

struct ScriptReader<'a> {
    projects: Vec<ScriptProject>,
    variables: Variables,
    /// The procedures that make projects.
    procedures: BTreeMap<String, bodies::Procedure>,
    /// The scripts that are being read.
    open: Vec<String>,
    /// So many commands may still be read.
    left: usize,
    /// Whether something is not read, as the script is too long or too deep.
    is_cut: bool,
    sourced: &'a mut dyn FnMut(&str) -> Option<String>,
}

impl ScriptReader<'_> {
    /// Reads a script whose first line has this number. `depth` says how many scripts and bodies may follow within.
    fn read(&mut self, text: &str, first: u32, depth: usize) {
        if !self.spend(text.len() / LETTERS) {
            return;
        }
        for (line, command) in list_commands(text, first) {
            let words = split_words(&command);
            let Some((name, spelt)) = words.split_first() else { continue };
            let name = name.as_str();
            let rest: Vec<Option<String>> =
                spelt.iter().map(|one| self.variables.expand(one)).collect();
            let letters = command.len() + rest.iter().flatten().map(String::len).sum::<usize>();
            if !self.spend(1 + letters / LETTERS + self.variables.len() / VARIABLES) {
                return;
            }
            match name {
                "if" => self.read_if(&command, line, depth),
                "foreach" => self.read_foreach(&command, &rest, line, depth),
                "switch" => self.read_switch(&command, line, depth),
                "while" | "for" | "namespace" => self.read_loop(&command, line, depth),
                "catch" => self.read_catch(&command, line, depth),
                "proc" => self.read_procedure(&command, line, depth),
                "set" => self.set_variable(&command, spelt, &rest),
                "source" => self.read_sourced(spelt, depth),
                "open_project" | "open_component" => {
                    self.variables.forget_changed(&command);
                    let name = split_options(&rest, &["flow_target"]).0.into_iter().next();
                    self.projects.push(ScriptProject { name, ..ScriptProject::default() });
                    self.keep_asked(&command, &rest, line);
                }
                // The tool takes the singular, too.
                "add_files" | "add_file" => {
                    self.variables.forget_changed(&command);
                    self.add_files(spelt, &rest);
                }
                "solution" => self.read_catapult(&rest),
                "directive" | "eval" => {
                    self.read_catapult_clocks(&command);
                    self.change_variables(&command, spelt, &rest);
                }
                _ => {
                    self.change_variables(&command, spelt, &rest);
                    if depth > 0 && self.call(name, spelt, &rest, depth) {
                        continue;
                    }
                    self.read_command(name, &rest);
                    self.keep_asked(&command, &rest, line);
                }
            }
        }
    }

    /// Whether so many commands may be read.
    fn spend(&mut self, count: usize) -> bool {
        let left = self.left.checked_sub(count);
        self.left = left.unwrap_or(0);
        self.is_cut |= left.is_none();
        left.is_some()
    }

    fn read_body(&mut self, text: &str, first: u32, depth: usize) {
        if let Some(depth) = depth.checked_sub(1) {
            return self.read(text, first, depth);
        }
        self.is_cut = true;
        self.variables.forget_named(text);
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
            for one in &mut file.directives {
                one.script = self.open.last().cloned();
            }
            let asked = &mut project.solution().asked;
            asked.directives.extend(file.directives);
            asked.settings.extend(file.settings);
            asked.unread.extend(file.unread);
        }
    }

    fn set_variable(&mut self, command: &str, spelt: &[String], rest: &[Option<String>]) {
        self.variables.forget_changed(command);
        let Some((variable, name)) = rest.first().zip(spelt.first()) else { return };
        if name.trim_start_matches("::") == REWRITES
            && let Some(project) = self.projects.last_mut()
        {
            project.solution().is_rewritten = true;
        }
        match (variable, rest.get(1)) {
            (Some(variable), Some(Some(value))) => {
                let is_sure = [spelt.first(), spelt.get(1)]
                    .into_iter()
                    .flatten()
                    .all(|word| self.variables.expand_sure(word).is_some());
                self.variables.set(variable, value.clone(), is_sure);
            }
            // Of flags, those count that are known: `-I$include -DFAST`.
            (Some(variable), _) => {
                let flags = spelt.get(1).and_then(|word| self.expand_macros(word));
                if let Some(flags) = flags {
                    return self.variables.set(variable, flags, false);
                }
                let end = spelt.get(1).and_then(|word| self.variables.expand_end(word));
                self.variables.forget(variable);
                self.variables.set_end(variable, end);
            }
            (None, _) if name.starts_with(['$', '[']) => self.variables.doubt_all(),
            (None, _) => self.variables.forget_named(name),
        }
    }

    /// The macros that flags define, of those that are known; `None` without any.
    fn expand_macros(&self, flags: &str) -> Option<String> {
        let defines = flags.split_whitespace().filter(|word| word.starts_with("-D"));
        let known: Vec<String> = defines.filter_map(|word| self.variables.expand(word)).collect();
        (!known.is_empty()).then(|| known.join(" "))
    }

    /// Forgets what a command changes, as `incr n` and `incr $name` do.
    fn change_variables(&mut self, command: &str, spelt: &[String], rest: &[Option<String>]) {
        self.variables.forget_changed(command);
        let is_named = spelt.first().is_some_and(|word| word.starts_with(['$', '[']));
        if !is_named || command.split_whitespace().next().is_some_and(changes_nothing) {
            return;
        }
        match rest.first() {
            Some(Some(variable)) => self.variables.forget(variable),
            _ => self.variables.doubt_all(),
        }
    }

    /// `source project.tcl`, `source [file join $here project.tcl]`. A script that is not read may set anything.
    fn read_sourced(&mut self, spelt: &[String], depth: usize) {
        let last = spelt.last().and_then(|word| self.variables.expand(word.trim_end_matches(']')));
        let may_read = depth > 0 && self.open.len() < MOST_SCRIPTS;
        self.is_cut |= last.is_some() && !may_read;
        let Some(path) = last.filter(|_| may_read) else { return self.variables.doubt_all() };
        // A script that reads itself adds nothing.
        if self.open.contains(&path) {
            return self.variables.doubt_all();
        }
        if let Some(text) = (self.sourced)(&path) {
            self.open.push(path);
            self.read(&text, 1, depth - 1);
            self.open.pop();
            return;
        }
        self.variables.doubt_all();
        // Others may be of the simulator.
        if path.contains("directives")
            && let Some(project) = self.projects.last_mut()
        {
            project.solution().absent.push(path);
        }
    }

    fn add_files(&mut self, spelt: &[String], rest: &[Option<String>]) {
        let is_bench = rest.iter().flatten().any(|word| word == "-tb");
        let behind = spelt.iter().position(|word| word == "-cflags").map(|at| at + 1);
        let part = behind.filter(|&at| rest.get(at).is_some_and(Option::is_none));
        let part = part.and_then(|at| self.expand_macros(spelt.get(at)?));
        let Some(project) = self.projects.last_mut() else { return };
        let (files, options) = split_options(rest, &["cflags", "csimflags"]);
        let files = files.iter().flat_map(|word| word.split_whitespace()).map(str::to_owned);
        let open = spelt
            .iter()
            .zip(rest)
            .filter(|(word, known)| known.is_none() && !word.starts_with('-'));
        let open = open.flat_map(|(word, _)| word.split_whitespace()).filter_map(|word| {
            self.variables.expand(word).or_else(|| self.variables.expand_end(word))
        });
        if is_bench {
            project.benches.extend(files.chain(open));
            return;
        }
        project.files.extend(files.chain(open));
        project.cflags.extend(options.get("cflags").iter().flat_map(|one| split_words(one)));
        if let (Some(macros), Some(project)) = (part, self.projects.last_mut()) {
            project.cflags.extend(split_words(&macros));
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
            "csim_design" | "csynth_design" => {
                if let Some(solution) = project.solutions.last_mut() {
                    solution.steps.insert(name.to_owned());
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

mod bodies;
mod catapult;
#[cfg(test)]
mod tests;
