//! What is beside the type in a declaration: names, pointers, extents.

use super::reader::Reader;
use crate::Span;
use crate::header::Dim;
use tree_sitter::Node;

/// A declarator, taken apart.
pub(super) struct Declarator<'t> {
    pub(super) name: Option<Node<'t>>,
    pub(super) pointers: usize,
    pub(super) reference: bool,
    pub(super) dims: Vec<Dim>,
    /// The parameter list, if it declares a function.
    pub(super) parameters: Option<Node<'t>>,
    pub(super) value: Option<Node<'t>>,
    /// Brackets around a pointer: `float (*p)[3]`, which reads inside out.
    pub(super) twisted: bool,
}

/// Declarators nested deeper than this are not written by people.
const DEPTH: usize = 40;

pub(super) fn take_apart<'t>(node: Option<Node<'t>>, reader: &Reader<'_>) -> Declarator<'t> {
    let mut parts = Declarator {
        name: None,
        pointers: 0,
        reference: false,
        dims: Vec::new(),
        parameters: None,
        value: None,
        twisted: false,
    };
    let mut next = node;
    let mut bracketed = false;
    for _ in 0..DEPTH {
        let Some(node) = next else { break };
        match node.kind() {
            "init_declarator" => parts.value = node.child_by_field_name("value"),
            "pointer_declarator" | "abstract_pointer_declarator" | "pointer_type_declarator" => {
                parts.pointers += 1;
                parts.twisted |= bracketed;
            }
            "reference_declarator" | "abstract_reference_declarator" => parts.reference = true,
            "array_declarator" | "abstract_array_declarator" => {
                parts.dims.push(read_extent(node, reader));
            }
            "function_declarator" | "abstract_function_declarator" => {
                if parts.parameters.is_none() {
                    parts.parameters = node.child_by_field_name("parameters");
                }
            }
            "parenthesized_declarator" | "abstract_parenthesized_declarator" => bracketed = true,
            "attributed_declarator" | "variadic_declarator" => {}
            _ => {
                parts.name = Some(node);
                break;
            }
        }
        let inner = node.child_by_field_name("declarator");
        next = inner.or_else(|| match node.kind() {
            "init_declarator"
            | "array_declarator"
            | "abstract_array_declarator"
            | "function_declarator"
            | "abstract_function_declarator" => None,
            _ => named_declarator(node),
        });
    }
    // The outermost extent is the innermost node.
    parts.dims.reverse();
    parts
}

/// The child that carries the declarator on, where the grammar gives it no name.
fn named_declarator(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|child| {
        let kind = child.kind();
        kind.ends_with("declarator") || kind.ends_with("identifier") || kind == "primitive_type"
    })
}

fn read_extent(node: Node<'_>, reader: &Reader<'_>) -> Dim {
    if let Some(size) = node.child_by_field_name("size") {
        let (expression, span) = (reader.words_of(size), reader.span_of(size));
        return Dim { expression, value: None, span };
    }
    // Between the brackets of `[]`.
    let whole = reader.span_of(node);
    let at = whole.end.saturating_sub(1).max(whole.start);
    let span = Span { start: at, end: at, ..whole };
    Dim { expression: String::new(), value: None, span }
}

impl Declarator<'_> {
    /// A type with this declarator's pointers and extents behind it, as one would spell it.
    pub(super) fn spell_type(&self, element: &str) -> String {
        let mut text = format!("{element}{}", "*".repeat(self.pointers));
        for dim in &self.dims {
            text.push('[');
            text.push_str(&dim.expression);
            text.push(']');
        }
        text
    }
}
