//! The sources as translation units: statements and expressions, for the model of kernels.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use derate_hls::{FileId, Language, Sources, Wanted};
use derate_syntax::{SourceFile, ast::Unit, read_unit};

use super::Code;

/// A unit with more text is not read.
const LARGEST: usize = 16 << 20;
/// Letters of a unit that is read: tables of weights have few, and are read fast; a kernel is smaller.
const MOST_LETTERS: usize = 5 << 19;

/// How much of a unit was read.
#[derive(Default)]
struct Amount {
    bytes: usize,
    letters: usize,
}

impl Amount {
    fn add(&mut self, text: &str) {
        self.bytes = self.bytes.saturating_add(text.len());
        let letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
        self.letters = self.letters.saturating_add(letters);
    }

    fn is_too_much(&self) -> bool {
        self.bytes > LARGEST || self.letters > MOST_LETTERS
    }
}

impl Code {
    /// Every C++ file that was named and that no other one includes.
    pub fn list_roots(&self, sources: &Sources) -> Vec<FileId> {
        let included = self.recorded.list_included();
        let is_root = |file: &FileId| {
            let name = sources.name(*file);
            matches!(Language::of(name), Language::Cpp) && !included.contains(name)
        };
        self.files.iter().copied().filter(is_root).collect()
    }

    /// Files with their includes. `None` where they have too much text.
    pub fn read_unit(&self, sources: &Sources, files: &[FileId]) -> Option<Unit> {
        let mut read = Amount::default();
        for file in files {
            read.add(sources.text(*file));
        }
        let mut copied: BTreeSet<String> = BTreeSet::new();
        let mut load = |path: &str, beside: bool, includer: &str| {
            let wanted = Wanted { includer, path, beside, anywhere: false };
            let name = self.recorded.find(&wanted)?;
            let text = sources.text(sources.find(name)?);
            read.add(text);
            if read.is_too_much() {
                return None;
            }
            if copied.contains(includer) || declares_numbers(path) {
                let macros = keep_directives(text);
                copied.insert(name.to_owned());
                return Some((name.to_owned(), macros));
            }
            Some((name.to_owned(), text.to_owned()))
        };
        let source = |file: &FileId| SourceFile {
            path: sources.name(*file).to_owned(),
            text: sources.text(*file).to_owned(),
        };
        let texts: Vec<SourceFile> = files.iter().map(source).collect();
        let unit = read_unit(&texts, &mut load, &self.defines);
        (!read.is_too_much()).then_some(unit)
    }

    /// What [`Code::read_unit`] reads for files, and the names of its texts.
    pub fn list_unit_texts(&self, sources: &Sources, files: &[FileId]) -> (UnitTexts, Vec<String>) {
        let mut names: Vec<String> =
            files.iter().map(|one| sources.name(*one).to_owned()).collect();
        let mut numbers: HashMap<String, usize> = names.iter().cloned().zip(0..).collect();
        let ending = |name: &String| name.rsplit_once('.').map(|(_, ending)| ending.to_owned());
        let endings = names.iter().map(ending).collect();
        let (mut texts, mut includes) = (Vec::new(), Vec::new());
        while let Some(name) = names.get(texts.len()).cloned() {
            for (path, beside, found) in self.recorded.list_followed(&name) {
                let number = *numbers.entry(found.to_owned()).or_insert_with(|| {
                    names.push(found.to_owned());
                    names.len() - 1
                });
                includes.push((texts.len(), path.to_owned(), beside, number));
            }
            texts.push(sources.find(&name).map(|file| sources.shared(file)).unwrap_or_default());
        }
        (UnitTexts { endings, defines: self.defines.clone(), texts, includes }, names)
    }
}

/// The texts of a unit, which of them each include leads to, and the macros of the command line. Where they are equal, so is
/// what is read, but for the names of the files.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct UnitTexts {
    /// Those of the files that the unit is of, whose texts are the first ones.
    endings: Vec<Option<String>>,
    defines: Vec<(String, String)>,
    texts: Vec<Arc<str>>,
    /// A text, the path that it includes, whether that may lie beside it, and the text that it is.
    includes: Vec<(usize, String, bool, usize)>,
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
