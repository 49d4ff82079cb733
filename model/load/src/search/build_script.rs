//! Scripts and configurations of the tools: which sources they build, for which chip and clock.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use derate_hls::{
    ScriptClock, ScriptProject, ScriptSolution, TclFile, read_build_commands, read_heading_version,
    read_hls_config, read_script,
};
use derate_machine::{BuildFile, Platform, find_named_parts, read_named_part};
use derate_project::{Code, read_define};
use derate_units::quantity::ParseQuantity;
use derate_units::{Hertz, Seconds};

use super::named_path::NamedPaths;
use super::{SOURCE_ENDINGS, Search, has_extension, read_small};
use crate::split_flags;

/// What one project of a script, or one configuration, says.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct BuildScript {
    /// The path of the script from the folder that is searched.
    pub(crate) name: String,
    /// The project's name.
    pub(crate) project: Option<String>,
    /// The sources that are there.
    pub(crate) files: BTreeSet<PathBuf>,
    /// The sources that the commands of a build file compile, of those that are there.
    pub(crate) compiled: BTreeSet<PathBuf>,
    /// The configurations that its commands name, of those that are there.
    pub(crate) configs: BTreeSet<PathBuf>,
    /// Whether it is a README: what it says is of the sources that its commands compile.
    pub(crate) is_readme: bool,
    /// The test benches that are there.
    pub(crate) benches: BTreeSet<PathBuf>,
    /// The sources that are not there, as it spells them. A path of another machine may be of a file that has another place here.
    pub(crate) missing: Vec<String>,
    pub(crate) tops: Vec<String>,
    pub(crate) parts: Vec<String>,
    pub(crate) solutions: Vec<Solution>,
    pub(crate) include: Vec<PathBuf>,
    /// Whether these are all folders of its includes: those with a variable of a build file may be missing.
    pub(crate) has_all_folders: bool,
    pub(crate) defines: Vec<(String, String)>,
    /// Year and release of the tool that wrote it, by its heading.
    pub(crate) tool: Option<(u16, u16)>,
}

/// A solution of a script.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Solution {
    /// Its name, where the script spells it.
    pub(crate) name: Option<String>,
    /// The periods of its clock in ns; several where only a run of the script decides.
    pub(crate) clocks: Vec<f64>,
    /// Its directives and settings.
    pub(crate) asked: TclFile,
    /// The scripts that it reads and that are not there.
    pub(crate) absent: Vec<String>,
    /// Conditions that only a run of the script decides.
    pub(crate) undecided: Vec<String>,
    /// Whether a part of the script is not read.
    pub(crate) is_cut: bool,
    /// Whether a program of the project's own rewrites the code before it is scheduled.
    pub(crate) is_rewritten: bool,
    /// Whether the script simulates it as C++ and does not synthesise it.
    pub(crate) only_simulates: bool,
}

impl BuildScript {
    /// Whether commands of a Makefile, `CMake` or a shell script build what it names.
    pub(crate) fn is_of_commands(&self) -> bool {
        use BuildFile::{Cmake, Makefile, Shell};
        matches!(BuildFile::of_name(&self.name), Some(Makefile | Cmake | Shell))
    }

    /// Whether it names a clock.
    pub(crate) fn names_clock(&self) -> bool {
        self.solutions.iter().any(|solution| !solution.clocks.is_empty())
    }
}

