//! The part or the board that build files name: Tcl, tool configurations, Makefiles, `CMake`, shell scripts.

use derate_hls::without_comment;

use crate::embedded::{CARDS, plain_name};
use crate::{PartName, Platform};

/// What a line of a build file names.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NamedPart {
    /// The name as it is written.
    pub text: String,
    /// The part, or that of the board.
    pub part: PartName,
    /// The platform of the catalogue, where a board or a platform is named.
    pub board: Option<&'static str>,
    /// Its line.
    pub line: usize,
    /// The first byte of the name in the text.
    pub start: usize,
}

/// The kinds of build files.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum BuildFile {
    /// `set_part`, `create_project -part`, `set part`, `board_part`.
    Tcl,
    /// `part=` and `platform=` of `hls_config.cfg` and of a v++ configuration.
    Config,
    /// `PLATFORM`, `DEVICE`, `PART`, `XPART` and their like.
    Makefile,
    /// `set(MY_PLATFORM ...)`, and options of commands.
    Cmake,
    /// `PLATFORM=...`, and options of commands such as `--part-num`.
    Shell,
    /// `platform="..."` of a project of the Vitis IDE.
    Project,
}

impl BuildFile {
    /// What a file of that name is.
    pub fn of_name(name: &str) -> Option<Self> {
        let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let lower = file.to_ascii_lowercase();
        match lower.rsplit_once('.').map(|(_, ending)| ending) {
            Some("tcl") => Some(Self::Tcl),
            Some("cfg" | "ini") => Some(Self::Config),
            Some("mk") => Some(Self::Makefile),
            Some("cmake") => Some(Self::Cmake),
            Some("sh") => Some(Self::Shell),
            Some("prj" | "sprj") => Some(Self::Project),
            _ if lower == "cmakelists.txt" => Some(Self::Cmake),
            _ if lower == "makefile" || lower.starts_with("makefile.") => Some(Self::Makefile),
            _ => None,
        }
    }

    /// Whether the tool itself reads the file. What only runs the tool may hold several choices.
    pub fn is_of_the_tool(self) -> bool {
        matches!(self, Self::Tcl | Self::Config)
    }
}

/// The parts and boards that a build file names, in order. A value that a program fills in, such as `$part`, names none.
pub fn find_named_parts(kind: BuildFile, text: &str) -> Vec<NamedPart> {
    let mut found: Vec<NamedPart> = Vec::new();
    for (line, whole) in (1..).zip(text.lines()) {
        let written = without_comment(whole);
        let values = match kind {
            BuildFile::Tcl => list_tcl_values(written),
            BuildFile::Config | BuildFile::Makefile => list_assigned(kind, written),
            BuildFile::Cmake => list_set(written),
            BuildFile::Shell => list_shell_values(written),
            BuildFile::Project => list_attributes(written),
        };
        for value in values {
            if let Some((part, board)) = read_named_part(value)
                && !found.iter().any(|known| known.text == value)
            {
                let start = offset_in(text, value);
                found.push(NamedPart { text: value.to_owned(), part, board, line, start });
            }
        }
    }
    found
}

