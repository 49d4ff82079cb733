//! The version of Vitis HLS.

/// Year and release of `2023.2`, `v2023.2` or `2023.1.1`; `None` for any other word.
#[must_use]
pub fn read_tool_version(word: &str) -> Option<(u16, u16)> {
    let mut pieces = word.trim_start_matches(['v', 'V']).split('.').map(str::parse::<u16>);
    let version = (pieces.next()?.ok()?, pieces.next()?.ok()?);
    (2012..=2100).contains(&version.0).then_some(version)
}

/// The tool of that year and release: `Vivado HLS 2019.2`, and from 2020.1 on `Vitis HLS 2023.2`.
#[must_use]
pub fn name_tool(version: (u16, u16)) -> String {
    let maker = if is_vivado(version) { "Vivado" } else { "Vitis" };
    format!("{maker} HLS {}.{}", version.0, version.1)
}

/// Whether that version is of Vivado HLS.
#[must_use]
pub fn is_vivado(version: (u16, u16)) -> bool {
    version < (2020, 1)
}

/// The last version of the year in the heading that the tool writes into its scripts: `Copyright (C) 1986-2019 Xilinx`.
#[must_use]
pub fn read_heading_version(script: &str) -> Option<(u16, u16)> {
    let heading: Vec<&str> = script.lines().take_while(|line| line.starts_with('#')).collect();
    let names = |word: &str| heading.iter().any(|line| line.contains(word));
    let years = heading.iter().find_map(|line| line.split_once("Copyright")?.1.split_once("1986-"));
    let digits: String = years?.1.chars().take_while(char::is_ascii_digit).collect();
    let year = digits.parse().ok().filter(|year| (2012..=2100).contains(year))?;
    match (names("Vivado HLS") || names("Vivado(TM) HLS"), names("Vitis HLS")) {
        // Vivado HLS ends with 2020.1.
        (true, false) => Some((year, if year == 2020 { 1 } else { 2 })),
        (false, true) => Some((year, 2)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heading_of_a_script_has_a_year() {
        let script = |tool: &str, year: &str| {
            format!(
                "####\n## This file is generated automatically by {tool}.\n## Copyright (C) 1986-{year} Xilinx, Inc.\n####\nopen_project p\n"
            )
        };
        assert_eq!(read_heading_version(&script("Vivado HLS", "2019")), Some((2019, 2)));
        assert_eq!(read_heading_version(&script("Vivado HLS", "2020")), Some((2020, 1)));
        assert_eq!(read_heading_version(&script("Vitis HLS", "2022")), Some((2022, 2)));
        assert_eq!(read_heading_version(&script("hand", "2022")), None);
        assert_eq!(
            read_heading_version("open_project p\n# Vivado HLS, Copyright 1986-2019\n"),
            None
        );
    }

    #[test]
    fn the_tool_has_another_name_from_2020_on() {
        assert_eq!(name_tool((2018, 2)), "Vivado HLS 2018.2");
        assert_eq!(name_tool((2020, 1)), "Vitis HLS 2020.1");
        assert_eq!(name_tool((2023, 2)), "Vitis HLS 2023.2");
    }

    #[test]
    fn a_version_has_a_year_and_a_release() {
        for text in ["2023.1", "v2023.1", "2023.1.1"] {
            assert_eq!(read_tool_version(text), Some((2023, 1)), "{text}");
        }
        for text in ["", "2023", "23.1", "2023.x", "new"] {
            assert_eq!(read_tool_version(text), None, "{text}");
        }
    }
}