impl Search {
    /// All scripts and configurations that name sources, a top, a part or a clock; those that tools write are passed over.
    pub(crate) fn read_scripts(&self) -> Vec<BuildScript> {
        let mut found = Vec::new();
        for path in &self.files {
            let name = self.name(path);
            let Some(kind) = BuildFile::of_name(&name) else { continue };
            if self.is_foreign(path) {
                continue;
            }
            let Some(text) = read_small(path) else { continue };
            let projects = match kind {
                BuildFile::Tcl => {
                    let paths = NamedPaths::of(&self.dir, &name, None);
                    read_script(&text, &mut |named| read_small(&paths.find(named, Path::is_file)?))
                }
                BuildFile::Config => vec![of_config(&text)],
                BuildFile::Project => continue,
                BuildFile::Makefile | BuildFile::Cmake | BuildFile::Shell => {
                    vec![read_build_commands(&text)]
                }
            };
            let tool = if kind == BuildFile::Tcl { read_heading_version(&text) } else { None };
            let resolve = |project| Some(BuildScript { tool, ..self.resolve(&name, project)? });
            let scripts = projects.into_iter().filter_map(resolve);
            let says = |one: &BuildScript| {
                !(one.files.is_empty()
                    && one.compiled.is_empty()
                    && one.configs.is_empty()
                    && one.tops.is_empty()
                    && one.parts.is_empty()
                    && !one.names_clock())
            };
            found.extend(scripts.filter(says));
        }
        found.extend(self.read_readmes());
        found
    }

    /// Finds the files that a project names; `None` where all of its sources are left out.
    pub(super) fn resolve(&self, name: &str, project: ScriptProject) -> Option<BuildScript> {
        let paths = NamedPaths::of(&self.dir, name, project.name.as_deref());
        let find_sources = |named: &[String]| -> BTreeSet<PathBuf> {
            named
                .iter()
                .filter(|named| has_extension(Path::new(named), &SOURCE_ENDINGS))
                .filter_map(|named| {
                    let end = || paths.find_end(named, &self.files).cloned();
                    paths.find(named, Path::is_file).or_else(end)
                })
                .collect()
        };
        let is_missing = |named: &&String| {
            has_extension(Path::new(named), &SOURCE_ENDINGS)
                && Path::new(named).is_relative()
                && !named.contains([':', '*'])
                && paths.find(named, Path::is_file).is_none()
        };
        let missing = project.files.iter().filter(is_missing).cloned().collect();
        let mut files = find_sources(&project.files);
        let is_builder = !files.is_empty();
        files.retain(|path| !self.exclude.leaves_out(&self.name(path)));
        if is_builder && files.is_empty() {
            return None;
        }
        let (folders, macros) = split_flags(&project.cflags);
        let include = folders.iter().filter_map(|named| paths.find(named, Path::is_dir)).collect();
        let defines = macros.iter().filter_map(|text| read_define(text).ok()).collect();
        let mut solutions = project.solutions;
        let asked = solutions.iter_mut().flat_map(|one| &mut one.asked.directives);
        for script in asked.filter_map(|one| one.script.as_mut()) {
            if let Some(path) = paths.find(script, Path::is_file) {
                *script = self.name(&path);
            }
        }
        let solutions = solutions.into_iter().map(|one| Solution {
            name: one.name,
            clocks: one.clocks.iter().filter_map(|clock| read_clock(&clock.period)).collect(),
            asked: one.asked,
            absent: one.absent,
            undecided: one.undecided,
            is_cut: one.is_cut,
            is_rewritten: one.is_rewritten,
            only_simulates: !one.steps.is_empty() && !one.steps.contains("csynth_design"),
        });
        Some(BuildScript {
            name: name.to_owned(),
            project: project.name,
            compiled: find_sources(&project.compiled),
            configs: project
                .configs
                .iter()
                .filter_map(|named| paths.find(named, Path::is_file))
                .collect(),
            has_all_folders: project.compiled.is_empty(),
            is_readme: false,
            files,
            benches: find_sources(&project.benches),
            missing,
            tops: project.tops,
            parts: project.parts,
            solutions: solutions.collect(),
            include,
            defines,
            tool: None,
        })
    }
}

fn of_config(text: &str) -> ScriptProject {
    let config = read_hls_config(text);
    ScriptProject {
        name: None,
        tops: config.top.into_iter().collect(),
        files: config.sources,
        compiled: Vec::new(),
        configs: Vec::new(),
        benches: config.benches,
        cflags: config.cflags,
        parts: config.part.into_iter().collect(),
        solutions: vec![ScriptSolution {
            clocks: config.clock.into_iter().map(own_clock).collect(),
            asked: config.file,
            ..ScriptSolution::default()
        }],
    }
}

