//! Functions of the standard library and of the vendor's: `memcpy`, `min` and `max`.

use super::Reader;
use super::arithmetic::{binary, cast, common};
use super::expression::Operand;
use super::meaning::{LValue, Slot, Ty};
use super::slot::{Shape, constant};
use crate::ir::{Access, Binary, Expr, Loop, Number, Object, ObjectId, Place, Scalar, Stmt};
use derate_syntax::ast::{self};
use std::sync::Arc;

/// Tests of the sign or the exponent: a few gates.
pub const BIT_TESTS: [&str; 4] = ["signbit", "isnan", "isinf", "isfinite"];

/// An initialiser of so many zeros is not a loop.
const CLEARED_AT_ONCE: u64 = 64;

/// Elements of a list up to which each is a statement of its own.
pub(super) const LISTED: u64 = 4096;

impl Reader {
    pub(crate) fn library_call(
        &mut self,
        (name, is_qualified): (&str, bool),
        arguments: &[ast::Expr],
        place: Place,
    ) -> Option<Operand> {
        let plain = name.trim_start_matches("__builtin_");
        match plain {
            "assert"
            | "printf"
            | "fprintf"
            | "exit"
            | "free"
            | "puts"
            | "srand"
            | "putchar"
            | "__builtin_unreachable" => {
                return Some(Operand::Nothing);
            }
            "memcpy" | "memset" | "memmove" => {
                return Some(self.copy_memory(plain, arguments, place));
            }
            // A register of the vendor's: the value, a cycle later.
            "reg" if arguments.len() == 1 => return arguments.first().map(|one| self.operand(one)),
            "malloc" | "calloc" | "rand" | "clock" => {
                self.unknown(place, format!("`{name}` cannot be built in hardware"));
                return Some(Operand::Value(Expr::Unknown(Scalar::INT)));
            }
            "min" | "max" | "fmin" | "fmax" | "fminf" | "fmaxf" => {
                let list = match arguments {
                    [ast::Expr { kind: ast::ExprKind::List(items), .. }] => items.clone(),
                    _ => arguments.to_vec(),
                };
                let mut values: Vec<Expr> = list.iter().map(|item| self.value(item)).collect();
                let right = values.pop()?;
                let Some(left) = values
                    .into_iter()
                    .reduce(|left, right| choose(plain.contains("min"), left, right, place))
                else {
                    return Some(Operand::Value(right));
                };
                return Some(Operand::Value(choose(plain.contains("min"), left, right, place)));
            }
            "abs" | "fabs" | "fabsf" | "labs" => {
                let [value] = arguments else { return None };
                let value = self.value(value);
                let ty = match (plain, value.ty()) {
                    ("fabsf", _) => Scalar::Float,
                    ("fabs", ty) if !ty.is_float() => Scalar::Double,
                    (_, ty) => ty,
                };
                let value = cast(value, ty, place);
                return Some(Operand::Value(Expr::Math("fabs", vec![value], ty, place)));
            }
            name if let Some(test) = BIT_TESTS.into_iter().find(|test| *test == name) => {
                let [value] = arguments else { return None };
                let value = self.value(value);
                return Some(Operand::Value(Expr::Math(test, vec![value], Scalar::BOOL, place)));
            }
            "swap" => {
                let [left, right] = arguments else { return None };
                let (left, right) = (self.operand(left), self.operand(right));
                let Ty::Scalar(ty) = left.ty() else { return Some(Operand::Nothing) };
                let kept = self.temporary(ty, place);
                let access = Access { object: kept, index: Vec::new(), place };
                let before = self.value_of(left.clone(), place);
                self.out.push(Stmt::Set(access.clone(), before));
                self.store(left, right.clone(), place);
                let value = Operand::Value(Expr::Read(Box::new(access), ty));
                self.store(right, value, place);
                return Some(Operand::Nothing);
            }
            "numeric_limits" => return Some(Operand::Value(Expr::Unknown(Scalar::INT))),
            _ => {}
        }
        self.mathematics_call(plain, is_qualified, arguments, place)
    }

    /// `memcpy` and `memset` are loops over the elements.
    fn copy_memory(&mut self, name: &str, arguments: &[ast::Expr], place: Place) -> Operand {
        let [target, source, length] = arguments else { return Operand::Nothing };
        let target = self.operand(target);
        let source = self.operand(source);
        let bytes = self.constant(length).and_then(|bytes| u64::try_from(bytes).ok());
        let Operand::Place(to) = target else { return Operand::Nothing };
        let object = to.accesses(place).first().map(|access| self.object(access.object).clone());
        let Some(object) = object else { return Operand::Nothing };
        let element = Ty::Scalar(object.ty).bytes().max(1);
        let from = match source {
            Operand::Place(from) => Some(from),
            _ => None,
        };
        if from.is_none() && name != "memset" {
            self.unknown(place, format!("the source of `{name}` is not known"));
            return Operand::Nothing;
        }
        let count = if let Some(bytes) = bytes {
            bytes / element
        } else {
            self.unknown(place, format!("the length of `{name}` is not known"));
            object.dims.iter().product()
        };
        let counter = self.temporary(Scalar::INT, place);
        let read =
            Expr::Read(Box::new(Access { object: counter, index: Vec::new(), place }), Scalar::INT);
        let target = self.flat(&to, &read, place);
        let (Some(target), ty) = (target, object.ty) else { return Operand::Nothing };
        let value = match from.as_ref().and_then(|from| self.flat(from, &read, place)) {
            Some(source) => {
                let source_ty = self.object(source.object).ty;
                cast(Expr::Read(Box::new(source), source_ty), ty, place)
            }
            None => constant(Number::Int(0), ty),
        };
        let label = format!("{name}_{}", place.line);
        self.push_counted(label, counter, count, Stmt::Set(target, value), place);
        if let (Some(Stmt::Loop(copy)), true) = (self.out.last_mut(), from.is_some()) {
            copy.is_copy = true;
        }
        Operand::Nothing
    }

