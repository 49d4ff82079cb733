//! The version of Vitis HLS.

/// Year and release of `2023.2`, `v2023.2` or `2023.1.1`; `None` for any other word.
#[must_use]
pub fn read_tool_version(word: &str) -> Option<(u16, u16)> {
    let mut pieces = word.trim_start_matches(['v', 'V']).split('.').map(str::parse::<u16>);
    let version = (pieces.next()?.ok()?, pieces.next()?.ok()?);
    (2012..=2100).contains(&version.0).then_some(version)
}

#[cfg(test)]
mod tests {
    use super::*;

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
