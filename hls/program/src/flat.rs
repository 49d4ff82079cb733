//! Whether all loops in statements can be unrolled.

use crate::ir::{ObjectId, Program, Stmt};
use crate::trips::{Numbers, constant_trips, find_passed, find_whole, known_trips, last_count};

/// With more statements in all copies a pipeline is not made.
const MOST: u64 = 200_000;
/// Loops and calls in one another are not followed deeper.
const DEPTH: usize = 20;

/// Whether every loop has a known number of iterations, and their copies are not too many.
#[must_use]
pub fn can_unroll_all(program: &Program, body: &[Stmt], of: Numbers<'_>) -> bool {
    let mut copies = Copies { program, seen: 0 };
    copies.count(body, of, 0).is_some_and(|size| size <= MOST)
}

struct Copies<'a> {
    program: &'a Program,
    /// Statements that were looked at.
    seen: u64,
}

impl Copies<'_> {
    /// The statements with all copies; `None` where a loop has no known number of them, or where too many are seen.
    fn count(&mut self, body: &[Stmt], of: Numbers<'_>, depth: usize) -> Option<u64> {
        if depth > DEPTH {
            return None;
        }
        let mut size = 0_u64;
        let mut set = None;
        for statement in body {
            // The first value of a counter is set just before its loop.
            let before = std::mem::replace(&mut set, find_set(statement, of));
            let of = &|object| match before.filter(|(counter, _)| *counter == object) {
                Some((_, first)) => Some(first),
                None => of(object),
            };
            self.seen += 1;
            if self.seen > MOST {
                return None;
            }
            size = size.saturating_add(match statement {
                Stmt::Loop(inner) => {
                    let trips = constant_trips(inner).or_else(|| known_trips(inner, of))?;
                    // Each copy knows its counter, as a bound in it may ask: the last one is for all.
                    let last = last_count(inner, trips, of);
                    let inside = |object| match last.filter(|_| inner.counter == Some(object)) {
                        Some(last) => Some(last),
                        None => of(object),
                    };
                    self.count(&inner.body, &inside, depth + 1)?.max(1).saturating_mul(trips)
                }
                Stmt::If(_, then, otherwise) => {
                    let then = self.count(then, of, depth)?;
                    then.saturating_add(self.count(otherwise, of, depth)?)
                }
                Stmt::Call(call) => {
                    let callee = &self.program.functions[call.function];
                    let passed = find_passed(callee, call, of);
                    self.count(&callee.body, &|object| passed.get(&object).copied(), depth + 1)?
                }
                _ => 1,
            });
        }
        Some(size)
    }
}

/// The scalar that a statement sets to a known number.
fn find_set(statement: &Stmt, of: Numbers<'_>) -> Option<(ObjectId, i128)> {
    let Stmt::Set(target, value) = statement else { return None };
    target.index.is_empty().then(|| find_whole(value, of)).flatten().map(|one| (target.object, one))
}
