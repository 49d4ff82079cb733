//! Expressions that have a value before the kernel runs.

use super::Reader;
use super::meaning::Ty;
use crate::constants::wrap;
use crate::ir::{Expr, Number, Object, Scalar};
use derate_syntax::ast;
use std::sync::Arc;

impl Reader {
    /// The value of an expression, if it is a whole number before the kernel runs.
    pub(crate) fn constant(&mut self, expr: &ast::Expr) -> Option<i128> {
        match self.number(expr)?.0 {
            Number::Int(value) => Some(value),
            Number::Real(_) => None,
        }
    }

    pub(crate) fn number(&mut self, expr: &ast::Expr) -> Option<(Number, Scalar)> {
        match self.quietly(|reader| reader.value(expr)) {
            Expr::Constant(value, ty) => Some((value, ty)),
            _ => None,
        }
    }

    /// The values that an initialiser gives.
    pub(crate) fn table(&mut self, init: &ast::Expr, object: &Object) -> Option<Arc<[Number]>> {
        let length: u64 = object.dims.iter().product();
        if length == 0 || length > 1 << 20 {
            return None;
        }
        let mut values = Vec::new();
        self.fill(init, &object.dims, object.ty, &mut values)?;
        values.resize(usize::try_from(length).ok()?, Number::Int(0));
        Some(values.into())
    }

    fn fill(
        &mut self,
        init: &ast::Expr,
        dims: &[u64],
        ty: Scalar,
        values: &mut Vec<Number>,
    ) -> Option<()> {
        let (ast::ExprKind::List(items), [_, rest @ ..]) = (&init.kind, dims) else {
            values.push(wrap(self.number(init)?.0, ty));
            return Some(());
        };
        let each = usize::try_from(rest.iter().product::<u64>()).ok()?;
        let from = values.len();
        for (at, item) in items.iter().enumerate() {
            let nested = matches!(item.kind, ast::ExprKind::List(_));
            self.fill(item, if nested { rest } else { &[] }, ty, values)?;
            if nested {
                values.resize(from + (at + 1) * each, Number::Int(0));
            }
        }
        Some(())
    }

    /// The type with the first dimension that its initialiser gives.
    pub(crate) fn complete(ty: &Ty, init: Option<&ast::Expr>) -> Ty {
        let (Ty::Array(item, 0), Some(init)) = (ty, init) else { return ty.clone() };
        let length = match &init.kind {
            ast::ExprKind::List(items) => items.len(),
            ast::ExprKind::Text(text) => text.len() + 1,
            _ => 0,
        };
        Ty::Array(item.clone(), length as u64)
    }
}
