//! Pointers that go on by some elements while the kernel runs: `p += width`.

use super::Reader;
use super::arithmetic::cast;
use super::meaning::{LValue, Ty};
use super::slot::constant;
use crate::ir::{Access, Expr, Number, ObjectId, Place, Scalar, Stmt};
use derate_syntax::ast::{self, BinaryOp, ExprKind, StmtKind};
use std::collections::BTreeSet;

/// What is known of a function's pointers that go on.
#[derive(Debug, Default)]
pub(super) struct MovedPointers {
    names: BTreeSet<String>,
    /// The scalars that hold by how many elements.
    offsets: BTreeSet<ObjectId>,
}

impl MovedPointers {
    pub(super) fn of(body: &[ast::Stmt]) -> Self {
        let mut moved = Self::default();
        for statement in body {
            list_moved(statement, 0, &mut moved.names);
        }
        moved
    }
}

impl Reader {
    /// A pointer that is declared: where the function moves it, a scalar holds its place.
    pub(super) fn declare_pointer(&mut self, name: &str, lvalue: LValue, place: Place) -> LValue {
        let mut lvalue = self.keep_place(lvalue, place);
        if matches!(lvalue.ty, Ty::Pointer(_)) && self.moved.names.contains(name) {
            let zero = constant(Number::Int(0), Scalar::INT);
            let first = cast(lvalue.offset.take().unwrap_or(zero), Scalar::INT, place);
            let access = self.keep_number(first, place);
            self.moved.offsets.insert(access.object);
            lvalue.offset = Some(Expr::Read(Box::new(access), Scalar::INT));
        }
        lvalue
    }

    /// What a reference names: a pointer itself, which goes on under each of its names, or a place that stays.
    pub(super) fn refer(&mut self, name: &str, lvalue: LValue, place: Place) -> LValue {
        if !matches!(lvalue.ty, Ty::Pointer(_)) {
            return self.keep_place(lvalue, place);
        }
        if self.moved.names.contains(name) && self.moved_by(&lvalue).is_none() {
            self.unknown(place, "a pointer is changed through a reference");
        }
        lvalue
    }

    /// A place as it is now: what moves a pointer later does not move it.
    fn keep_place(&mut self, mut lvalue: LValue, place: Place) -> LValue {
        for part in lvalue.index.iter_mut().chain(&mut lvalue.offset) {
            if part.any(&mut |one| self.is_moved(one)) {
                let ty = part.ty();
                let access = self.keep_number(part.clone(), place);
                *part = Expr::Read(Box::new(access), ty);
            }
        }
        lvalue
    }

    /// A scalar of its own that holds a number.
    fn keep_number(&mut self, value: Expr, place: Place) -> Access {
        let object = self.temporary(value.ty(), place);
        let access = Access { object, index: Vec::new(), place };
        self.out.push(Stmt::Set(access.clone(), value));
        access
    }

    fn is_moved(&self, part: &Expr) -> bool {
        matches!(part, Expr::Read(access, _) if self.moved.offsets.contains(&access.object))
    }

    /// The scalar that holds a pointer's place, if the function moves it.
    fn moved_by(&self, pointer: &LValue) -> Option<(Access, Scalar)> {
        match pointer.offset.as_ref().filter(|offset| self.is_moved(offset))? {
            Expr::Read(access, ty) => Some(((**access).clone(), *ty)),
            _ => None,
        }
    }

    /// Moves a pointer by a number of elements.
    pub(super) fn move_pointer(&mut self, pointer: &LValue, op: BinaryOp, by: Expr, place: Place) {
        if let Some((access, ty)) = self.moved_by(pointer)
            && matches!(op, BinaryOp::Add | BinaryOp::Sub)
        {
            let offset = Expr::Read(Box::new(access.clone()), ty);
            let value = cast(Self::apply(op, offset, by, place), ty, place);
            self.out.push(Stmt::Set(access, value));
        } else {
            self.unknown(place, "a pointer is changed while the kernel runs");
        }
    }
}

/// Statements deeper than this are not looked at: they are not read either.
const DEEPEST: usize = 300;

/// The names that are set by `+=` or `-=`.
fn list_moved(statement: &ast::Stmt, depth: usize, names: &mut BTreeSet<String>) {
    if depth > DEEPEST {
        return;
    }
    let mut add = |expr: &ast::Expr| {
        if let ExprKind::Assign(Some(BinaryOp::Add | BinaryOp::Sub), target, _) = &expr.kind
            && let ExprKind::Name(path) = &target.kind
            && let [piece] = path.pieces.as_slice()
        {
            names.insert(piece.name.clone());
        }
    };
    let mut inner: Vec<&ast::Stmt> = Vec::new();
    match &statement.kind {
        StmtKind::Expr(expr) => add(expr),
        StmtKind::Block(block) => inner.extend(block),
        StmtKind::If { then, otherwise, .. } => {
            inner.push(then);
            inner.extend(otherwise.as_deref());
        }
        StmtKind::For { step, body, .. } => {
            step.iter().for_each(&mut add);
            inner.push(body);
        }
        StmtKind::While { body, .. } => inner.push(body),
        StmtKind::Switch { cases, .. } => inner.extend(cases.iter().flat_map(|case| &case.body)),
        _ => {}
    }
    for one in inner {
        list_moved(one, depth + 1, names);
    }
}
