use super::{Measurement, Run, VerdictReason};
use derate_machine::bandwidth::Direction;
use derate_units::Bytes;

/// Ports of a way that no byte goes. A few bytes are results and may share a port; none at all is another setup.
pub(super) fn find_idle_ports(measurement: &Measurement, run: &Run) -> Option<VerdictReason> {
    let none = |bytes: Option<Bytes>| bytes.is_some_and(|bytes| bytes.0 <= 0.0);
    let ways = [
        (none(run.bytes_read), Direction::Read, "bytes_read", "read"),
        (none(run.bytes_written), Direction::Write, "bytes_written", "written"),
    ];
    ways.into_iter().filter(|(none, ..)| *none).find_map(|(_, way, key, done)| {
        let mut groups = measurement.ports.iter().enumerate();
        let (at, direction) = groups.find_map(|(at, group)| {
            let direction = group.direction?;
            (direction == way || direction == Direction::Copy).then_some((at, direction))
        })?;
        Some(VerdictReason::new(
            "ports",
            format!(
                "`direction` of ports[{at}] is `{}`, and `{key}` is 0: nothing was {done}. Give the ports that were used, each \
                 with the direction in which it was.",
                direction.as_str()
            ),
        ))
    })
}
