//! Tables that a function fills from constants: the tool runs it while it compiles, and builds a ROM (UG1399, *Initializing and
//! Resetting Arrays*, has the values of such a function in memory files).

use crate::ir::{Argument, Call, Expr, Function, GLOBAL, ObjectId, ObjectKind, Stmt};

/// Takes out calls that only fill local arrays from constants, and flags that say that it is done; the arrays are kept as tables.
pub(crate) fn fold_initialisers(functions: &mut [Function]) {
    let fills: Vec<bool> = functions.iter().map(|one| is_fill(functions, one)).collect();
    if !fills.contains(&true) {
        return;
    }
    for function in functions {
        let mut body = std::mem::take(&mut function.body);
        let mut tables = Vec::new();
        collect_tables(&body, &fills, &mut tables);
        tables.retain(|table| {
            let is_local = *table < GLOBAL && !function.parameters.contains(table);
            is_local && !is_written(&body, *table, &fills)
        });
        take_out(&mut body, &fills, &tables);
        function.body = body;
        for table in tables {
            function.objects[table].is_static = true;
        }
    }
}

/// Whether a function does nothing but fill its parameters, which are arrays, from constants.
fn is_fill(functions: &[Function], function: &Function) -> bool {
    let is_array = |id: &ObjectId| function.objects[*id].kind == ObjectKind::Array;
    !function.parameters.is_empty()
        && function.parameters.iter().all(is_array)
        && function.body.iter().any(|one| matches!(one, Stmt::Loop(_)))
        && is_constant_work(functions, function, &function.body, 0)
}

/// Whether statements take nothing but constants, and write scalars and parameters.
fn is_constant_work(
    functions: &[Function],
    function: &Function,
    body: &[Stmt],
    depth: usize,
) -> bool {
    let is_known = |expr: &Expr| depends_on_scalars(function, expr);
    let is_scalar = |id: ObjectId| id < GLOBAL && function.objects[id].kind == ObjectKind::Scalar;
    depth < 20
        && body.iter().all(|statement| match statement {
            Stmt::Set(target, value) => {
                let is_own =
                    is_scalar(target.object) || function.parameters.contains(&target.object);
                is_own && target.index.iter().all(is_known) && is_known(value)
            }
            Stmt::If(test, then, otherwise) => {
                is_known(test)
                    && is_constant_work(functions, function, then, depth + 1)
                    && is_constant_work(functions, function, otherwise, depth + 1)
            }
            Stmt::Loop(item) => {
                item.end.as_ref().and_then(Expr::constant).is_some()
                    && is_constant_work(functions, function, &item.body, depth + 1)
            }
            Stmt::Call(call) => {
                let callee = &functions[call.function];
                let is_value = |argument: &Argument| match argument {
                    Argument::Value(value) => is_known(value),
                    Argument::Object(access) => is_scalar(access.object),
                };
                call.arguments.iter().all(is_value)
                    && callee.by_value.iter().all(|by_value| *by_value)
                    && is_constant_work(functions, callee, &callee.body, depth + 1)
            }
            Stmt::Return => true,
            Stmt::Push(..) | Stmt::Evaluate(_) | Stmt::Break | Stmt::Continue => false,
        })
}

fn depends_on_scalars(function: &Function, expr: &Expr) -> bool {
    match expr {
        Expr::Constant(..) => true,
        Expr::Read(access, _) => {
            let own = access.object.checked_sub(GLOBAL).is_none();
            own && function.objects[access.object].kind == ObjectKind::Scalar
                && !function.objects[access.object].is_static
        }
        Expr::Pop(..) | Expr::Unknown(_) => false,
        Expr::Unary(_, inner, ..) | Expr::Cast(inner, ..) => depends_on_scalars(function, inner),
        Expr::Binary(_, left, right, ..) => {
            depends_on_scalars(function, left) && depends_on_scalars(function, right)
        }
        Expr::Select(test, yes, no, ..) => {
            [test, yes, no].into_iter().all(|part| depends_on_scalars(function, part))
        }
        Expr::Math(_, inputs, ..) => inputs.iter().all(|one| depends_on_scalars(function, one)),
    }
}

fn filled<'a>(call: &'a Call, fills: &[bool]) -> impl Iterator<Item = ObjectId> + 'a {
    let is_fill = fills[call.function];
    call.arguments.iter().filter(move |_| is_fill).filter_map(|argument| match argument {
        Argument::Object(access) if access.index.is_empty() => Some(access.object),
        _ => None,
    })
}

fn collect_tables(body: &[Stmt], fills: &[bool], tables: &mut Vec<ObjectId>) {
    for statement in body {
        match statement {
            Stmt::Call(call) => tables.extend(filled(call, fills)),
            Stmt::If(_, then, otherwise) => {
                collect_tables(then, fills, tables);
                collect_tables(otherwise, fills, tables);
            }
            _ => {}
        }
    }
}

/// Whether anything else than a function that fills it may write an object.
fn is_written(body: &[Stmt], object: ObjectId, fills: &[bool]) -> bool {
    body.iter().any(|statement| match statement {
        Stmt::Set(target, _) | Stmt::Push(target, _) => target.object == object,
        Stmt::If(_, then, otherwise) => {
            is_written(then, object, fills) || is_written(otherwise, object, fills)
        }
        Stmt::Loop(item) => is_written(&item.body, object, fills),
        Stmt::Call(call) => {
            let is_passed = |argument: &Argument| {
                matches!(argument, Argument::Object(access) if access.object == object)
            };
            !fills[call.function] && call.arguments.iter().any(is_passed)
        }
        _ => false,
    })
}

/// Takes out the calls that fill tables; of a condition that is left with its flag alone, all of it.
fn take_out(body: &mut Vec<Stmt>, fills: &[bool], tables: &[ObjectId]) {
    body.retain_mut(|statement| match statement {
        Stmt::Call(call) => {
            let mut all = filled(call, fills).peekable();
            all.peek().is_none() || !all.all(|table| tables.contains(&table))
        }
        Stmt::If(test, then, otherwise) => {
            let before = then.len();
            take_out(then, fills, tables);
            take_out(otherwise, fills, tables);
            let is_flag =
                |one: &Stmt| matches!(one, Stmt::Set(target, _) if reads(test, target.object));
            then.len() == before || !otherwise.is_empty() || !then.iter().all(is_flag)
        }
        _ => true,
    });
}

fn reads(expr: &Expr, object: ObjectId) -> bool {
    match expr {
        Expr::Read(access, _) => access.object == object,
        Expr::Unary(_, inner, ..) | Expr::Cast(inner, ..) => reads(inner, object),
        Expr::Binary(_, left, right, ..) => reads(left, object) || reads(right, object),
        _ => false,
    }
}
