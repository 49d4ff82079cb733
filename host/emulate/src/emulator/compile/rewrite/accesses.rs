//! Accesses through a port: each says whether it reads, writes or both, which a pointer's own spelling does not.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::functions::{Declared, declared_name, plain_name, root_of, visit};
use super::text::Edits;

/// What becomes of an element.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Use {
    Read,
    Write,
    Update,
}

impl Use {
    fn function(self) -> &'static str {
        match self {
            Self::Read => "derate::reach_read(",
            Self::Write => "derate::reach_write(",
            Self::Update => "derate::reach_update(",
        }
    }
}

/// Methods that leave their object as it is.
const READERS: [&str; 18] = [
    "range",
    "to_int",
    "to_uint",
    "to_int64",
    "to_uint64",
    "to_long",
    "to_ulong",
    "to_float",
    "to_double",
    "to_string",
    "to_bool",
    "length",
    "size",
    "test",
    "get_bit",
    "get",
    "reduce_add",
    "bit",
];
/// Methods of a stream that fill what they are given.
const FILLERS: [&str; 2] = ["read", "read_nb"];

/// Rewrites what a body does with its ports.
pub(super) fn rewrite_body(
    body: Node<'_>,
    parameters: &BTreeSet<String>,
    functions: &[Declared<'_>],
    own: &str,
    edits: &mut Edits,
) {
    let ports = name_locals(body, parameters, own, edits);
    let is_port = |node: Node<'_>| root_of(node, own).is_some_and(|root| ports.contains(root));
    visit(body, &mut |node| match node.kind() {
        "subscript_expression" => {
            let (Some(argument), Some(indices)) =
                (node.child_by_field_name("argument"), node.child_by_field_name("indices"))
            else {
                return;
            };
            if is_port(argument) && !is_address(node, own) {
                edits.insert(node.start_byte(), classify(node, functions, own).function());
                edits.replace(first_byte(indices), ", ".to_owned());
                edits.replace(last_byte(indices), ")".to_owned());
            }
        }
        "pointer_expression" => {
            let Some(argument) = node.child_by_field_name("argument") else { return };
            let text = own.get(node.byte_range()).unwrap_or_default();
            if text.starts_with('*') && is_port(argument) {
                let how = classify(node, functions, own);
                edits.replace(first_byte(node), how.function().to_owned());
                edits.insert(node.end_byte(), ", 0)");
            } else if text.starts_with('&')
                && is_port(node)
                && let Some(indices) = argument.child_by_field_name("indices")
            {
                // `&p[i]` is `(p + (i))`.
                edits.replace(first_byte(node), "(".to_owned());
                edits.replace(first_byte(indices), " + (".to_owned());
                edits.replace(last_byte(indices), "))".to_owned());
            }
        }
        "field_expression" => {
            let (Some(argument), Some(sign)) =
                (node.child_by_field_name("argument"), node.child_by_field_name("operator"))
            else {
                return;
            };
            if own.get(sign.byte_range()) == Some("->") && is_port(argument) {
                let how = classify_field(node, functions, own);
                edits.insert(argument.start_byte(), how.function());
                edits.replace(sign.byte_range(), ", 0).".to_owned());
            }
        }
        "cast_expression" => {
            let (Some(value), Some(to)) =
                (node.child_by_field_name("value"), node.child_by_field_name("type"))
            else {
                return;
            };
            let spelt = own.get(to.byte_range()).unwrap_or_default().trim_end();
            if is_port(value)
                && let Some(element) = spelt.strip_suffix('*')
            {
                let call = format!("derate::cast_port<{}>(", element.trim_end());
                edits.replace(node.start_byte()..value.start_byte(), call);
                edits.insert(node.end_byte(), ")");
            }
        }
        "call_expression" => {
            let (Some(callee), Some(arguments)) =
                (node.child_by_field_name("function"), node.child_by_field_name("arguments"))
            else {
                return;
            };
            // A burst of a port is a function of its own, which is found by its argument.
            if callee.kind() == "qualified_identifier" && plain_name(callee, own) == Some("memcpy")
            {
                let mut cursor = arguments.walk();
                if arguments.named_children(&mut cursor).any(is_port) {
                    edits.replace(callee.byte_range(), "memcpy".to_owned());
                }
            }
        }
        _ => {}
    });
}

/// The parameters, and the local names that a body has for them, which it then declares with `auto`.
fn name_locals(
    body: Node<'_>,
    parameters: &BTreeSet<String>,
    own: &str,
    edits: &mut Edits,
) -> BTreeSet<String> {
    let mut ports = parameters.clone();
    visit(body, &mut |node| {
        if node.kind() != "declaration" {
            return;
        }
        let Some(one) = node.child_by_field_name("declarator") else { return };
        if let (Some(inner), Some(value)) =
            (one.child_by_field_name("declarator"), one.child_by_field_name("value"))
            && inner.kind() == "pointer_declarator"
            && root_of(value, own).is_some_and(|root| ports.contains(root))
            && let Some(name) = declared_name(Some(inner), own)
        {
            ports.insert(name.to_owned());
            edits.replace(node.start_byte()..inner.end_byte(), format!("auto {name}"));
        }
    });
    ports
}

fn first_byte(node: Node<'_>) -> std::ops::Range<usize> {
    node.start_byte()..node.start_byte() + 1
}

fn last_byte(node: Node<'_>) -> std::ops::Range<usize> {
    node.end_byte() - 1..node.end_byte()
}

/// Whether only the address of an element is taken.
fn is_address(node: Node<'_>, own: &str) -> bool {
    node.parent().is_some_and(|above| {
        above.kind() == "pointer_expression"
            && own.get(above.byte_range()).is_some_and(|text| text.starts_with('&'))
    })
}

/// What an element is used for, by what is around it.
pub(super) fn classify(node: Node<'_>, functions: &[Declared<'_>], own: &str) -> Use {
    let Some(above) = node.parent() else { return Use::Read };
    let is =
        |field: &str| above.child_by_field_name(field).is_some_and(|one| one.id() == node.id());
    let sign = || above.child_by_field_name("operator").and_then(|sign| own.get(sign.byte_range()));
    match above.kind() {
        "parenthesized_expression" => classify(above, functions, own),
        "subscript_expression" if is("argument") => part_of(classify(above, functions, own)),
        "field_expression" if is("argument") => classify_field(above, functions, own),
        "call_expression" if is("function") => part_of(classify(above, functions, own)),
        "assignment_expression" if is("left") => {
            if sign() == Some("=") {
                Use::Write
            } else {
                Use::Update
            }
        }
        "update_expression" => Use::Update,
        "binary_expression" if is("right") => {
            let left = above.child_by_field_name("left");
            if sign() == Some(">>") && is_stream(left, own) { Use::Write } else { Use::Read }
        }
        "init_declarator" => {
            let declarator = above.child_by_field_name("declarator");
            let is_reference = declarator.is_some_and(|one| one.kind() == "reference_declarator");
            let spelt = above.parent().and_then(|one| own.get(one.byte_range()));
            let is_const = spelt.unwrap_or_default().starts_with("const");
            if is_reference && !is_const { Use::Update } else { Use::Read }
        }
        "argument_list" => classify_argument(node, above, functions, own),
        _ => Use::Read,
    }
}

