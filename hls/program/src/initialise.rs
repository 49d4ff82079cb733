//! Tables that a function fills from constants: the tool runs it while it compiles, and builds a ROM (UG1399, *Implementing
//! ROMs*: a function of its own fills the whole array before it is read, from constants and loop counters, and nothing writes
//! it later).

mod coverage;
mod flag;
mod order;

use crate::ir::{Argument, Call, Expr, Function, GLOBAL, Object, ObjectId, ObjectKind, Stmt};
use crate::walk::any_in;
use coverage::fills_all;
use order::FillOrder;

/// Takes out calls that only fill local arrays from constants, and flags that say that it is done; the arrays are kept as tables.
pub(crate) fn fold_initialisers(functions: &mut [Function]) {
    let mut search = Search { functions, constant: vec![None; functions.len()] };
    let fills: Vec<bool> = (0..functions.len()).map(|one| search.is_fill(one)).collect();
    if !fills.contains(&true) {
        return;
    }
    let tables: Vec<_> = functions.iter().map(|one| list_tables(one, functions, &fills)).collect();
    for (function, tables) in functions.iter_mut().zip(tables) {
        if tables.is_empty() {
            continue;
        }
        take_out(&mut function.body, &fills, &tables);
        for table in tables {
            function.objects[table].is_static = true;
        }
    }
}

struct Search<'a> {
    functions: &'a [Function],
    /// Which functions are constant work, as far as asked; one that is still being asked calls itself and is none.
    constant: Vec<Option<bool>>,
}

impl Search<'_> {
    /// Whether a function does nothing but fill its parameters that are arrays, from constants and its numbers.
    fn is_fill(&mut self, function: usize) -> bool {
        let one = &self.functions[function];
        let is_array = |id: &ObjectId| one.objects[*id].kind == ObjectKind::Array;
        let mut parameters = one.parameters.iter().zip(&one.by_value);
        one.parameters.iter().any(is_array)
            && parameters.all(|(id, by_value)| *by_value || is_array(id))
            && one.body.iter().any(|stmt| matches!(stmt, Stmt::Loop(_)))
            && self.is_constant_function(function)
    }

    fn is_constant_function(&mut self, function: usize) -> bool {
        if let Some(known) = self.constant[function] {
            return known;
        }
        self.constant[function] = Some(false);
        let one = &self.functions[function];
        let found = self.is_constant_work(one, &one.body);
        self.constant[function] = Some(found);
        found
    }

    /// Whether statements take nothing but constants, and write scalars and parameters.
    fn is_constant_work(&mut self, function: &Function, body: &[Stmt]) -> bool {
        let is_known = |expr: &Expr| depends_on_scalars(function, expr);
        let is_scalar =
            |id: ObjectId| id < GLOBAL && function.objects[id].kind == ObjectKind::Scalar;
        body.iter().all(|statement| match statement {
            Stmt::Set(target, value) => {
                let is_own =
                    is_scalar(target.object) || function.parameters.contains(&target.object);
                is_own && target.index.iter().all(is_known) && is_known(value)
            }
            Stmt::If(test, then, otherwise) => {
                is_known(test)
                    && self.is_constant_work(function, then)
                    && self.is_constant_work(function, otherwise)
            }
            Stmt::Loop(item) => {
                item.end.as_ref().is_some_and(is_known)
                    && self.is_constant_work(function, &item.body)
            }
            Stmt::Call(call) => {
                let is_value = |argument: &Argument| match argument {
                    Argument::Value(value) => is_known(value),
                    Argument::Object(access) => is_scalar(access.object),
                };
                call.arguments.iter().all(is_value)
                    && self.functions[call.function].by_value.iter().all(|by_value| *by_value)
                    && self.is_constant_function(call.function)
            }
            Stmt::Return => true,
            Stmt::Push(..) | Stmt::Evaluate(_) | Stmt::Break | Stmt::Continue => false,
        })
    }
}

/// Whether a value is computed from constants and scalars of the function that live as long as a call.
fn depends_on_scalars(function: &Function, expr: &Expr) -> bool {
    !expr.any(&mut |part| match part {
        Expr::Read(access, _) => {
            let own = function.objects.get(access.object).filter(|_| access.object < GLOBAL);
            !own.is_some_and(|one| one.kind == ObjectKind::Scalar && !one.is_static)
        }
        Expr::Pop(..) | Expr::Unknown(_) => true,
        _ => false,
    })
}

