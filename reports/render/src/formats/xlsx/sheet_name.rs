//! Names for sheet tabs, as Excel allows them.

use super::super::plain::one_line;

/// The longest name that Excel takes.
const LONGEST: usize = 31;

/// The names given so far.
#[derive(Default)]
pub(super) struct SheetNames(Vec<String>);

impl SheetNames {
    /// A name like `wish` that no other sheet has.
    pub(super) fn claim(&mut self, wish: &str) -> String {
        let allowed: String =
            one_line(wish).chars().map(|c| if "[]:*?/\\".contains(c) { '-' } else { c }).collect();
        let base = allowed.trim_matches(['\'', ' ']);
        // Excel keeps this name for itself.
        let base =
            if base.is_empty() || base.eq_ignore_ascii_case("history") { "Sheet" } else { base };
        let mut name = cut_name(base, "");
        let mut number = 1;
        while self.0.contains(&name.to_lowercase()) {
            number += 1;
            name = cut_name(base, &format!(" ({number})"));
        }
        self.0.push(name.to_lowercase());
        name
    }
}

/// `base` and `tail`, the first cut so that both fit. Excel counts in UTF-16.
fn cut_name(base: &str, tail: &str) -> String {
    let mut name = String::new();
    let mut used = tail.encode_utf16().count();
    for c in base.chars() {
        used += c.len_utf16();
        if used > LONGEST {
            break;
        }
        name.push(c);
    }
    name.trim_end_matches(['\'', ' ']).to_owned() + tail
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_cut_and_kept_apart() {
        let mut names = SheetNames::default();
        assert_eq!(names.claim("Kernels"), "Kernels");
        assert_eq!(names.claim("kernels"), "kernels (2)");
        assert_eq!(names.claim("a/b:c\u{7}"), "a-b-c");
        assert_eq!(names.claim("''"), "Sheet");
        assert_eq!(names.claim(&"x".repeat(40)).len(), 31);
        assert_eq!(names.claim(&"x".repeat(40)), format!("{} (2)", "x".repeat(27)));
    }

    proptest! {
        #[test]
        fn excel_takes_every_name(wishes in prop::collection::vec(any::<String>(), 0..6)) {
            let mut names = SheetNames::default();
            for wish in wishes {
                let name = names.claim(&wish);
                prop_assert!(xlsxwriter::Worksheet::new().set_name(&name).is_ok(), "{name:?}");
            }
        }
    }
}
