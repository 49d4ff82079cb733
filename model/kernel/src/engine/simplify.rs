//! Operations that leave a value as it is, and those that have an operator of their own.

use super::Engine;
use crate::graph::{Op, Value};
use derate_program::{Binary, Number, Scalar, fold_binary};

impl Engine<'_> {
    /// Operations that leave a value as it is.
    pub(super) fn simplify(
        &self,
        op: Binary,
        left: Value,
        right: Value,
        operand: Scalar,
    ) -> Option<Value> {
        let zero = |value: Value| matches!(value, Value::Constant(number) if number.is_zero());
        let one = |value: Value| match value {
            Value::Constant(number) => (number.real() - 1.0).abs() < f64::EPSILON,
            Value::Node(_) => false,
        };
        let float = operand.is_float();
        let is_free = !float || self.settings.unsafe_math;
        match op {
            // A sum with zero may turn a negative zero into a positive one, which only whole numbers and unsafe
            // mathematics do not mind.
            Binary::Add | Binary::Or | Binary::Xor if zero(right) && is_free => Some(left),
            Binary::Add | Binary::Or | Binary::Xor if zero(left) && is_free => Some(right),
            Binary::Sub | Binary::ShiftLeft | Binary::ShiftRight if zero(right) => Some(left),
            Binary::Mul | Binary::Div if one(right) => Some(left),
            Binary::Mul if one(left) => Some(right),
            Binary::Mul | Binary::And if !float && (zero(left) || zero(right)) => {
                Some(Value::Constant(Number::Int(0)))
            }
            Binary::And if operand == Scalar::BOOL && one(right) => Some(left),
            Binary::And if operand == Scalar::BOOL && one(left) => Some(right),
            Binary::Or if operand == Scalar::BOOL && (one(left) || one(right)) => {
                Some(Value::Constant(Number::Int(1)))
            }
            Binary::Equal | Binary::LessEqual if left == right && !float => {
                Some(Value::Constant(Number::Int(1)))
            }
            Binary::NotEqual | Binary::Less if left == right && !float => {
                Some(Value::Constant(Number::Int(0)))
            }
            _ => None,
        }
    }

    /// `(base + 4) + 8` as `base` and 12: a pointer that is moved in each copy of a body is no chain of adders.
    pub(super) fn joined_constants(
        &self,
        op: Binary,
        [left, right]: [Value; 2],
        operand: Scalar,
        ty: Scalar,
    ) -> Option<(Value, Value)> {
        let (Binary::Add, Scalar::Int { .. }) = (op, ty) else { return None };
        let (Value::Node(id), Value::Constant(second)) = (left, right) else { return None };
        let node = self.graph.node(id);
        let is_same = node.ty == ty && node.operand == Some(operand);
        let [base, Value::Constant(first)] = node.inputs[..] else { return None };
        if !is_same || node.op != Op::Binary(Binary::Add) {
            return None;
        }
        Some((base, Value::Constant(fold_binary(op, first, second, ty)?)))
    }

    /// With unsafe mathematics the tool has an operator of its own for one over a value.
    pub(super) fn is_reciprocal(&self, op: Binary, left: Value, ty: Scalar) -> bool {
        let is_one =
            matches!(left, Value::Constant(number) if (number.real() - 1.0).abs() < f64::EPSILON);
        op == Binary::Div && is_one && ty == Scalar::Float && self.settings.unsafe_math
    }
}
