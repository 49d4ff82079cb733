//! Files and folders that a search leaves out, as the user names them.

use glob::{MatchOptions, Pattern};

use crate::LoadError;

/// A `*` stays within one folder, `**` does not.
const OPTIONS: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

/// Patterns of files and folders. One without a slash is of names in any folder; another one is of paths from the folder that
/// is searched. What is below a folder that a pattern matches is left out with it.
#[derive(Clone, Debug, Default)]
pub struct Exclude {
    patterns: Vec<ExcludePattern>,
}

#[derive(Clone, Debug)]
struct ExcludePattern {
    word: String,
    pattern: Pattern,
    is_name: bool,
}

impl Exclude {
    /// Reads the words of `--exclude`.
    ///
    /// # Errors
    ///
    /// A word that is not a pattern.
    pub fn parse(words: &[String]) -> Result<Self, LoadError> {
        let read = |word: &String| {
            let path = word.trim_start_matches("./").trim_end_matches('/');
            let refuse = |reason: String| LoadError::Option { option: "--exclude", reason };
            if path.is_empty() {
                return Err(refuse(format!("`{word}` names nothing: name a file or a folder")));
            }
            let pattern = Pattern::new(path)
                .map_err(|error| refuse(format!("`{word}` is not a pattern: {}", error.msg)))?;
            Ok(ExcludePattern { word: word.clone(), pattern, is_name: !path.contains('/') })
        };
        Ok(Self { patterns: words.iter().map(read).collect::<Result<_, _>>()? })
    }

    /// Whether it leaves nothing out.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// The words, as they are given.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.patterns.iter().map(|one| one.word.as_str())
    }

    /// Which pattern leaves out a file or a folder, whose path is from the folder that is searched.
    pub(super) fn find(&self, path: &str) -> Option<usize> {
        let last = path.rsplit('/').next().unwrap_or(path);
        self.patterns.iter().position(|one| {
            one.pattern.matches_with(if one.is_name { last } else { path }, OPTIONS)
        })
    }

    /// Whether a file is left out, by itself or with a folder above it.
    #[must_use]
    pub fn leaves_out(&self, path: &str) -> bool {
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        !self.is_empty() && ends.into_iter().any(|end| self.find(&path[..end]).is_some())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

    use std::fs;

    use super::*;
    use crate::search::Search;

    fn exclude(words: &[&str]) -> Exclude {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        Exclude::parse(&words).unwrap()
    }

    #[test]
    fn a_name_is_of_any_folder_and_a_path_of_one() {
        for (word, path, is_out) in [
            ("tests", "a/tests/k.cpp", true),
            ("tests/", "a/tests/k.cpp", true),
            ("tests", "a/my_tests/k.cpp", false),
            ("*_tb.cpp", "a/k_tb.cpp", true),
            ("a/*", "a/b/k.cpp", true),
            ("a/*.cpp", "a/b/k.cpp", false),
            ("a/**/*.cpp", "a/b/c/k.cpp", true),
            ("./b/a", "a/k.cpp", false),
        ] {
            assert_eq!(exclude(&[word]).leaves_out(path), is_out, "{word} {path}");
        }
        assert!(!Exclude::default().leaves_out("a.cpp"));
        assert!(Exclude::parse(&["[".to_owned()]).is_err());
        assert!(Exclude::parse(&["/".to_owned()]).is_err());
    }

    #[test]
    fn what_is_left_out_is_counted_and_not_searched() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["k.cpp", "old/k.cpp", "old/deep/k.h", "lib/x_tb.cpp"] {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let search = Search::without(dir.path(), &exclude(&["old", "*_tb.cpp", "none"])).unwrap();
        let names: Vec<String> = search.files.iter().map(|path| search.name(path)).collect();
        assert_eq!(names, ["k.cpp"]);
        assert_eq!(search.left_out, [2, 1, 0]);
    }
}
