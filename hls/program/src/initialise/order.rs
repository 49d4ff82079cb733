//! Whether an array is filled before it is read.

use super::filled;
use super::flag::runs_once;
use crate::ir::{Argument, Expr, Function, ObjectId, Stmt};
use crate::walk::any_in;

/// Walks through a function to see that a table is filled before it is read, whatever data say.
pub(super) struct FillOrder<'a> {
    pub(super) function: &'a Function,
    pub(super) table: ObjectId,
    pub(super) fills: &'a [bool],
}

impl FillOrder<'_> {
    /// Whether the table is filled after statements; `None` where it may be read before, or where data decide whether it is filled.
    pub(super) fn find(&self, body: &[Stmt], mut is_filled: bool) -> Option<bool> {
        for statement in body {
            let is_fill = |one: &Stmt| {
                matches!(one, Stmt::Call(call)
                    if filled(call, self.fills).any(|table| table == self.table))
            };
            let reads = |expr: &Expr| expr.reads(self.table);
            let is_read = match statement {
                Stmt::Set(target, value) | Stmt::Push(target, value) => {
                    reads(value) || target.index.iter().any(reads)
                }
                Stmt::Evaluate(value) => reads(value),
                Stmt::If(test, ..) => reads(test),
                Stmt::Loop(item) => {
                    let inner = [Some(&item.start), item.end.as_ref(), item.next.as_ref()];
                    inner.into_iter().flatten().chain(&item.condition).any(reads)
                }
                Stmt::Call(call) => call.arguments.iter().any(|argument| match argument {
                    Argument::Value(value) => reads(value),
                    Argument::Object(access) => access.index.iter().any(reads),
                }),
                Stmt::Return | Stmt::Break | Stmt::Continue => false,
            };
            if is_read && !is_filled {
                return None;
            }
            match statement {
                Stmt::If(test, then, otherwise) => {
                    let is_once = runs_once(self.function, test, (then, otherwise));
                    let in_way = any_in(then, &mut |one| is_fill(one))
                        || any_in(otherwise, &mut |one| is_fill(one));
                    if in_way && !is_once {
                        return None;
                    }
                    let after = self.find(then, is_filled)?;
                    self.find(otherwise, is_filled)?;
                    is_filled |= is_once && after;
                }
                Stmt::Loop(item) => is_filled = self.find(&item.body, is_filled)?,
                // What is passed over would be filled where data say so.
                Stmt::Break | Stmt::Continue | Stmt::Return if !is_filled => return None,
                one => is_filled |= is_fill(one),
            }
        }
        Some(is_filled)
    }
}
