//! Products and quotients of fixed-point numbers, as the vendor's library writes them over whole numbers.

use super::{Activation, Engine, Flow};
use crate::graph::{Op, Value};
use derate_program::{Binary, Expr, Number, Place, Scalar};

impl<'a> Engine<'a> {
    /// A product or a quotient of fixed-point numbers; `None` for anything else.
    ///
    /// `ap_fixed` appends to the dividend the bits that the divisor has behind the point, and then divides whole numbers: RTL of
    /// `ap_fixed<32, 16>` has dividers `sdiv_48ns_32s`. A constant counts as the whole number that is stored for it.
    pub(super) fn fixed_binary(
        &mut self,
        op: Binary,
        [left, right]: [&Expr; 2],
        (ty, place): (Scalar, Place),
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) -> Option<Value> {
        let types = [left.ty(), right.ty()];
        let is_whole = types.iter().all(|ty| !ty.is_float());
        if !matches!(ty, Scalar::Fixed { .. })
            || !is_whole
            || !matches!(op, Binary::Mul | Binary::Div)
        {
            return None;
        }
        let [mut left, mut right] = [self.value(left, run, flow), self.value(right, run, flow)];
        let are_constant = matches!((left, right), (Value::Constant(_), Value::Constant(_)));
        if are_constant || self.simplify(op, left, right, types[0]).is_some() {
            return Some(self.binary(op, [left, right], types[0], ty, flow, place));
        }
        if op == Binary::Div {
            let wide = widened(types[0], fraction(types[1]));
            left = self.convert(left, types[0], wide, flow, place);
        }
        left = mantissa(left, types[0]);
        right = mantissa(right, types[1]);
        let mut node = Self::blank(Op::Binary(op), ty, flow, place);
        node.operand = Some(types[0]);
        let (wide, narrow) = (self.width(left), self.width(right));
        let width = if op == Binary::Mul { wide.saturating_add(narrow) } else { wide };
        node.width = width.min(ty.bits()).max(1);
        node.inputs = vec![left, right];
        Some(self.pure(node))
    }

    /// A value without its upper bits: what was made wider before is as it was, and a sum is one of narrow values. So a sum that
    /// is stored in a narrow type after each step can be a tree.
    pub(super) fn cut_upper_bits(
        &mut self,
        value: Value,
        from: Scalar,
        to: Scalar,
        flow: &Flow,
        place: Place,
    ) -> Option<Value> {
        if !is_cut(from, to) {
            return None;
        }
        let node = self.graph.node(value.node()?);
        let (op, operand, inputs) = (node.op, node.operand?, node.inputs.clone());
        match (op, inputs.as_slice()) {
            (Op::Convert, [inner]) if operand == to => Some(*inner),
            (Op::Binary(Binary::Add | Binary::Sub), [left, right])
                if operand == to || is_cut(operand, to) =>
            {
                let Op::Binary(op) = op else { return None };
                let left = self.convert(*left, operand, to, flow, place);
                let right = self.convert(*right, operand, to, flow, place);
                Some(self.binary(op, [left, right], to, to, flow, place))
            }
            _ => None,
        }
    }
}

/// Whether a conversion only leaves out upper bits.
fn is_cut(from: Scalar, to: Scalar) -> bool {
    let are_alike = matches!(
        (from, to),
        (Scalar::Int { .. }, Scalar::Int { .. }) | (Scalar::Fixed { .. }, Scalar::Fixed { .. })
    );
    are_alike && fraction(from) == fraction(to) && to.bits() < from.bits() && to != Scalar::BOOL
}

/// The bits behind the point.
pub(super) fn fraction(ty: Scalar) -> i32 {
    match ty {
        Scalar::Fixed { bits, integer, .. } => i32::from(bits) - i32::from(integer),
        _ => 0,
    }
}

/// A type with so many bits more behind the point.
fn widened(ty: Scalar, by: i32) -> Scalar {
    let by = u16::try_from(by.max(0)).unwrap_or(0);
    let integer = match ty {
        Scalar::Fixed { integer, .. } => integer,
        other => i16::try_from(other.bits()).unwrap_or(i16::MAX),
    };
    Scalar::Fixed { bits: ty.bits().saturating_add(by), integer, signed: ty.is_signed() }
}

/// The whole number that a constant of fixed point is stored as.
fn mantissa(value: Value, ty: Scalar) -> Value {
    let Value::Constant(number) = value else { return value };
    let scaled = number.real() * f64::from(fraction(ty)).exp2();
    #[allow(clippy::cast_possible_truncation)]
    Value::Constant(Number::Int(scaled.floor() as i128))
}
