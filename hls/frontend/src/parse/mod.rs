//! Text to [`Header`]. Only this room sees tree-sitter.

mod access;
mod body;
mod commentary;
mod declaration;
mod declarator;
mod errors;
mod function;
mod grammar;
mod items;
mod kept;
mod load;
mod local;
mod loops;
mod nesting;
mod place;
mod reader;
mod role;
mod structure;
mod tables;
mod trees;
mod units;
mod unread_forms;

use crate::header::Header;
use crate::preprocess::{Outlook, Pragma, Prepared};
use crate::resolve::settle_headers;
use crate::{FileId, Sources, Span, Unparsed};
use grammar::Grammar;
use load::{Among, Loading};
use reader::Reader;
use std::ops::Range;
use std::sync::Arc;
use units::{Reading, read_units};

pub use load::{IncludeLoader, Loaded, Wanted};
use trees::Basis;
pub use trees::Trees;

/// Reads one text. Never fails: what cannot be read is listed in [`Header::unparsed`].
///
/// Includes are followed to the other texts of `sources`, for their macros; what they declare
/// is in their own headers.
pub fn parse(sources: &Sources, file: FileId) -> Header {
    let all: Vec<FileId> = sources.files().collect();
    let mut among = Among { sources, own: &all };
    let readings = read_units(&[file], &[], &mut among);
    let trees = &mut Trees::default();
    let mut headers: Vec<Header> =
        readings.into_iter().take(1).map(|one| read_unit(sources, one, trees)).collect();
    settle_headers(&mut headers, sources);
    headers.pop().unwrap_or_else(|| read_unit(sources, Reading::empty(file), trees))
}

/// Reads several texts that belong together, in the order given. Values are computed over all of
/// them: an extent may be a constant of another text, where that is included.
pub fn parse_all(sources: &Sources, files: &[FileId]) -> Vec<Header> {
    let mut among = Among { sources, own: files };
    let mut readings = read_units(files, &[], &mut among);
    readings.retain(|one| files.contains(&one.prepared.file));
    read_headers(sources, readings, &mut Trees::default())
}

/// Reads several texts that belong together and all that they include, with these macros defined
/// on the command line (name and value). The texts' own headers come first, in the order given;
/// then those of what `load` found for their includes, vendors' excepted.
///
/// A header is read as the first source that includes it reads it; only one that no source
/// includes is read for itself. [`Header::read_otherwise_by`] names other sources for which the
/// macros that they define make it another text. `trees` are kept from one call to the next.
pub fn parse_project(
    sources: &mut Sources,
    files: &[FileId],
    defines: &[(String, String)],
    load: &mut IncludeLoader<'_>,
    trees: &mut Trees,
) -> Vec<Header> {
    let readings = read_units(files, defines, &mut Loading::new(sources, files, load));
    read_headers(sources, readings, trees)
}

fn read_headers(sources: &Sources, readings: Vec<Reading>, trees: &mut Trees) -> Vec<Header> {
    let mut headers: Vec<Header> =
        readings.into_iter().map(|one| read_unit(sources, one, trees)).collect();
    settle_headers(&mut headers, sources);
    headers
}

fn read_unit(sources: &Sources, reading: Reading, trees: &mut Trees) -> Header {
    let Reading { mut prepared, table, units, others, alone, .. } = reading;
    let (regions, marks) =
        (std::mem::take(&mut prepared.regions), std::mem::take(&mut prepared.marks));
    let file = prepared.file;
    prepared.unparsed.extend(nesting::cut_nesting(&mut prepared.masked).into_iter().map(|range| {
        Unparsed {
            span: Span { file, start: range.start, end: range.end },
            reason: "the statement has more than 256 angle brackets or attributes: give parts of it names"
                .to_owned(),
        }
    }));
    let pragmas = std::mem::take(&mut prepared.pragmas);
    // What nothing includes comes once.
    let from = (!alone).then(|| Basis::new(sources.shared(file), &prepared, &regions, &pragmas));
    let known = from.as_ref().and_then(|from| trees.find_declared(file, from));
    let is_known = known.is_some();
    let header = Header {
        includes: std::mem::take(&mut prepared.includes),
        absent: std::mem::take(&mut prepared.absent),
        read_by: units,
        read_otherwise_by: others,
        defines: std::mem::take(&mut prepared.defines),
        outlook: Outlook::new(table, regions, marks),
        ..known.unwrap_or_else(|| list_nothing(&mut prepared, pragmas))
    };
    if is_known {
        return header;
    }
    let header = read_text(sources.text(file), &prepared, header, trees);
    if let Some(from) = from {
        trees.keep_declared(from, &header);
    }
    header
}

/// A header before its declarations are read.
fn list_nothing(prepared: &mut Prepared, pragmas: Vec<Pragma>) -> Header {
    let file = prepared.file;
    let span = |range: &Range<usize>| Span { file, start: range.start, end: range.end };
    Header {
        file,
        aliases: Vec::new(),
        constants: Vec::new(),
        arrays: Vec::new(),
        objects: Vec::new(),
        functions: Vec::new(),
        pragmas,
        comments: prepared.comments.iter().map(span).collect(),
        unparsed: std::mem::take(&mut prepared.unparsed),
        includes: Vec::new(),
        absent: Vec::new(),
        read_by: Vec::new(),
        read_otherwise_by: Vec::new(),
        structures: Vec::new(),
        forwards: Vec::new(),
        enumerations: Vec::new(),
        opened: Vec::new(),
        brought: Vec::new(),
        namespaces: Vec::new(),
        defines: Vec::new(),
        outlook: Outlook::new(Arc::default(), Vec::new(), Vec::new()),
    }
}

/// Reads the declarations of a text into its header.
fn read_text(text: &str, prepared: &Prepared, header: Header, trees: &mut Trees) -> Header {
    let file = header.file;
    let grammar = Grammar::new(prepared);
    let mut reader = Reader::new(text, prepared, &grammar, header);
    if let Some(tree) = trees.parse(&grammar.text) {
        reader.read_root(tree.root_node());
        errors::collect_errors(tree.root_node(), &mut reader);
    } else {
        let span = Span { file, start: 0, end: text.len() };
        reader.note_unread(span, "the C++ grammar could not be loaded");
    }
    reader.finish()
}
