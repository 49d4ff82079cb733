//! What a nest is called that the tool makes one loop: by the labels of its loops.

/// What Vivado HLS calls a loop without a label in the name of a nest that it makes one loop: `L_rows` and `rows_L`, or with its
/// count, `Loop_1_rows`.
pub(crate) const OF_THE_TOOL: [&str; 2] = ["L", "Loop"];

/// Whether a name is some labels with `_` between them; the tool adds a number to a label that is there twice.
pub(crate) fn is_made_of(name: &str, labels: &[String], depth: usize) -> bool {
    const DEEPEST: usize = 12;
    depth < DEEPEST
        && labels.iter().any(|label| {
            let Some(rest) = name.strip_prefix(label.as_str()) else { return false };
            // A line has no number behind it: line 1 is not line 12.
            let is_line = label.starts_with("VITIS_LOOP_");
            let rest = if is_line {
                rest
            } else {
                rest.trim_start_matches(|sign: char| sign.is_ascii_digit())
            };
            let rest = if OF_THE_TOOL.contains(&label.as_str()) { skip_count(rest) } else { rest };
            rest.is_empty()
                || rest.strip_prefix('_').is_some_and(|rest| is_made_of(rest, labels, depth + 1))
        })
}

/// What is behind the count of a loop: `_1` of `Loop_1`, `_1_2` of a loop within it.
fn skip_count(mut rest: &str) -> &str {
    while let Some(behind) = rest.strip_prefix('_') {
        let next = behind.trim_start_matches(|sign: char| sign.is_ascii_digit());
        if next.len() == behind.len() || !(next.is_empty() || next.starts_with('_')) {
            break;
        }
        rest = next;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nest_has_the_tools_names_for_loops_without_a_label() {
        let labels: Vec<String> =
            OF_THE_TOOL.into_iter().chain(["rows", "read"]).map(str::to_owned).collect();
        for name in
            ["L_rows", "rows_L", "L_rows_read", "Loop_1_rows", "Loop_1_2_rows", "rows_Loop_3"]
        {
            assert!(is_made_of(name, &labels, 0), "{name}");
        }
        for name in ["L_cols", "List_rows", "Loops_rows", "Loop_1x_rows", "rows_cols"] {
            assert!(!is_made_of(name, &labels, 0), "{name}");
        }
    }
}
