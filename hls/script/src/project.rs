//! The projects that a Tcl script of the tool makes: sources, top, part and clock.

use std::collections::BTreeMap;

use super::tcl::{TclFile, list_commands, read_command as read_asked, split_words};

/// A project of a script, as `open_project` or `open_component` begins it, or what a script of Catapult builds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptProject {
    /// Its name, where the script spells it.
    pub name: Option<String>,
    /// `set_top`; several where the script sets one after the other.
    pub tops: Vec<String>,
    /// `add_files`, as they are spelt.
    pub files: Vec<String>,
    /// The words of `-cflags` of these files: `-I`, `-D`.
    pub cflags: Vec<String>,
    /// `set_part` and `open_solution -part`.
    pub parts: Vec<String>,
    /// What each `open_solution` begins; one without a name where clocks and directives come before it.
    pub solutions: Vec<ScriptSolution>,
}

/// A solution of a project: its clock and its directives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptSolution {
    /// Its name, where the script spells it.
    pub name: Option<String>,
    /// `create_clock`; several where the script chooses when it runs.
    pub clocks: Vec<ScriptClock>,
    /// Its directives and settings.
    pub asked: TclFile,
    /// The scripts of directives that it reads and that are not there.
    pub absent: Vec<String>,
}

/// A clock that a script creates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptClock {
    /// Its period or frequency, as it is spelt.
    pub period: String,
    /// `-name`; the tool calls a clock `default` that has none.
    pub name: String,
}

/// The name of a solution's own clock.
const OWN_CLOCK: &str = "default";

/// So many scripts may read each other.
const DEEPEST: usize = 4;

impl ScriptProject {
    fn is_empty(&self) -> bool {
        let is_empty = |one: &ScriptSolution| {
            one.clocks.is_empty() && one.asked.directives.is_empty() && one.absent.is_empty()
        };
        self.tops.is_empty()
            && self.files.is_empty()
            && self.parts.is_empty()
            && self.solutions.iter().all(is_empty)
    }

    /// The solution that is open.
    fn solution(&mut self) -> &mut ScriptSolution {
        if self.solutions.is_empty() {
            self.solutions.push(ScriptSolution::default());
        }
        let last = self.solutions.len() - 1;
        &mut self.solutions[last]
    }

