//! What a nest is called that the tool makes one loop: by the labels of its loops.

use std::collections::BTreeSet;

/// Longer names are not gone through: no nest has so many labels.
const PIECES: usize = 200;
/// Nor does the tool count further.
const DIGITS: usize = 9;

/// Whether a name is some labels with `_` between them. The tool adds a number to a label that is there twice. Vivado HLS
/// calls a loop without a label `L`, or by its count: `L_rows`, `rows_L`, `Loop_1_rows`.
pub(crate) fn is_made_of(name: &str, labels: &BTreeSet<String>) -> bool {
    let ends: Vec<usize> =
        name.match_indices('_').map(|(at, _)| at).chain([name.len()]).take(PIECES + 1).collect();
    if ends.len() > PIECES {
        return false;
    }
    // Where a label may begin: at the start, and behind what is made of labels.
    let mut starts = BTreeSet::from([0]);
    for end in ends {
        let is_label = |start: &usize| {
            name.get(*start..end).is_some_and(|piece| is_of_tool(piece) || is_one_of(piece, labels))
        };
        if starts.iter().any(is_label) {
            starts.insert(end + 1);
        }
    }
    starts.contains(&(name.len() + 1))
}

/// Whether a piece is a label, or one with a number behind it.
fn is_one_of(piece: &str, labels: &BTreeSet<String>) -> bool {
    if labels.contains(piece) {
        return true;
    }
    let digits = piece.bytes().rev().take(DIGITS).take_while(u8::is_ascii_digit).count();
    let mut shorter = (1..=digits).filter_map(|number| piece.get(..piece.len() - number));
    // A line has no number behind it: line 1 is not line 12.
    shorter.any(|label| !label.starts_with("VITIS_LOOP_") && labels.contains(label))
}

/// Whether a piece is what Vivado HLS calls a loop without a label: `L`, `Loop_1`, and `Loop_1_2` within it. `L1` is a label.
fn is_of_tool(piece: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|sign| sign.is_ascii_digit());
    piece == "L" || piece.strip_prefix("Loop_").is_some_and(|count| count.split('_').all(is_number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(all: &[&str]) -> BTreeSet<String> {
        all.iter().map(|&one| one.to_owned()).collect()
    }

    #[test]
    fn a_nest_has_the_tools_names_for_loops_without_a_label() {
        let labels = labels(&["rows", "read"]);
        for name in
            ["L_rows", "rows_L", "L_rows_read", "Loop_1_rows", "Loop_1_2_rows", "rows_Loop_3"]
        {
            assert!(is_made_of(name, &labels), "{name}");
        }
        for name in ["L_cols", "List_rows", "Loops_rows", "Loop_1x_rows", "rows_cols", "rows_"] {
            assert!(!is_made_of(name, &labels), "{name}");
        }
        // These are labels of the user.
        for name in ["L1", "L1_rows", "L12_rows", "Loop1_rows", "rows_L2"] {
            assert!(!is_made_of(name, &labels), "{name}");
        }
    }

    #[test]
    fn a_number_is_behind_a_label_that_is_there_twice() {
        let labels = labels(&["L1", "rows", "row_sum", "VITIS_LOOP_1"]);
        for name in ["L1", "L1_rows", "rows_rows2", "row_sum_rows", "VITIS_LOOP_1_rows"] {
            assert!(is_made_of(name, &labels), "{name}");
        }
        for name in ["L2", "row_rows", "VITIS_LOOP_12", "VITIS_LOOP_12_rows", ""] {
            assert!(!is_made_of(name, &labels), "{name}");
        }
    }

    #[test]
    fn a_long_name_of_many_labels_is_gone_through_once() {
        let labels = labels(&["a", "a_a", "a_a_a"]);
        assert!(is_made_of(&["a"; 150].join("_"), &labels));
        assert!(!is_made_of(&format!("{}_b", ["a"; 150].join("_")), &labels));
        assert!(!is_made_of(&vec!["a"; 100_000].join("_"), &labels));
    }
}
