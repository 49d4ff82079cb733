//! Scalars that each iteration sets before it uses them.

use crate::engine::loops::mention::body_mentions;
use crate::engine::{Activation, Engine};
use derate_program::{Access, ObjectId, Stmt};
use std::collections::BTreeSet;

/// The scalars whose first mention in a body is that they are set, whatever else happens.
pub(super) fn list_fresh(body: &[Stmt]) -> Vec<ObjectId> {
    let mut fresh: Vec<ObjectId> = Vec::new();
    for (at, statement) in body.iter().enumerate() {
        let Stmt::Set(Access { object, index, .. }, value) = statement else { continue };
        let is_first = index.is_empty()
            && !fresh.contains(object)
            && !value.reads(*object)
            && !body_mentions(&body[..at], &BTreeSet::from([*object]));
        if is_first {
            fresh.push(*object);
        }
    }
    fresh
}

impl<'a> Engine<'a> {
    /// What the copy before left in these scalars is not seen: under the condition of this copy they are not one value or the other.
    pub(super) fn begin_fresh(&mut self, fresh: &[ObjectId], run: &Activation<'a>) {
        for object in fresh {
            let Some(Some(bound)) = run.bound.get(*object) else { continue };
            let key = (bound.storage, 0);
            let old = self.env.remove(&key);
            if self.journaling > 0 {
                self.journal.push((key, old));
            }
        }
    }
}
