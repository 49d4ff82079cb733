//! Operators over constants.

use crate::ir::{Binary, Number, Scalar, Unary};

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

/// A value as a type holds it.
#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
pub fn wrap(value: Number, ty: Scalar) -> Number {
    match (ty, value) {
        (Scalar::Int { bits, signed }, value) => {
            let whole = match value {
                Number::Int(value) => value,
                Number::Real(value) => value as i128,
            };
            if bits >= 126 {
                return Number::Int(whole);
            }
            let modulus = 1_i128 << bits;
            let rest = whole.rem_euclid(modulus);
            let negative = signed && bits > 0 && rest >= modulus / 2;
            Number::Int(if negative { rest - modulus } else { rest })
        }
        (_, Number::Int(value)) => Number::Real(value as f64),
        (Scalar::Float, Number::Real(value)) => Number::Real(f64::from(value as f32)),
        (_, value) => value,
    }
}
