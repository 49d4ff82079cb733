//! What READMEs say of a build: command lines of v++, and the part of the project.

use std::collections::BTreeSet;

use derate_hls::read_build_commands;
use derate_kernel::find_part;
use derate_machine::{BuildFile, NamedPart, PartName, find_named_parts, read_named_part};

use super::{BuildScript, Search, read_small};

/// What a line says that names the card of a project: `Platform: Xilinx Alveo U280`.
const ASKING: [&str; 4] = ["platform:", "card:", "board:", "device:"];

/// How the name of a text for readers ends.
const TEXTS: [&str; 6] = ["md", "txt", "rst", "adoc", "markdown", "html"];

impl Search {
    /// The READMEs of the project, each with its text.
    fn list_readmes(&self) -> impl Iterator<Item = (String, String)> {
        self.files.iter().filter_map(|path| {
            let name = self.name(path);
            let file = name.rsplit('/').next().unwrap_or(&name).to_ascii_lowercase();
            // `readme_gen.py` is a program that writes one.
            let is_text = file
                .split_once('.')
                .is_none_or(|(_, ending)| TEXTS.iter().any(|text| ending.ends_with(text)));
            let is_readme =
                file.starts_with("readme") && is_text && BuildFile::of_name(&file).is_none();
            if !is_readme || self.is_foreign(path) {
                return None;
            }
            Some((name, read_small(path)?))
        })
    }

    /// The commands of READMEs that compile sources which are there.
    pub(super) fn read_readmes(&self) -> Vec<BuildScript> {
        let read = |(name, text): (String, String)| {
            let project = read_build_commands(&list_commands(&text));
            let script = self.resolve(&name, project)?;
            let is_of_source = !script.compiled.is_empty() && !script.tops.is_empty();
            is_of_source.then_some(BuildScript { is_readme: true, ..script })
        };
        self.list_readmes().filter_map(read).collect()
    }

    /// The READMEs whose commands name a part or a platform.
    pub(crate) fn find_readme_commands(&self) -> Vec<(String, Vec<NamedPart>)> {
        let read = |(name, text): (String, String)| {
            let parts = find_named_parts(BuildFile::Shell, &list_commands(&text));
            (!parts.is_empty()).then_some((name, parts))
        };
        self.list_readmes().filter_map(read).collect()
    }

    /// The part on which all READMEs agree that name one, and the first of these.
    pub(crate) fn find_readme_part(&self) -> Option<(String, NamedPart)> {
        let named = self.list_readmes().flat_map(|(name, text)| {
            let parts = list_parts(&text);
            parts.into_iter().map(move |part| (name.clone(), part))
        });
        let named: Vec<(String, NamedPart)> = named.collect();
        let devices: BTreeSet<&str> = named.iter().map(|(_, one)| one.part.device()).collect();
        let is_one = devices.len() == 1;
        named.into_iter().next().filter(|(_, one)| is_one && find_part(one.part.device()).is_some())
    }
}

/// The commands that a text shows: its fenced blocks, and lines that run v++.
fn list_commands(text: &str) -> String {
    let mut commands = String::new();
    let mut is_fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_fenced = !is_fenced;
            continue;
        }
        let runs = ["v++ ", "xocc "].iter().any(|one| line.contains(one));
        if is_fenced || runs {
            let line = line.replace("<code>", " ").replace("</code>", " ").replace('`', " ");
            commands.push_str(line.trim().trim_start_matches("$ "));
            commands.push('\n');
        }
    }
    commands
}

/// The parts and the platforms that a text names, each once: `xc7z020clg400-1`, `xilinx_u280_xdma_201920_3`, and the card of
/// `Platform: Xilinx Alveo U280`.
fn list_parts(text: &str) -> Vec<NamedPart> {
    let mut parts: Vec<NamedPart> = Vec::new();
    for (line, written) in (1..).zip(text.lines()) {
        let apart = |c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_');
        let asks = ASKING.iter().any(|one| written.to_ascii_lowercase().contains(one));
        let mut is_card = false;
        for word in written.split(apart) {
            let word = word.trim_matches(['-', '_']);
            let lower = word.to_ascii_lowercase();
            let is_named = is_card && lower.starts_with('u');
            is_card = asks && lower == "alveo";
            if PartName::parse(word).is_none() && !word.starts_with("xilinx_") && !is_named {
                continue;
            }
            let name = if is_named { lower } else { word.to_owned() };
            if let Some((part, board)) = read_named_part(&name)
                && !parts.iter().any(|one| one.part.device() == part.device())
            {
                parts.push(NamedPart { text: word.to_owned(), part, board, line, start: 0 });
            }
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::testing::search_files;

    #[test]
    fn all_readmes_agree_on_a_part() {
        let part = |files: &[(&str, &str)]| {
            let (_dir, search) = search_files(files);
            search.find_readme_part().map(|(name, one)| (name, one.part.device().to_owned()))
        };
        let first = ("README.md", "device = \"xc7z020-clg484-1\"\nXC7Z020 has 220 DSPs.\n");
        let second = ("net/README.md", "For the Zynq xc7z020clg400-1.\n");
        let found = Some(("README.md".to_owned(), "xc7z020".to_owned()));
        assert_eq!(part(&[first, second, ("notes.md", "xczu9eg-ffvb1156-2-i\n")]), found);
        // Two parts, or a word that is none.
        assert_eq!(part(&[first, ("b/README", "Tested on xcu280-fsvh2892-2L-e.\n")]), None);
        assert_eq!(part(&[("README.md", "See xc7 and axi_dma.\n")]), None);
        assert_eq!(part(&[("readme_gen.py", "parts = ['xcu200-fsgd2104-2-e']\n")]), None);
        let shell = ("README.md", "set `--platform xilinx_u280_xdma_201920_3`\n");
        let card = Some(("README.md".to_owned(), "xcu280".to_owned()));
        assert_eq!(part(&[shell]), card);
        // A card by its name alone is what a line asks for, not what it compares with.
        assert_eq!(part(&[("README.md", "- Platform: Xilinx Alveo U280\n")]), card);
        assert_eq!(part(&[("README.md", "Twice as fast as on an Alveo U250.\n")]), None);
    }

    #[test]
    fn commands_are_in_blocks_and_in_lines_that_run_the_compiler() {
        let text = "Use v++.\n```sh\n$ v++ -c \\\n -k a a.cpp\n```\nThen K=b is set.\n<code> v++ -c -k b b.cpp </code>\n";
        assert_eq!(list_commands(text), "v++ -c \\\n-k a a.cpp\nv++ -c -k b b.cpp\n");
    }
}
