//! Objects: constants, arrays, and prototypes among them.

use super::declarator::{Declarator, take_apart};
use super::reader::{Around, Reader};
use crate::header::{Array, Constant, ConstantKind};
use tree_sitter::Node;

impl Reader<'_> {
    /// The element type of a declaration as it is spelt. A struct or an enumeration that it
    /// defines on the way is read too.
    pub(super) fn read_element(
        &mut self,
        kind: Node<'_>,
        around: &Around,
        name: Option<&str>,
    ) -> String {
        let word = match kind.kind() {
            "struct_specifier" => "struct",
            "class_specifier" => "class",
            "union_specifier" => "union",
            "enum_specifier" => "enum",
            _ => return self.words_of(kind),
        };
        let own = kind.child_by_field_name("name").map(|name| self.words_of(name));
        if kind.child_by_field_name("body").is_none() {
            return own.map_or_else(|| self.words_of(kind), |own| format!("{word} {own}"));
        }
        // A nameless type is known by the name that it is given, or by its place.
        let unnamed =
            || name.map_or_else(|| format!("__unnamed_{}", kind.start_byte()), str::to_owned);
        let name = own.unwrap_or_else(unnamed);
        let around = Around { template: Vec::new(), ..around.clone() };
        if word == "enum" {
            self.read_enumeration(kind, &around, Some(&name));
        } else {
            self.read_structure(kind, &around, Some(&name));
        }
        format!("{word} {name}")
    }

    /// Whether a declaration has a specifier. All are before the first comma; thousands of declarators may follow.
    pub(super) fn has_word(&self, node: Node<'_>, word: &str) -> bool {
        let mut cursor = node.walk();
        let mut children = node.children(&mut cursor).take_while(|child| child.kind() != ",");
        children.any(|child| child.byte_range().len() == word.len() && self.words_of(child) == word)
    }

    pub(super) fn read_declaration(&mut self, node: Node<'_>, around: &Around) {
        let Some(kind) = node.child_by_field_name("type") else { return };
        let mut cursor = node.walk();
        let declarators: Vec<_> = node
            .children_by_field_name("declarator", &mut cursor)
            .map(|declarator| take_apart(Some(declarator), self))
            .collect();
        let element = self.read_element(kind, around, None);
        for mut declarator in declarators {
            if declarator.value.is_none() {
                declarator.value = node.child_by_field_name("default_value");
            }
            if declarator.parameters.is_some() {
                // Inside a body `T x(y);` makes an object, whatever the grammar takes it for.
                if !around.local {
                    self.add_function(node, &declarator, &element, around, None);
                }
            } else if declarator.dims.is_empty() {
                self.add_constant(node, &declarator, &element, around);
                let named = matches!(kind.kind(), "type_identifier" | "qualified_identifier");
                if named && !around.local && declarator.pointers == 0 {
                    let object = self.make_array(node, kind, &declarator, &element, around);
                    self.header.objects.extend(object);
                }
            } else if let Some(array) = self.make_array(node, kind, &declarator, &element, around) {
                self.header.arrays.push(array);
            }
        }
    }

    fn add_constant(
        &mut self,
        node: Node<'_>,
        declarator: &Declarator<'_>,
        element: &str,
        around: &Around,
    ) {
        let (Some(name), Some(value)) = (declarator.name, declarator.value) else { return };
        let constexpr = self.has_word(node, "constexpr");
        if declarator.pointers > 0 || !(constexpr || self.has_word(node, "const")) {
            return;
        }
        let span = self.whole_span(node, around);
        let expression = self.words_of(value);
        let braces = expression.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        self.header.constants.push(Constant {
            name: self.words_of(name),
            scope: around.scope.clone(),
            kind: if constexpr { ConstantKind::Constexpr } else { ConstantKind::Const },
            declared: element.to_owned(),
            expression: braces.map_or_else(|| expression.clone(), |inner| inner.trim().to_owned()),
            value: None,
            span,
            name_span: self.span_of(name),
            comment: self.comment_on(span),
            condition: self.condition_at(span),
        });
    }

    pub(super) fn make_array(
        &self,
        node: Node<'_>,
        kind: Node<'_>,
        declarator: &Declarator<'_>,
        element: &str,
        around: &Around,
    ) -> Option<Array> {
        let name = declarator.name?;
        let span = self.whole_span(node, around);
        Some(Array {
            name: self.words_of(name),
            scope: around.scope.clone(),
            element: format!("{element}{}", "*".repeat(declarator.pointers)),
            dims: declarator.dims.clone(),
            span,
            name_span: self.span_of(name),
            element_span: self.span_of(kind),
            comment: self.comment_on(span),
            condition: self.condition_at(span),
            constant: self.has_word(node, "const") || self.has_word(node, "constexpr"),
            initialised: declarator.value.is_some(),
        })
    }
}
