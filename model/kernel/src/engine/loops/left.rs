//! What a loop leaves to the statements around it, and to the caller of its function.

use crate::engine::{Activation, Engine};
use crate::graph::{NodeId, Op};
use derate_program::{GLOBAL, Loop, ObjectId, assigned_objects, is_read_after};
use std::collections::BTreeSet;

impl<'a> Engine<'a> {
    /// Keeps what the last iteration leaves, where something behind the loop reads it: what computes it is not left out.
    pub(super) fn keep_left(&mut self, item: &Loop, run: &Activation<'a>) {
        let mut objects = BTreeSet::new();
        assigned_objects(&item.body, &mut objects);
        for object in objects {
            let storage = match object.checked_sub(GLOBAL) {
                Some(global) => self.global_storages.get(&global).copied(),
                None => run.bound[object].as_ref().map(|bound| bound.storage),
            };
            let Some(storage) = storage.filter(|storage| self.is_register(*storage)) else {
                continue;
            };
            let computed = |node: &NodeId| {
                let op = self.graph.node(*node).op;
                !matches!(op, Op::Input | Op::Carried | Op::Counter) && !self.kept.contains(node)
            };
            let values = self.known_elements(storage).into_iter();
            let left: Vec<NodeId> =
                values.filter_map(|(_, value)| value.node()).filter(computed).collect();
            let is_read = || {
                self.storages[storage].is_static
                    || is_callers(object, run)
                    || is_read_after(&run.function.body, item, object)
            };
            if !left.is_empty() && is_read() {
                self.kept.extend(left);
            }
        }
    }
}

/// Whether the caller of the function gets what an object holds at its end.
fn is_callers(object: ObjectId, run: &Activation<'_>) -> bool {
    let parameters = run.function.parameters.iter().zip(&run.function.by_value);
    let mut changed = parameters.filter(|(_, by_value)| !**by_value);
    run.function.result == Some(object) || changed.any(|(parameter, _)| *parameter == object)
}
