use super::*;
use proptest::prelude::*;

/// What `patch` does with the diff.
fn patched(original: &[u8], diff: &[u8]) -> Vec<u8> {
    let lines: Vec<&[u8]> = original.split_inclusive(|&b| b == b'\n').collect();
    let (mut out, mut at): (Vec<u8>, usize) = (Vec::new(), 0);
    for line in diff.split_inclusive(|&b| b == b'\n').skip(2) {
        match line[0] {
            b'@' => {
                let head = String::from_utf8_lossy(line);
                let old = head.split([' ', '-', ',']).nth(2).unwrap();
                let none = head.split(' ').nth(1).unwrap().ends_with(",0");
                let from = old.parse::<usize>().unwrap() - usize::from(!none);
                out.extend(lines[at..from].concat());
                at = from;
            }
            b' ' => {
                assert_eq!(
                    lines[at].strip_suffix(b"\n").unwrap_or(lines[at]),
                    &line[1..line.len() - 1]
                );
                out.extend(&line[1..]);
                at += 1;
            }
            b'-' => at += 1,
            b'+' => out.extend(&line[1..]),
            other => panic!("{other}"),
        }
    }
    out.extend(lines[at..].concat());
    out
}

#[test]
fn two_changes_that_are_close_share_a_hunk() {
    let lines: Vec<String> = (1..=20).map(|n| format!("line {n}\n")).collect();
    let text = lines.concat();
    let at = |line: &str| text.find(line).unwrap();
    let replace = |line: &str, new: &str| Patch {
        range: at(line)..at(line) + line.len(),
        replacement: new.to_owned(),
        reason: format!("rule: make it\n{}", new.trim_end().len()),
    };
    let patches =
        [replace("line 2\n", "two\n"), replace("line 9\n", ""), replace("line 18", "x\ny")];
    let diff = String::from_utf8(unified_diff("a.h", text.as_bytes(), &patches)).unwrap();
    assert_eq!(diff.matches("@@ -").count(), 2, "{diff}");
    assert!(
        diff.starts_with("--- a.h\n+++ a.h\n@@ -1,12 +1,11 @@ rule: make it 3; rule: make it 0\n line 1\n-line 2\n+two\n"),
        "{diff}"
    );
    assert!(diff.contains("@@ -15,6 +14,7 @@ rule: make it 3\n"), "{diff}");
}

#[test]
fn a_missing_final_newline_is_said() {
    let patches = [Patch { range: 2..3, replacement: "c".to_owned(), reason: String::new() }];
    let diff = String::from_utf8(unified_diff("f", b"a\nb", &patches)).unwrap();
    assert!(
        diff.ends_with("@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"),
        "{diff}"
    );
    assert!(unified_diff("f", b"a\n", &[]).is_empty());
}

proptest! {
    #[test]
    fn the_diff_makes_what_the_edits_make(
        text in "([a-c]{0,3}\r?\n){0,30}",
        cuts in prop::collection::vec((0usize..90, 0usize..6, "[x\n]{0,4}"), 0..6),
    ) {
        let mut patches: Vec<Patch> = Vec::new();
        let mut sorted = cuts;
        sorted.sort();
        for (start, length, replacement) in sorted {
            let start = start.min(text.len());
            let end = (start + length).min(text.len());
            if patches.last().is_none_or(|last| last.range.end < start) {
                patches.push(Patch { range: start..end, replacement, reason: "why".to_owned() });
            }
        }
        let made = apply_patches(text.as_bytes(), &patches);
        prop_assume!(made.is_empty() || made.ends_with(b"\n"));
        let diff = unified_diff("f", text.as_bytes(), &patches);
        prop_assert_eq!(diff.is_empty(), made == text.as_bytes());
        prop_assert_eq!(patched(text.as_bytes(), &diff), made);
    }
}
