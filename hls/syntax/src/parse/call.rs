//! Calls, and the casts that look like calls.

use super::fields::ByField as _;
use super::reader::{Reader, children};
use crate::ast::{Expr, ExprKind, TemplateArgument, Type};
use tree_sitter::Node;

impl Reader<'_> {
    pub(crate) fn read_call(&mut self, node: Node<'_>) -> Expr {
        let arguments = node.field("arguments").map(children).unwrap_or_default();
        let Some(callee) = node.field("function") else {
            return self.give_up(node, "a call without a function");
        };
        if let Some(ty) = self.find_cast(callee) {
            return self.make_cast(node, ty, &arguments);
        }
        let mut arguments: Vec<Expr> =
            arguments.into_iter().map(|argument| self.read_expression(argument)).collect();
        let callee = self.read_expression(callee);
        if let Some(ty) = take_cast_type(&callee)
            && arguments.len() == 1
            && let Some(value) = arguments.pop()
        {
            return self.make(node, ExprKind::Cast(Box::new(ty), Box::new(value)));
        }
        self.make(node, ExprKind::Call(Box::new(callee), arguments))
    }

    /// The type of `int(a)`.
    fn find_cast(&mut self, callee: Node<'_>) -> Option<Type> {
        match callee.kind() {
            "primitive_type" | "sized_type_specifier" | "dependent_type" => {
                Some(self.read_type(callee))
            }
            "identifier"
                if matches!(self.text(callee), "unsigned" | "signed" | "long" | "short") =>
            {
                Some(self.read_type(callee))
            }
            _ => None,
        }
    }

    fn make_cast(&mut self, node: Node<'_>, ty: Type, arguments: &[Node<'_>]) -> Expr {
        let ty = Box::new(ty);
        let mut values: Vec<Expr> =
            arguments.iter().map(|&one| self.read_expression(one)).collect();
        let kind = match values.pop() {
            None => ExprKind::Construct(ty, values),
            Some(value) if values.is_empty() => ExprKind::Cast(ty, Box::new(value)),
            // `(T)(a, b)` is the last one.
            Some(value) => {
                values.push(value);
                let list = self.make(node, ExprKind::Comma(values));
                ExprKind::Cast(ty, Box::new(list))
            }
        };
        self.make(node, kind)
    }
}

/// The `T` of `static_cast<T>`.
fn take_cast_type(callee: &Expr) -> Option<Type> {
    let ExprKind::Name(path) = &callee.kind else { return None };
    let [piece] = path.pieces.as_slice() else { return None };
    let casts = ["static_cast", "reinterpret_cast", "const_cast", "dynamic_cast"];
    if !casts.contains(&piece.name.as_str()) {
        return None;
    }
    match piece.arguments.as_deref()? {
        [TemplateArgument::Type(ty)] => Some(ty.clone()),
        [TemplateArgument::Value(Expr { kind: ExprKind::Name(path), .. })] => {
            Some(Type::Name(path.clone()))
        }
        _ => None,
    }
}
