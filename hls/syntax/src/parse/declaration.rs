//! Declarations of variables and functions outside of functions.

use super::reader::{Reader, fields};
use crate::ast::{Item, Variable};
use std::rc::Rc;
use tree_sitter::Node;

impl Reader<'_> {
    /// Variables and functions that a declaration of a namespace or a class declares.
    pub(crate) fn read_declaration(&mut self, node: Node<'_>) {
        let member = node.kind() == "field_declaration";
        for variable in self.read_variables(node) {
            let name = self.qualify(&variable.name);
            // `int C::x = 3;` defines a member that the class declares.
            if member && !variable.is_static {
                continue;
            }
            self.items.push(Item::Variable(Rc::new(Variable { name, ..variable })));
        }
    }

    /// The variables of a declaration. Its functions become items.
    pub(crate) fn read_variables(&mut self, node: Node<'_>) -> Vec<Variable> {
        let base = self.read_base_type(node);
        let mut variables = Vec::new();
        let values = fields(node, "default_value");
        let declarators = fields(node, "declarator");
        for (index, &declarator) in declarators.iter().enumerate() {
            let mut declared = self.read_declarator(declarator, base.clone());
            if !self.is_variable(&declared) {
                self.declare_function(node, &declared);
                continue;
            }
            // The value of a data member is beside its declarator, not in it.
            let next = declarators.get(index + 1).map_or(usize::MAX, Node::start_byte);
            let own =
                |value: &&Node<'_>| (declarator.end_byte()..next).contains(&value.start_byte());
            if let Some(&value) = values.iter().find(own) {
                declared.init = Some(self.read_expression(value));
            }
            variables.push(self.make_variable(node, declared));
        }
        variables
    }
}
