//! The text of a first `derate.toml`, filled with what was found beside it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use derate_machine::{NamedPart, PartName, Platform};
use derate_units::figures::count;
use derate_workload::SmolVla;

/// Parts that the comment about build files has.
const MOST_NAMED: usize = 4;
/// Names that take more characters have a line each.
const LIST_WIDTH: usize = 80;
/// Build files that are named; more are those of several designs.
const MOST_SCRIPTS: usize = 12;

/// A dump that was found.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct FoundDump {
    /// Path from the project's folder.
    pub path: String,
    /// Tensors that it lists.
    pub tensors: usize,
    /// Whether its names are smolVLA's.
    pub is_smolvla: bool,
    /// The model's operations, where the file has them.
    pub operations: Option<usize>,
}

/// What `derate init` found in a folder.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Found {
    /// Dumps, the one with the most tensors first.
    pub dumps: Vec<FoundDump>,
    /// Paths or patterns of the sources, sorted.
    pub sources: Vec<String>,
    /// v++ configurations, sorted.
    pub connectivity: Vec<String>,
    /// Paths or patterns of reports, sorted.
    pub reports: Vec<String>,
    /// The parts that the reports name, in lower case.
    pub parts: BTreeSet<String>,
    /// The files that run the tools and name a part, sorted, with what they name.
    pub scripts: Vec<(String, Vec<NamedPart>)>,
    /// Scripts and configurations of the tools that name a part by a word that is no part number, sorted, with that word.
    pub unknown_parts: Vec<(String, String)>,
}

/// What only the user knows.
const CLAIMS: &str = r#"
# Take off the # and write what your slides say. What is left out is not checked.
[claims]
# precision = "bf16"      # bytes of every element: fp32, bf16, int8, int4..., or "as-stored" as in the dump
batch = 1
# sequence_length = 50     # tokens that a layer sees
# clock = "300 MHz"
# bandwidth = "460 GB/s"
# peak = { fp32 = "1.08 TFLOP/s", int8 = "9.47 TOP/s" }
# latency = "unknown"      # or a time, such as "90 ms"

[derate]
# bandwidth = "300 GB/s"   # what you expect to reach

# [measurements]
# files = ["measured/*.json"]   # what `derate bench` or `xbutil validate -f JSON` wrote
# points = "measured.csv"       # kernels on the roofline: name, oi, rate (such as 120 GOP/s), source

# [design]
# dsp_per_mac = { bf16 = 2.0 }   # where your operators cost other than the platform file says

# [audit.levels]
# "shape/unknown-constant" = "error"   # error, warning, note or off; `derate rules` lists the rules
"#;

/// A TOML string.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// The name of the board of the catalogue that has this part; `None` where none or several have it.
pub fn find_card(part: &str) -> Option<String> {
    let boards = Platform::with_part(&PartName::parse(part)?);
    let [one] = boards.as_slice() else { return None };
    Some(one.name.clone())
}

impl Found {
    /// A project file: what was found is filled in, what only the user knows is a comment.
    pub fn project_file(&self) -> String {
        format!(
            "# What this analysis claims. `derate audit` holds every line against the code and the model.\n\n\
             [model]\n{}\n[hls]\n{}\n[platform]\n{}{CLAIMS}",
            self.model_table(),
            self.hls_table(),
            self.platform_table()
        )
    }

