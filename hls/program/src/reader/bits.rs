//! Some bits of a number: `x(high, low)`, `x.range(high, low)`, read and written.

use super::Reader;
use super::arithmetic::{binary, cast};
use super::expression::Operand;
use super::meaning::Ty;
use super::slot::constant;
use crate::ir::{Binary, Expr, INSERT, Number, ObjectId, ObjectKind, Place, Scalar, Unary};
use derate_syntax::ast::{self, ExprKind};
use std::collections::BTreeMap;

impl Reader {
    /// `x(high, low)`: some bits of a number.
    pub(super) fn range_of(
        &mut self,
        object: Operand,
        arguments: &[ast::Expr],
        place: Place,
    ) -> Operand {
        let value = self.value_of(object, place);
        let ends: Vec<Expr> = arguments.iter().map(|end| self.value(end)).collect();
        let width = match ends.as_slice() {
            [high, low] => count_bits(high, low),
            _ => None,
        };
        let width = width.unwrap_or(value.ty().bits());
        let ty = value.ty();
        let shifted = match ends.into_iter().next_back() {
            Some(low) => binary(Binary::ShiftRight, value, low, ty, place),
            None => value,
        };
        Operand::Value(cast(shifted, Scalar::Int { bits: width.max(1), signed: false }, place))
    }

    /// What a whole number becomes when some of its bits are written; `None` where the target is anything else.
    pub(super) fn insert_bits(
        &mut self,
        target: &ast::Expr,
        value: &ast::Expr,
        place: Place,
    ) -> Option<Operand> {
        let ExprKind::Call(callee, arguments) = &target.kind else { return None };
        let [high, low] = arguments.as_slice() else { return None };
        let object = match &callee.kind {
            ExprKind::Member { object, member, .. } if member.name == "range" => object,
            ExprKind::Name(_) => callee,
            _ => return None,
        };
        let Operand::Place(lvalue) = self.quietly(|reader| reader.operand(object)) else {
            return None;
        };
        let accesses = lvalue.accesses(place);
        let (Ty::Scalar(ty @ Scalar::Int { .. }), [access]) = (&lvalue.ty, accesses.as_slice())
        else {
            return None;
        };
        if self.object(access.object).kind != ObjectKind::Scalar {
            return None;
        }
        let (high, low) = (self.value(high), self.value(low));
        let bits = count_bits(&high, &low)?;
        let part = self.value(value);
        let part = cast(part, Scalar::Int { bits, signed: false }, place);
        let old = Expr::Read(Box::new(access.clone()), *ty);
        let width = constant(Number::Int(i128::from(bits)), Scalar::INT);
        let whole = Expr::Math(INSERT, vec![old, part, low, width], *ty, place);
        Some(self.store(Operand::Place(lvalue), Operand::Value(whole), place))
    }
}

/// How many bits there are from `low` to `high`, where that does not change.
fn count_bits(high: &Expr, low: &Expr) -> Option<u16> {
    let mut factors = BTreeMap::new();
    let distance =
        add_terms(high, 1, &mut factors)?.checked_add(add_terms(low, -1, &mut factors)?)?;
    let is_fixed = factors.values().all(|factor| *factor == 0);
    is_fixed.then(|| u16::try_from(distance.unsigned_abs().checked_add(1)?).ok())?
}

/// Adds the scalars of a sum with their factors. Returns its constant.
fn add_terms(sum: &Expr, by: i128, factors: &mut BTreeMap<ObjectId, i128>) -> Option<i128> {
    match sum {
        Expr::Constant(Number::Int(value), _) => value.checked_mul(by),
        Expr::Read(access, _) if access.index.is_empty() => {
            let own = factors.entry(access.object).or_default();
            *own = own.checked_add(by)?;
            Some(0)
        }
        Expr::Cast(inner, ..) => add_terms(inner, by, factors),
        Expr::Unary(Unary::Negate, inner, ..) => add_terms(inner, by.checked_neg()?, factors),
        Expr::Binary(op @ (Binary::Add | Binary::Sub), left, right, ..) => {
            let other = if *op == Binary::Sub { by.checked_neg()? } else { by };
            add_terms(left, by, factors)?.checked_add(add_terms(right, other, factors)?)
        }
        Expr::Binary(Binary::Mul, left, right, ..) => {
            let (factor, part) = match (left.constant(), right.constant()) {
                (Some(factor), _) => (factor, right),
                (_, Some(factor)) => (factor, left),
                _ => return None,
            };
            add_terms(part, by.checked_mul(factor)?, factors)
        }
        _ => None,
    }
}
