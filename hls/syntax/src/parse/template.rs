//! Templates.

use super::fields::ByField as _;
use super::reader::{Reader, children};
use crate::ast::{TemplateArgument, TemplateParameter};
use tree_sitter::Node;

impl Reader<'_> {
    /// `template <...>` and what follows it.
    pub(crate) fn read_template(&mut self, node: Node<'_>) {
        let outer = self.template.len();
        if let Some(list) = node.field("parameters") {
            for parameter in children(list) {
                let parameter = self.read_template_parameter(parameter);
                self.template.push(parameter);
            }
        }
        for child in children(node) {
            if !matches!(child.kind(), "template_parameter_list" | "requires_clause") {
                self.read_item(child);
            }
        }
        self.template.truncate(outer);
    }

    fn read_template_parameter(&mut self, node: Node<'_>) -> TemplateParameter {
        match node.kind() {
            "type_parameter_declaration"
            | "variadic_type_parameter_declaration"
            | "template_template_parameter_declaration" => {
                let name = children(node).into_iter().next_back();
                let name = name.map_or("", |name| self.text(name)).to_owned();
                TemplateParameter { name, is_type: true, default: None }
            }
            "optional_type_parameter_declaration" => {
                let name = node.field("name").map_or("", |name| self.text(name));
                let default = node.field("default_type");
                let default = default.map(|ty| TemplateArgument::Type(self.read_type(ty)));
                TemplateParameter { name: name.to_owned(), is_type: true, default }
            }
            _ => {
                let parameter = self.read_parameter(node);
                let default = parameter.init.map(TemplateArgument::Value);
                TemplateParameter { name: parameter.name, is_type: false, default }
            }
        }
    }
}
