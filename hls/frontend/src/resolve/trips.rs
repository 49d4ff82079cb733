//! The trip counts of loops.

use super::Resolver;
use super::frame::{Frame, Progress, Spot};
use super::trail::Trail;
use crate::header::{Comparison, Function};
use crate::linear::{Linear, overflow_reason};
use crate::{Reason, Settled};
use std::collections::BTreeMap;
use std::rc::Rc;

impl Frame<'_, '_> {
    /// How a loop's variable runs. Worked out once.
    pub(super) fn progress_of(&self, at: usize, trail: &Rc<Trail>) -> Settled<Progress> {
        if let Some(known) = self.progress.borrow().get(&at) {
            return known.clone();
        }
        let result = trail.run_deeper(4, || self.work_out(at, trail));
        self.progress.borrow_mut().insert(at, result.clone());
        result
    }

    fn work_out(&self, at: usize, trail: &Rc<Trail>) -> Settled<Progress> {
        let lost = || Reason::from("a loop around it counts in a way that is not understood");
        let one = self.function.loops.get(at).ok_or_else(lost)?;
        let (Some(name), Some(start), Some(bound), Some(step), Some(comparison)) =
            (&one.variable, &one.start, &one.bound, &one.step, one.comparison)
        else {
            return Err(lost());
        };
        if one.exits {
            return Err(format!("the loop over `{name}` may be left early").into());
        }
        if self.is_obscure(one.body) {
            return Err(format!("the loop over `{name}` holds what could not be read").into());
        }
        if self.is_set(name, one.body) {
            return Err(format!("`{name}` is set in the body of its loop").into());
        }
        let spot = Spot { span: one.span, loop_index: one.parent, trail };
        let start = self.read_linear(start, spot)?;
        let bound = self.read_linear(bound, spot)?;
        let not_constant = || format!("the loop over `{name}` has a trip count that varies");
        let step = self.read_linear(step, spot)?.value().ok_or_else(not_constant)?;
        let way = bound.add_scaled(-1, &start)?.value().ok_or_else(not_constant)?;
        let trips = count_trips(way, comparison, step)
            .ok_or_else(|| format!("the loop over `{name}` does not end"))?;
        let trips = u64::try_from(trips).map_err(|_| overflow_reason())?;
        // The variable must hold every value that it takes, the one that ends the loop included.
        let declared = one.declared.as_deref().or_else(|| self.declared_type(name, spot));
        if let Some(declared) = declared {
            let end = step.checked_mul(trips.into()).ok_or_else(overflow_reason)?;
            for value in [start.clone(), start.add_scaled(1, &Linear::known(end))?] {
                let held = self.held_by_type(value.clone(), declared, spot, name)?;
                if held != value {
                    return Err(format!("`{name}` wraps around").into());
                }
            }
        }
        Ok(Progress { start, step, trips })
    }
}

/// The trip count of a loop whose bound is `way` from its start; none if it has no end.
fn count_trips(way: i128, comparison: Comparison, step: i128) -> Option<i128> {
    let up = |way: i128, step: i128| (step > 0).then(|| (way - 1) / step + 1);
    let negative = || Some((way.checked_neg()?, step.checked_neg()?));
    match comparison {
        Comparison::Less if way <= 0 => Some(0),
        Comparison::LessOrEqual if way < 0 => Some(0),
        Comparison::Greater if way >= 0 => Some(0),
        Comparison::GreaterOrEqual if way > 0 => Some(0),
        Comparison::Less => up(way, step),
        Comparison::LessOrEqual => up(way.checked_add(1)?, step),
        Comparison::Greater => negative().and_then(|(way, step)| up(way, step)),
        Comparison::GreaterOrEqual => {
            negative().and_then(|(way, step)| up(way.checked_add(1)?, step))
        }
        Comparison::NotEqual if way == 0 => Some(0),
        Comparison::NotEqual => {
            let exact = step != 0 && way.checked_rem(step)? == 0;
            way.checked_div(step).filter(|&turns| exact && turns > 0)
        }
    }
}

impl Resolver<'_> {
    /// The trip count of each loop of a function, given what is known of its parameters by name,
    /// template parameters included; or the reason why it is unknown.
    pub fn trip_counts(
        &self,
        function: &Function,
        values: &BTreeMap<String, i128>,
    ) -> Vec<Settled<u64>> {
        let frame = Frame::new(self, function, values);
        (0..function.loops.len())
            .map(|at| frame.progress_of(at, &Rc::default()).map(|progress| progress.trips))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counts_are_what_running_gives(
            start in -20_i128..20, bound in -20_i128..20, step in -6_i128..7, kind in 0_usize..5,
        ) {
            let comparison = [
                Comparison::Less, Comparison::LessOrEqual, Comparison::Greater,
                Comparison::GreaterOrEqual, Comparison::NotEqual,
            ][kind];
            let goes_on = |at: i128| match comparison {
                Comparison::Less => at < bound,
                Comparison::LessOrEqual => at <= bound,
                Comparison::Greater => at > bound,
                Comparison::GreaterOrEqual => at >= bound,
                Comparison::NotEqual => at != bound,
            };
            let (mut at, mut turns) = (start, 0);
            while goes_on(at) && turns < 100 {
                at += step;
                turns += 1;
            }
            let expected = (turns < 100).then_some(turns);
            prop_assert_eq!(count_trips(bound - start, comparison, step), expected);
        }
    }
}
