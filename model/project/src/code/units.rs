//! The sources as translation units: statements and expressions, for the model of kernels.

use std::collections::BTreeMap;

use derate_hls::{FileId, Language, Loaded, Sources, Wanted};
use derate_syntax::{SourceFile, ast::Unit, read_unit};

use super::Code;
use crate::includes::Includes;

/// A unit with more text holds tables of weights; a kernel is smaller.
const LARGEST: usize = 4 << 20;

impl Code {
    /// Every C++ file that was named and that no other one includes, read with its includes. Units with too much text
    /// are left out.
    pub fn read_units(&self, sources: &Sources) -> Vec<(FileId, Unit)> {
        let mut by_name: BTreeMap<&str, FileId> = BTreeMap::new();
        for file in sources.files() {
            by_name.entry(sources.name(file)).or_insert(file);
        }
        let is_root = |file: &FileId| {
            let name = sources.name(*file);
            matches!(Language::of(name), Language::Cpp) && !self.recorded.is_included(name)
        };
        let roots = self.files.iter().copied().filter(is_root);
        roots
            .filter_map(|file| {
                let mut read = sources.text(file).len();
                let mut recorded = self.recorded.clone();
                let mut load = |path: &str, beside: bool, includer: &str| {
                    let wanted = Wanted { includer, path, beside, anywhere: false };
                    let Loaded::Text { name, .. } = recorded.load(&wanted) else { return None };
                    let text = sources.text(*by_name.get(name.as_str())?);
                    read = read.saturating_add(text.len());
                    (read <= LARGEST).then(|| (name, text.to_owned()))
                };
                let path = sources.name(file).to_owned();
                let source = SourceFile { path, text: sources.text(file).to_owned() };
                let unit = read_unit(&[source], &mut load, &self.defines);
                (read <= LARGEST).then_some((file, unit))
            })
            .collect()
    }
}
