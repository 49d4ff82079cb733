//! Names of files from names of tables and figures.

use std::collections::BTreeSet;

/// What changed, where that was asked for.
pub(super) const CHANGES: &str = "compare.md";

/// The folder of the tables.
pub(super) const TABLES: &str = "tables/";

/// The names that are given away; some file systems do not tell `A` from `a`.
#[derive(Default)]
pub(super) struct Names(BTreeSet<String>);

impl Names {
    /// `folder` + `name` + `.` + `extension`, with a number where another has that name.
    pub(super) fn file(&mut self, folder: &str, name: &str, extension: &str) -> String {
        let word: String = name.chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
        let word = if word.is_empty() { "unnamed" } else { &word };
        let mut count = 1;
        loop {
            let stem = if count == 1 { word.to_owned() } else { format!("{word}-{count}") };
            if self.0.insert(stem.to_lowercase()) {
                return format!("{folder}{stem}.{extension}");
            }
            count += 1;
        }
    }
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_')
}

/// Whether a path is one that only some reports have.
pub(super) fn is_ours(path: &str) -> bool {
    let stem = match path.strip_prefix(TABLES) {
        Some(table) => table.strip_suffix(".csv"),
        None => path.strip_suffix(".svg"),
    };
    path == CHANGES || stem.is_some_and(|stem| !stem.is_empty() && stem.chars().all(is_plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_file_of_its_own_below_the_folder() {
        let mut names = Names::default();
        let given = ["parts", "Parts", "../../etc", "", "a b", "parts-2"]
            .map(|name| names.file("tables/", name, "csv"));
        assert_eq!(
            given,
            ["parts", "Parts-2", "------etc", "unnamed", "a-b", "parts-2-2"]
                .map(|stem| format!("tables/{stem}.csv"))
        );
        assert!(given.iter().all(|name| is_ours(name)));
        for other in ["tables/../x.csv", "/etc/x.svg", "x.csv", "tables/x.svg", ".svg", "a/b.svg"] {
            assert!(!is_ours(other), "{other}");
        }
    }
}
