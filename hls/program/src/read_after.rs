//! Whether what a loop leaves is read.

use crate::ir::{Loop, ObjectId, Stmt};

/// Whether something behind a loop of these statements reads what the loop leaves in an object, or hands the object to a function.
/// In a loop around it everything is behind it, and what is set anew before it is read is another value.
#[must_use]
pub fn is_read_after(body: &[Stmt], item: &Loop, object: ObjectId) -> bool {
    let mut search = Search { number: item.number, object, leaves: false };
    search.read_behind(body) == Some(Use::Read)
}

/// What is done first with the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Use {
    Read,
    /// Another value is set, or the function ends.
    Over,
    /// On some way, neither.
    None,
}

struct Search {
    number: usize,
    object: ObjectId,
    /// Whether the loop around may be left, or its iteration ended, before what follows.
    leaves: bool,
}

impl Search {
    /// What is done with the value behind the loop, which may be in these statements.
    fn read_behind(&mut self, body: &[Stmt]) -> Option<Use> {
        body.iter().enumerate().find_map(|(at, statement)| {
            let inside = match statement {
                Stmt::Loop(other) if other.number == self.number => Use::None,
                Stmt::Loop(other) => {
                    let around = std::mem::take(&mut self.leaves);
                    let found = self.read_behind(&other.body);
                    let found = found.map(|found| match found {
                        Use::None if self.reads(statement) => Use::Read,
                        Use::None if self.first_use(&other.body) == Use::Read => Use::Read,
                        found => found,
                    });
                    self.leaves = around;
                    found?
                }
                Stmt::If(_, then, otherwise) => {
                    self.read_behind(then).or_else(|| self.read_behind(otherwise))?
                }
                _ => return None,
            };
            Some(if inside == Use::None { self.first_use(&body[at + 1..]) } else { inside })
        })
    }

    fn first_use(&mut self, body: &[Stmt]) -> Use {
        for statement in body {
            let own = match statement {
                Stmt::Loop(other) if other.number == self.number => Use::None,
                _ if self.reads(statement) => Use::Read,
                Stmt::Set(target, _) if target.object == self.object && target.index.is_empty() => {
                    Use::Over
                }
                Stmt::Call(call) if call.gets(self.object) => Use::Read,
                Stmt::Call(call) if call.result == Some(self.object) => Use::Over,
                Stmt::If(_, then, otherwise) => {
                    match (self.first_use(then), self.first_use(otherwise)) {
                        (Use::Read, _) | (_, Use::Read) => Use::Read,
                        (Use::Over, Use::Over) => Use::Over,
                        _ => Use::None,
                    }
                }
                // It may have no iteration.
                Stmt::Loop(other) => {
                    let around = std::mem::take(&mut self.leaves);
                    let found = self.first_use(&other.body);
                    self.leaves = around;
                    if found == Use::Read { found } else { Use::None }
                }
                Stmt::Return => Use::Over,
                Stmt::Break | Stmt::Continue => {
                    self.leaves = true;
                    Use::None
                }
                _ => Use::None,
            };
            match own {
                Use::Over if self.leaves => {}
                Use::None => {}
                found => return found,
            }
        }
        Use::None
    }

    fn reads(&self, statement: &Stmt) -> bool {
        statement.any_value(&mut |part| part.is_read_of(self.object))
    }
}
