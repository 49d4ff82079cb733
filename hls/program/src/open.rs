//! Functions of which not everything is there.

use crate::ir::{Function, Stmt};
use crate::walk::any_in;

/// The names of the functions that call one whose body is not there, directly or not, in order.
pub(crate) fn list_open(functions: &[Function]) -> Vec<String> {
    let mut open: Vec<bool> = functions.iter().map(|one| one.is_incomplete).collect();
    let calls_open = |function: &Function, open: &[bool]| {
        any_in(
            &function.body,
            &mut |stmt| matches!(stmt, Stmt::Call(call) if open.get(call.function) == Some(&true)),
        )
    };
    loop {
        let all = functions.iter().enumerate();
        let more = all.map(|(at, one)| open[at] || calls_open(one, &open)).collect();
        if more == open {
            break;
        }
        open = more;
    }
    let named = functions.iter().zip(open).filter(|(_, is_open)| *is_open);
    named.map(|(function, _)| function.name.clone()).collect()
}
