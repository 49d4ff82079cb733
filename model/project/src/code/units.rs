//! The sources as translation units: statements and expressions, for the model of kernels.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{FileId, Language, Loaded, Sources, Wanted};
use derate_syntax::{SourceFile, ast::Unit, read_unit};

use super::Code;
use crate::includes::Includes;

/// A unit with more text holds tables of weights; a kernel is smaller.
const LARGEST: usize = 4 << 20;

impl Code {
    /// Every C++ file that was named and that no other one includes, read with its includes, where `is_wanted`. Units with
    /// too much text are left out.
    pub fn read_units(
        &self,
        sources: &Sources,
        is_wanted: impl Fn(FileId) -> bool,
    ) -> Vec<(FileId, Unit)> {
        let mut by_name: BTreeMap<&str, FileId> = BTreeMap::new();
        for file in sources.files() {
            by_name.entry(sources.name(file)).or_insert(file);
        }
        let is_root = |file: &FileId| {
            let name = sources.name(*file);
            matches!(Language::of(name), Language::Cpp)
                && !self.recorded.is_included(name)
                && is_wanted(*file)
        };
        let roots = self.files.iter().copied().filter(is_root);
        roots
            .filter_map(|file| {
                let mut read = sources.text(file).len();
                let mut recorded = self.recorded.clone();
                let mut copied: BTreeSet<String> = BTreeSet::new();
                let mut load = |path: &str, beside: bool, includer: &str| {
                    let wanted = Wanted { includer, path, beside, anywhere: false };
                    let Loaded::Text { name, .. } = recorded.load(&wanted) else { return None };
                    let text = sources.text(*by_name.get(name.as_str())?);
                    read = read.saturating_add(text.len());
                    if read > LARGEST {
                        return None;
                    }
                    if copied.contains(includer) || declares_numbers(path) {
                        let macros = keep_directives(text);
                        copied.insert(name.clone());
                        return Some((name, macros));
                    }
                    Some((name, text.to_owned()))
                };
                let path = sources.name(file).to_owned();
                let source = SourceFile { path, text: sources.text(file).to_owned() };
                let unit = read_unit(&[source], &mut load, &self.defines);
                (read <= LARGEST).then_some((file, unit))
            })
            .collect()
    }
}

/// Copies of the headers that declare the vendors' numbers, which are known without them: their macros alone count.
fn declares_numbers(path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    ["ap_int.h", "ap_fixed.h", "hls_half.h", "ac_int.h", "ac_fixed.h"].contains(&file)
}

/// The lines of directives; the others are empty, so that numbers of lines stay. Comments over several lines keep their ends.
fn keep_directives(text: &str) -> String {
    let mut kept = String::new();
    let (mut goes_on, mut in_comment) = (false, false);
    for line in text.lines() {
        let is_open = leaves_comment_open(line, in_comment);
        if goes_on || (!in_comment && line.trim_start().starts_with('#')) {
            goes_on = line.trim_end().ends_with('\\');
            kept.push_str(line);
        } else if in_comment != is_open {
            kept.push_str(if is_open { "/*" } else { "*/" });
        }
        in_comment = is_open;
        kept.push('\n');
    }
    kept
}

/// Whether a `/* */` comment is open behind a line, where it was or was not before it.
fn leaves_comment_open(line: &str, was_open: bool) -> bool {
    let (mut is_open, mut rest) = (was_open, line);
    loop {
        if is_open {
            let Some((_, behind)) = rest.split_once("*/") else { return true };
            (is_open, rest) = (false, behind);
        } else {
            let Some((before, behind)) = rest.split_once("/*") else { return false };
            if before.contains("//") {
                return false;
            }
            (is_open, rest) = (true, behind);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::keep_directives;

    #[test]
    fn directives_alone_are_kept_and_comments_end() {
        for (text, kept) in [
            ("int a;\n#define A \\\n  1\nint b;\n", "\n#define A \\\n  1\n\n"),
            // What a comment says is not a directive, such as the notice of a licence.
            ("/*\n#- a\n# if b\n*/ int c;\n#define D\n", "/*\n\n\n*/\n#define D\n"),
            ("#define A 1 /* one\n more */ int c;\nint d;\n", "#define A 1 /* one\n*/\n\n"),
            ("int a; // see /*\n#define B /* b */\n", "\n#define B /* b */\n"),
        ] {
            assert_eq!(keep_directives(text), kept, "{text}");
        }
    }
}
