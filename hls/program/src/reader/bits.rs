//! Some bits of a number: `x(high, low)`, `x.range(high, low)`, read and written.

use super::Reader;
use super::arithmetic::{binary, cast};
use super::expression::Operand;
use super::meaning::Ty;
use super::slot::constant;
use crate::ir::{Binary, Expr, Number, ObjectId, ObjectKind, Place, Scalar, Unary};
use derate_syntax::ast::{self, ExprKind};
use std::collections::BTreeMap;

/// The function that writes some bits of a whole number: the number before, what is written, the lowest bit, how many bits.
pub const INSERT: &str = "insert bits";
/// The function that puts the bits of a whole number in reverse order.
pub const REVERSE: &str = "reverse bits";

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
        let ty = value.ty();
        let range = match ends.as_slice() {
            [high, low] => find_range(high, low),
            _ => None,
        };
        let (bits, is_reversed) = range.unwrap_or((ty.bits().max(1), false));
        let mut ends = ends.into_iter();
        let shifted = match if is_reversed { ends.next() } else { ends.next_back() } {
            Some(lowest) => binary(Binary::ShiftRight, value, lowest, ty, place),
            None => value,
        };
        let part = cast(shifted, Scalar::Int { bits, signed: false }, place);
        Operand::Value(if is_reversed { reverse(part, place) } else { part })
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
            ExprKind::Name(_) | ExprKind::Member { .. } => callee,
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
        let (bits, is_reversed) = find_range(&high, &low)?;
        let part = self.value(value);
        let mut part = cast(part, Scalar::Int { bits, signed: false }, place);
        let mut lowest = low;
        if is_reversed {
            (part, lowest) = (reverse(part, place), high);
        }
        let old = Expr::Read(Box::new(access.clone()), *ty);
        let width = constant(Number::Int(i128::from(bits)), Scalar::INT);
        let whole = Expr::Math(INSERT, vec![old, part, lowest, width], *ty, place);
        Some(self.store(Operand::Place(lvalue), Operand::Value(whole), place))
    }
}

fn reverse(part: Expr, place: Place) -> Expr {
    let ty = part.ty();
    if ty.bits() == 1 { part } else { Expr::Math(REVERSE, vec![part], ty, place) }
}

/// How many bits there are between two ends, where that does not change, and whether they are in reverse order: the tool takes
/// them so if the first end is below the second.
fn find_range(high: &Expr, low: &Expr) -> Option<(u16, bool)> {
    let mut factors = BTreeMap::new();
    let distance =
        add_terms(high, 1, &mut factors)?.checked_add(add_terms(low, -1, &mut factors)?)?;
    let bits = u16::try_from(distance.unsigned_abs().checked_add(1)?).ok()?;
    factors.values().all(|factor| *factor == 0).then_some((bits, distance < 0))
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
        Expr::Cast(inner, ty @ Scalar::Int { .. }, _) if holds(*ty, inner.ty()) => {
            add_terms(inner, by, factors)
        }
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

/// Whether a type holds each number of another one, but for its sign.
fn holds(ty: Scalar, inner: Scalar) -> bool {
    matches!(inner, Scalar::Int { bits, .. } if bits <= ty.bits())
}
