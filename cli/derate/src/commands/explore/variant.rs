//! A source with other values for what it leaves open.

use std::collections::BTreeMap;

use derate_model::explore::kernel::{
    fill_definitions, fill_placeholders, find_definition, find_placeholders,
};
use derate_model::kernel::{Program, read_program};
use derate_model::load::{KernelTexts, SourceFile};

/// The kernel with values of placeholders, of names that its files define, and of macros that they do not.
pub(super) fn read_variant(
    texts: &KernelTexts,
    top: &str,
    values: &[(String, String)],
) -> Option<Program> {
    let values = PlacedValues::place(texts, values);
    let unit = texts.parse(|path, text| values.change_text(path, text), &values.macros);
    read_program(&unit, top).ok()
}

/// Values by where they are written.
#[derive(Debug, Default)]
pub(super) struct PlacedValues {
    /// Names and values that a file defines or has placeholders of, by its path.
    files: BTreeMap<String, Vec<(String, String)>>,
    /// What no file defines: the compiler gets it.
    pub(super) macros: Vec<(String, String)>,
}

impl PlacedValues {
    /// Looks for each name in the files that were named, then in the headers that they include. What `-D` gives goes before
    /// both.
    pub(super) fn place(texts: &KernelTexts, values: &[(String, String)]) -> Self {
        let headers = texts.headers();
        let mut placed = Self::default();
        for (name, value) in values {
            let files = find_files(texts, &headers, name);
            if files.is_empty() || texts.given_macro(name).is_some() {
                placed.macros.push((name.clone(), value.clone()));
                continue;
            }
            for file in files {
                let own = placed.files.entry(file.path.clone()).or_default();
                own.push((name.clone(), value.clone()));
            }
        }
        placed
    }

    /// The text of a file with its values; placeholders that have none go.
    pub(super) fn change_text(&self, path: &str, text: &str) -> String {
        let own = self.files.get(path).map_or(&[][..], Vec::as_slice);
        fill_definitions(&fill_placeholders(text, own), own)
    }
}

/// The files that are changed for a name: of those that were named, then of the headers.
fn find_files<'t>(
    texts: &'t KernelTexts,
    headers: &'t [SourceFile],
    name: &str,
) -> Vec<&'t SourceFile> {
    let has = |file: &&SourceFile| has_name(file, name);
    let files: Vec<_> = texts.files().iter().filter(has).collect();
    if files.is_empty() { headers.iter().filter(has).collect() } else { files }
}

/// The value that a name has as the source is written; `None` where the files do not agree, and of a placeholder.
pub(super) fn find_written(texts: &KernelTexts, name: &str) -> Option<String> {
    let headers = texts.headers();
    let files = find_files(texts, &headers, name);
    let values = files.iter().map(|file| {
        let is_open = find_placeholders(&file.text).iter().any(|one| one == name);
        let own = find_definition(&file.text, name).filter(|_| !is_open);
        own.map(|own| file.text[own].trim())
    });
    let values: Vec<Option<&str>> = values.collect();
    match (values.as_slice(), texts.given_macro(name)) {
        ([], given) => given.map(|given| given.trim().to_owned()),
        // Whether the file or `-D` has the last word is not known.
        ([_, ..], Some(_)) => None,
        ([first, rest @ ..], None) => {
            let first = (*first)?;
            rest.iter().all(|one| *one == Some(first)).then(|| first.to_owned())
        }
    }
}

/// Whether a file defines the name or has a placeholder of it.
fn has_name(file: &SourceFile, name: &str) -> bool {
    find_placeholders(&file.text).iter().any(|one| one == name)
        || find_definition(&file.text, name).is_some()
}
