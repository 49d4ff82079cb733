//! The projects that a Tcl script of the tool makes: sources, top, part and clock.

use std::collections::BTreeMap;

use super::tcl::{list_commands, split_words};

/// A project of a script, as `open_project` or `open_component` begins it.
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
    /// The periods or frequencies of `create_clock`.
    pub clocks: Vec<String>,
}

impl ScriptProject {
    fn is_empty(&self) -> bool {
        self.tops.is_empty() && self.files.is_empty() && self.parts.is_empty()
    }
}

/// The projects of a script. Words that only a run of the script decides (`[lindex $argv 1]`) are left out.
pub fn read_script(text: &str) -> Vec<ScriptProject> {
    let mut projects = vec![ScriptProject::default()];
    let mut variables: BTreeMap<String, String> = BTreeMap::new();
    for (_, command) in list_commands(text) {
        let words = split_words(&command);
        let Some((name, rest)) = words.split_first() else { continue };
        // A command in the body of an `if` or a `foreach` on the same line is not looked for.
        let name = name.trim_start_matches(['{', '}']);
        let rest: Vec<Option<String>> = rest.iter().map(|one| expand(one, &variables)).collect();
        if name == "set" {
            if let [Some(variable), Some(value)] = rest.as_slice() {
                variables.insert(variable.clone(), value.clone());
            } else if let Some(Some(variable)) = rest.first() {
                variables.remove(variable);
            }
            continue;
        }
        if matches!(name, "open_project" | "open_component") {
            let plain = split_options(&rest, &["flow_target"]).0;
            let name = plain.into_iter().next();
            projects.push(ScriptProject { name, ..ScriptProject::default() });
            continue;
        }
        if let Some(project) = projects.last_mut() {
            read_command(name, &rest, project);
        }
    }
    projects.retain(|project| !project.is_empty());
    projects
}

fn read_command(name: &str, rest: &[Option<String>], project: &mut ScriptProject) {
    match name {
        "set_top" => project.tops.extend(split_options(rest, &[]).0),
        "set_part" => project.parts.extend(split_options(rest, &["board", "tool"]).0),
        "open_solution" => {
            let (_, options) = split_options(rest, &["flow_target", "part"]);
            project.parts.extend(options.get("part").cloned());
        }
        "create_clock" => {
            let (_, options) = split_options(rest, &["period", "name"]);
            project.clocks.extend(options.get("period").cloned());
        }
        "add_files" => {
            let is_bench = rest.iter().flatten().any(|word| word == "-tb");
            let (files, options) = split_options(rest, &["cflags", "csimflags"]);
            if !is_bench {
                let files = files.iter().flat_map(|word| word.split_whitespace());
                project.files.extend(files.map(str::to_owned));
                project
                    .cflags
                    .extend(options.get("cflags").iter().flat_map(|one| split_words(one)));
            }
        }
        _ => {}
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_project_has_its_files_and_its_chip() {
        let text = "set SRC ./src\nset part {xc7z020clg400-1}\nopen_project -reset proj_fir\n\
                    set_top fir\nadd_files \"$SRC/fir.cpp ${SRC}/taps.cpp\" -cflags \"-I$SRC/inc -DN=4\"\n\
                    add_files -tb $SRC/fir_test.cpp -cflags \"-DTB\"\nopen_solution -reset \"solution1\"\n\
                    set_part $part\ncreate_clock -period 10 -name default\ncsim_design\n\
                    open_component mm -flow_target vitis\nset_top mm\nadd_files mm.cpp\n\
                    set_part [lindex $argv 2]\nexit\n";
        let [fir, mm] = read_script(text).try_into().unwrap();
        let fir: ScriptProject = fir;
        assert_eq!((fir.name.as_deref(), fir.tops), (Some("proj_fir"), vec!["fir".to_owned()]));
        assert_eq!(fir.files, ["./src/fir.cpp", "./src/taps.cpp"]);
        assert_eq!(fir.cflags, ["-I./src/inc", "-DN=4"]);
        assert_eq!((fir.parts, fir.clocks), (vec!["xc7z020clg400-1".into()], vec!["10".into()]));
        let mm: ScriptProject = mm;
        assert_eq!((mm.name.as_deref(), mm.files), (Some("mm"), vec!["mm.cpp".to_owned()]));
        assert!(mm.parts.is_empty());
    }

    #[test]
    fn a_script_of_directives_makes_no_project() {
        assert_eq!(read_script("set_directive_pipeline \"top/L1\"\n# add_files a.cpp\n"), []);
    }
}
