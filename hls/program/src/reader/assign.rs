//! Assignments: numbers, structs and lists into places.

use super::Reader;
use super::arithmetic::cast;
use super::expression::Operand;
use super::library::LISTED;
use super::meaning::{LValue, Meaning, Slot, Ty};
use super::slot::constant;
use crate::constants::wrap;
use crate::ir::{Access, Expr, GLOBAL, Number, ObjectKind, Place, Scalar, Stmt};
use derate_syntax::ast::{self, BinaryOp, ExprKind};

impl Reader {
    pub(super) fn assign(
        &mut self,
        op: Option<BinaryOp>,
        target: &ast::Expr,
        value: &ast::Expr,
        place: Place,
    ) -> Operand {
        if let (None, Some(name)) = (op, self.find_own_pointer(target))
            && let Operand::Place(lvalue) = self.operand(value)
            && matches!(lvalue.ty, Ty::Pointer(_) | Ty::Array(..))
        {
            let lvalue = self.declare_pointer(&name, lvalue.into_pointer(), place);
            self.name(&name, Meaning::Place(lvalue.clone()));
            return Operand::Place(lvalue);
        }
        if op.is_none()
            && let Some(whole) = self.insert_bits(target, value, place)
        {
            return whole;
        }
        let once = self.find_set_once(op, target);
        let target = self.target(target);
        let operand = self.operand(value);
        let Some(op) = op else {
            if let (Some((name, ty)), Operand::Value(Expr::Constant(number, _))) = (once, &operand)
            {
                self.name(&name, Meaning::Number(wrap(*number, ty), ty));
            }
            return self.store(target, operand, place);
        };
        if let Operand::Place(pointer) = &target
            && matches!(pointer.ty, Ty::Pointer(_))
        {
            let by = self.value_of(operand, place);
            self.move_pointer(pointer, op, by, place);
            return target;
        }
        let left = self.value_of(target.clone(), place);
        let ty = left.ty();
        let right = self.value_of(operand, place);
        let value = Self::apply(op, left, right, place);
        self.store(target, Operand::Value(cast(value, ty, place)), place)
    }

    /// The name of a pointer of the innermost block: what it is set to here holds for the rest of the block.
    fn find_own_pointer(&self, target: &ast::Expr) -> Option<String> {
        let ExprKind::Name(path) = &target.kind else { return None };
        let [piece] = path.pieces.as_slice() else { return None };
        match self.frames.last()?.get(&piece.name)? {
            Meaning::Place(lvalue) if matches!(lvalue.ty, Ty::Pointer(_)) => {
                Some(piece.name.clone())
            }
            _ => None,
        }
    }

    /// The name and the type of a number of the innermost block that is set here, and nowhere else.
    fn find_set_once(&self, op: Option<BinaryOp>, target: &ast::Expr) -> Option<(String, Scalar)> {
        let (None, ExprKind::Name(path)) = (op, &target.kind) else { return None };
        let [piece] = path.pieces.as_slice() else { return None };
        let Meaning::Place(lvalue) = self.frames.last()?.get(&piece.name)? else { return None };
        let Slot::Leaf(object) = lvalue.slot else { return None };
        let is_own = object < GLOBAL && !self.objects[object].is_static;
        match lvalue.ty {
            Ty::Scalar(ty) if is_own && self.changed.is_set_once(&piece.name) => {
                Some((piece.name.clone(), ty))
            }
            _ => None,
        }
    }

    /// A place to write to. A bit of a number is the number as a whole, and so is a range of an element.
    fn target(&mut self, expr: &ast::Expr) -> Operand {
        match &expr.kind {
            ExprKind::Index(base, index) => {
                let base = self.operand(base);
                if let Operand::Place(lvalue) = &base
                    && matches!(lvalue.ty, Ty::Scalar(_))
                {
                    self.value(index);
                    return base;
                }
                let index = self.value(index);
                self.subscript(base, index, expr.place)
            }
            ExprKind::Call(callee, _) => match &callee.kind {
                ExprKind::Member { object, member, .. }
                    if matches!(member.name.as_str(), "range" | "bit") =>
                {
                    self.operand(object)
                }
                ExprKind::Name(_) | ExprKind::Member { .. } => {
                    let object = self.quietly(|reader| reader.operand(callee));
                    match object {
                        Operand::Place(lvalue) if matches!(lvalue.ty, Ty::Scalar(_)) => {
                            Operand::Place(lvalue)
                        }
                        _ => self.operand(expr),
                    }
                }
                ExprKind::Index(..) => self.operand(callee),
                _ => self.operand(expr),
            },
            _ => self.operand(expr),
        }
    }

