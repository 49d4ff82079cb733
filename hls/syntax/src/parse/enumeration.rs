//! Enumerations: a type and its named values.

use super::fields::ByField as _;
use super::reader::{Reader, children};
use crate::ast::{Alias, Item, Path, Type};
use std::rc::Rc;
use tree_sitter::Node;

impl Reader<'_> {
    /// Reads `enum`, whose values become items, and gives its type.
    pub(crate) fn read_enumeration(&mut self, node: Node<'_>) -> Type {
        let name = node.field("name").map(|name| self.read_path(name));
        let underlying = match node.field("base") {
            Some(base) => self.read_type(base),
            None => Type::Builtin("int"),
        };
        if let Some(body) = node.field("body") {
            let words: Vec<&str> = self.text(node).split_whitespace().take(2).collect();
            let scoped = matches!(words.as_slice(), ["enum", "class" | "struct"]);
            let prefix = name.as_ref().filter(|_| scoped).map(|name| format!("{}::", name.join()));
            self.read_enumerators(body, &prefix.unwrap_or_default());
            if let Some(name) = &name {
                let name = name.join();
                let alias = Alias {
                    name: self.qualify(&name),
                    template: Vec::new(),
                    target: underlying.clone(),
                };
                self.items.push(Item::Alias(Rc::new(alias)));
            }
        }
        name.map_or(underlying, |name: Path| Type::Name(name))
    }

    fn read_enumerators(&mut self, body: Node<'_>, prefix: &str) {
        let mut previous = None;
        for node in children(body) {
            if node.kind() != "enumerator" {
                continue;
            }
            let name = node.field("name").map_or("", |name| self.text(name));
            let name = self.qualify(&format!("{prefix}{name}"));
            let value = node.field("value").map(|value| self.read_expression(value));
            let before = previous.replace(name.clone());
            self.items.push(Item::Enumerator { name, value, previous: before });
        }
    }
}