/// Where a piece of a text begins in it.
fn offset_in(text: &str, piece: &str) -> usize {
    (piece.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

/// Whether a name says that its value is a part, a board or a platform.
fn names_part(key: &str) -> bool {
    let key = key.trim_start_matches('-').to_ascii_lowercase();
    let words: Vec<&str> = key.split(['_', '.', ':', '-']).collect();
    let known = [
        "part", "device", "devices", "platform", "xpart", "xdevice", "board", "fpga", "xilinx",
        "target", "name", "num", "number",
    ];
    let said = ["part", "device", "devices", "platform", "xpart", "xdevice", "board"];
    words.iter().any(|word| said.contains(word)) && words.iter().all(|word| known.contains(word))
}

/// The values that a line of Tcl gives to a part, a device or a board.
fn list_tcl_values(line: &str) -> Vec<&str> {
    let apart = |c: char| c.is_whitespace() || "{}[]\"();".contains(c);
    let words: Vec<&str> = line.split(apart).filter(|word| !word.is_empty()).collect();
    let mut values = Vec::new();
    for pair in words.windows(2) {
        let (key, value) = (pair[0], pair[1]);
        if key == "set_part" || key == "board_part" || names_part(key) {
            values.push(value);
        }
    }
    values
}

/// The value of `KEY = value`, and of the options `--platform value` and `--part value`.
fn list_assigned(kind: BuildFile, line: &str) -> Vec<&str> {
    let mut values = Vec::new();
    if let Some((key, value)) = line.split_once('=') {
        let key = key.trim_end_matches([':', '?', '+']).trim().trim_start_matches("export ");
        if names_part(key.trim()) {
            values.extend(value.split_whitespace().next());
        }
    }
    if kind == BuildFile::Makefile {
        values.extend(list_options(line));
    }
    values.into_iter().map(|value| value.trim_matches(['"', '\''])).collect()
}

/// The values of attributes such as `platform="/opt/xilinx_u55c.xpfm"`.
fn list_attributes(line: &str) -> Vec<&str> {
    let behind = line.split(" platform=\"").skip(1);
    behind.filter_map(|rest| rest.split('"').next()).collect()
}

/// The values of options such as `--platform value`.
fn list_options(line: &str) -> Vec<&str> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let options = words.windows(2).filter(|pair| pair[0].starts_with('-') && names_part(pair[0]));
    options.map(|pair| pair[1]).collect()
}

/// The values that `set` of `CMake` gives to a variable of a part or a platform, whatever is before that word: projects
/// put their own name there. What is compared with is not named.
fn list_set(line: &str) -> Vec<&str> {
    let apart = |c: char| c.is_whitespace() || "()\"".contains(c);
    let words: Vec<&str> = line.split(apart).filter(|word| !word.is_empty()).collect();
    let said = |key: &str| {
        let key = key.to_ascii_lowercase();
        let mut words = key.split('_');
        words.any(|word| ["part", "platform", "device", "board", "dsa"].contains(&word))
    };
    // `add_tapa_target(.. PLATFORM xilinx_u280_xdma)` spells its options in capitals.
    let is_option =
        |key: &str| names_part(key) && key.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    let named = words.windows(2).filter(|two| is_option(two[0])).map(|two| two[1]);
    let sets = words
        .windows(3)
        .filter(|three| three[0].eq_ignore_ascii_case("set") && said(three[1]))
        .map(|three| three[2]);
    let all = sets.chain(named);
    all.chain(list_options(line).into_iter().map(|value| value.trim_matches(['"', ')']))).collect()
}

/// The values of `PLATFORM=value`, `--part-num value` and `--part-num=value`.
fn list_shell_values(line: &str) -> Vec<&str> {
    let assigned = line.split_whitespace().filter_map(|word| word.split_once('='));
    let assigned = assigned.filter(|(key, _)| names_part(key)).map(|(_, value)| value);
    let quotes = ['"', '\'', ';'];
    assigned.chain(list_options(line)).map(|value| value.trim_matches(quotes)).collect()
}

/// The part, or that of the board of the catalogue, that a value names.
pub fn read_named_part(value: &str) -> Option<(PartName, Option<&'static str>)> {
    if let Some(part) = PartName::parse(value) {
        return Some((part, None));
    }
    if let Some(board) = find_board(value) {
        return Some((Platform::named(board).ok()?.part_name()?, Some(board)));
    }
    let words = list_words(value);
    let known = |word: &&str| OTHER_BOARDS.iter().find(|(name, _)| plain_name(word) == *name);
    let (_, part) = words.iter().find_map(known)?;
    Some((PartName::parse(part)?, None))
}

/// Boards that are not in the catalogue, and the chips on them as their user guides name these: UG1268, UG1224, UG954, UG850.
const OTHER_BOARDS: [(&str, &str); 4] = [
    ("vcu1525", "xcvu9p-fsgd2104-2L-e"),
    ("vcu118", "xcvu9p-flga2104-2L-e"),
    ("zc706", "xc7z045ffg900-2"),
    ("zc702", "xc7z020clg484-1"),
];

/// The board of `tul.com.tw:pynq-z2:part0:1.0`, of `xilinx_u280_gen3x16_xdma_1_202211_1` and of paths to such platforms.
fn find_board(value: &str) -> Option<&'static str> {
    let named = |word: &str| {
        let plain = plain_name(word);
        CARDS.names().find(|known| !plain.is_empty() && plain_name(known) == plain)
    };
    list_words(value).into_iter().find_map(named)
}

