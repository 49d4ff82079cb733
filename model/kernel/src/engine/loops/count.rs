//! The trips of a loop: counted from its bounds, given by a directive, or simulated.

use crate::engine::options::LoopOptions;
use crate::engine::trip::Trip;
use crate::engine::{Activation, Engine, Flow};
use crate::graph::Value;
use derate_program::{Loop, Number, ObjectId};

/// The version whose printed cycles have the middle of a range of trips: the headers of RTL that it writes. Reports of 2017.4 and
/// 2022.2, and those from 2023.2 on, have the most.
const MIDDLE: (u16, u16) = (2023, 1);

impl<'a> Engine<'a> {
    pub(crate) fn trip_of(
        &mut self,
        item: &Loop,
        start: Value,
        end: Option<Value>,
        options: &LoopOptions,
        run: &mut Activation<'a>,
    ) -> Trip {
        let counted = match (item.counter, end) {
            (Some(_), Some(end)) if item.step != 0 => {
                self.count_trips(start, end, i64::try_from(item.step).unwrap_or(1))
            }
            (Some(counter), Some(end)) => self.simulate(item, counter, start, end, run),
            _ => {
                if let Some(count) = self.simulate_condition(item, run) {
                    return Trip::exactly(f64::from(count));
                }
                Trip::UNKNOWN
            }
        };
        let counted = if item.leaves && !counted.is_open {
            let least = counted.least.min(1.0);
            Trip { least, is_given: true, printed: counted.most, ..counted }
        } else {
            counted
        };
        #[allow(clippy::cast_precision_loss)]
        match options.trip {
            // Where the bounds are constants the tool counts by itself.
            Some((least, most, _)) if counted.whole().is_none() || item.leaves => Trip {
                least: least as f64,
                most: most as f64,
                mean: most as f64,
                is_open: false,
                is_given: true,
                printed: most as f64,
                rests_on_type: false,
            },
            _ if self.settings.tool != MIDDLE => Trip { printed: counted.most, ..counted },
            _ => counted,
        }
    }

    /// Counts the trips of a loop whose step is not a sum, over constants.
    pub(super) fn simulate(
        &mut self,
        item: &Loop,
        counter: ObjectId,
        start: Value,
        end: Value,
        run: &mut Activation<'a>,
    ) -> Trip {
        let (Some(mut value), Some(end), Some(next)) = (start.whole(), end.whole(), &item.next)
        else {
            return Trip::UNKNOWN;
        };
        let up = value < end;
        let block = self.graph.new_block();
        let mut flow = Flow::new(block, true);
        let bound = self.bind(run, counter);
        let key = (bound.storage, 0);
        let before = self.env.get(&key).copied();
        let mut count = 0_u32;
        while (if up { value < end } else { value > end }) && count < 100_000 {
            self.env.insert(key, Value::Constant(Number::Int(value)));
            let Some(now) = self.value(next, run, &mut flow).whole() else { break };
            count += 1;
            if now == value {
                count = 0;
                break;
            }
            value = now;
        }
        match before {
            Some(before) => self.env.insert(key, before),
            None => self.env.remove(&key),
        };
        if count == 0 { Trip::UNKNOWN } else { Trip::exactly(f64::from(count)) }
    }
}
