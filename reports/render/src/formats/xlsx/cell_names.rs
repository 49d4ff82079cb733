//! Names for cells, as Excel allows them.

/// The longest name that is given; Excel takes 255.
const LONGEST: usize = 200;

/// The names given so far.
#[derive(Default)]
pub(super) struct CellNames(Vec<String>);

impl CellNames {
    /// A name like `wish` that no other cell has; Excel does not tell `A` from `a`.
    pub(super) fn claim(&mut self, wish: &str) -> String {
        let mut base: String = wish
            .chars()
            .take(LONGEST)
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        let letter = base.starts_with(|c: char| c.is_ascii_alphabetic());
        if !letter || reads_as_something_else(&base) {
            base.insert_str(0, "n_");
        }
        let mut name = base.clone();
        let mut number = 1;
        while self.0.contains(&name.to_ascii_lowercase()) {
            number += 1;
            name = format!("{base}_{number}");
        }
        self.0.push(name.to_ascii_lowercase());
        name
    }
}

/// Whether Excel takes a name for a cell (`FP32`, `R1C1`) or for a constant.
fn reads_as_something_else(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let letters = name.bytes().take_while(u8::is_ascii_uppercase).count();
    let row = &name[letters..];
    let cell = letters <= 3 && row.bytes().all(|byte| byte.is_ascii_digit());
    // Anything after a number.
    let rest = name.trim_start_matches(['R', 'C']);
    let row_and_column = rest.len() < name.len() && rest.len() + 2 >= name.len();
    let row_and_column =
        row_and_column && (rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_digit()));
    (cell && !row.is_empty()) || row_and_column || matches!(name.as_str(), "TRUE" | "FALSE")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_that_look_like_cells_are_bent_and_all_are_kept_apart() {
        let mut names = CellNames::default();
        let cases = [
            ("claimed_bandwidth", "claimed_bandwidth"),
            ("Claimed_Bandwidth", "Claimed_Bandwidth_2"),
            ("fp32", "n_fp32"),
            ("clock", "clock"),
            ("r", "n_r"),
            ("R2C3", "n_R2C3"),
            ("rc", "n_rc"),
            ("true", "n_true"),
            ("GB/s", "GB_s"),
            ("7b", "n_7b"),
            ("", "n_"),
            ("array4", "array4"),
        ];
        for (wish, expected) in cases {
            assert_eq!(names.claim(wish), expected);
        }
    }

    proptest! {
        #[test]
        fn excel_takes_every_name(wishes in prop::collection::vec("\\PC{0,6}|[a-zA-Z]{1,3}[0-9]{0,3}", 0..6)) {
            let mut names = CellNames::default();
            let mut book = xlsxwriter::Workbook::new();
            for wish in wishes {
                let name = names.claim(&wish);
                prop_assert!(book.define_name(&name, "=Sheet1!$A$1").is_ok(), "{name:?}");
            }
        }
    }
}
