//! Scalars that each iteration sets before it uses them.

use crate::engine::{Activation, Engine};
use derate_program::ObjectId;

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
