//! Declarators: a name with the pointers, dimensions and parameters around it.

use super::fields::ByField as _;
use super::reader::{Reader, children};
use crate::ast::{Expr, Path, Type, Variable};
use tree_sitter::Node;

/// What a declarator declares.
pub(crate) struct Declared<'t> {
    /// Its name. `None` for a parameter without one.
    pub(crate) path: Option<Path>,
    /// The node of the name, or of the declarator.
    pub(crate) node: Node<'t>,
    pub(crate) ty: Type,
    /// The parameter list of a function.
    pub(crate) parameters: Option<Node<'t>>,
    pub(crate) init: Option<Expr>,
    /// Whether the first value is written as arguments: `x(3)`.
    pub(crate) constructed: bool,
}

impl Reader<'_> {
    /// Reads a declarator of something whose base type is `ty`.
    pub(crate) fn read_declarator<'t>(&mut self, node: Node<'t>, ty: Type) -> Declared<'t> {
        let mut declared =
            Declared { path: None, node, ty, parameters: None, init: None, constructed: false };
        let mut at = Some(node);
        let mut levels = 0;
        while let Some(node) = at {
            levels += 1;
            if levels > 100 {
                declared.ty = Type::Unknown("the nesting is too deep".to_owned());
                break;
            }
            at = self.read_layer(node, &mut declared);
        }
        declared
    }

    /// Reads one layer of a declarator; what is inside of it comes next.
    fn read_layer<'t>(&mut self, node: Node<'t>, declared: &mut Declared<'t>) -> Option<Node<'t>> {
        let inner = node.field("declarator");
        match node.kind() {
            "pointer_declarator" | "abstract_pointer_declarator" | "pointer_type_declarator" => {
                wrap(&mut declared.ty, |ty| Type::Pointer(Box::new(ty)));
                inner
            }
            "reference_declarator" | "abstract_reference_declarator" => {
                wrap(&mut declared.ty, |ty| Type::Reference(Box::new(ty)));
                last_declarator(node)
            }
            "array_declarator" | "abstract_array_declarator" | "array_type_declarator" => {
                let size = node.field("size");
                let size = size.map(|size| Box::new(self.read_expression(size)));
                wrap(&mut declared.ty, |ty| Type::Array(Box::new(ty), size));
                inner
            }
            "init_declarator" => {
                let value = node.field("value");
                // Nothing is of type `void`: the grammar takes `void f(stream<T>(&a)[2]);` for a variable.
                if let Some(list) = value.filter(|value| {
                    matches!(declared.ty, Type::Void) && value.kind() == "argument_list"
                }) {
                    declared.parameters = Some(list);
                } else if let Some(value) = value {
                    declared.constructed = value.kind() == "argument_list";
                    declared.init = Some(self.read_expression(value));
                }
                inner
            }
            "function_declarator" | "abstract_function_declarator" => {
                if inner.is_some_and(|inner| inner.kind().ends_with("parenthesized_declarator")) {
                    declared.ty = Type::Unknown(self.quote(node));
                } else {
                    declared.parameters = node.field("parameters");
                }
                inner
            }
            "parenthesized_declarator"
            | "abstract_parenthesized_declarator"
            | "attributed_declarator"
            | "variadic_declarator" => last_declarator(node),
            "structured_binding_declarator" => {
                declared.ty = Type::Unknown("a structured binding".to_owned());
                None
            }
            // `operator int()`
            "operator_cast" => {
                declared.ty = self.read_base_type(node);
                let name = node.field("type").map_or("", |ty| self.text(ty));
                declared.path = Some(Path::plain(&format!("operator {name}")));
                declared.node = node;
                inner
            }
            _ => {
                declared.path = Some(self.read_path(node));
                declared.node = node;
                None
            }
        }
    }

    pub(crate) fn read_parameters(&mut self, list: Node<'_>) -> Vec<Variable> {
        let mut parameters = Vec::new();
        for node in children(list) {
            let is_value = list.kind() == "argument_list";
            if !is_value && !node.kind().ends_with("parameter_declaration") {
                continue;
            }
            let mut parameter = self.read_parameter(node);
            if is_value {
                parameter.ty = Type::Unknown(self.quote(node));
            }
            if !(matches!(parameter.ty, Type::Void) && parameter.name.is_empty()) {
                parameters.push(parameter);
            }
        }
        parameters
    }

    pub(crate) fn read_parameter(&mut self, node: Node<'_>) -> Variable {
        let base = self.read_base_type(node);
        let mut variable = Variable {
            name: String::new(),
            ty: base,
            init: None,
            is_static: false,
            is_const: self.has_word(node, &["const", "constexpr"]),
            place: self.place(node),
        };
        if let Some(declarator) = node.field("declarator") {
            let base = std::mem::replace(&mut variable.ty, Type::Auto);
            let declared = self.read_declarator(declarator, base);
            variable.place = self.place(declared.node);
            variable.name = declared.path.as_ref().map(Path::join).unwrap_or_default();
            variable.ty = match declared.parameters {
                Some(_) => Type::Unknown(self.quote(node)),
                None => declared.ty,
            };
        }
        if let Some(value) = node.field("default_value") {
            variable.init = Some(self.read_expression(value));
        }
        variable
    }

    /// Whether one of the words is a direct child: `const`, `static`.
    pub(crate) fn has_word(&self, node: Node<'_>, words: &[&str]) -> bool {
        let mut cursor = node.walk();
        node.children(&mut cursor).any(|child| {
            let specifies =
                matches!(child.kind(), "type_qualifier" | "storage_class_specifier" | "virtual");
            (specifies || !child.is_named()) && words.contains(&self.text(child))
        })
    }
}

fn wrap(ty: &mut Type, with: impl FnOnce(Type) -> Type) {
    let inner = std::mem::replace(ty, Type::Auto);
    *ty = with(inner);
}

/// The declarator of a node that has no field for it.
fn last_declarator(node: Node<'_>) -> Option<Node<'_>> {
    let ignored = ["type_qualifier", "attribute_declaration", "ms_call_modifier"];
    children(node).into_iter().rfind(|child| !ignored.contains(&child.kind()))
}
