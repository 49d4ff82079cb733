use derate_machine::bandwidth::{Bandwidth, Direction};
use derate_units::BytesPerSecond;
use derate_units::figures::{count, quantity, significant};

/// The bytes of one direction, and the ports that they go through.
pub(super) struct DirectionShare {
    pub(super) direction: Direction,
    /// Their part of all bytes.
    pub(super) of_all: f64,
    pub(super) ports: usize,
    /// What the wires of those ports carry.
    pub(super) wires: BytesPerSecond,
    /// What the memory gives them.
    pub(super) gets: Bandwidth,
}

impl DirectionShare {
    /// What all bytes get together where these set the pace.
    pub(super) fn rate(&self) -> BytesPerSecond {
        self.gets.value * (1.0 / self.of_all)
    }

    /// `2 ports read 94.12 % of the bytes and get 28.8 GB/s (their wires carry 38.4 GB/s; the limit: the memory channels)`.
    fn describe_part(&self) -> String {
        let (verb, get, their) = match (self.ports == 1, self.direction) {
            (true, Direction::Write) => ("writes", "gets", "its"),
            (true, _) => ("reads", "gets", "its"),
            (false, Direction::Write) => ("write", "get", "their"),
            (false, _) => ("read", "get", "their"),
        };
        let limit = self.gets.limited_by.as_str();
        format!(
            "{} {verb} {} % of the bytes and {get} {} ({their} wires carry {}; the limit: {limit})",
            count(self.ports, "port"),
            significant(100.0 * self.of_all, 4),
            quantity(self.gets.value),
            quantity(self.wires)
        )
    }

    /// How the bound comes about, beside the bytes of the other direction; without the full stop.
    pub(super) fn describe_share(&self, other: Option<&Self>) -> String {
        let beside = other.map_or_else(String::new, |other| format!("; {}", other.describe_part()));
        format!(
            "The bytes are not shared out as the ports are: {}{beside}. So all bytes together get {} / {} = {}",
            self.describe_part(),
            quantity(self.gets.value),
            significant(self.of_all, 4),
            quantity(self.rate())
        )
    }
}
