//! When each step begins: as soon as those that it follows have ended. And when it ends: later where others use its bank.

use std::collections::BTreeMap;

/// Who used each buffer before.
#[derive(Debug, Default)]
pub(super) struct Users {
    /// The last that wrote, and those that have read since.
    of: BTreeMap<u64, (Option<usize>, Vec<usize>)>,
}

impl Users {
    /// Notes that a step uses a buffer, and adds those that it follows.
    pub(super) fn add_use(
        &mut self,
        step: usize,
        (buffer, writes): (u64, bool),
        follows: &mut Vec<usize>,
    ) {
        let (writer, readers) = self.of.entry(buffer).or_default();
        follows.extend(writer.filter(|one| *one != step));
        if writes {
            follows.extend(readers.iter().filter(|one| **one != step));
            readers.clear();
            *writer = Some(step);
        } else {
            readers.push(step);
        }
    }
}

/// What a step takes: how long alone, and what part of each bank's bandwidth it then needs.
#[derive(Clone, Debug, Default)]
pub(super) struct Need {
    pub(super) alone: f64,
    pub(super) banks: Vec<(usize, f64)>,
}

/// A step that goes on.
struct Active {
    /// Since when it goes at its rate, and what was left of it then, in seconds alone.
    since: f64,
    left: f64,
    rate: f64,
}

impl Active {
    fn end(&self) -> f64 {
        self.since + self.left / self.rate
    }

    fn set_rate(&mut self, now: f64, rate: f64) {
        if rate.to_bits() != self.rate.to_bits() {
            self.left = (self.left - (now - self.since) * self.rate).max(0.0);
            self.since = now;
            self.rate = rate;
        }
    }
}

/// The start and the end of each step. It begins when those that it follows have ended; steps that need more of a bank together
/// than it has all go slower, by the same factor.
pub(super) fn schedule_steps(needs: &[Need], follows: &[Vec<usize>]) -> Vec<(f64, f64)> {
    let mut times = vec![(0.0_f64, 0.0_f64); needs.len()];
    let mut missing: Vec<usize> = follows.iter().map(Vec::len).collect();
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); needs.len()];
    for (step, before) in follows.iter().enumerate() {
        for one in before {
            if let Some(list) = after.get_mut(*one) {
                list.push(step);
            }
        }
    }
    let mut active: BTreeMap<usize, Active> = BTreeMap::new();
    let mut now = 0.0;
    let mut ready: Vec<usize> =
        missing.iter().enumerate().filter(|(_, count)| **count == 0).map(|(at, _)| at).collect();
    loop {
        for step in ready.drain(..) {
            let left = needs.get(step).map_or(0.0, |need| need.alone);
            active.insert(step, Active { since: now, left, rate: 1.0 });
            if let Some(time) = times.get_mut(step) {
                time.0 = now;
            }
        }
        share_banks(&mut active, needs, now);
        let next = active.iter().min_by(|a, b| a.1.end().total_cmp(&b.1.end()));
        let Some((&step, one)) = next else { break };
        now = one.end();
        active.remove(&step);
        if let Some(time) = times.get_mut(step) {
            time.1 = now;
        }
        for &next in after.get(step).into_iter().flatten() {
            if let Some(count) = missing.get_mut(next) {
                *count -= 1;
                if *count == 0 {
                    ready.push(next);
                }
            }
        }
    }
    times
}

/// Sets the rates of steps that go side by side.
fn share_banks(active: &mut BTreeMap<usize, Active>, needs: &[Need], now: f64) {
    let mut asked: BTreeMap<usize, f64> = BTreeMap::new();
    let banks = |step: &usize| needs.get(*step).map_or(&[][..], |need| need.banks.as_slice());
    for (bank, part) in active.keys().flat_map(banks) {
        *asked.entry(*bank).or_default() += part;
    }
    for (step, one) in active {
        let most = banks(step)
            .iter()
            .filter_map(|(bank, _)| asked.get(bank))
            .fold(1.0_f64, |most, asked| most.max(*asked));
        one.set_rate(now, 1.0 / most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn need(alone: f64, banks: &[(usize, f64)]) -> Need {
        Need { alone, banks: banks.to_vec() }
    }

    #[test]
    fn steps_on_one_bank_share_it() {
        // Each needs all of the bank for a second: both take two, and a third on another bank takes its own.
        let needs = [need(1.0, &[(0, 1.0)]), need(1.0, &[(0, 1.0)]), need(1.0, &[(1, 1.0)])];
        let times = schedule_steps(&needs, &vec![Vec::new(); 3]);
        assert_eq!(times, [(0.0, 2.0), (0.0, 2.0), (0.0, 1.0)]);
        // Half a bank each is enough.
        let needs = [need(1.0, &[(0, 0.5)]), need(2.0, &[(0, 0.5)])];
        assert_eq!(schedule_steps(&needs, &vec![Vec::new(); 2]), [(0.0, 1.0), (0.0, 2.0)]);
        // The one that is longer goes on alone: 1 s shared for half of it, then the rest.
        let needs = [need(1.0, &[(0, 1.0)]), need(3.0, &[(0, 1.0)])];
        assert_eq!(schedule_steps(&needs, &vec![Vec::new(); 2]), [(0.0, 2.0), (0.0, 4.0)]);
    }

    #[test]
    fn a_step_begins_where_those_before_it_end() {
        let needs = [need(1.0, &[]), need(0.5, &[]), need(2.0, &[])];
        let times = schedule_steps(&needs, &[Vec::new(), vec![0], vec![0, 1]]);
        assert_eq!(times, [(0.0, 1.0), (1.0, 1.5), (1.5, 3.5)]);
    }
}
