//! Which arguments of a kernel are read, and which are written.

use std::collections::BTreeMap;

use derate_kernel::Program;
use derate_kernel::ir::{Access, Argument, Expr, Loop, ObjectId, Stmt};

/// What a function does with an object.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct ObjectUse {
    pub(crate) is_read: bool,
    pub(crate) is_written: bool,
}

type ObjectUses = BTreeMap<ObjectId, ObjectUse>;

/// What the top function and those that it calls do with its objects.
pub(crate) fn find_object_uses(program: &Program) -> ObjectUses {
    let mut walk = Walk { program, known: vec![None; program.functions.len()] };
    walk.function(0)
}

struct Walk<'a> {
    program: &'a Program,
    /// By function; empty while it is walked through, so that a function that calls itself ends.
    known: Vec<Option<ObjectUses>>,
}

impl Walk<'_> {
    fn function(&mut self, at: usize) -> ObjectUses {
        if let Some(known) = self.known.get(at).cloned().flatten() {
            return known;
        }
        let Some(function) = self.program.functions.get(at) else { return ObjectUses::new() };
        self.known[at] = Some(ObjectUses::new());
        let mut found = ObjectUses::new();
        self.block(&function.body, &mut found);
        self.known[at] = Some(found.clone());
        found
    }

    fn block(&mut self, body: &[Stmt], found: &mut ObjectUses) {
        for stmt in body {
            match stmt {
                Stmt::Set(access, value) | Stmt::Push(access, value) => {
                    write(access, found);
                    read(value, found);
                }
                Stmt::Evaluate(value) => read(value, found),
                Stmt::If(test, then, otherwise) => {
                    read(test, found);
                    self.block(then, found);
                    self.block(otherwise, found);
                }
                Stmt::Loop(item) => {
                    let Loop { start, end, next, condition, body, .. } = item.as_ref();
                    let all = [Some(start), end.as_ref(), next.as_ref(), condition.as_ref()];
                    all.into_iter().flatten().for_each(|value| read(value, found));
                    self.block(body, found);
                }
                Stmt::Call(call) => {
                    let inner = self.function(call.function);
                    let callee = self.program.functions.get(call.function);
                    let parameters = callee.map_or(&[][..], |one| one.parameters.as_slice());
                    for (argument, parameter) in call.arguments.iter().zip(parameters) {
                        match argument {
                            Argument::Value(value) => read(value, found),
                            Argument::Object(access) => {
                                let used = inner.get(parameter).copied().unwrap_or_default();
                                join(found.entry(access.object).or_default(), used);
                                access.index.iter().for_each(|value| read(value, found));
                            }
                        }
                    }
                }
                Stmt::Return | Stmt::Break | Stmt::Continue => {}
            }
        }
    }
}

fn join(known: &mut ObjectUse, other: ObjectUse) {
    known.is_read |= other.is_read;
    known.is_written |= other.is_written;
}

fn write(access: &Access, found: &mut ObjectUses) {
    found.entry(access.object).or_default().is_written = true;
    access.index.iter().for_each(|value| read(value, found));
}

fn read(value: &Expr, found: &mut ObjectUses) {
    match value {
        Expr::Constant(..) | Expr::Unknown(_) => {}
        Expr::Read(access, _) | Expr::Pop(access, _) => {
            found.entry(access.object).or_default().is_read = true;
            access.index.iter().for_each(|value| read(value, found));
        }
        Expr::Unary(_, one, ..) | Expr::Cast(one, ..) => read(one, found),
        Expr::Binary(_, left, right, ..) => {
            read(left, found);
            read(right, found);
        }
        Expr::Select(test, then, otherwise, ..) => {
            for value in [test, then, otherwise] {
                read(value, found);
            }
        }
        Expr::Math(_, values, ..) => values.iter().for_each(|value| read(value, found)),
    }
}
