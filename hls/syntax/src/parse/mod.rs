//! The expanded text to a [`Unit`]. Only this room sees tree-sitter.

mod call;
mod declaration;
mod declarator;
mod enumeration;
mod expression;
mod fields;
mod function;
mod initialiser;
mod items;
mod name;
mod operator;
mod reader;
mod statement;
mod structure;
mod switch;
mod template;
mod tree;
mod types;

use crate::ast::{Item, Place, Unit, Unread};
use crate::preprocess::{drop_unused, preprocess};
use crate::settle::{Vocabulary, write_text};
use crate::{Loader, SourceFile};
use reader::Reader;
use rustc_hash::FxHashSet as HashSet;
use tree::parse_trees;
use tree_sitter::Point;

/// Notes on what is not read that are kept.
const MOST_UNREAD: usize = 1000;

/// Reads the files, each with its includes and with macros of its own. What several of them
/// include is given once.
///
/// `defines` are macros of the command line: name and value.
pub fn read_unit(
    files: &[SourceFile],
    loader: &mut Loader<'_>,
    defines: &[(String, String)],
) -> Unit {
    let mut unit = Unit::default();
    let mut seen: HashSet<(Place, String)> = HashSet::default();
    let mut vocabulary = Vocabulary::default();
    for source in files {
        let mut tokens = preprocess(source, loader, defines, &mut unit.files);
        for one in std::mem::take(&mut tokens.missing) {
            if !unit.missing.iter().any(|known| known.path == one.path) {
                unit.missing.push(one);
            }
        }
        for one in std::mem::take(&mut tokens.library_headers) {
            if !unit.library_headers.contains(&one) {
                unit.library_headers.push(one);
            }
        }
        if let Some(root) = unit.files.iter().position(|one| *one == source.path)
            && let Ok(root) = u16::try_from(root)
        {
            drop_unused(&mut tokens, root);
        }
        let (text, tables) = write_text(tokens, &mut vocabulary);
        let Some(trees) = parse_trees(&text) else {
            let reason = format!("{} is not read: it has too many errors", source.path);
            unit.unread.push(Unread { place: Place::default(), reason });
            continue;
        };
        let mut reader = Reader::new(&text, tables, &vocabulary);
        for (start, tree) in &trees {
            // Lines and columns of the parser are not asked for.
            reader.read_items(tree.root_node_with_offset(*start, Point::default()));
        }
        reader.drain_pragmas(usize::MAX);
        let Reader { items, unread, .. } = reader;
        let known: HashSet<(Place, String)> = items.iter().filter_map(identify).collect();
        let fresh = |item: &Item| identify(item).is_none_or(|one| !seen.contains(&one));
        unit.items.extend(items.into_iter().filter(fresh));
        seen.extend(known);
        for one in text.unread.iter().cloned().chain(unread) {
            if unit.unread.len() < MOST_UNREAD && !unit.unread.contains(&one) {
                unit.unread.push(one);
            }
        }
    }
    unit
}

/// What makes a declaration the same as one that another file includes too.
fn identify(item: &Item) -> Option<(Place, String)> {
    match item {
        Item::Function(one) => Some((one.place, one.name.clone())),
        Item::Structure(one) => Some((one.place, one.name.clone())),
        Item::Variable(one) => Some((one.place, one.name.clone())),
        Item::Pragma(one) => Some((one.place, one.text.clone())),
        // These may be repeated; the same again changes nothing.
        Item::Alias(_) | Item::Enumerator { .. } | Item::UsingNamespace(_) | Item::UsingName(_) => {
            None
        }
    }
}
