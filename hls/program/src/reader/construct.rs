//! Constructors, and operators that classes define.

use super::Reader;
use super::expression::Operand;
use super::meaning::{LValue, Ty};
use super::slot::{Shape, constant};
use crate::ir::{Directive, Expr, Number, Place, Scalar, Stmt};
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

    /// Runs the default constructor of an object that is declared without a value, and those of its members before. That of a
    /// static object runs before the kernel: only its directives count.
    pub(super) fn construct_default(&mut self, object: &LValue, is_static: bool, place: Place) {
        let Ty::Struct(structure) = &object.ty else { return };
        for (field, _) in &structure.fields {
            if let Some(member) = object.clone().member(field) {
                self.construct_default(&member, is_static, place);
            }
        }
        let short = structure.name.rsplit("::").next().unwrap_or_default();
        let name = format!("{}::{short}", structure.name);
        let takes_nothing = |one: &&Rc<ast::Function>| {
            one.body.is_some() && one.parameters.iter().all(|own| own.init.is_some())
        };
        let Some(function) = self.names.functions(&name).iter().find(takes_nothing).cloned() else {
            return;
        };
        let before = self.out.len();
        self.call_function(&function, None, Some(object), &[], place);
        if !is_static {
            return;
        }
        let called = self.out.drain(before..).next_back();
        let Some(Stmt::Call(call)) = called else { return };
        let Some(Some(constructor)) = self.functions.get(call.function) else { return };
        let members = object.slot.leaves();
        let within = |parameter: &usize| {
            let at = constructor.parameters.iter().position(|own| own == parameter)?;
            members.get(at).copied()
        };
        let directives = constructor.pragmas.iter().map(|one| Directive {
            objects: one.objects.iter().filter_map(within).collect(),
            ..one.clone()
        });
        let of_members = directives.filter(|one| !one.objects.is_empty());
        self.function.pragmas.extend(of_members);
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