/// The words of a name that may be a board.
fn list_words(value: &str) -> Vec<&str> {
    let file = value.rsplit('/').next().unwrap_or(value);
    file.split([':', '.']).chain(file.split(['_', ':', '.', '-'])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn devices(kind: BuildFile, text: &str) -> Vec<(String, Option<&'static str>, usize)> {
        let named = find_named_parts(kind, text);
        named.into_iter().map(|one| (one.part.device().to_owned(), one.board, one.line)).collect()
    }

    #[test]
    fn a_project_of_the_ide_names_its_platform() {
        let text = "<?xml version=\"1.0\"?>\n<project name=\"k\" platform=\"/opt/xilinx/platforms/\
            xilinx_u55c_gen3x16_xdma_3_202210_1/xilinx_u55c_gen3x16_xdma_3_202210_1.xpfm\" hostplatform=\"x86\">\n";
        let found = devices(BuildFile::Project, text);
        assert_eq!(found, [("xcu55c".to_owned(), Some("u55c"), 2)]);
        assert_eq!(devices(BuildFile::Project, "<project name=\"u55c\">\n"), []);
        assert_eq!(BuildFile::of_name("k/k.prj"), Some(BuildFile::Project));
    }

    #[test]
    fn tcl_names_its_part_in_several_ways() {
        let text = "open_project p\n# set_part xcu280-fsvh2892-2L-e\nset_part {xc7z020clg400-1}\n\
                    create_project a ./a -part xcvu9p-flga2104-2-i -force ;# for the card\n\
                    set fpga_part \"xck26-sfvc784-2LV-c\"\nset_part $part\nset department xcku5p-ffvb676-2-e\n\
                    set_property board_part tul.com.tw:pynq-z2:part0:1.0 [current_project]\n";
        assert_eq!(
            devices(BuildFile::Tcl, text),
            [
                ("xc7z020".to_owned(), None, 3),
                ("xcvu9p".to_owned(), None, 4),
                ("xck26".to_owned(), None, 5),
                ("xc7z020".to_owned(), Some("pynq-z2"), 8),
            ]
        );
    }

    #[test]
    fn a_name_is_found_again_in_its_text() {
        let text = "open_project p\nset_part {xc7z020clg400-1}\n";
        let [one] = find_named_parts(BuildFile::Tcl, text).try_into().unwrap();
        assert_eq!(text[one.start..].split('}').next(), Some("xc7z020clg400-1"));
    }

    #[test]
    fn configurations_and_makefiles_name_parts_and_platforms() {
        let config = "part=xczu9eg-ffvb1156-2-e\n[hls]\nclock=5ns\nplatform=/opt/xilinx_u50_gen3x16_xdma_5_202210_1.xpfm\n";
        assert_eq!(
            devices(BuildFile::Config, config),
            [("xczu9eg".to_owned(), None, 1), ("xcu50".to_owned(), Some("u50"), 4)]
        );
        let make = "PLATFORM ?= xilinx_u250_gen3x16_xdma_4_1_202210_1\nXPART := xcu280-fsvh2892-2L-e\n\
                    DEVICES := $(PLATFORM) # xilinx_u200_xdma_201830_2\n#   xilinx_u200_xdma_201830_2\n\
                    BOARDS_OLD = xilinx_u200_xdma\nDEVICES := xilinx_u50_gen3x16_xdma_201920_3\nPART_OF = xcu200-fsgd2104-2-e\nXDEVICE ?= xilinx:vcu1525:xdma:201830_1\n\tv++ -c --platform xilinx_zcu104_base_202310_1 $<\n";
        assert_eq!(
            devices(BuildFile::Makefile, make),
            [
                ("xcu250".to_owned(), Some("u250"), 1),
                ("xcu280".to_owned(), None, 2),
                ("xcu50".to_owned(), Some("u50"), 6),
                ("xcvu9p".to_owned(), None, 8),
                ("xczu7ev".to_owned(), Some("zcu104"), 9),
            ]
        );
    }

    #[test]
    fn cmake_sets_a_platform_under_a_name_of_its_own() {
        let text = "# set(OLD_PLATFORM \"xilinx_u200_xdma_201830_2\")\n\
                    set(MM_PLATFORM \"xilinx_u250_gen3x16_xdma_3_1_202020_1\" CACHE STRING \"For v++.\")\n\
                    if(${PLATFORM} EQUAL xilinx_u280_xdma_201920_3)\n\
                    PLATFORM xilinx_u55c_gen3x16_xdma_3_202210_1\n\
                    set(MY_PART_NAME xc7z020clg400-1)\nset(DEPARTMENT u50)\n\
                    COMMAND v++ --platform xilinx_zcu104_base_202310_1 -o x)\n";
        assert_eq!(
            devices(BuildFile::Cmake, text),
            [
                ("xcu250".to_owned(), Some("u250"), 2),
                ("xcu55c".to_owned(), Some("u55c"), 4),
                ("xc7z020".to_owned(), None, 5),
                ("xczu7ev".to_owned(), Some("zcu104"), 7),
            ]
        );
    }

    #[test]
    fn a_shell_script_gives_a_part_as_a_variable_or_an_option() {
        let text = "export PLATFORM=xilinx_u50_gen3x16_xdma_201920_3\ntapac -o x.xo \\\n\
                    \t--part-num xcu250-figd2104-2L-e \\\n# DEVICE=u280\n\
                    if [ \"$PLATFORM\" = xilinx_u200_xdma ]; then v++ --part=xc7z020clg400-1; fi\n";
        assert_eq!(
            devices(BuildFile::Shell, text),
            [
                ("xcu50".to_owned(), Some("u50"), 1),
                ("xcu250".to_owned(), None, 3),
                ("xc7z020".to_owned(), None, 5),
            ]
        );
    }

    #[test]
    fn the_kind_follows_from_the_name() {
        assert_eq!(BuildFile::of_name("hls/run_hls.tcl"), Some(BuildFile::Tcl));
        assert_eq!(BuildFile::of_name("Makefile"), Some(BuildFile::Makefile));
        assert_eq!(BuildFile::of_name("makefile_us_alveo.mk"), Some(BuildFile::Makefile));
        assert_eq!(BuildFile::of_name("hls_config.cfg"), Some(BuildFile::Config));
        assert_eq!(BuildFile::of_name("CMakeLists.txt"), Some(BuildFile::Cmake));
        assert_eq!(BuildFile::of_name("scripts/run_tapa.sh"), Some(BuildFile::Shell));
        assert_eq!(BuildFile::of_name("src/gemm.cpp"), None);
        assert_eq!(BuildFile::of_name("notes.txt"), None);
    }
}
