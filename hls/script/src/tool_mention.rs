//! Versions of the tool that a text names in passing: a path to the tool, a line of a README, a variable of a Makefile.

use std::collections::BTreeSet;

use super::tool_version::read_tool_version;

/// The names of the tools, whose releases are numbered alike.
const TOOLS: [&str; 7] = ["vitis", "vitis_hls", "vivado", "vivado_hls", "sdx", "sdaccel", "sdsoc"];
/// Words between the name of a tool and its version.
const BETWEEN: [&str; 10] =
    ["hls", "hlx", "design", "suite", "unified", "tool", "version", "ver", "release", "is"];
/// Words between the versions of a range or a list.
const AMONG: [&str; 6] = ["to", "up", "through", "until", "and", "or"];
/// So many words may be between them.
const FAR: usize = 4;

/// Year and release of each version that a text names as a tool's: `/opt/Xilinx/Vitis_HLS/2021.1/bin`, `Vivado HLS (2019.2)`,
/// `SDA_VER ?= 2018.3`. Lines that begin with `#` are comments where the text is a script.
#[must_use]
pub fn find_tool_mentions(text: &str, is_script: bool) -> BTreeSet<(u16, u16)> {
    let is_read = |line: &&str| !(is_script && line.trim_start().starts_with('#'));
    text.lines().filter(is_read).flat_map(find_in_line).collect()
}

fn find_in_line(line: &str) -> Vec<(u16, u16)> {
    let mut found = Vec::new();
    // How many words may still be between a tool and its version.
    let mut left = 0;
    // Behind a version another one may follow: `2020.2 to 2022.1`. Which of them it is, is not known then.
    let mut follows = false;
    let apart = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'));
    for word in line.split(apart).map(|word| word.trim_matches('.')) {
        let lower = word.to_ascii_lowercase();
        if word.is_empty() {
            continue;
        }
        if TOOLS.contains(&lower.as_str()) || names_version(&lower) {
            (left, follows) = (FAR, false);
        } else if (left > 0 || follows)
            && let Some(version) = read_mentioned(&lower)
        {
            found.push(version);
            (left, follows) = (0, true);
        } else if follows && AMONG.contains(&lower.as_str()) {
        } else if left > 0 && BETWEEN.contains(&lower.as_str()) {
            left -= 1;
        } else {
            (left, follows) = (0, false);
        }
    }
    found
}

/// `2021.1`, `v2021.1`, and `21.1` of people who leave the century out.
fn read_mentioned(word: &str) -> Option<(u16, u16)> {
    let short = word.trim_start_matches('v');
    let has_two = short.find('.') == Some(2);
    let whole = if has_two { format!("20{short}") } else { word.to_owned() };
    // Tools have up to four releases a year; `2018.12` is a date.
    read_tool_version(&whole).filter(|version| (1..=4).contains(&version.1))
}

/// `SDA_VER`, `TOOL_VERSION`, `VIVADO_VER`
fn names_version(word: &str) -> bool {
    let mut words = word.split('_');
    let tool = words.next().unwrap_or_default();
    let last = words.next_back();
    ["sda", "tool", "vitis", "vivado", "hls", "xilinx"].contains(&tool)
        && matches!(last, Some("ver" | "version"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(text: &str) -> Vec<(u16, u16)> {
        find_tool_mentions(text, false).into_iter().collect()
    }

    #[test]
    fn paths_readmes_and_variables_name_versions() {
        for text in [
            "AUTOPILOT_ROOT := /tools/Xilinx/new/Vitis_HLS/2022.2/",
            "source /opt/xilinx/Vitis/2022.2/settings64.sh",
            "CINCLUDES += -I C:\\Xilinx\\Vivado\\2022.2\\include",
            "+ Xilinx Vitis 2022.2",
            "* Tools: Vitis_HLS(v2022.2), Vivado(v2022.2).",
            "This project was tested with the Vitis HLS **2022.2** suite.",
            "* Xilinx Vivado Design Suite 2022.2",
            "- Vitis: 2022.2",
            "SDA_VER ?= 2022.2",
            "TOOL_VERSION=2022.2.1",
            "* VITIS 22.2/XRT 2.14",
            "Vitis HLS v22.2 is needed",
            "The version of Vivado and Vivado HLS is 2022.2.",
        ] {
            assert_eq!(find(text), [(2022, 2)], "{text}");
        }
    }

    #[test]
    fn other_numbers_and_dates_are_not_versions_of_the_tool() {
        for text in [
            "platform xilinx_u280_xdma_201920_3",
            "Vitis since 2021.12",
            "Vivado is used. Ubuntu 2022.2",
            "XRT 2022.2 beside Vitis",
            "# Copyright 2022.2",
            "python 22.1, Vitis 3.1",
            "Vivado 11.1",
        ] {
            assert_eq!(find(text), [], "{text}");
        }
    }

    #[test]
    fn a_range_names_both_of_its_ends() {
        for text in ["Vitis HLS 2020.2 up to 2022.1", "Vitis 20.2 - 22.1", "Vitis 2020.2, 2022.1"] {
            assert_eq!(find(text), [(2020, 2), (2022, 1)], "{text}");
        }
        assert_eq!(find("Vitis HLS from 2020.2 to 2022.1"), []);
        assert_eq!(find("Vitis 2020.2 with Ubuntu 2022.1"), [(2020, 2)]);
    }

    #[test]
    fn comments_of_scripts_name_nothing() {
        let text = "#HLS := /opt/Vivado/2018.3\nHLS := /opt/Vivado/2020.1\n";
        assert_eq!(Vec::from_iter(find_tool_mentions(text, true)), [(2020, 1)]);
        assert_eq!(find(text).len(), 2);
    }
}