    pub(crate) fn store(&mut self, target: Operand, value: Operand, place: Place) -> Operand {
        let Operand::Place(lvalue) = target else {
            return Operand::Nothing;
        };
        if matches!(lvalue.ty, Ty::Pointer(_))
            && let Operand::Place(from) = &value
            && matches!(from.ty, Ty::Pointer(_) | Ty::Array(..))
        {
            self.unknown(place, "a pointer is changed while the kernel runs");
            return Operand::Place(lvalue);
        }
        if let Operand::List(items) = &value {
            self.store_list(&lvalue, items, place);
            return Operand::Place(lvalue);
        }
        let targets = lvalue.accesses(place);
        if let (Operand::Place(from), true) = (&value, targets.len() > 1 || is_vector(&lvalue.ty)) {
            self.copy(&lvalue, from, place);
            return Operand::Place(lvalue);
        }
        let value = self.value_of(value, place);
        let lanes = Self::lane_count(&lvalue);
        for target in targets {
            let object = self.object(target.object);
            let (ty, kind) = (object.ty, object.kind);
            let value = cast(value.clone(), ty, place);
            for lane in 0..lanes {
                let mut target = target.clone();
                if is_vector(&lvalue.ty) {
                    target.index.push(constant(Number::Int(i128::from(lane)), Scalar::INT));
                }
                self.out.push(match kind {
                    ObjectKind::Stream => Stmt::Push(target, value.clone()),
                    _ => Stmt::Set(target, value.clone()),
                });
            }
        }
        Operand::Place(lvalue)
    }

    fn lane_count(lvalue: &LValue) -> u64 {
        match &lvalue.ty {
            Ty::Vector(_, lanes) => (*lanes).min(1024),
            _ => 1,
        }
    }

    /// Copies each number of a struct or a vector.
    pub(crate) fn copy(&mut self, to: &LValue, from: &LValue, place: Place) {
        for (target, source) in to.accesses(place).into_iter().zip(from.accesses(place)) {
            let (to_object, from_object) = (self.object(target.object), self.object(source.object));
            let (ty, kind, source_ty) = (to_object.ty, to_object.kind, from_object.ty);
            let source_kind = from_object.kind;
            let extra = to_object.dims.len().saturating_sub(target.index.len());
            let dims: Vec<u64> =
                to_object.dims[to_object.dims.len().saturating_sub(extra)..].to_vec();
            let count = dims.iter().product::<u64>().max(1);
            if count > 4096 {
                self.unknown(place, "a struct with a large array is copied");
                continue;
            }
            for at in 0..count {
                let (mut target, mut source) = (target.clone(), source.clone());
                let mut rest = at;
                let mut index = Vec::new();
                for length in dims.iter().rev() {
                    index.push(constant(
                        Number::Int(i128::from(rest % length.max(&1))),
                        Scalar::INT,
                    ));
                    rest /= length.max(&1);
                }
                index.reverse();
                target.index.extend(index.clone());
                source.index.extend(index);
                let value = match source_kind {
                    ObjectKind::Stream => Expr::Pop(Box::new(source), source_ty),
                    _ => Expr::Read(Box::new(source), source_ty),
                };
                let value = cast(value, ty, place);
                self.out.push(match kind {
                    ObjectKind::Stream => Stmt::Push(target, value),
                    _ => Stmt::Set(target, value),
                });
            }
        }
    }

    fn store_list(&mut self, lvalue: &LValue, items: &[ast::Expr], place: Place) {
        let length = match &lvalue.ty {
            Ty::Array(_, length) | Ty::Vector(_, length) => *length,
            Ty::Struct(structure) => {
                let fields: Vec<String> =
                    structure.fields.iter().map(|field| field.0.clone()).collect();
                for (field, item) in fields.iter().zip(items) {
                    if let Some(member) = lvalue.clone().member(field) {
                        let value = self.operand(item);
                        self.store(Operand::Place(member), value, place);
                    }
                }
                return;
            }
            _ => {
                if let Some(first) = items.first() {
                    let value = self.operand(first);
                    self.store(Operand::Place(lvalue.clone()), value, place);
                }
                return;
            }
        };
        if length > LISTED {
            let reason = format!("a list for {length} elements is not read");
            self.unknown(place, reason);
            return;
        }
        for at in 0..length {
            let index = constant(Number::Int(i128::from(at)), Scalar::INT);
            let element = lvalue.clone().at(index, place);
            let value = match items.get(usize::try_from(at).unwrap_or(usize::MAX)) {
                Some(item) => self.operand(item),
                None if matches!(element.ty, Ty::Scalar(_)) => {
                    Operand::Value(constant(Number::Int(0), Scalar::INT))
                }
                None => Operand::List(Vec::new()),
            };
            self.store(Operand::Place(element), value, place);
        }
    }

    pub(super) fn step(
        &mut self,
        target: &ast::Expr,
        down: bool,
        after: bool,
        place: Place,
    ) -> Operand {
        let target = self.operand(target);
        if let Operand::Place(lvalue) = &target
            && matches!(lvalue.ty, Ty::Pointer(_))
        {
            self.unknown(place, "a pointer is changed while the kernel runs");
            return target;
        }
        let before = self.value_of(target.clone(), place);
        let ty = before.ty();
        let before = if after {
            let temporary = self.temporary(ty, place);
            let access = Access { object: temporary, index: Vec::new(), place };
            self.out.push(Stmt::Set(access.clone(), before));
            Expr::Read(Box::new(access), ty)
        } else {
            before
        };
        let op = if down { BinaryOp::Sub } else { BinaryOp::Add };
        let value = Self::apply(op, before.clone(), constant(Number::Int(1), Scalar::INT), place);
        let stored = self.store(target, Operand::Value(cast(value, ty, place)), place);
        if after { Operand::Value(before) } else { stored }
    }
}

fn is_vector(ty: &Ty) -> bool {
    matches!(ty, Ty::Vector(..))
}
