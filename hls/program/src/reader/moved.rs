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
    pub(super) fn declare_pointer(
        &mut self,
        name: &str,
        mut lvalue: LValue,
        place: Place,
    ) -> LValue {
        if matches!(lvalue.ty, Ty::Pointer(_)) && self.moved.names.contains(name) {
            let access =
                Access { object: self.temporary(Scalar::INT, place), index: Vec::new(), place };
            let zero = constant(Number::Int(0), Scalar::INT);
            let first = cast(lvalue.offset.take().unwrap_or(zero), Scalar::INT, place);
            self.moved.offsets.insert(access.object);
            self.out.push(Stmt::Set(access.clone(), first));
            lvalue.offset = Some(Expr::Read(Box::new(access), Scalar::INT));
        }
        lvalue
    }

    /// Moves a pointer by a number of elements.
    pub(super) fn move_pointer(&mut self, pointer: &LValue, op: BinaryOp, by: Expr, place: Place) {
        if let Some(offset @ Expr::Read(access, ty)) = &pointer.offset
            && self.moved.offsets.contains(&access.object)
            && matches!(op, BinaryOp::Add | BinaryOp::Sub)
        {
            let value = cast(Self::apply(op, offset.clone(), by, place), *ty, place);
            self.out.push(Stmt::Set((**access).clone(), value));
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
