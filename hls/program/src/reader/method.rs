//! Methods of streams, numbers and classes.

use super::Reader;
use super::arithmetic::cast;
use super::call::LIBRARIES;
use super::expression::Operand;
use super::meaning::{LValue, Ty};
use super::slot::{Shape, constant};
use crate::ir::{Access, Expr, Number, Place, Scalar, Stmt};
use derate_syntax::ast::{self, Piece};

impl Reader {
    pub(super) fn call_method(
        &mut self,
        object: Operand,
        member: &Piece,
        arguments: &[ast::Expr],
        place: Place,
    ) -> Operand {
        let object = match object {
            Operand::Place(pointer) if points_to_object(&pointer.ty) => {
                Operand::Place(pointer.at(constant(Number::Int(0), Scalar::INT), place))
            }
            other => other,
        };
        let ty = object.ty();
        let lvalue = match &object {
            Operand::Place(lvalue) => Some(lvalue.clone()),
            _ => None,
        };
        if let (Ty::Struct(structure), Some(lvalue)) = (&ty, &lvalue) {
            let name = format!("{}::{}", structure.name, member.name);
            let candidates = self.names.functions(&name).to_vec();
            let explicit = member.arguments.as_deref();
            if let Some(function) = self.choose(&candidates, explicit, arguments) {
                return self.call_function(&function, explicit, Some(lvalue), arguments, place);
            }
            // Bits of a member: `word.data(7, 0)`.
            let field = lvalue.clone().member(&member.name);
            if let Some(field) = field.filter(|field| matches!(field.ty, Ty::Scalar(_))) {
                return self.range_of(Operand::Place(field), arguments, place);
            }
        }
        if let (Ty::Stream(_), Some(lvalue)) = (&ty, &lvalue) {
            return self.stream_method(lvalue, &member.name, arguments, place);
        }
        match member.name.as_str() {
            // A plain port with its handshake.
            "read" if matches!(ty, Ty::Scalar(_)) => object,
            "write" if matches!(ty, Ty::Scalar(_)) => match arguments.first() {
                Some(value) => {
                    let value = self.operand(value);
                    self.store(object, value, place)
                }
                None => Operand::Nothing,
            },
            "shift" if matches!(ty, Ty::Scalar(_)) && !arguments.is_empty() => {
                let out = self.value_of(object.clone(), place);
                let Ty::Scalar(of) = ty else { return Operand::Value(out) };
                let kept = self.temporary(of, place);
                let access = Access { object: kept, index: Vec::new(), place };
                self.out.push(Stmt::Set(access.clone(), out));
                let value = self.operand(&arguments[0]);
                self.store(object, value, place);
                Operand::Value(Expr::Read(Box::new(access), of))
            }
            "range" => self.range_of(object, arguments, place),
            "bit" | "test" | "get_bit" => {
                let index = arguments.first().map(|index| self.value(index));
                let value = self.value_of(object, place);
                match index {
                    Some(index) => self.subscript(Operand::Value(value), index, place),
                    None => Operand::Value(value),
                }
            }
            "to_int" | "to_long" | "to_int64" | "to_uint" | "to_uint64" | "to_short"
            | "to_char" => {
                let bits =
                    if member.name.ends_with("64") || member.name == "to_long" { 64 } else { 32 };
                let signed = !member.name.contains("uint");
                let value = self.value_of(object, place);
                Operand::Value(cast(value, Scalar::Int { bits, signed }, place))
            }
            "to_double" => {
                let value = self.value_of(object, place);
                Operand::Value(cast(value, Scalar::Double, place))
            }
            "to_float" => {
                let value = self.value_of(object, place);
                Operand::Value(cast(value, Scalar::Float, place))
            }
            "length" | "size" => {
                let bits = i128::from(ty.bits());
                Operand::Value(constant(Number::Int(bits), Scalar::INT))
            }
            "real" | "imag" if lvalue.is_some() => {
                let field = if member.name == "real" { "re" } else { "im" };
                let lvalue = lvalue.unwrap_or_else(|| unreachable!("checked above"));
                self.member(lvalue, field, place)
            }
            "or_reduce" | "and_reduce" | "xor_reduce" => {
                let value = self.value_of(object, place);
                Operand::Value(Self::truth(value, place))
            }
            _ => {
                let reason = format!("the method `{}` is not known", member.name);
                let is_library = match &ty {
                    Ty::Scalar(_) => true,
                    Ty::Unknown(name) => LIBRARIES.iter().any(|own| name.starts_with(own)),
                    _ => false,
                };
                if is_library {
                    // Those of numbers, and of what a library has, are taken to have no loop.
                    self.unknown(place, reason);
                    return Operand::Value(Expr::Unknown(Scalar::INT));
                }
                let mut operands: Vec<Operand> =
                    arguments.iter().map(|argument| self.operand(argument)).collect();
                operands.push(object);
                self.note_open_call(reason, &operands, place)
            }
        }
    }

    /// What is read of a stream; `None` of anything else.
    fn read_stream(&mut self, stream: &LValue, place: Place) -> Option<LValue> {
        let Ty::Stream(item) = &stream.ty else { return None };
        let slot = self.declare("_read", item, Shape::default(), place);
        let local = LValue { slot, index: Vec::new(), offset: None, ty: (**item).clone() };
        self.copy(&local, stream, place);
        Some(local)
    }

    /// `in >> value` and `out << value`.
    pub(super) fn pass_stream(
        &mut self,
        stream: &LValue,
        writes: bool,
        value: Operand,
        place: Place,
    ) {
        if writes {
            self.store(Operand::Place(stream.clone()), value, place);
        } else if let Some(local) = self.read_stream(stream, place) {
            self.store(value, Operand::Place(local), place);
        }
    }

    fn stream_method(
        &mut self,
        stream: &LValue,
        method: &str,
        arguments: &[ast::Expr],
        place: Place,
    ) -> Operand {
        match (method, arguments) {
            ("read" | "read_nb", _) => {
                let Some(local) = self.read_stream(stream, place) else { return Operand::Nothing };
                if let [target] = arguments {
                    let target = self.operand(target);
                    self.store(target, Operand::Place(local.clone()), place);
                    if method == "read_nb" {
                        return Operand::Value(Expr::Unknown(Scalar::BOOL));
                    }
                }
                Operand::Place(local)
            }
            ("write" | "write_nb", [value]) => {
                let value = self.operand(value);
                self.store(Operand::Place(stream.clone()), value, place);
                Operand::Value(constant(Number::Int(1), Scalar::BOOL))
            }
            ("empty" | "full", _) => Operand::Value(Expr::Unknown(Scalar::BOOL)),
            _ => Operand::Value(Expr::Unknown(Scalar::INT)),
        }
    }
}

/// Whether a type is a pointer to what has methods: `stream->read()`, `window->shift()`.
fn points_to_object(ty: &Ty) -> bool {
    matches!(ty, Ty::Pointer(item) if matches!(**item, Ty::Stream(_) | Ty::Struct(_)))
}
