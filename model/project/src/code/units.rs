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

/// The lines of directives; the others are empty, so that numbers of lines stay.
fn keep_directives(text: &str) -> String {
    let mut kept = String::new();
    let mut goes_on = false;
    for line in text.lines() {
        if goes_on || line.trim_start().starts_with('#') {
            goes_on = line.trim_end().ends_with('\\');
            kept.push_str(line);
        }
        kept.push('\n');
    }
    kept
}
