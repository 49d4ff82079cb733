//! What a kernel waits for.

use derate_advice::{Advice, Change};
use derate_kernel::HeldBy;

use crate::ModelledKernel;

impl ModelledKernel {
    /// Whether a loop makes several accesses to a port in each iteration: what the tool does with them is not certain.
    pub fn is_held_by(&self, port: &str) -> bool {
        let mut loops = self.answer.loops.iter();
        loops.any(|one| matches!(&one.held_by, Some(HeldBy::Memory { array, .. }) if array == port))
    }

    /// Whether most of the time is that of a recurrence which takes the elements of a port, one in each of its intervals: how far
    /// its operations are done in one cycle once there are more of them in an iteration is not certain.
    pub fn waits_for_sum(&self, advice: &Advice) -> bool {
        let Change::Widen { beats, .. } = &advice.change else { return false };
        let is_most = |ii: u64| beats.0 * ii as f64 > advice.before / 2.0;
        self.answer.loops.iter().any(|one| {
            matches!(one.held_by, Some(HeldBy::Recurrence { .. }))
                && one.ii.is_some_and(|ii| ii > 1 && is_most(ii))
        })
    }
}
