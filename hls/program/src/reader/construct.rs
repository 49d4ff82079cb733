//! Constructors, and operators that classes define.

use super::Reader;
use super::expression::Operand;
use super::meaning::{LValue, Ty};
use super::slot::{Shape, constant};
use crate::ir::{Expr, Number, Place, Scalar};
use derate_syntax::ast::{self, BinaryOp};
use std::rc::Rc;

impl Reader {
    /// `T(a, b)`: a conversion or a constructor.
    pub(crate) fn construct(&mut self, ty: &Ty, arguments: &[ast::Expr], place: Place) -> Operand {
        match ty {
            Ty::Scalar(to) => match arguments {
                [] => Operand::Value(constant(Number::Int(0), *to)),
                [first, ..] => {
                    let operand = self.operand(first);
                    self.cast_operand(operand, &Ty::Scalar(*to), place)
                }
            },
            Ty::Struct(structure) => {
                let short = structure.name.rsplit("::").next().unwrap_or_default();
                let name = format!("{}::{short}", structure.name);
                let candidates = self.names.functions(&name).to_vec();
                let slot = self.declare("_object", ty, Shape::default(), place);
                let lvalue = LValue { slot, index: Vec::new(), offset: None, ty: ty.clone() };
                match self.choose(&candidates, None, arguments) {
                    Some(function) if !arguments.is_empty() || !function.parameters.is_empty() => {
                        let this = Some(&lvalue);
                        self.call_function(&function, None, this, arguments, place);
                    }
                    _ => {
                        let list = Operand::List(arguments.to_vec());
                        if !arguments.is_empty() {
                            self.store(Operand::Place(lvalue.clone()), list, place);
                        }
                    }
                }
                Operand::Place(lvalue)
            }
            Ty::Vector(..) | Ty::Array(..) => match arguments {
                [] => Operand::Nothing,
                [only] => self.operand(only),
                many => Operand::List(many.to_vec()),
            },
            _ => Operand::Nothing,
        }
    }

    /// An operator that a class defines.
    pub(crate) fn overloaded(
        &mut self,
        op: BinaryOp,
        left: &Operand,
        right: &Operand,
        place: Place,
    ) -> Option<Operand> {
        let of_struct = |operand: &Operand| match operand {
            Operand::Place(LValue { ty: Ty::Struct(structure), .. }) => Some(Rc::clone(structure)),
            _ => None,
        };
        let structure = of_struct(left).or_else(|| of_struct(right))?;
        let sign = match op {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Less => "<",
            BinaryOp::Greater => ">",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
            _ => "",
        };
        let reason = format!("the operator `{sign}` of `{}` is not read", structure.name);
        self.unknown(place, reason);
        Some(Operand::Value(Expr::Unknown(Scalar::INT)))
    }
}
