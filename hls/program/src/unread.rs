//! Local arrays that nothing reads: the tool drops what is stored in them, and the loops that do nothing else.

use crate::ir::{Access, Argument, Expr, Function, Loop, ObjectId, ObjectKind, Stmt};
use crate::walk::any_in;
use std::collections::BTreeSet;

/// Takes out the statements whose results no one can see. A report for a receiver whose transmitter only fills a buffer that is never sent
/// has the cycles of the receiver alone.
pub(crate) fn drop_unread(functions: &mut [Function]) {
    for function in functions {
        let own = function.objects.iter().enumerate();
        let local = own.filter(|(id, object)| {
            let is_seen = function.parameters.contains(id) || function.lent.contains(id);
            object.kind == ObjectKind::Array && !object.is_static && !object.is_pointer && !is_seen
        });
        let mut unread: BTreeSet<ObjectId> = local.map(|(id, _)| id).collect();
        // What only fills an array that is not read is not read either: each pass finds the next of a chain.
        while !unread.is_empty() {
            let mut read = BTreeSet::new();
            find_read(&function.body, &mut read);
            unread.retain(|id| !read.contains(id));
            let mut dropped = Dropped { is_any: false, loops: &mut function.dropped_loops };
            drop_in(&mut function.body, &unread, &mut dropped);
            if !dropped.is_any {
                break;
            }
        }
    }
}

/// The objects whose values statements use, or hand to a function.
fn find_read(body: &[Stmt], read: &mut BTreeSet<ObjectId>) {
    let value = |expr: &Expr, read: &mut BTreeSet<ObjectId>| {
        expr.any(&mut |part| {
            if let Expr::Read(access, _) | Expr::Pop(access, _) = part {
                read.insert(access.object);
            }
            false
        });
    };
    any_in(body, &mut |statement| {
        match statement {
            Stmt::Set(to, set) | Stmt::Push(to, set) => {
                to.index.iter().for_each(|index| value(index, read));
                value(set, read);
            }
            Stmt::Evaluate(expr) | Stmt::If(expr, ..) => value(expr, read),
            Stmt::Loop(item) => {
                let own = [Some(&item.start), item.end.as_ref(), item.next.as_ref()];
                let own = own.into_iter().chain([item.condition.as_ref()]).flatten();
                own.for_each(|expr| value(expr, read));
            }
            Stmt::Call(call) => {
                for argument in &call.arguments {
                    match argument {
                        Argument::Value(expr) => value(expr, read),
                        Argument::Object(access) => {
                            read.insert(access.object);
                            access.index.iter().for_each(|index| value(index, read));
                        }
                    }
                }
            }
            Stmt::Return | Stmt::Break | Stmt::Continue => {}
        }
        false
    });
}

/// What is taken out: whether anything is, and the names of loops.
struct Dropped<'a> {
    is_any: bool,
    loops: &'a mut Vec<String>,
}

/// Takes out the stores to these objects, and the conditions and loops in which nothing is left. A counter keeps its last value.
fn drop_in(body: &mut Vec<Stmt>, unread: &BTreeSet<ObjectId>, dropped: &mut Dropped<'_>) {
    let mut kept = Vec::with_capacity(body.len());
    for mut statement in body.drain(..) {
        let had_some = statement.inner().next().is_some();
        match &mut statement {
            Stmt::Set(to, value) if unread.contains(&to.object) && !takes(value) => {
                dropped.is_any = true;
                continue;
            }
            Stmt::If(test, then, otherwise) => {
                drop_in(then, unread, dropped);
                drop_in(otherwise, unread, dropped);
                if had_some && then.is_empty() && otherwise.is_empty() && !takes(test) {
                    continue;
                }
            }
            Stmt::Loop(item) => {
                drop_in(&mut item.body, unread, dropped);
                if had_some
                    && item.body.is_empty()
                    && let Some(left) = counter_left(item)
                {
                    kept.push(left);
                    dropped.loops.push(item.label.clone());
                    continue;
                }
            }
            _ => {}
        }
        kept.push(statement);
    }
    *body = kept;
}

/// Whether a value takes something from a stream.
fn takes(value: &Expr) -> bool {
    value.any(&mut |part| matches!(part, Expr::Pop(..)))
}

/// What a loop over constant bounds without a body leaves.
fn counter_left(item: &Loop) -> Option<Stmt> {
    let counts = item.condition.is_none() && !item.leaves && item.step.abs() == 1;
    let end = item.end.clone().filter(|end| counts && end.constant().is_some())?;
    let to = Access { object: item.counter?, index: Vec::new(), place: item.place };
    Some(Stmt::Set(to, end))
}