    /// The board of the part that the reports name, else of what the build files name; where neither names one that is
    /// known, none, and that is said.
    fn platform_table(&self) -> String {
        let choices = "a name that `derate platform` lists, or a path to your own .toml";
        let mut text = String::new();
        let reported: Vec<&str> = self.parts.iter().map(String::as_str).collect();
        if !reported.is_empty() {
            let _ = writeln!(text, "# the reports were made for {}", reported.join(", "));
        }
        for (named, files) in self.named_parts() {
            let more = match files.len() {
                1 => String::new(),
                number => format!(" and {}", count(number - 1, "more file")),
            };
            let _ = writeln!(text, "# {}{more}: {named}", files[0]);
        }
        if let Some((file, word)) = self.unknown_parts.first() {
            let more = match self.unknown_parts.len() {
                1 => String::new(),
                number => format!(" and {}", count(number - 1, "more file")),
            };
            let _ = writeln!(text, "# {file}{more}: {word}, which is not a part number");
        }
        // A model needs a card; without one, each design keeps the part that its own files name.
        let is_open = !self.devices().is_empty() && self.main_device().is_none();
        if self.dumps.is_empty() && is_open {
            text.push_str(
                "# Several parts are named: each design keeps its own. Take off the # and name the card of the others.\n",
            );
            let name = self.boards().into_iter().next().unwrap_or_else(|| "u280".to_owned());
            return format!("{text}# name = \"{name}\"          # {choices}\n");
        }
        let boards = self.boards();
        let name = match boards.as_slice() {
            [] => {
                text.push_str(if text.is_empty() {
                    "# Nothing here names a card: take off the # and name yours. Where a model needs one, a u280 is assumed.\n"
                } else {
                    "# No board of the catalogue has that part: write a platform file for yours, and its path here.\n"
                });
                return format!("{text}# name = \"u280\"          # {choices}\n");
            }
            [one] => one,
            [first, others @ ..] => {
                let _ = writeln!(
                    text,
                    "# a guess by the chip, which these have too: {}",
                    others.join(", ")
                );
                first
            }
        };
        format!("{text}name = \"{name}\"            # {choices}\n")
    }

    /// What the build files name, and in which files, the most frequent first; no more than a few.
    fn named_parts(&self) -> Vec<(&str, Vec<&str>)> {
        let mut named: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (file, parts) in &self.scripts {
            for one in parts {
                named.entry(one.text.as_str()).or_default().push(file);
            }
        }
        let mut named: Vec<_> = named.into_iter().collect();
        named.sort_by_key(|(_, files)| std::cmp::Reverse(files.len()));
        named.truncate(MOST_NAMED);
        named
    }

    /// The chips that the reports name, else those of the boards that build files name, else of the parts: once for each
    /// file.
    fn devices(&self) -> Vec<String> {
        let named = || self.scripts.iter().flat_map(|(_, parts)| parts);
        let has_board = named().any(|one| one.board.is_some());
        let of_files = named().filter(|one| one.board.is_some() == has_board);
        let of_files = of_files.map(|one| one.part.device().to_owned());
        let unknown = self.unknown_parts.iter().map(|(_, word)| word.clone());
        let of_files = of_files.chain(unknown.filter(|_| !has_board));
        let reported = self.parts.iter().filter_map(|part| PartName::parse(part));
        let reported: Vec<String> = reported.map(|part| part.device().to_owned()).collect();
        if reported.is_empty() { of_files.collect() } else { reported }
    }

    /// The one chip, or the one that three files in four name.
    fn main_device(&self) -> Option<String> {
        let all = self.devices();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for device in &all {
            *counts.entry(device).or_default() += 1;
        }
        let (device, most) = counts.into_iter().max_by_key(|(_, number)| *number)?;
        (most * 4 >= all.len() * 3).then(|| device.to_owned())
    }

    /// The boards of the catalogue that fit, the likeliest first: those with the part of the reports, else with a part
    /// that a build file names; of these, one that a build file names itself goes first.
    fn boards(&self) -> Vec<String> {
        let named = || self.scripts.iter().flat_map(|(_, parts)| parts);
        let reported = self.parts.iter().filter_map(|part| PartName::parse(part));
        let candidates = reported.chain(named().map(|one| one.part.clone()));
        let with_part = |part: PartName| {
            let boards: Vec<String> =
                Platform::with_part(&part).into_iter().map(|own| own.name).collect();
            (!boards.is_empty()).then_some(boards)
        };
        let main = self.main_device();
        let (first, others): (Vec<PartName>, Vec<PartName>) =
            candidates.partition(|part| Some(part.device()) == main.as_deref());
        // A chip that most files name has its own boards, or none.
        let others = others.into_iter().filter(|_| main.is_none());
        let mut candidates = first.into_iter().chain(others);
        let mut boards = candidates.find_map(with_part).unwrap_or_default();
        let said: Vec<&str> = named().filter_map(|one| one.board).collect();
        boards.sort_by_key(|board| !said.contains(&board.as_str()));
        boards
    }

