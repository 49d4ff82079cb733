//! What a preprocessor writes of a source: `sdscc` keeps `gemm_pp.c` beside the script that builds `gemm.c`.

use std::path::{Path, PathBuf};

use super::{Search, read_small};

impl Search {
    /// Whether a file is what a preprocessor made of a source that is there too. Scripts, clocks and directives are for that source.
    pub(super) fn is_preprocessed_copy(&self, path: &Path) -> bool {
        let text = read_small(path);
        let original = text.as_deref().and_then(find_original);
        original.is_some_and(|original| {
            let wanted: Vec<&str> = split(original).collect();
            let is_it = |other: &&PathBuf| {
                let name = self.name(other);
                let own = split(&name).collect::<Vec<_>>();
                let same = own.iter().rev().zip(wanted.iter().rev());
                let same = same.take_while(|(own, part)| own == part).count();
                let is_beside = other.parent() == path.parent() && same == wanted.len();
                other.as_path() != path && (is_beside || same > 1)
            };
            let last = wanted.last().copied().unwrap_or_default();
            self.files.iter().filter(|other| other.ends_with(last)).any(|other| is_it(&other))
        })
    }
}

fn split(path: &str) -> impl Iterator<Item = &str> {
    path.split(['/', '\\']).filter(|part| !matches!(*part, "" | "."))
}

/// The source that the first line names: `# 1 "/home/me/src/gemm.c"`.
fn find_original(text: &str) -> Option<&str> {
    let first = text.lines().find(|line| !line.trim().is_empty())?;
    let rest = first.trim_start().strip_prefix("# ")?.trim_start();
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let (path, _) = rest.trim_start().strip_prefix('"')?.split_once('"')?;
    (!path.starts_with('<') && !path.is_empty()).then_some(path)
}

#[cfg(test)]
mod tests {
    use crate::search::testing::search_files;

    #[test]
    fn a_copy_of_the_preprocessor_is_no_source_where_its_original_is_there() {
        let copy = |of: &str| {
            format!("# 1 \"{of}\"\n# 1 \"<built-in>\" 1\nvoid f() {{\n#pragma HLS pipeline\n}}\n")
        };
        let list = |of: &str, other: (&str, &str)| {
            let text = copy(of);
            let (_dir, search) = search_files(&[("build/f_pp.c", text.as_str()), other]);
            search.list_sources().into_iter().map(|path| search.name(path)).collect::<Vec<_>>()
        };
        let own = "void f() {\n#pragma HLS pipeline\n}\n";
        assert_eq!(list("/home/me/app/src/f.c", ("src/f.c", own)), ["src/f.c"]);
        assert_eq!(list("f.c", ("build/f.c", own)), ["build/f.c"]);
        // Another file of this name, and one that is not there.
        assert_eq!(list("/home/me/app/src/f.c", ("old/f.c", own)).len(), 2);
        assert_eq!(list("f.c", ("src/f.c", own)).len(), 2);
        assert_eq!(list("/home/me/app/src/f.c", ("src/g.c", own)).len(), 2);
        // A directive of a generator.
        let text = "#line 1 \"src/f.c\"\nvoid f() {\n#pragma HLS pipeline\n}\n";
        let (_dir, search) = search_files(&[("build/f.c", text), ("src/f.c", own)]);
        assert_eq!(search.list_sources().len(), 2);
    }
}
