//! Templates from which a generator makes C++: they are not C++ before it runs.

use std::path::{Path, PathBuf};

use super::{CONFIGURATIONS, SOURCE_ENDINGS, Search, is_tool_output, read_small};

/// What a tag of Jinja begins with.
const TAGS: [&str; 14] = [
    "for", "endfor", "if", "elif", "else", "endif", "set", "endset", "macro", "endmacro", "block",
    "endblock", "include", "import",
];

impl Search {
    /// Whether a file has the marks of Jinja: `{% for i in range(8) %}`, or a name in two braces inside of another name.
    pub(super) fn is_template(&self, path: &Path) -> bool {
        let has =
            |path: &&PathBuf| read_small(path).is_some_and(|text| text.lines().any(has_marks));
        let find = || {
            let is_own = |path: &&PathBuf| {
                !self.is_foreign(path) && !is_tool_output(Path::new(&self.name(path)))
            };
            let files = self.having(&SOURCE_ENDINGS).chain(self.having(&CONFIGURATIONS));
            let files = files.filter(is_own);
            files.filter(has).cloned().collect()
        };
        self.templates.get_or_init(find).contains(path)
    }
}

fn has_marks(line: &str) -> bool {
    let is_tag = |rest: &str| {
        let rest = rest.trim_start_matches('-').trim_start();
        let word = rest.split(|c: char| !c.is_ascii_lowercase()).next().unwrap_or("");
        rest.contains("%}") && TAGS.contains(&word)
    };
    let has_tag = line.split_once("{%").is_some_and(|(_, rest)| is_tag(rest));
    has_tag || line.match_indices("{{").any(|(at, _)| is_inside_name(line, at))
}

/// Whether two braces that open at `at` have one name, and a letter or digit directly before and behind, as in `buf{{n}}_in`.
/// C++ has no such text: an initialiser ends a name.
fn is_inside_name(line: &str, at: usize) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let inner = line[at + 2..].trim_start().trim_start_matches(is_word);
    let behind = inner.trim_start().strip_prefix("}}");
    line[..at].ends_with(is_word) && behind.is_some_and(|rest| rest.starts_with(is_word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_jinja_are_no_initialisers() {
        for line in [
            "  {% for k in range(A) -%}",
            "{%set n = 3%} axis_stream& tx{{n}}, {% endfor%}",
            "#ifndef _DMA{{layer}}_H_",
            "const int L{{ layer }}_Byte = 4;",
        ] {
            assert!(has_marks(line), "{line}");
        }
        for line in [
            "int a[1][1] = {{n}};",
            "std::array<int, 2> b{{1, 2}};",
            "f(point{{x}}, 4);",
            "#define INIT {{A}}",
            "if (a {% b) {",
            "printf(\"{%d%%}\");",
            "x = {{",
        ] {
            assert!(!has_marks(line), "{line}");
        }
    }
}