/// A part of an element that is written leaves the rest as it is.
fn part_of(whole: Use) -> Use {
    if whole == Use::Write { Use::Update } else { whole }
}

/// An element of which a field or method is named. A field that is written is a write alone: the bus has strobes.
fn classify_field(field: Node<'_>, functions: &[Declared<'_>], own: &str) -> Use {
    let call = field.parent().filter(|above| {
        above.kind() == "call_expression"
            && above.child_by_field_name("function").is_some_and(|one| one.id() == field.id())
    });
    let Some(call) = call else { return classify(field, functions, own) };
    let name = field.child_by_field_name("field").and_then(|name| own.get(name.byte_range()));
    if name.is_some_and(|name| READERS.contains(&name)) {
        part_of(classify(call, functions, own))
    } else {
        Use::Update
    }
}

/// Whether a name is declared as a stream, anywhere in the text.
fn is_stream(node: Option<Node<'_>>, own: &str) -> bool {
    let name = node.and_then(|node| own.get(node.byte_range())).unwrap_or_default();
    let name = name.split('[').next().unwrap_or_default();
    let is_word = |sign: char| !sign.is_alphanumeric() && sign != '_';
    !name.is_empty()
        && own
            .lines()
            .filter(|line| line.contains("stream<"))
            .any(|line| line.split(is_word).any(|word| word == name))
}

/// An element that a function is given.
fn classify_argument(node: Node<'_>, list: Node<'_>, functions: &[Declared<'_>], own: &str) -> Use {
    let Some(callee) = list.parent().and_then(|call| call.child_by_field_name("function")) else {
        return Use::Read;
    };
    if callee.kind() == "field_expression" {
        let name = callee.child_by_field_name("field").and_then(|one| own.get(one.byte_range()));
        let fills = name.is_some_and(|name| FILLERS.contains(&name));
        return if fills { Use::Write } else { Use::Read };
    }
    let mut cursor = list.walk();
    let position = list.named_children(&mut cursor).position(|one| one.id() == node.id());
    let name = plain_name(callee, own);
    let mut named = functions.iter().filter(|one| Some(one.name.as_str()) == name);
    let written = named.any(|one| {
        position.and_then(|at| one.parameters.get(at)).is_some_and(|one| one.is_written)
    });
    if written { Use::Update } else { Use::Read }
}