/// What a call fills: all its numbers are constants.
fn filled<'a>(call: &'a Call, fills: &[bool]) -> impl Iterator<Item = ObjectId> + 'a {
    let is_known = |one: &Argument| match one {
        Argument::Value(value) => matches!(value, Expr::Constant(..)),
        Argument::Object(_) => true,
    };
    let is_fill = fills[call.function] && call.arguments.iter().all(is_known);
    call.arguments.iter().filter(move |_| is_fill).filter_map(|argument| match argument {
        Argument::Object(access) if access.index.is_empty() => Some(access.object),
        _ => None,
    })
}

/// The arrays that are filled once, wholly, whatever data say, and before they are read.
fn list_tables(function: &Function, functions: &[Function], fills: &[bool]) -> Vec<ObjectId> {
    let mut calls = Vec::new();
    list_fills(&function.body, fills, &mut calls);
    let mut tables: Vec<ObjectId> = calls.iter().flat_map(|call| filled(call, fills)).collect();
    tables.sort_unstable();
    tables.dedup();
    tables.retain(|table| {
        let of_table = |call: &&&Call| filled(call, fills).any(|one| one == *table);
        let mut own = calls.iter().filter(of_table);
        let Some(first) = own.next() else { return false };
        let is_known = |object: &Object| {
            object.initial.is_some() || object.first_values.is_some() || object.table.is_some()
        };
        *table < GLOBAL
            && !function.parameters.contains(table)
            && !function.lent.contains(table)
            && !is_known(&function.objects[*table])
            && own.all(|other| is_same(first, other))
            && fills_all(&functions[first.function], first, *table, &function.objects[*table].dims)
            && !is_written(&function.body, *table, fills)
            && FillOrder { function, table: *table, fills }.find(&function.body, false)
                == Some(true)
    });
    // A call stays where it fills another array that is no table.
    loop {
        let before = tables.clone();
        tables.retain(|table| {
            calls.iter().all(|call| {
                filled(call, fills).all(|one| one != *table)
                    || filled(call, fills).all(|one| before.contains(&one))
            })
        });
        if tables.len() == before.len() {
            return tables;
        }
    }
}

fn list_fills<'a>(body: &'a [Stmt], fills: &[bool], calls: &mut Vec<&'a Call>) {
    for statement in body {
        match statement {
            Stmt::Call(call) if filled(call, fills).next().is_some() => calls.push(call),
            Stmt::If(_, then, otherwise) => {
                list_fills(then, fills, calls);
                list_fills(otherwise, fills, calls);
            }
            Stmt::Loop(item) => list_fills(&item.body, fills, calls),
            _ => {}
        }
    }
}

/// Whether two calls give one function the same numbers and arrays.
fn is_same(one: &Call, other: &Call) -> bool {
    let mut pairs = one.arguments.iter().zip(&other.arguments);
    one.function == other.function
        && pairs.all(|pair| match pair {
            (Argument::Value(Expr::Constant(one, ty)), Argument::Value(Expr::Constant(by, to))) => {
                one == by && ty == to
            }
            (Argument::Object(one), Argument::Object(other)) => one.object == other.object,
            _ => false,
        })
}

/// Whether anything else than a function that fills it may write an object.
fn is_written(body: &[Stmt], object: ObjectId, fills: &[bool]) -> bool {
    any_in(body, &mut |statement| match statement {
        Stmt::Set(target, _) | Stmt::Push(target, _) => target.object == object,
        Stmt::Call(call) => call.gets(object) && !filled(call, fills).any(|one| one == object),
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
        Stmt::Loop(item) => {
            take_out(&mut item.body, fills, tables);
            true
        }
        Stmt::If(test, then, otherwise) => {
            let before = then.len();
            take_out(then, fills, tables);
            take_out(otherwise, fills, tables);
            let is_flag =
                |one: &Stmt| matches!(one, Stmt::Set(target, _) if test.reads(target.object));
            then.len() == before || !otherwise.is_empty() || !then.iter().all(is_flag)
        }
        _ => true,
    });
}
