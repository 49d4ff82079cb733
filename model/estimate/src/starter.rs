//! The text of a first `derate.toml`, filled with what was found beside it.

use std::collections::BTreeSet;
use std::fmt::Write;

use derate_machine::Platform;
use derate_workload::SmolVla;

/// A dump that was found.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct FoundDump {
    /// Path from the project's folder.
    pub path: String,
    /// Tensors that it lists.
    pub tensors: usize,
    /// Whether its names are smolVLA's.
    pub is_smolvla: bool,
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

/// The card of the catalogue that has this part.
fn find_card(part: &str) -> Option<String> {
    let chip = part.split('-').next().unwrap_or(part);
    let has = |platform: &&Platform| {
        let own = platform.part.as_ref().map(|own| own.value.to_ascii_lowercase());
        own.is_some_and(|own| own.split('-').next() == Some(chip))
    };
    Platform::catalogue().iter().find(has).map(|platform| platform.name.clone())
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

    /// The card of the part that the reports name; where they name none that is known, a card to be replaced, and that is
    /// said.
    fn platform_table(&self) -> String {
        let names: Vec<&str> = Platform::names().collect();
        let choices = format!("{}, or a path to your own .toml", names.join(", "));
        let parts: Vec<&str> = self.parts.iter().map(String::as_str).collect();
        let card = parts.iter().find_map(|part| find_card(part));
        let name = card.as_deref().unwrap_or("u280");
        let source = match (card.is_some(), parts.as_slice()) {
            (_, []) => String::new(),
            (true, parts) => format!("# the reports were made for {}\n", parts.join(", ")),
            (false, parts) => format!(
                "# The reports were made for {}, which is not in the catalogue: write a platform file for it, and its path here.\n",
                parts.join(", ")
            ),
        };
        format!("{source}name = \"{name}\"            # {choices}\n")
    }

    fn model_table(&self) -> String {
        let Some((dump, others)) = self.dumps.split_first() else {
            return "# No dump was found. Print one: for n, p in model.named_parameters(): print(f\"{n}: {p.shape} [{p.dtype}]\")\n\
                    shapes = \"model_shape.txt\"\n"
                .to_owned();
        };
        let mut table = format!("shapes = {}   # {} tensors\n", quoted(&dump.path), dump.tensors);
        for other in others {
            let _ = writeln!(
                table,
                "# also found: {} ({} tensors)",
                quoted(&other.path),
                other.tensors
            );
        }
        table.push_str(if dump.is_smolvla {
            SmolVla::STARTER
        } else {
            "workload = \"linear\"      # every 2-D weight as one GEMM; or \"smolvla\"\n"
        });
        table
    }

    fn hls_table(&self) -> String {
        let list =
            |all: &[String]| all.iter().map(|one| quoted(one)).collect::<Vec<String>>().join(", ");
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
            None => table.push_str("# connectivity = \"u280.cfg\"         # what v++ is told\n"),
        }
        if self.reports.is_empty() {
            table.push_str("# reports = [\"reports/*.rpt\"]       # what Vitis, v++ and co-simulation printed\n");
        } else {
            let _ = writeln!(table, "reports = [{}]", list(&self.reports));
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
        parses(&Found::default());
        let dump = FoundDump { path: "a \"b\"\\c.txt".to_owned(), tensors: 3, is_smolvla: false };
        let project = parses(&Found {
            dumps: vec![dump.clone(), dump],
            sources: vec!["k/*.cpp".to_owned()],
            connectivity: vec!["link.cfg".to_owned(), "other.cfg".to_owned()],
            reports: vec!["reports/*.rpt".to_owned()],
            parts: ["xcu55c-fsvh2892-2l-e".to_owned()].into(),
        });
        assert_eq!(project.hls.reports[0].value, "reports/*.rpt");
        assert_eq!(project.model.shapes.unwrap().value, "a \"b\"\\c.txt");
        assert_eq!(project.hls.sources[0].value, "k/*.cpp");
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
