//! Constants: folding of operators, and expressions that have a value before the kernel runs.

use super::Reader;
use super::meaning::Ty;
use super::slot::wrap;
use crate::ir::{Binary, Expr, Number, Object, Scalar, Unary};
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

/// The value of an operator over constants.
pub fn fold_binary(op: Binary, left: Number, right: Number, ty: Scalar) -> Option<Number> {
    let truth = |value: bool| Some(Number::Int(i128::from(value)));
    if let (Number::Int(left), Number::Int(right)) = (left, right) {
        let value = match op {
            Binary::Add => left.checked_add(right)?,
            Binary::Sub => left.checked_sub(right)?,
            Binary::Mul => left.checked_mul(right)?,
            Binary::Div => left.checked_div(right)?,
            Binary::Rem => left.checked_rem(right)?,
            Binary::And => left & right,
            Binary::Or => left | right,
            Binary::Xor => left ^ right,
            Binary::ShiftLeft => {
                let by = u32::try_from(right).ok().filter(|by| *by < 120)?;
                left.checked_mul(1_i128 << by)?
            }
            Binary::ShiftRight => left >> u32::try_from(right).ok().filter(|by| *by < 127)?,
            Binary::Equal => return truth(left == right),
            Binary::NotEqual => return truth(left != right),
            Binary::Less => return truth(left < right),
            Binary::LessEqual => return truth(left <= right),
        };
        return Some(wrap(Number::Int(value), ty));
    }
    let (left, right) = (left.real(), right.real());
    let value = match op {
        Binary::Add => left + right,
        Binary::Sub => left - right,
        Binary::Mul => left * right,
        Binary::Div => left / right,
        Binary::Equal => return truth((left - right).abs() == 0.0),
        Binary::NotEqual => return truth((left - right).abs() > 0.0),
        Binary::Less => return truth(left < right),
        Binary::LessEqual => return truth(left <= right),
        _ => return None,
    };
    Some(wrap(Number::Real(value), ty))
}

/// The value of an operator over a constant.
pub fn fold_unary(op: Unary, value: Number, ty: Scalar) -> Option<Number> {
    Some(match (op, value) {
        (Unary::Negate, Number::Int(value)) => wrap(Number::Int(value.checked_neg()?), ty),
        (Unary::Negate, Number::Real(value)) => Number::Real(-value),
        (Unary::Invert, Number::Int(value)) => wrap(Number::Int(!value), ty),
        (Unary::Not, value) => Number::Int(i128::from(value.is_zero())),
        (Unary::Invert, Number::Real(_)) => return None,
    })
}