    /// A loop over zeros for an array that is longer than a few elements, as the tool makes of its initialiser.
    pub(crate) fn clear(&mut self, to: &LValue, object: &Object, place: Place) -> bool {
        let count: u64 = object.dims.iter().fold(1, |all, length| all.saturating_mul(*length));
        if count <= CLEARED_AT_ONCE {
            return false;
        }
        let counter = self.temporary(Scalar::INT, place);
        let read =
            Expr::Read(Box::new(Access { object: counter, index: Vec::new(), place }), Scalar::INT);
        let Some(target) = self.flat(to, &read, place) else { return false };
        let zero = constant(Number::Int(0), object.ty);
        let label = format!("memset_{}", object.name);
        self.push_counted(label, counter, count, Stmt::Set(target, zero), place);
        true
    }

    /// A loop that copies a table into an array with more elements than statements are made for.
    pub(crate) fn fill_from_table(
        &mut self,
        to: &LValue,
        id: ObjectId,
        ty: &Ty,
        values: Arc<[Number]>,
        place: Place,
    ) -> bool {
        let count = values.len() as u64;
        if count <= LISTED {
            return false;
        }
        let name = self.objects[id].name.clone();
        let slot = self.declare(&format!("{name}_init"), ty, Shape::default(), place);
        let Slot::Leaf(table) = slot else { return false };
        self.objects[table].table = Some(values);
        let from = LValue { slot, index: Vec::new(), offset: None, ty: ty.clone() };
        let counter = self.temporary(Scalar::INT, place);
        let read =
            Expr::Read(Box::new(Access { object: counter, index: Vec::new(), place }), Scalar::INT);
        let (Some(target), Some(source)) =
            (self.flat(to, &read, place), self.flat(&from, &read, place))
        else {
            return false;
        };
        self.objects[id].filled_from = Some(table);
        let value = Expr::Read(Box::new(source), self.objects[table].ty);
        let label = format!("memcpy_{name}");
        self.push_counted(label, counter, count, Stmt::Set(target, value), place);
        true
    }

    fn push_counted(
        &mut self,
        label: String,
        counter: ObjectId,
        count: u64,
        body: Stmt,
        place: Place,
    ) {
        let number = self.function.loops;
        self.function.loops += 1;
        let one = Scalar::INT;
        self.out.push(Stmt::Loop(Box::new(Loop {
            label,
            labelled: false,
            is_copy: false,
            counter: Some(counter),
            start: constant(Number::Int(0), one),
            first: Some(0),
            end: Some(constant(
                Number::Int(i128::from(count)),
                Scalar::Int { bits: 64, signed: true },
            )),
            step: 1,
            next: None,
            condition: None,
            test_last: false,
            body: vec![body],
            leaves: false,
            pragmas: Vec::new(),
            number,
            place,
        })));
    }

    /// The element with a running number, counted over the dimensions that are left.
    fn flat(&mut self, lvalue: &LValue, counter: &Expr, place: Place) -> Option<Access> {
        let mut access = lvalue.accesses(place).into_iter().next()?;
        let object = self.object(access.object).clone();
        if let (Some(_offset), Some(last)) = (&lvalue.offset, access.index.pop()) {
            access.index.push(binary(Binary::Add, last, counter.clone(), Scalar::INT, place));
            return Some(access);
        }
        let rest: Vec<u64> = object.dims.iter().skip(access.index.len()).copied().collect();
        let mut divisor: u64 = 1;
        let mut index = Vec::new();
        for (at, length) in rest.iter().enumerate().rev() {
            let by = |value: u64| constant(Number::Int(i128::from(value)), Scalar::INT);
            let mut part = counter.clone();
            if divisor > 1 {
                part = binary(Binary::Div, part, by(divisor), Scalar::INT, place);
            }
            if at > 0 {
                part = binary(Binary::Rem, part, by((*length).max(1)), Scalar::INT, place);
            }
            index.push(part);
            divisor = divisor.saturating_mul((*length).max(1));
        }
        index.reverse();
        access.index.extend(index);
        Some(access)
    }
}

/// The smaller or the larger of two values.
fn choose(smaller: bool, left: Expr, right: Expr, place: Place) -> Expr {
    let ty = common(left.ty(), right.ty());
    let (left, right) = (cast(left, ty, place), cast(right, ty, place));
    let (a, b) =
        if smaller { (left.clone(), right.clone()) } else { (right.clone(), left.clone()) };
    let test = binary(Binary::Less, a, b, Scalar::BOOL, place);
    if let (Expr::Constant(test, _), Expr::Constant(..), Expr::Constant(..)) =
        (&test, &left, &right)
    {
        return if test.is_zero() { right } else { left };
    }
    Expr::Select(Box::new(test), Box::new(left), Box::new(right), ty, place)
}
