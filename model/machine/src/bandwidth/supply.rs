use super::Channels;
use super::aggregate::ViewedPort;
use derate_units::BytesPerSecond;
use derate_units::figures::{quantity, significant};

/// What the channels that ports reach give these ports at most.
pub(super) struct Supply {
    /// All of them.
    pub(super) total: BytesPerSecond,
    /// How many.
    pub(super) reached: usize,
    /// `32 x 0.911 x 14.4 GB/s`; different shares of a channel are listed one by one.
    pub(super) formula: String,
}

impl Supply {
    pub(super) fn of(seen: &[ViewedPort], channels: &Channels) -> Self {
        let reaches =
            |one: &&ViewedPort, at| one.port.channels.0 <= at && at <= one.port.channels.1;
        let best = |at: usize| {
            let of_ports = seen.iter().filter(|one| reaches(one, at)).map(|one| one.service.0);
            of_ports.max_by(f64::total_cmp)
        };
        let mut kinds: Vec<(f64, usize)> = Vec::new();
        for rate in (0..channels.count).filter_map(best) {
            match kinds.iter_mut().find(|(known, _)| known.to_bits() == rate.to_bits()) {
                Some((_, count)) => *count += 1,
                None => kinds.push((rate, 1)),
            }
        }
        let share = |&(rate, count): &(f64, usize)| {
            format!("{count} x {}", significant(rate / channels.rate.0, 4))
        };
        let shares = kinds.iter().map(share).collect::<Vec<_>>().join(" + ");
        let shares = if kinds.len() > 1 { format!("({shares})") } else { shares };
        Self {
            total: BytesPerSecond(kinds.iter().map(|&(rate, count)| rate * count as f64).sum()),
            reached: kinds.iter().map(|(_, count)| count).sum(),
            formula: format!("{shares} x {}", quantity(channels.rate)),
        }
    }
}
