//! First values of local arrays: the tool keeps those of an array that nothing else writes as a ROM.

use crate::ir::{Expr, Function, Object, ObjectId, ObjectKind, Stmt};
use crate::walk::any_in;
use derate_frontend::DirectiveKind;

/// Takes out the writes of first values to arrays that nothing else in their function writes, and leaves them as tables. A call
/// that gets the array, and a function of which there is only the name, may write it.
pub(crate) fn keep_first_values(functions: &mut [Function]) {
    for function in functions {
        for id in 0..function.objects.len() {
            let object = &function.objects[id];
            let is_local = object.kind == ObjectKind::Array && !object.is_static;
            if !is_local || object.first_values.is_none() || function.lent.contains(&id) {
                continue;
            }
            let mut body = std::mem::take(&mut function.body);
            let is_table = !is_lent(&body, id)
                && !is_bound(function, id)
                && take_first_values(&mut body, id, &function.objects[id]);
            function.body = body;
            let values = function.objects[id].first_values.take();
            if is_table {
                function.objects[id].table = values;
            }
        }
    }
}

/// Whether a call gets the array.
fn is_lent(body: &[Stmt], id: ObjectId) -> bool {
    any_in(body, &mut |one| matches!(one, Stmt::Call(call) if call.gets(id)))
}

/// Whether a directive names its memory: a report of 2020.1 fills such an array at each call, and keeps another one as a ROM.
fn is_bound(function: &Function, id: ObjectId) -> bool {
    let own = function.pragmas.iter().filter(|one| one.objects.contains(&id));
    own.map(|one| &one.kind)
        .any(|kind| matches!(kind, DirectiveKind::BindStorage(_) | DirectiveKind::Resource { .. }))
}

/// Takes out the writes of first values; false, with nothing taken out, where there are other writes.
fn take_first_values(body: &mut Vec<Stmt>, id: ObjectId, object: &Object) -> bool {
    let elements = object.dims.iter().product::<u64>();
    let (mut first, mut others) = (0_u64, false);
    let table = object.filled_from;
    any_in(body, &mut |one| {
        if is_first_value(one, id) {
            first += 1;
        } else if is_copied(one, id, table) {
            first += elements;
        } else {
            others |=
                matches!(one, Stmt::Set(target, _) | Stmt::Push(target, _) if target.object == id);
        }
        false
    });
    // A constant that is written later is one more than there are elements.
    let is_table = first == elements && !others;
    if is_table {
        take_out(body, id, table);
    }
    is_table
}

fn take_out(body: &mut Vec<Stmt>, id: ObjectId, table: Option<ObjectId>) {
    body.retain_mut(|one| {
        match one {
            Stmt::If(_, then, otherwise) => {
                take_out(then, id, table);
                take_out(otherwise, id, table);
            }
            Stmt::Loop(item) if item.body.iter().all(|inner| is_copied(inner, id, table)) => {
                return item.body.is_empty();
            }
            Stmt::Loop(item) => take_out(&mut item.body, id, table),
            _ => {}
        }
        !is_first_value(one, id)
    });
}

/// Whether a statement copies an element of the table that the array is filled from.
fn is_copied(one: &Stmt, id: ObjectId, table: Option<ObjectId>) -> bool {
    matches!(one, Stmt::Set(target, Expr::Read(from, _))
        if target.object == id && table == Some(from.object))
}

/// Whether a statement writes a constant to an element that is known.
fn is_first_value(one: &Stmt, id: ObjectId) -> bool {
    let Stmt::Set(target, value) = one else { return false };
    target.object == id
        && matches!(value, Expr::Constant(..))
        && target.index.iter().all(|index| index.constant().is_some())
}