fn own_clock(period: String) -> ScriptClock {
    ScriptClock { period, ..ScriptClock::default() }
}

/// The period in ns of `3.33 ns`, `300 MHz`, or a bare number of ns as in Tcl.
pub fn read_clock(text: &str) -> Option<f64> {
    let bare = text.trim().parse::<f64>().ok().filter(|ns| ns.is_finite() && *ns > 0.0);
    let ns = bare
        .or_else(|| Seconds::parse_quantity(text).ok().map(|period| period.0 * 1e9))
        .or_else(|| Hertz::parse_quantity(text).ok().map(|clock| 1e9 / clock.0));
    ns.filter(|ns| is_clock(*ns))
}

/// Whether a period in ns may be that of a clock.
pub(crate) fn is_clock(ns: f64) -> bool {
    (0.1..=1e6).contains(&ns)
}

/// The scripts that name no top, or one that the design defines; all where none of them names one that it defines. Those that only
/// simulate are left out where another one builds the design for a chip.
pub(crate) fn list_own(scripts: &[BuildScript], code: &Code) -> Vec<BuildScript> {
    let defined: BTreeSet<&str> = code.functions().map(|one| one.name.as_str()).collect();
    let names_own =
        |script: &BuildScript| script.tops.iter().any(|top| defined.contains(top.as_str()));
    let has_own = scripts.iter().any(names_own);
    let is_own = |script: &&BuildScript| !has_own || script.tops.is_empty() || names_own(script);
    let mut own: Vec<BuildScript> = scripts.iter().filter(is_own).cloned().collect();
    let simulates = |script: &BuildScript| {
        !script.solutions.is_empty() && script.solutions.iter().all(|one| one.only_simulates)
    };
    let builds = |script: &BuildScript| {
        !simulates(script) && !script.tops.is_empty() && !script.parts.is_empty()
    };
    if own.iter().any(builds) {
        own.retain(|script| !simulates(script));
    }
    own
}

/// The card of the catalogue that a v++ configuration names: `platform=xilinx_u280_gen3x16_xdma_1_202211_1`; else the one of
/// its own name: `connectivity_u250.ini`.
pub(crate) fn find_named_card(
    name: &str,
    config: &str,
    cards: &BTreeMap<String, Platform>,
) -> Option<Platform> {
    let named = find_named_parts(BuildFile::Config, config);
    let file = name.rsplit('/').next().unwrap_or(name);
    let of_name = || read_named_part(file)?.1;
    cards.get(named.into_iter().find_map(|one| one.board).or_else(of_name)?).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_a_period_or_a_frequency() {
        for (text, ns) in
            [("10", Some(10.0)), ("300 MHz", Some(1e3 / 300.0)), ("3.33ns", Some(3.33))]
        {
            assert_eq!(read_clock(text), ns, "{text}");
        }
        for text in ["", "0", "-3", "fast", "inf"] {
            assert_eq!(read_clock(text), None, "{text}");
        }
    }

    #[test]
    fn a_shell_names_its_card() {
        let cards =
            Platform::catalogue().into_iter().map(|card| (card.name.clone(), card)).collect();
        let find = |text: &str| find_named_card("link.cfg", text, &cards).map(|card| card.name);
        let text = "debug=1\nplatform=xilinx_u250_gen3x16_xdma_4_1_202210_1\n[connectivity]\n";
        assert_eq!(find(text).as_deref(), Some("u250"));
        assert_eq!(find("platform=xilinx_zcu999_base\n"), None);
        assert_eq!(find("[connectivity]\nnk=u250:1\n"), None);
        let find = |name: &str| find_named_card(name, "nk=a:1\n", &cards).map(|card| card.name);
        assert_eq!(find("u200/connectivity_u250.ini").as_deref(), Some("u250"));
        assert_eq!(find("u250/link.cfg"), None);
        assert_eq!(find("menu250.cfg"), None);
    }
}
