//! The numbers that Catapult's library computes at compile time: `ac::nbits<N>::val`.

use super::Resolver;
use super::context::Context;
use crate::Settled;
use crate::path::{Path, Segment};

impl Resolver<'_> {
    /// The value of `ac::nbits<N>::val`, `ac::log2_ceil<N>::val` or `ac::log2_floor<N>::val`; `None` for another path.
    pub(super) fn catapult_value(
        &self,
        owner: &Path,
        member: &Segment,
        context: &Context,
    ) -> Option<Settled<i128>> {
        let measure = match owner.plain().as_str() {
            "ac::nbits" => |value| Some(count_bits(value)),
            "ac::log2_ceil" => log2_ceil,
            "ac::log2_floor" => |value: u32| value.checked_ilog2(),
            _ => return None,
        };
        let [tokens] = owner.segments.last()?.arguments.as_deref()? else { return None };
        if member.name != "val" {
            return None;
        }
        let value = context.trail.run_aside(|| self.compute_value(tokens, context));
        Some(value.and_then(|value| {
            let given = u32::try_from(value).ok().and_then(measure);
            given.map(i128::from).ok_or_else(|| format!("`{owner}` has no value").into())
        }))
    }
}

/// The bits of an unsigned number; zero takes one.
fn count_bits(value: u32) -> u32 {
    value.checked_ilog2().map_or(1, |log| log + 1)
}

fn log2_ceil(value: u32) -> Option<u32> {
    Some(value.checked_sub(1)?.checked_ilog2().map_or(0, |log| log + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `ac_int.h` computes them.
    #[test]
    fn bits_are_counted_as_catapult_does() {
        let bits = [0, 1, 2, 3, 4, 255, 256].map(count_bits);
        assert_eq!(bits, [1, 1, 2, 2, 3, 8, 9]);
        let logs: Vec<_> = [1, 2, 3, 4, 5, 1024].map(log2_ceil).into_iter().flatten().collect();
        assert_eq!(logs, [0, 1, 2, 2, 3, 10]);
        assert_eq!(log2_ceil(0), None);
    }
}
