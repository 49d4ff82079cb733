//! The type of a result, and values in another type.

use super::slot::constant;
use crate::constants::{fold_binary, fold_unary};
use crate::ir::{Binary, Expr, Number, Place, Scalar, Unary};

/// One bit of a value.
pub(crate) fn bit(value: Expr, index: Expr, place: Place) -> Expr {
    let ty = value.ty();
    let shifted = binary(Binary::ShiftRight, value, index, ty, place);
    cast(shifted, Scalar::BOOL, place)
}

/// The type after integer promotion. Types of arbitrary precision keep their width.
pub(crate) fn promoted(ty: Scalar) -> Scalar {
    match ty {
        Scalar::Int { bits: 1 | 8 | 16, .. } => Scalar::INT,
        other => other,
    }
}

fn is_native(bits: u16) -> bool {
    matches!(bits, 1 | 8 | 16 | 32 | 64)
}

/// The type that both values are brought to.
pub(crate) fn common(left: Scalar, right: Scalar) -> Scalar {
    arithmetic(Binary::And, left, right)
}

/// The type of an operator's result.
pub(crate) fn arithmetic(op: Binary, left: Scalar, right: Scalar) -> Scalar {
    use Scalar::{Double, Fixed, Float, Half, Int};
    match (left, right) {
        (Double, _) | (_, Double) => Double,
        (Float, _) | (_, Float) => Float,
        (Half, _) | (_, Half) => Half,
        (Int { bits: a, signed: s }, Int { bits: b, signed: t }) => {
            if is_native(a) && is_native(b) {
                let (left, right) = (promoted(left), promoted(right));
                let bits = left.bits().max(right.bits());
                let unsigned = [left, right].iter().any(|ty| ty.bits() == bits && !ty.is_signed());
                return Int { bits, signed: !unsigned };
            }
            let signed = s || t;
            let wide = |bits: u16, own: bool| bits + u16::from(signed && !own);
            let (a, b) = (wide(a, s), wide(b, t));
            let bits = match op {
                Binary::Add | Binary::Sub => a.max(b).saturating_add(1),
                Binary::Mul => a.saturating_add(b),
                Binary::Div => a.saturating_add(u16::from(t)),
                Binary::Rem => a.min(b),
                _ => a.max(b),
            };
            let signed = signed || op == Binary::Sub;
            Int { bits, signed }
        }
        (left, right) => {
            let parts = |ty: Scalar| match ty {
                Fixed { bits, integer, signed } => {
                    (i32::from(integer), i32::from(bits) - i32::from(integer), signed)
                }
                other => (i32::from(other.bits()), 0, other.is_signed()),
            };
            let ((ia, fa, sa), (ib, fb, sb)) = (parts(left), parts(right));
            let signed = sa || sb;
            let (integer, fraction) = match op {
                Binary::Mul => (ia + ib, fa + fb),
                Binary::Div => (ia + fb + i32::from(sb), fa + ib.max(0)),
                Binary::Add | Binary::Sub => (ia.max(ib) + 1, fa.max(fb)),
                _ => (ia.max(ib), fa.max(fb)),
            };
            let bits = u16::try_from((integer + fraction).clamp(1, 4096)).unwrap_or(1);
            let integer = i16::try_from(integer).unwrap_or(i16::MAX);
            Fixed { bits, integer, signed }
        }
    }
}

/// The value in another type; a constant is converted at once.
pub(crate) fn cast(value: Expr, ty: Scalar, place: Place) -> Expr {
    if value.ty() == ty {
        return value;
    }
    match value {
        Expr::Constant(number, Scalar::Int { .. })
        | Expr::Constant(number @ Number::Real(_), _) => constant(number, ty),
        Expr::Unknown(_) => Expr::Unknown(ty),
        value => Expr::Cast(Box::new(value), ty, place),
    }
}

pub(crate) fn unary(op: Unary, value: Expr, ty: Scalar, place: Place) -> Expr {
    if let Expr::Constant(number, _) = value
        && let Some(folded) = fold_unary(op, number, ty)
    {
        return Expr::Constant(folded, ty);
    }
    Expr::Unary(op, Box::new(value), ty, place)
}

pub(crate) fn binary(op: Binary, left: Expr, right: Expr, ty: Scalar, place: Place) -> Expr {
    if let (Expr::Constant(a, _), Expr::Constant(b, _)) = (&left, &right)
        && let Some(folded) = fold_binary(op, *a, *b, ty)
    {
        return Expr::Constant(folded, ty);
    }
    Expr::Binary(op, Box::new(left), Box::new(right), ty, place)
}
