//! Declarations outside of functions.

use super::fields::ByField as _;
use super::reader::{Reader, children};
use crate::ast::{Alias, Item, Path, Type};
use std::rc::Rc;
use tree_sitter::Node;

impl Reader<'_> {
    /// Reads what a file, a namespace or an `extern "C"` block holds.
    pub(crate) fn read_items(&mut self, node: Node<'_>) {
        for child in children(node) {
            self.drain_pragmas(child.start_byte());
            self.read_item(child);
        }
        self.drain_pragmas(node.end_byte());
    }

    pub(crate) fn read_item(&mut self, node: Node<'_>) {
        if self.descend(|reader| reader.read_item_here(node)).is_none() {
            self.note(node, "the nesting is too deep");
        }
    }

    fn read_item_here(&mut self, node: Node<'_>) {
        match node.kind() {
            "function_definition" => self.read_function(node),
            "declaration" | "field_declaration" => self.read_declaration(node),
            "template_declaration" => self.read_template(node),
            "namespace_definition" => self.read_namespace(node),
            "linkage_specification" => {
                if let Some(body) = node.field("body") {
                    match body.kind() {
                        "declaration_list" => self.read_items(body),
                        _ => self.read_item(body),
                    }
                }
            }
            "declaration_list" => self.read_items(node),
            "type_definition" | "alias_declaration" | "namespace_alias_definition" => {
                let aliases = self.read_aliases(node);
                self.items.extend(aliases.into_iter().map(|alias| Item::Alias(Rc::new(alias))));
            }
            "struct_specifier" | "class_specifier" | "union_specifier" | "enum_specifier" => {
                self.read_type(node);
            }
            "using_declaration" => self.read_using(node),
            "friend_declaration" => {
                for child in children(node) {
                    self.read_item(child);
                }
            }
            "static_assert_declaration"
            | "template_instantiation"
            | "concept_definition"
            | "access_specifier"
            | "type_identifier"
            | "empty_statement" => {}
            "expression_statement" if node.named_child_count() == 0 => {}
            "ERROR" => self.read_damaged(node),
            _ => self.note(node, format!("`{}` is not understood", self.quote(node))),
        }
    }

    /// What is between errors is read as far as it is complete.
    fn read_damaged(&mut self, node: Node<'_>) {
        self.note(node, format!("`{}` is not understood", self.quote(node)));
        for child in children(node) {
            if matches!(
                child.kind(),
                "function_definition"
                    | "declaration"
                    | "template_declaration"
                    | "type_definition"
                    | "namespace_definition"
                    | "linkage_specification"
                    | "alias_declaration"
            ) {
                self.read_item(child);
            }
        }
    }

    fn read_namespace(&mut self, node: Node<'_>) {
        let Some(body) = node.field("body") else { return };
        let Some(name) = node.field("name") else {
            let outer = std::mem::replace(&mut self.unnamed, true);
            self.read_items(body);
            self.unnamed = outer;
            return;
        };
        let name: String = self.text(name).split_whitespace().collect();
        self.scope.push(name);
        self.read_items(body);
        self.scope.pop();
    }

    fn read_using(&mut self, node: Node<'_>) {
        let Some(name) = children(node).into_iter().next_back() else { return };
        let path = self.read_path(name);
        if self.opens_namespace(node) {
            self.items.push(Item::UsingNamespace(path.join()));
            return;
        }
        let Some(last) = path.pieces.last().filter(|_| path.pieces.len() > 1) else { return };
        let name = self.qualify(&last.name);
        let alias = Alias { name, template: Vec::new(), target: Type::Name(path) };
        self.items.push(Item::Alias(Rc::new(alias)));
    }

    /// The same in a function: what it opens is open in all of the unit.
    pub(crate) fn read_local_using(&mut self, node: Node<'_>) {
        let Some(name) = children(node).into_iter().next_back() else { return };
        let name = self.read_path(name).join();
        let opens = self.opens_namespace(node);
        self.items.push(if opens { Item::UsingNamespace(name) } else { Item::UsingName(name) });
    }

    fn opens_namespace(&self, node: Node<'_>) -> bool {
        self.text(node).split_whitespace().nth(1) == Some("namespace")
    }

    /// The names of `typedef int a, b[3];` or `using a = int;`.
    pub(crate) fn read_aliases(&mut self, node: Node<'_>) -> Vec<Alias> {
        if node.kind() == "alias_declaration" {
            let name = node.field("name").map_or("", |name| self.text(name));
            let target = self.read_base_type(node);
            let (name, template) = (self.qualify(name), self.template.clone());
            return vec![Alias { name, template, target }];
        }
        if node.kind() == "namespace_alias_definition" {
            return Vec::new();
        }
        let declarators = super::reader::fields(node, "declarator");
        let base = self.read_typedef_base(node, &declarators);
        let mut aliases = Vec::new();
        for declarator in declarators {
            let declared = self.read_declarator(declarator, base.clone());
            let Some(path) = declared.path else { continue };
            let name = path.join();
            let target = match declared.parameters {
                Some(_) => Type::Unknown("a type of functions".to_owned()),
                None => declared.ty,
            };
            let name = self.qualify(&name);
            let same = matches!(&target, Type::Name(path) if path.join() == name);
            if !same {
                aliases.push(Alias { name, template: Vec::new(), target });
            }
        }
        aliases
    }

    /// `typedef struct { ... } name;` gives the struct that name.
    fn read_typedef_base(&mut self, node: Node<'_>, declarators: &[Node<'_>]) -> Type {
        let ty = node.field("type");
        let unnamed = ty.filter(|ty| ty.field("name").is_none() && ty.field("body").is_some());
        let plain = declarators.iter().find(|one| one.kind() == "type_identifier");
        match (unnamed, plain) {
            (Some(ty), Some(name)) if ty.kind() != "enum_specifier" => {
                let name = Path::plain(self.text(*name));
                self.read_named_structure(ty, &name)
            }
            _ => self.read_base_type(node),
        }
    }
}