    fn model_table(&self) -> String {
        let Some((dump, others)) = self.dumps.split_first() else {
            return "# No dump was found. Print one: for n, p in model.named_parameters(): print(f\"{n}: {p.shape} [{p.dtype}]\")\n\
                    # Without it, only what needs no model is audited.\n\
                    # shapes = \"model_shape.txt\"\n"
                .to_owned();
        };
        let mut table = match dump.operations {
            Some(operations) => format!(
                "workload = {}   # {operations} operations, {} tensors\n",
                quoted(&dump.path),
                dump.tensors
            ),
            None => format!("shapes = {}   # {} tensors\n", quoted(&dump.path), dump.tensors),
        };
        for other in others {
            let _ = writeln!(
                table,
                "# also found: {} ({} tensors)",
                quoted(&other.path),
                other.tensors
            );
        }
        if dump.operations.is_some() {
            return table;
        }
        table.push_str(if dump.is_smolvla {
            SmolVla::STARTER
        } else {
            "workload = \"linear\"      # every 2-D weight as one GEMM; or \"smolvla\"\n"
        });
        table
    }

    fn hls_table(&self) -> String {
        let list = |all: &[String]| {
            let all: Vec<String> = all.iter().map(|one| quoted(one)).collect();
            let line = all.join(", ");
            if line.len() <= LIST_WIDTH {
                line
            } else {
                format!("\n    {},\n", all.join(",\n    "))
            }
        };
        let mut table = if self.sources.is_empty() {
            "# No C++ sources were found. Name headers and kernels; * and ** are patterns.\n\
             # sources = [\"include/*.h\", \"kernels/*.cpp\"]\n"
                .to_owned()
        } else {
            format!("sources = [{}]\n", list(&self.sources))
        };
        table.push_str(
            "# include = [\"include\"]             # where else includes are looked for (-I)\n\
             # defines = [\"USE_FIXED\", \"W=16\"]   # macros that the build sets (-D)\n",
        );
        match self.connectivity.split_first() {
            Some((first, others)) => {
                let _ = writeln!(table, "connectivity = {}", quoted(first));
                for other in others {
                    let _ = writeln!(table, "# also found: {}", quoted(other));
                }
            }
            None => table.push_str("# connectivity = \"u280.cfg\"         # what v++ gets\n"),
        }
        if self.reports.is_empty() {
            table.push_str("# reports = [\"reports/*.rpt\"]       # what Vitis, v++ and co-simulation printed\n");
        } else {
            let _ = writeln!(table, "reports = [{}]", list(&self.reports));
        }
        if self.scripts.len() > MOST_SCRIPTS {
            let count = self.scripts.len();
            let _ = writeln!(
                table,
                "# scripts = [\"hls/*.tcl\"]   # {count} files name a part: name those of this design"
            );
        } else if !self.scripts.is_empty() {
            let files: Vec<String> = self.scripts.iter().map(|(file, _)| file.clone()).collect();
            let _ = writeln!(table, "scripts = [{}]", list(&files));
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use derate_hls::Sources;

    use super::*;
    use derate_project::Project;

    fn parses(found: &Found) -> Project {
        let mut sources = Sources::default();
        let file = sources.add("derate.toml", found.project_file());
        Project::parse(&sources, file).unwrap()
    }

    #[test]
    fn what_is_written_can_be_read() {
        assert!(parses(&Found::default()).assumes_platform);
        let dump = FoundDump {
            path: "a \"b\"\\c.txt".to_owned(),
            tensors: 3,
            operations: None,
            is_smolvla: false,
        };
        let project = parses(&Found {
            dumps: vec![dump.clone(), dump],
            sources: vec!["k/*.cpp".to_owned()],
            connectivity: vec!["link.cfg".to_owned(), "other.cfg".to_owned()],
            reports: vec!["reports/*.rpt".to_owned()],
            parts: ["xcu55c-fsvh2892-2l-e".to_owned()].into(),
            ..Found::default()
        });
        assert_eq!(project.platform.value, "u55c");
        assert_eq!(project.hls.reports[0].value, "reports/*.rpt");
        assert_eq!(project.model.shapes.unwrap().value, "a \"b\"\\c.txt");
        assert_eq!(project.hls.sources[0].value, "k/*.cpp");
    }

    fn named(file: &str, text: &str) -> (String, Vec<NamedPart>) {
        let kind = derate_machine::BuildFile::of_name(file).unwrap();
        (file.to_owned(), derate_machine::find_named_parts(kind, text))
    }

    #[test]
    fn the_part_decides_the_platform() {
        let tcl = named("run.tcl", "set_part {xc7z020clg400-1}\n");
        let board = named("bd.tcl", "set_property board_part tul.com.tw:pynq-z2:part0:1.0 x\n");
        let found = Found { scripts: vec![tcl.clone()], ..Found::default() };
        let text = found.project_file();
        assert_eq!(parses(&found).platform.value, "pynq-z1");
        assert!(
            text.contains("# a guess by the chip, which these have too: pynq-z2, zybo-z7-20"),
            "{text}"
        );
        let found = Found { scripts: vec![board, tcl.clone()], ..Found::default() };
        let project = parses(&found);
        assert_eq!(project.platform.value, "pynq-z2");
        assert_eq!(project.hls.scripts.len(), 2);
        // The reports are nearer to the figures than the file that may have made them.
        let found = Found {
            parts: ["xczu7ev-ffvc1156-2-e".to_owned()].into(),
            scripts: vec![tcl],
            ..Found::default()
        };
        assert_eq!(parses(&found).platform.value, "zcu104");
    }

    #[test]
    fn where_several_cards_are_named_none_is_chosen() {
        let u50 = named("a/Makefile", "DEVICE := xilinx_u50_gen3x16_xdma_201920_3\n");
        let zynq = named("b/run.tcl", "set_part {xc7z020clg400-1}\n");
        let u250 = named("c/run.sh", "tapac --platform xilinx_u250_xdma_201830_2\n");
        let found = |scripts: &[&(String, Vec<NamedPart>)]| Found {
            scripts: scripts.iter().map(|one| (*one).clone()).collect(),
            ..Found::default()
        };
        assert!(parses(&found(&[&u50, &u250])).assumes_platform);
        // What is linked for a board goes before the part of a trial synthesis.
        assert_eq!(parses(&found(&[&u50, &zynq])).platform.value, "u50");
        // A family is no part: no board of another design's part is taken for it.
        let family = |number: usize| Found {
            unknown_parts: vec![("d/run.tcl".to_owned(), "virtex7".to_owned()); number],
            ..found(&[&zynq])
        };
        for text in [family(1), family(5)].map(|one| one.project_file()) {
            assert!(text.contains("# d/run.tcl") && text.contains("\n# name = "), "{text}");
        }
        // One that a file in four names is another design's.
        let more = [&u50, &u50, &u250, &u50];
        assert_eq!(parses(&found(&more)).platform.value, "u50");
        let text = found(&[&u50, &u250]).project_file();
        assert!(text.contains("Several parts") && text.contains("# name = \"u50\""), "{text}");
        // A model is set against one card.
        let dump =
            FoundDump { path: "m.txt".to_owned(), tensors: 3, is_smolvla: false, operations: None };
        let with_dump = Found { dumps: vec![dump], ..found(&[&u50, &u250]) };
        assert_eq!(parses(&with_dump).platform.value, "u50");
    }

    #[test]
    fn a_part_that_no_board_has_is_said() {
        let found = Found { parts: ["xc7z045ffg900-2".to_owned()].into(), ..Found::default() };
        let text = found.project_file();
        assert!(text.contains("made for xc7z045ffg900-2") && text.contains("No board"), "{text}");
    }

    #[test]
    fn the_commented_claims_are_valid_ones() {
        let text = Found::default().project_file();
        let text: String = text
            .lines()
            .map(|l| match l.strip_prefix("# ") {
                Some(rest) if rest.contains(" = ") || rest.starts_with('[') => format!("{rest}\n"),
                _ => format!("{l}\n"),
            })
            .collect();
        let mut sources = Sources::default();
        let file = sources.add("derate.toml", text.clone());
        let project = Project::parse(&sources, file).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert!(project.claims.bandwidth.is_some() && !project.design.dsp_per_mac.is_empty());
    }
}