    /// Of several clocks with names of their own, a solution's is the one called `default`.
    fn keep_own_clocks(&mut self) {
        for solution in &mut self.solutions {
            if solution.clocks.iter().any(|one| one.name == OWN_CLOCK) {
                solution.clocks.retain(|one| one.name == OWN_CLOCK);
            }
        }
    }
}

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
    reader.read(text, DEEPEST);
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
    fn read(&mut self, text: &str, depth: usize) {
        for (line, command) in list_commands(text) {
            let words = split_words(&command);
            let Some((name, spelt)) = words.split_first() else { continue };
            // A command in the body of an `if` or a `foreach` on the same line is not looked for.
            let name = name.trim_start_matches(['{', '}']);
            let rest: Vec<Option<String>> =
                spelt.iter().map(|one| expand(one, &self.variables)).collect();
            match name {
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
        let Some(path) = last.filter(|_| depth > 0) else { return };
        // A script that reads itself adds nothing.
        if self.open.contains(&path) {
            return;
        }
        match (self.sourced)(&path) {
            Some(text) => {
                self.open.push(path);
                self.read(&text, depth - 1);
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
        if rest.iter().flatten().any(|word| word == "-tb") {
            return;
        }
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
fn expand(word: &str, variables: &BTreeMap<String, String>) -> Option<String> {
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
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<ScriptProject> {
        read_script(text, &mut |_| None)
    }

    #[test]
    fn each_project_has_its_files_and_its_chip() {
        let text = "set SRC ./src\nset part {xc7z020clg400-1}\nopen_project -reset proj_fir\n\
                    set_top fir\nadd_files \"$SRC/fir.cpp ${SRC}/taps.cpp\" -cflags \"-I$SRC/inc -DN=4\"\n\
                    add_files -tb $SRC/fir_test.cpp -cflags \"-DTB\"\nopen_solution -reset \"solution1\"\n\
                    set_part $part\ncreate_clock -period 10 -name default\ncsim_design\n\
                    open_component mm -flow_target vitis\nset_top mm\nadd_files mm.cpp\n\
                    set_part [lindex $argv 2]\nexit\n";
        let [fir, mm] = read(text).try_into().unwrap();
        let fir: ScriptProject = fir;
        assert_eq!((fir.name.as_deref(), fir.tops), (Some("proj_fir"), vec!["fir".to_owned()]));
        assert_eq!(fir.files, ["./src/fir.cpp", "./src/taps.cpp"]);
        assert_eq!(fir.cflags, ["-I./src/inc", "-DN=4"]);
        assert_eq!(fir.parts, ["xc7z020clg400-1"]);
        let [solution] = fir.solutions.try_into().unwrap();
        let solution: ScriptSolution = solution;
        let clock = ScriptClock { period: "10".into(), name: "default".into() };
        assert_eq!((solution.name.as_deref(), solution.clocks), (Some("solution1"), vec![clock]));
        let mm: ScriptProject = mm;
        assert_eq!((mm.name.as_deref(), mm.files), (Some("mm"), vec!["mm.cpp".to_owned()]));
        assert!(mm.parts.is_empty());
    }

    #[test]
    fn directives_are_of_their_solution() {
        let text = "open_project p\nset_top top\nopen_solution plain\nopen_solution fast\n\
                    source ./fast/directives.tcl\nsource gone_directives.tcl\nsource run_sim.tcl\nconfig_compile -pipeline_loops 8\n";
        let mut sourced = |path: &str| {
            path.ends_with("/directives.tcl")
                .then(|| "set_directive_pipeline \"top/L1\"\n".to_owned())
        };
        let [one] = read_script(text, &mut sourced).try_into().unwrap();
        let one: ScriptProject = one;
        let asked = one
            .solutions
            .iter()
            .map(|one| (one.asked.directives.len(), one.asked.settings.len(), one.absent.len()));
        assert_eq!(asked.collect::<Vec<_>>(), [(0, 1, 0), (1, 2, 1)]);
        assert_eq!(read("# add_files a.cpp\nputs done\n"), []);
    }

    #[test]
    fn a_script_reads_what_another_one_sets() {
        let text = "set here [file dirname [info script]]\nsource [file join $here project.tcl]\n\
                    open_project ${name}_prj\nset_top ${name}\nadd_files firmware/${name}.cpp\n\
                    set_part $part\ncreate_clock -period $period -name default\n";
        let mut sourced = |path: &str| {
            (path == "project.tcl").then(|| {
                "variable name\nset name \"net\"\nset part \"xcku060\"\nset period 5\nsource project.tcl\n".to_owned()
            })
        };
        let [net] = read_script(text, &mut sourced).try_into().unwrap();
        let net: ScriptProject = net;
        assert_eq!((net.name.as_deref(), net.tops), (Some("net_prj"), vec!["net".to_owned()]));
        assert_eq!(
            (net.files, net.parts),
            (vec!["firmware/net.cpp".into()], vec!["xcku060".into()])
        );
        assert_eq!(net.solutions[0].clocks[0].period, "5");
        // Without the other script nothing is known.
        assert_eq!(read(text), []);
    }

    #[test]
    fn each_solution_has_its_clock_and_ports_have_none_of_them() {
        let text = "open_project p\nset_top f\nopen_solution slow\ncreate_clock -period 25 -name default\n\
                    create_clock -period 4 -name memory\nopen_solution fast\ncreate_clock -period 300MHz\n";
        let [one] = read(text).try_into().unwrap();
        let one: ScriptProject = one;
        let clocks = one.solutions.iter().flat_map(|one| {
            one.clocks.iter().map(|clock| (one.name.as_deref(), clock.period.as_str()))
        });
        assert_eq!(clocks.collect::<Vec<_>>(), [(Some("slow"), "25"), (Some("fast"), "300MHz")]);
        assert_eq!(read("create_clock -period 10 -name clk [get_ports clk]\n"), []);
        assert_eq!(read("create_clock -period [lindex $argv 2]\n"), []);
    }

    #[test]
    fn the_known_end_of_a_path_is_kept() {
        let text = "set_top top\nadd_files [lindex $argv 1]/src/top.cpp\nadd_files \"$dir/a.cpp ./b.cpp\"\n\
                    add_files $all\nadd_files -tb $dir/tb.cpp\n";
        let [one] = read(text).try_into().unwrap();
        let one: ScriptProject = one;
        assert_eq!(one.files, ["/src/top.cpp", "/a.cpp", "./b.cpp"]);
    }

    #[test]
    fn a_script_of_catapult_adds_its_files() {
        let text = "set here .\nsolution file add $here/top.cpp -type C++\n\
                    solution file add $here/host.cpp -exclude true\n\
                    solution file add $here/top_tb.cpp\nsolution design set top -top\ngo analyze\n";
        let [one] = read(text).try_into().unwrap();
        let one: ScriptProject = one;
        assert_eq!((one.files, one.tops), (vec!["./top.cpp".into()], vec!["top".to_owned()]));
    }
}
