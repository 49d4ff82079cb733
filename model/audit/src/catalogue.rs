//! All rules, and how they are found by their codes.

use super::Rule;
use super::rules::ALL;

/// All rules, sorted by code.
pub fn all_rules() -> &'static [Rule] {
    ALL
}

/// The rule of that code.
pub fn find_rule(code: &str) -> Option<&'static Rule> {
    all_rules().iter().find(|rule| rule.code == code)
}

/// The code that is most like a word that is none: the one of that name, else the one in which fewest letters differ.
pub fn nearest_rule(code: &str) -> Option<&'static str> {
    let name = code.rsplit('/').next().unwrap_or(code);
    let codes = || all_rules().iter().map(|rule| rule.code);
    if let Some(same) = codes().find(|own| own.rsplit('/').next() == Some(name)) {
        return Some(same);
    }
    // A longer word is not a typo, and would cost time.
    if code.len() > 80 {
        return None;
    }
    let whole = codes().map(|own| (edit_distance(code, own), own));
    let names =
        codes().map(|own| (edit_distance(name, own.rsplit('/').next().unwrap_or(own)), own));
    let (far, own) = whole.chain(names).min()?;
    (far * 3 <= name.chars().count()).then_some(own)
}

/// Letters to change, add or take out between two words.
fn edit_distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut left = i + 1;
        let mut next = vec![left];
        for (pair, y) in row.windows(2).zip(b.chars()) {
            if let [corner, above] = pair {
                left = (corner + usize::from(x != y)).min(above + 1).min(left + 1);
                next.push(left);
            }
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_sorted_and_unique() {
        let codes: Vec<&str> = all_rules().iter().map(|rule| rule.code).collect();
        let mut sorted = codes.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(codes, sorted);
    }

    #[test]
    fn a_slip_finds_the_rule_that_was_meant() {
        for (slip, meant) in [
            ("alias-width", Some("precision/alias-width")),
            ("shape/alias-width", Some("precision/alias-width")),
            ("shape/missmatch", Some("shape/mismatch")),
            ("kernel/acumulation", Some("kernel/accumulation")),
            ("no-such-thing", None),
            ("", None),
        ] {
            assert_eq!(nearest_rule(slip), meant, "{slip}");
        }
        assert_eq!((edit_distance("kitten", "sitting"), edit_distance("", "ab")), (3, 2));
    }

    #[test]
    fn every_rule_has_a_whole_manual_page() {
        for rule in all_rules() {
            let manual = rule.manual();
            for heading in ["## What it does", "## Why it matters", "## Example", "## How to fix"] {
                assert!(manual.contains(heading), "{} lacks `{heading}`", rule.code);
            }
            assert!(rule.summary().ends_with('.'), "{}: {}", rule.code, rule.summary());
        }
    }
}
