//! Scripts and configurations of the tools: which sources they build, for which chip and clock.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use derate_hls::{ScriptProject, read_hls_config, read_script};
use derate_machine::{BuildFile, Platform, find_named_parts};
use derate_project::read_define;
use derate_units::quantity::ParseQuantity;
use derate_units::{Hertz, Seconds};

use super::place::folder_of;
use crate::search::{SOURCE_ENDINGS, Search, has_extension, read_small};
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
    pub(crate) tops: Vec<String>,
    pub(crate) parts: Vec<String>,
    /// Periods in ns.
    pub(crate) clocks: Vec<f64>,
    pub(crate) include: Vec<PathBuf>,
    pub(crate) defines: Vec<(String, String)>,
}

impl Search {
    /// All scripts and configurations that name sources, a top, or a part.
    pub(crate) fn list_scripts(&self) -> Vec<BuildScript> {
        let mut found = Vec::new();
        for path in &self.files {
            let extension = path.extension().and_then(|one| one.to_str()).unwrap_or_default();
            let projects = match extension.to_ascii_lowercase().as_str() {
                "tcl" => read_small(path).map_or_else(Vec::new, |text| read_script(&text)),
                "cfg" | "ini" => {
                    read_small(path).into_iter().map(|text| of_config(&text)).collect()
                }
                _ => continue,
            };
            let scripts = projects.into_iter().map(|project| self.resolve(path, project));
            let says = |one: &BuildScript| {
                !one.files.is_empty() || !one.tops.is_empty() || !one.parts.is_empty()
            };
            found.extend(scripts.filter(says));
        }
        found
    }

    /// Finds the files that a project names.
    fn resolve(&self, script: &Path, project: ScriptProject) -> BuildScript {
        let name = self.name(script);
        let bases = self.list_bases(&name);
        let find = |named: &String| bases.iter().map(|base| base.join(named)).find(|p| p.is_file());
        let files: BTreeSet<PathBuf> = project
            .files
            .iter()
            .filter_map(find)
            .filter(|path| has_extension(path, &SOURCE_ENDINGS))
            .map(|path| plain_below(&self.dir, &path))
            .collect();
        let (folders, macros) = split_flags(&project.cflags);
        let find = |named: &String| bases.iter().map(|base| base.join(named)).find(|p| p.is_dir());
        let include = folders.iter().filter_map(find).collect();
        let defines = macros.iter().filter_map(|text| read_define(text).ok()).collect();
        let clocks = project.clocks.iter().filter_map(|text| read_clock(text)).collect();
        let (tops, parts) = (project.tops, project.parts);
        BuildScript { name, project: project.name, files, tops, parts, clocks, include, defines }
    }

    /// Where the paths of a script may begin: its own folder, and those around it, as the tool may be started there.
    fn list_bases(&self, script: &str) -> Vec<PathBuf> {
        let mut bases = Vec::new();
        let mut folder = folder_of(script);
        loop {
            bases.push(self.dir.join(folder));
            if folder.is_empty() {
                return bases;
            }
            folder = folder_of(folder);
        }
    }
}

/// A path without `..`, as the search lists it.
fn plain_below(dir: &Path, path: &Path) -> PathBuf {
    let below = path.strip_prefix(dir).unwrap_or(path);
    dir.join(crate::paths::plain(below))
}

fn of_config(text: &str) -> ScriptProject {
    let config = read_hls_config(text);
    ScriptProject {
        name: None,
        tops: config.top.into_iter().collect(),
        files: config.sources,
        cflags: config.cflags,
        parts: config.part.into_iter().collect(),
        clocks: config.clock.into_iter().collect(),
    }
}

/// The period in ns of `3.33 ns`, `300 MHz`, or a bare number of ns as in Tcl.
pub fn read_clock(text: &str) -> Option<f64> {
    let bare = text.trim().parse::<f64>().ok().filter(|ns| ns.is_finite() && *ns > 0.0);
    let ns = bare
        .or_else(|| Seconds::parse_quantity(text).ok().map(|period| period.0 * 1e9))
        .or_else(|| Hertz::parse_quantity(text).ok().map(|clock| 1e9 / clock.0));
    ns.filter(|ns| (0.1..=1e6).contains(ns))
}

/// The card of the catalogue that a v++ configuration names: `platform=xilinx_u280_gen3x16_xdma_1_202211_1`.
pub(crate) fn find_named_card(
    config: &str,
    cards: &BTreeMap<String, Platform>,
) -> Option<Platform> {
    let named = find_named_parts(BuildFile::Config, config);
    cards.get(named.into_iter().find_map(|one| one.board)?).cloned()
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
        let find = |text: &str| find_named_card(text, &cards).map(|card| card.name);
        let text = "debug=1\nplatform=xilinx_u250_gen3x16_xdma_4_1_202210_1\n[connectivity]\n";
        assert_eq!(find(text).as_deref(), Some("u250"));
        assert_eq!(find("platform=xilinx_zcu999_base\n"), None);
        assert_eq!(find("[connectivity]\nnk=u250:1\n"), None);
    }
}
