//! Whether a type crosses from one file to another: what is declared with its name in one is used in the other.

use std::collections::BTreeSet;

use derate_hls::{FileId, Header, Sources, split_words};

use super::Code;

impl Code {
    /// Whether a function, a global or a structure that is declared with a name in what one of the files reads is used in the other.
    pub fn crosses(&self, sources: &Sources, name: &str, one: FileId, other: FileId) -> bool {
        let is_used = |from, to| is_used((self, sources), name, from, to);
        is_used(one, other) || is_used(other, one)
    }
}

/// What is read with a file, and not with another one.
fn list_read(code: &Code, file: FileId, other: FileId) -> Vec<&Header> {
    let reads =
        |header: &Header, file: FileId| header.file == file || code.is_included(file, header.file);
    let all = code.headers().iter();
    all.filter(|header| reads(header, file) && !reads(header, other)).collect()
}

/// A name and those of the aliases that are made of it, in what a file reads.
fn list_names<'a>(code: &'a Code, file: FileId, name: &'a str) -> BTreeSet<&'a str> {
    let reads = |header: &&Header| header.file == file || code.is_included(file, header.file);
    let aliases: Vec<_> =
        code.headers().iter().filter(reads).flat_map(|header| &header.aliases).collect();
    let (mut names, mut open) = (BTreeSet::from([name]), vec![name]);
    while let Some(name) = open.pop() {
        let made = aliases.iter().filter(|one| split_words(&one.spelling).any(|word| word == name));
        open.extend(made.map(|one| one.name.as_str()).filter(|one| names.insert(one)));
    }
    names
}

fn is_used((code, sources): (&Code, &Sources), name: &str, from: FileId, to: FileId) -> bool {
    let names = list_names(code, from, name);
    let says = |text: &str| split_words(text).any(|word| names.contains(word));
    let mut declared: BTreeSet<&str> = BTreeSet::new();
    for header in list_read(code, from, to) {
        let functions = header.functions.iter().filter(|one| {
            says(&one.returns)
                || one.parameters.iter().any(|parameter| {
                    says(&parameter.element)
                        || parameter.dims.iter().any(|dim| says(&dim.expression))
                })
        });
        declared.extend(functions.map(|one| one.name.as_str()));
        let arrays = header
            .arrays
            .iter()
            .filter(|one| says(&one.element) || one.dims.iter().any(|dim| says(&dim.expression)));
        declared.extend(arrays.map(|one| one.name.as_str()));
        let structures = header.structures.iter().filter(|one| {
            one.members.iter().any(|member| {
                says(&member.spelling) || member.dims.iter().any(|dim| says(&dim.expression))
            })
        });
        declared.extend(structures.map(|one| one.name.as_str()));
    }
    let readers = list_read(code, to, from);
    for header in &readers {
        // A variant has its own of the same name.
        let functions = header.functions.iter().filter(|one| one.body.is_some());
        for own in functions.map(|one| one.name.as_str()) {
            declared.remove(own);
        }
        let is_own = |span| !sources.slice(span).trim_start().starts_with("extern");
        let arrays = header.arrays.iter().filter(|one| is_own(one.span));
        for own in arrays.map(|one| one.name.as_str()) {
            declared.remove(own);
        }
        for own in header.structures.iter().map(|one| one.name.as_str()) {
            declared.remove(own);
        }
    }
    let mut texts = readers.iter().map(|header| sources.text(header.file));
    texts.any(|text| split_words(text).any(|word| declared.contains(word)))
}
