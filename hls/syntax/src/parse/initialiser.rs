//! Variables with their first values.

use super::declarator::Declared;
use super::fields::ByField as _;
use super::reader::{Reader, children, fields};
use crate::ast::{Expr, ExprKind, Path, Type, Variable};
use tree_sitter::Node;

impl Reader<'_> {
    /// A variable of a declaration whose declarator is read.
    pub(crate) fn make_variable(
        &mut self,
        declaration: Node<'_>,
        mut declared: Declared<'_>,
    ) -> Variable {
        let place = self.place(declared.node);
        // `T x(3)`: the arguments of a constructor, not a list.
        declared.init = declared.init.map(|init| match init.kind {
            ExprKind::List(values) if declared.constructed => {
                let ty = Box::new(declared.ty.clone());
                Expr { kind: ExprKind::Construct(ty, values), place: init.place }
            }
            _ => init,
        });
        // `T x(y)`: what looks like a parameter is the argument of a constructor.
        if let Some(list) = declared.parameters {
            let values =
                children(list).into_iter().map(|child| self.read_argument(child)).collect();
            let ty = Box::new(declared.ty.clone());
            declared.init = Some(self.make(list, ExprKind::Construct(ty, values)));
        }
        Variable {
            name: declared.path.as_ref().map(Path::join).unwrap_or_default(),
            ty: declared.ty,
            init: declared.init,
            is_static: self.has_word(declaration, &["static"]),
            is_const: self.has_word(declaration, &["const", "constexpr"]),
            place,
        }
    }

    /// Whether a parameter list holds values: none of them is a type.
    pub(crate) fn holds_values(&self, list: Node<'_>) -> bool {
        let parameters = children(list);
        !parameters.is_empty()
            && parameters.iter().all(|one| {
                let ty = one.field("type");
                one.kind() == "parameter_declaration"
                    && !self.has_word(*one, &["const"])
                    && ty.is_some_and(|ty| {
                        matches!(ty.kind(), "type_identifier" | "identifier")
                            && !self.names_type(ty)
                    })
                    && one.field("declarator").is_none_or(|declarator| {
                        matches!(
                            declarator.kind(),
                            "abstract_array_declarator" | "abstract_function_declarator"
                        )
                    })
            })
    }

    /// `y`, `y[3]` where tree-sitter sees a parameter.
    fn read_argument(&mut self, node: Node<'_>) -> Expr {
        let Some(name) = node.field("type") else {
            return self.read_expression(node);
        };
        let mut value = self.read_expression(name);
        let mut sizes = Vec::new();
        let mut at = node.field("declarator");
        while let Some(declarator) = at {
            if declarator.kind() != "abstract_array_declarator" {
                return self.give_up(node, format!("`{}` is not understood", self.quote(node)));
            }
            sizes.extend(fields(declarator, "size"));
            at = declarator.field("declarator");
        }
        for size in sizes.into_iter().rev() {
            let index = Box::new(self.read_expression(size));
            value = self.make(node, ExprKind::Index(Box::new(value), index));
        }
        value
    }

    /// The type of a variable whose declaration is not a function's.
    pub(crate) fn is_variable(&self, declared: &Declared<'_>) -> bool {
        let local = declared.parameters.is_none_or(|list| self.holds_values(list));
        local && !matches!(declared.ty, Type::Unknown(_) if declared.path.is_none())
    }
}
