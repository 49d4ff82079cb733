//! Changes of files as a unified diff that `patch` and `git apply` take.

use derate_model::fix::{Patch, unified_diff};

/// A file that changes.
pub(super) struct Change {
    /// Its path, as the diff has it.
    pub(super) name: String,
    /// Its text; `None` where the file is new.
    pub(super) old: Option<String>,
    /// What it becomes.
    pub(super) new: String,
}

/// The diff of all files that change.
pub(super) fn diff_texts(changes: &[Change]) -> Vec<u8> {
    changes.iter().flat_map(diff_text).collect()
}

fn diff_text(change: &Change) -> Vec<u8> {
    let old = change.old.as_deref().unwrap_or_default();
    let diff = unified_diff(&change.name, old.as_bytes(), &find_patches(old, &change.new));
    if change.old.is_some() {
        return diff;
    }
    let head = format!("--- {}\n", change.name);
    let rest = diff.strip_prefix(head.as_bytes()).unwrap_or(&diff);
    [b"--- /dev/null\n", rest].concat()
}

/// Longer runs of changed lines are replaced as one.
const MOST_PAIRS: usize = 4_000_000;

/// Lines that differ, one patch for each run of them: what is left of the longest common subsequence of lines.
fn find_patches(old: &str, new: &str) -> Vec<Patch> {
    let (was, is): (Vec<&str>, Vec<&str>) =
        (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let head = was.iter().zip(&is).take_while(|(a, b)| a == b).count();
    let tail = was[head..].iter().rev().zip(is[head..].iter().rev());
    let tail = tail.take_while(|(a, b)| a == b).count();
    let mut at: usize = was[..head].iter().map(|line| line.len()).sum();
    let (was, is) = (&was[head..was.len() - tail], &is[head..is.len() - tail]);
    let common = match was.len() * is.len() {
        0..=MOST_PAIRS => match_lines(was, is),
        _ => Vec::new(),
    };
    let (mut from, mut to, mut patches) = (0, 0, Vec::new());
    for (one, other) in common.into_iter().chain([(was.len(), is.len())]) {
        let length: usize = was[from..one].iter().map(|line| line.len()).sum();
        if one > from || other > to {
            let replacement = is[to..other].concat();
            patches.push(Patch { range: at..at + length, replacement, reason: String::new() });
        }
        at += length + was.get(one).map_or(0, |line| line.len());
        (from, to) = (one + 1, other + 1);
    }
    patches
}

/// Pairs of equal lines in the order of both, as many as there can be.
fn match_lines(was: &[&str], is: &[&str]) -> Vec<(usize, usize)> {
    let width = is.len() + 1;
    let mut length = vec![0_u32; (was.len() + 1) * width];
    for a in (0..was.len()).rev() {
        for b in (0..is.len()).rev() {
            length[a * width + b] = if was[a] == is[b] {
                length[(a + 1) * width + b + 1] + 1
            } else {
                length[(a + 1) * width + b].max(length[a * width + b + 1])
            };
        }
    }
    let (mut a, mut b, mut pairs) = (0, 0, Vec::new());
    while a < was.len() && b < is.len() {
        if was[a] == is[b] {
            pairs.push((a, b));
            (a, b) = (a + 1, b + 1);
        } else if length[(a + 1) * width + b] >= length[a * width + b + 1] {
            a += 1;
        } else {
            b += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_is_made_of_nothing_and_lines_that_stay_stay() {
        let new = Change { name: "b.tcl".to_owned(), old: None, new: "x\n".to_owned() };
        let text = String::from_utf8(diff_texts(&[new])).unwrap();
        assert_eq!(text, "--- /dev/null\n+++ b.tcl\n@@ -0,0 +1 @@\n+x\n");
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let change = Change {
            name: "a".to_owned(),
            old: Some(old.to_owned()),
            new: old.replace('1', "one").replace('9', "nine"),
        };
        let text = String::from_utf8(diff_texts(&[change])).unwrap();
        assert_eq!(text.matches("@@ -").count(), 2, "{text}");
        assert!(text.contains("-1\n+one\n 2\n") && text.ends_with("-9\n+nine\n"), "{text}");
        let patches = find_patches(old, "0\n1\n2\n4\n5\n6\n7\n8\n9\n");
        assert_eq!(patches.len(), 2, "a line more at the head, and one less");
    }
}
