//! Structs, classes and unions.

use super::fields::ByField as _;
use super::reader::{Reader, children};
use crate::ast::{Item, Path, Structure, TemplateArgument, Type, Variable};
use std::rc::Rc;
use tree_sitter::Node;

impl Reader<'_> {
    /// Reads `struct`, which becomes an item if it has a body, and gives its type.
    pub(crate) fn read_structure(&mut self, node: Node<'_>) -> Type {
        let path = node.field("name").map(|name| self.read_path(name));
        let path = path.unwrap_or_else(|| {
            self.anonymous += 1;
            Path::plain(&format!("(unnamed {})", self.anonymous))
        });
        self.read_named_structure(node, &path)
    }

    pub(crate) fn read_named_structure(&mut self, node: Node<'_>, path: &Path) -> Type {
        if let Some(body) = node.field("body") {
            let structure = self.read_structure_body(node, body, path);
            self.items.push(Item::Structure(Rc::new(structure)));
        }
        Type::Name(path.clone())
    }

    fn read_structure_body(&mut self, node: Node<'_>, body: Node<'_>, path: &Path) -> Structure {
        let name = path.join();
        let qualified = self.qualify(&name);
        let arguments = path.pieces.last().and_then(|last| last.arguments.clone());
        let specialised: Vec<TemplateArgument> = arguments.unwrap_or_default();
        let bases = children(node).into_iter().find(|one| one.kind() == "base_class_clause");
        let bases = bases.map(children).unwrap_or_default().into_iter();
        let bases = bases.filter(|base| !matches!(base.kind(), "access_specifier" | "virtual"));
        let bases = bases.map(|base| self.read_type(base)).collect();
        // What a specialisation declares belongs to its arguments alone.
        let inner = match node.field("name").filter(|_| !specialised.is_empty()) {
            Some(name) => squeeze(self.text(name)),
            None => name,
        };
        let scope = self.qualify(&inner);
        self.scope.push(inner);
        let outer = self.owner.replace(scope.clone());
        let members = self.read_members(body);
        self.owner = outer;
        self.scope.pop();
        Structure {
            name: qualified,
            scope,
            template: self.template.clone(),
            specialised,
            bases,
            members,
            is_union: node.kind() == "union_specifier",
            place: self.place(node.field("name").unwrap_or(node)),
        }
    }

    /// The data members. Functions, types and static members become items.
    fn read_members(&mut self, body: Node<'_>) -> Vec<Variable> {
        let mut members = Vec::new();
        for child in children(body) {
            self.drain_pragmas(child.start_byte());
            if child.kind() != "field_declaration" {
                self.read_item(child);
                continue;
            }
            for member in self.read_fields(child) {
                if member.is_static {
                    let name = self.qualify(&member.name);
                    self.items.push(Item::Variable(Rc::new(Variable { name, ..member })));
                } else {
                    members.push(member);
                }
            }
        }
        self.drain_pragmas(body.end_byte());
        members
    }

    fn read_fields(&mut self, node: Node<'_>) -> Vec<Variable> {
        if node.field("declarator").is_some() {
            return self.read_variables(node);
        }
        // `struct S { ... };` within a class declares nothing else; without a name it is a member.
        let ty = self.read_base_type(node);
        let unnamed = node.field("type").is_some_and(|ty| {
            ty.kind().ends_with("_specifier")
                && ty.kind() != "enum_specifier"
                && ty.field("name").is_none()
        });
        if !unnamed {
            return Vec::new();
        }
        let place = self.place(node);
        let name = String::new();
        vec![Variable { name, ty, init: None, is_static: false, is_const: false, place }]
    }
}

/// A name without the white space that says nothing.
pub(crate) fn squeeze(name: &str) -> String {
    let mut text = String::new();
    for word in name.split_whitespace() {
        let joins = |letter: Option<char>| letter.is_some_and(|c| c.is_alphanumeric() || c == '_');
        if joins(text.chars().next_back()) && joins(word.chars().next()) {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}
