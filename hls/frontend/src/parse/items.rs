//! Walks the declarations of a text.

use super::declarator::take_apart;
use super::reader::{Around, Reader};
use crate::Span;
use crate::header::{Alias, AliasKind};
use tree_sitter::Node;

/// Scopes nested deeper than this are not entered.
const DEPTH: usize = 64;

impl Reader<'_> {
    pub(super) fn read_root(&mut self, root: Node<'_>) {
        self.read_children(root, &Around::default());
    }

    pub(super) fn read_children(&mut self, node: Node<'_>, around: &Around) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.read_item(child, around);
        }
    }

    pub(super) fn too_deep(&mut self, node: Node<'_>, around: &Around) -> bool {
        let deep = around.depth > DEPTH;
        if deep {
            self.note_unread(self.span_of(node), "the scopes nest too deeply to be read");
        }
        deep
    }

    pub(super) fn read_item(&mut self, node: Node<'_>, around: &Around) {
        if self.too_deep(node, around) {
            return;
        }
        match node.kind() {
            "namespace_definition" => self.read_namespace(node, around),
            "linkage_specification" => {
                if let Some(body) = node.child_by_field_name("body") {
                    let around = Around { depth: around.depth + 1, ..around.clone() };
                    if body.kind() == "declaration_list" {
                        self.read_children(body, &around);
                    } else {
                        self.read_item(body, &around);
                    }
                }
            }
            "template_declaration" => self.read_template(node, around),
            "alias_declaration" => self.using_alias(node, around),
            "type_definition" => self.read_typedef(node, around),
            "declaration" | "field_declaration" => self.read_declaration(node, around),
            "function_definition" => self.function_definition(node, around),
            "struct_specifier" | "class_specifier" | "union_specifier" => {
                self.read_structure(node, around, None);
            }
            "enum_specifier" => self.read_enumeration(node, around, None),
            "using_declaration" => self.read_using(node, around),
            // The grammar recovers behind an error; what it holds is still worth a look.
            "ERROR" | "declaration_list" => {
                let around = Around { depth: around.depth + 1, ..around.clone() };
                self.read_children(node, &around);
            }
            _ => {}
        }
    }

    fn read_namespace(&mut self, node: Node<'_>, around: &Around) {
        let name = node.child_by_field_name("name").map(|name| self.words_of(name));
        let mut inner = Around { depth: around.depth + 1, ..around.clone() };
        // An unnamed namespace is not part of a name.
        for part in name.iter().flat_map(|name| name.split("::")).map(str::trim) {
            let part = part.trim_start_matches("inline ").trim();
            if !part.is_empty() {
                inner.scope = inner.scope.inner(part);
                self.header.namespaces.push(inner.scope.clone());
            }
        }
        let mut cursor = node.walk();
        let inline = node.children(&mut cursor).any(|child| child.kind() == "inline");
        if inline && let Some(outer) = inner.scope.outer() {
            self.header.opened.push((outer, inner.scope.to_string()));
        }
        if let Some(body) = node.child_by_field_name("body") {
            self.read_children(body, &inner);
        }
    }

    fn read_using(&mut self, node: Node<'_>, around: &Around) {
        let words = self.words_of(node);
        let words = words.trim_start_matches("using ").trim_end_matches(';').trim();
        if let Some(name) = words.strip_prefix("namespace ") {
            self.header.opened.push((around.scope.clone(), name.trim().to_owned()));
        } else if around.scope.is_global() || self.header.namespaces.contains(&around.scope) {
            let name = words.trim_start_matches("typename ").trim().to_owned();
            self.header.brought.push((around.scope.clone(), name));
        }
    }

    fn using_alias(&mut self, node: Node<'_>, around: &Around) {
        let (Some(name), Some(kind)) =
            (node.child_by_field_name("name"), node.child_by_field_name("type"))
        else {
            return;
        };
        let span = self.whole_span(node, around);
        let specifier = kind.child_by_field_name("type").unwrap_or(kind);
        let plain = kind.child_by_field_name("declarator").is_none();
        let mut spelling = if plain && specifier.child_by_field_name("body").is_some() {
            let name = self.words_of(name);
            self.read_element(specifier, around, Some(&name))
        } else {
            self.words_of(kind)
        };
        if let Some(attribute) = self.attribute_within(span) {
            spelling = format!("{spelling} {attribute}");
        }
        let name_span = self.span_of(name);
        self.add_alias(around, AliasKind::Using, self.words_of(name), spelling, span, name_span);
    }

    fn read_typedef(&mut self, node: Node<'_>, around: &Around) {
        let Some(kind) = node.child_by_field_name("type") else { return };
        let span = self.whole_span(node, around);
        let mut cursor = node.walk();
        let declarators: Vec<_> = node
            .children_by_field_name("declarator", &mut cursor)
            .map(|declarator| take_apart(Some(declarator), self))
            .collect();
        let first = declarators.first().and_then(|one| one.name).map(|name| self.words_of(name));
        let element = self.read_element(kind, around, first.as_deref());
        for declarator in declarators {
            let Some(name) = declarator.name else { continue };
            let mut spelling = if declarator.parameters.is_some() || declarator.twisted {
                self.words_of(node).trim_start_matches("typedef ").trim_end_matches(';').to_owned()
            } else {
                declarator.spell_type(&element)
            };
            // An attribute of a struct that is defined here is the struct's own.
            let defines = kind.child_by_field_name("body").is_some();
            if let Some(attribute) = self.attribute_within(span).filter(|_| !defines) {
                spelling = format!("{spelling} {attribute}");
            }
            let name_span = self.span_of(name);
            self.add_alias(
                around,
                AliasKind::Typedef,
                self.words_of(name),
                spelling,
                span,
                name_span,
            );
        }
    }

    fn add_alias(
        &mut self,
        around: &Around,
        kind: AliasKind,
        name: String,
        spelling: String,
        span: Span,
        name_span: Span,
    ) {
        if name.is_empty() {
            return;
        }
        self.header.aliases.push(Alias {
            name,
            scope: around.scope.clone(),
            kind,
            spelling,
            span,
            name_span,
            comment: self.comment_on(span),
            heading: self.heading_of(span),
            condition: self.condition_at(span),
            template: around.template.clone(),
        });
    }
}
