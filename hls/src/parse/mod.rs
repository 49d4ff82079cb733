//! Text to [`Header`]. Only this room sees tree-sitter.

mod access;
mod body;
mod commentary;
mod declaration;
mod declarator;
mod errors;
mod function;
mod items;
mod local;
mod loops;
mod nesting;
mod role;
mod structure;

use crate::header::{Header, Unparsed};
use crate::preprocess::{MacroTable, Outlook, Prepared, find, preprocess};
use crate::resolve::settle;
use crate::{FileId, Sources, Span};
use items::Reader;
use std::sync::Arc;
use tree_sitter::Parser;

/// Reads one text. Never fails: what cannot be read is listed in [`Header::unparsed`].
///
/// Includes are followed to the other texts of `sources`, for their macros; what they declare
/// stands in their own headers.
pub fn parse(sources: &Sources, file: FileId) -> Header {
    let mut headers = vec![read_one(sources, file)];
    settle(&mut headers, sources);
    headers.pop().unwrap_or_else(|| read_one(sources, file))
}

/// Reads several texts that belong together, in the order given. Values are computed over all of
/// them: an extent may be a constant of another text, where that is included.
pub fn parse_all(sources: &Sources, files: &[FileId]) -> Vec<Header> {
    let mut headers: Vec<Header> = files.iter().map(|&file| read_one(sources, file)).collect();
    settle(&mut headers, sources);
    headers
}

fn read_one(sources: &Sources, file: FileId) -> Header {
    let mut follow = |includer: FileId, path: &str, _: bool| {
        let found = find(sources, includer, path)?;
        Some((found, sources.text(found).to_owned()))
    };
    let (prepared, table) = preprocess(file, sources.text(file), &[], &mut follow);
    let own = prepared.into_iter().find(|one| one.file == file);
    read(sources, own.unwrap_or_else(|| Prepared::empty(file)), &Arc::new(table))
}

/// Finds the text that an include names: given the includer's name and the path, the name and the
/// text of what it means.
pub type IncludeLoader<'a> = dyn Fn(&str, &str) -> Option<(String, String)> + 'a;

/// Reads one text and all that it includes, as one translation unit with these macros defined on
/// the command line (name and value). The text's own header comes first.
pub fn parse_unit(
    sources: &mut Sources,
    file: FileId,
    defines: &[(String, String)],
    load: &IncludeLoader<'_>,
) -> Vec<Header> {
    let text = sources.text(file).to_owned();
    let (prepared, table) = {
        let mut follow = |includer: FileId, path: &str, _: bool| {
            if let Some((name, text)) = load(sources.name(includer), path) {
                let known = sources.files().find(|&file| sources.name(file) == name);
                return Some(match known {
                    Some(file) => (file, sources.text(file).to_owned()),
                    None => (sources.add(name, text.clone()), text),
                });
            }
            let found = find(sources, includer, path)?;
            Some((found, sources.text(found).to_owned()))
        };
        preprocess(file, &text, defines, &mut follow)
    };
    let table = Arc::new(table);
    let mut headers: Vec<Header> =
        prepared.into_iter().map(|one| read(sources, one, &table)).collect();
    settle(&mut headers, sources);
    headers
}

fn read(sources: &Sources, mut prepared: Prepared, table: &Arc<MacroTable>) -> Header {
    let (regions, marks) =
        (std::mem::take(&mut prepared.regions), std::mem::take(&mut prepared.marks));
    let file = prepared.file;
    prepared.unparsed.extend(nesting::cut(&mut prepared.masked).into_iter().map(|range| {
        Unparsed {
            span: Span { file, start: range.start, end: range.end },
            reason: "the statement has more than 256 angle brackets or attributes: give parts of it names"
                .to_owned(),
        }
    }));
    let header = Header {
        file,
        aliases: Vec::new(),
        constants: Vec::new(),
        arrays: Vec::new(),
        functions: Vec::new(),
        pragmas: std::mem::take(&mut prepared.pragmas),
        comments: prepared
            .comments
            .iter()
            .map(|range| Span { file, start: range.start, end: range.end })
            .collect(),
        unparsed: std::mem::take(&mut prepared.unparsed),
        includes: std::mem::take(&mut prepared.includes),
        structures: Vec::new(),
        enumerations: Vec::new(),
        opened: Vec::new(),
        namespaces: Vec::new(),
        defines: std::mem::take(&mut prepared.defines),
        outlook: Outlook::new(Arc::clone(table), regions, marks),
    };
    let text = sources.text(file);
    let mut reader = Reader::new(text, &prepared, header);
    let mut parser = Parser::new();
    let ready = parser.set_language(&tree_sitter_cpp::LANGUAGE.into()).is_ok();
    if let Some(tree) = parser.parse(&prepared.masked, None).filter(|_| ready) {
        reader.read(tree.root_node());
        errors::collect(tree.root_node(), &mut reader);
    } else {
        let span = Span { file, start: 0, end: text.len() };
        reader.complain(span, "the C++ grammar could not be loaded");
    }
    reader.finish()
}
