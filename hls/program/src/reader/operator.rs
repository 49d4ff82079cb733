//! Operators over operands.

use super::Reader;
use super::arithmetic::{arithmetic, binary, cast, common, promoted, unary};
use super::expression::Operand;
use super::meaning::{LValue, Ty};
use super::slot::constant;
use crate::ir::{Binary, Expr, Number, Place, Scalar, Unary};
use derate_syntax::ast::{self, BinaryOp, UnaryOp};

impl Reader {
    pub(super) fn unary(&mut self, op: UnaryOp, inner: &ast::Expr, place: Place) -> Operand {
        let operand = self.operand(inner);
        match op {
            UnaryOp::Dereference => match operand {
                Operand::Place(lvalue) => match lvalue.ty {
                    Ty::Pointer(_) | Ty::Array(..) => {
                        Operand::Place(lvalue.at(constant(Number::Int(0), Scalar::INT), place))
                    }
                    _ => Operand::Place(lvalue),
                },
                other => other,
            },
            // The address of an object is the object, as it is always passed on.
            UnaryOp::AddressOf => match operand {
                Operand::Place(mut lvalue) if !lvalue.index.is_empty() => {
                    lvalue.ty = Ty::Pointer(std::rc::Rc::new(lvalue.ty.clone()));
                    lvalue.offset = lvalue.index.pop();
                    Operand::Place(lvalue)
                }
                other => other,
            },
            UnaryOp::Plus => operand,
            UnaryOp::Not => {
                let value = self.value_of(operand, place);
                let value = Self::truth(value, place);
                Operand::Value(unary(Unary::Not, value, Scalar::BOOL, place))
            }
            UnaryOp::Negate | UnaryOp::Invert => {
                let value = self.value_of(operand, place);
                let ty = promoted(value.ty());
                let ir = if op == UnaryOp::Negate { Unary::Negate } else { Unary::Invert };
                Operand::Value(unary(ir, cast(value, ty, place), ty, place))
            }
        }
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        place: Place,
    ) -> Operand {
        let (left, right) = (self.operand(left), self.operand(right));
        // `out << value`, `in >> value`; what is left is the stream, for the next one in a chain.
        if let Operand::Place(stream) = &left
            && matches!(stream.ty, Ty::Stream(_))
            && matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight)
        {
            let stream = stream.clone();
            self.pass_stream(&stream, op == BinaryOp::ShiftLeft, right, place);
            return Operand::Place(stream);
        }
        // A pointer that is moved on.
        if let (Operand::Place(base), BinaryOp::Add | BinaryOp::Sub) = (&left, op)
            && matches!(base.ty, Ty::Pointer(_) | Ty::Array(..))
        {
            let by = self.value_of(right, place);
            return Operand::Place(Self::moved(base.clone(), by, op == BinaryOp::Sub, place));
        }
        if let Some(found) = self.overloaded(op, &left, &right, place) {
            return found;
        }
        let (left, right) = (self.value_of(left, place), self.value_of(right, place));
        Operand::Value(Self::apply(op, left, right, place))
    }

    fn moved(mut base: LValue, by: Expr, back: bool, place: Place) -> LValue {
        let by = if back { unary(Unary::Negate, by, Scalar::INT, place) } else { by };
        base.offset = Some(match base.offset.take() {
            Some(offset) => binary(Binary::Add, offset, by, Scalar::INT, place),
            None => by,
        });
        if let Ty::Array(item, _) = &base.ty {
            base.ty = Ty::Pointer(item.clone());
        }
        base
    }

    /// A binary operator over two values.
    pub(crate) fn apply(op: BinaryOp, left: Expr, right: Expr, place: Place) -> Expr {
        let comparison = |ir, left: Expr, right: Expr| {
            let ty = common(left.ty(), right.ty());
            binary(ir, cast(left, ty, place), cast(right, ty, place), Scalar::BOOL, place)
        };
        match op {
            BinaryOp::LogicalAnd | BinaryOp::LogicalOr => {
                let (left, right) = (Self::truth(left, place), Self::truth(right, place));
                let ir = if op == BinaryOp::LogicalAnd { Binary::And } else { Binary::Or };
                binary(ir, left, right, Scalar::BOOL, place)
            }
            BinaryOp::Equal => comparison(Binary::Equal, left, right),
            BinaryOp::NotEqual => comparison(Binary::NotEqual, left, right),
            BinaryOp::Less => comparison(Binary::Less, left, right),
            BinaryOp::LessEqual => comparison(Binary::LessEqual, left, right),
            BinaryOp::Greater => comparison(Binary::Less, right, left),
            BinaryOp::GreaterEqual => comparison(Binary::LessEqual, right, left),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                let ty = promoted(left.ty());
                let ir =
                    if op == BinaryOp::ShiftLeft { Binary::ShiftLeft } else { Binary::ShiftRight };
                binary(ir, cast(left, ty, place), right, ty, place)
            }
            _ => {
                let ir = match op {
                    BinaryOp::Add => Binary::Add,
                    BinaryOp::Sub => Binary::Sub,
                    BinaryOp::Mul => Binary::Mul,
                    BinaryOp::Div => Binary::Div,
                    BinaryOp::Rem => Binary::Rem,
                    BinaryOp::And => Binary::And,
                    BinaryOp::Or => Binary::Or,
                    _ => Binary::Xor,
                };
                let ty = arithmetic(ir, left.ty(), right.ty());
                if matches!(ty, Scalar::Fixed { .. }) {
                    return binary(ir, left, right, ty, place);
                }
                // A remainder is as narrow as the narrower of both, and the dividend may be wider.
                let own = if ir == Binary::Rem { common(left.ty(), right.ty()) } else { ty };
                cast(
                    binary(ir, cast(left, own, place), cast(right, own, place), own, place),
                    ty,
                    place,
                )
            }
        }
    }

    /// The value as a truth value.
    pub(crate) fn truth(value: Expr, place: Place) -> Expr {
        let ty = value.ty();
        if ty == Scalar::BOOL {
            return value;
        }
        let zero = constant(Number::Int(0), ty);
        binary(Binary::NotEqual, value, zero, Scalar::BOOL, place)
    }
}
