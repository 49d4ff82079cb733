//! A kernel's source as the emulator compiles it: the pointers of its parameters become ports that check and count each access.
//!
//! What is rewritten is the preprocessed text, in memory: no file of the user's changes. A function that is given a port takes
//! it as such; where that is one among several callers, it takes whatever it is given.

mod accesses;
mod functions;
mod races;
mod text;

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::{Node, Parser};

use accesses::rewrite_body;
use functions::{Declared, Shape, list_functions, read_task, visit};
pub(super) use races::find_races;
use text::{Edits, keep_own_text};

/// A kernel, and what its interface pragmas say of its parameters.
#[derive(Clone, Debug)]
pub(super) struct Top {
    pub(super) name: String,
    /// Parameters whose values lie in registers.
    pub(super) registers: BTreeSet<String>,
}

/// The text with ports for pointers. `None` where nothing is to change, or the text cannot be read.
pub(super) fn rewrite_pointers(preprocessed: &str, tops: &[Top]) -> Option<String> {
    let own = keep_own_text(preprocessed);
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_cpp::LANGUAGE.into()).ok()?;
    let tree = parser.parse(&own, None)?;
    let functions = list_functions(tree.root_node(), &own);
    let mut edits = Edits::default();
    let mut ports: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    let mut waiting: Vec<(usize, usize)> = Vec::new();
    for (index, function) in functions.iter().enumerate() {
        let Some(top) = tops.iter().find(|top| top.name == function.name) else { continue };
        for (at, parameter) in function.parameters.iter().enumerate() {
            match parameter.shape {
                Shape::Pointer if top.registers.contains(&parameter.name) => {
                    let replaced = format!("{} (&{})[1]", parameter.element(&own), parameter.name);
                    edits.replace(parameter.range.clone(), replaced);
                }
                Shape::Pointer => waiting.push((index, at)),
                Shape::Other => {}
            }
        }
    }
    let mut bodies: BTreeMap<usize, Vec<Node<'_>>> = BTreeMap::new();
    while let Some((index, at)) = waiting.pop() {
        if !ports.entry(index).or_default().insert(at) {
            continue;
        }
        bodies.entry(index).or_default();
        let Some(function) = functions.get(index) else { continue };
        for (callee, position) in function.passes(at, &own) {
            let named = functions.iter().enumerate().filter(|(_, one)| one.name == callee);
            waiting.extend(
                named
                    .filter(|(_, one)| {
                        one.parameters.get(position).is_some_and(|one| one.shape == Shape::Pointer)
                    })
                    .map(|(index, _)| (index, position)),
            );
        }
    }
    let mut of_tasks: BTreeSet<&str> = BTreeSet::new();
    visit(tree.root_node(), &mut |node| {
        of_tasks.extend(read_task(node, &own).map(|(callee, _)| callee));
    });
    for (&index, marked) in &ports {
        let Some(function) = functions.get(index) else { continue };
        // What a task is given is a function, not a template.
        let is_one = tops.iter().any(|top| top.name == function.name)
            || of_tasks.contains(function.name.as_str());
        change_parameters(function, marked, is_one, &own, &mut edits);
        if let Some(body) = function.body {
            let names: BTreeSet<String> = marked
                .iter()
                .filter_map(|&at| function.parameters.get(at))
                .map(|one| one.name.clone())
                .collect();
            rewrite_body(body, &names, &functions, &own, &mut edits);
        }
    }
    edits.apply(preprocessed)
}

/// The types of these parameters.
fn change_parameters(
    function: &Declared<'_>,
    marked: &BTreeSet<usize>,
    is_one: bool,
    own: &str,
    edits: &mut Edits,
) {
    for parameter in marked.iter().filter_map(|&at| function.parameters.get(at)) {
        let element = parameter.element(own);
        // A template has no C linkage, a kernel is no template, and what a call has to deduce has to be there.
        let replaced = if is_one || function.is_c || function.is_templated(&element) {
            format!("derate::port<{element}> {}", parameter.name)
        } else {
            format!("auto {}", parameter.name)
        };
        edits.replace(parameter.range.clone(), replaced);
    }
}
