use super::{Bandwidth, Channels, Direction, LimitedBy, Pattern, Port, single_stream};
use derate_hls::Reason;
use derate_units::BytesPerSecond;

/// A port as its channels see it.
pub(super) struct ViewedPort {
    /// The port; one whose every channel is both read and written counts as a copy.
    pub(super) port: Port,
    /// What it gets from memory that nobody else uses.
    alone: Bandwidth,
    /// What one of its channels gives it while it serves nobody else.
    pub(super) service: BytesPerSecond,
}

/// A port's demand, and how fast a channel serves it.
struct Demand {
    channels: (usize, usize),
    left: f64,
    service: f64,
}

/// The ports as their channels see them. The error is a sentence: a port that reaches no channel of this memory, or random
/// access that cannot be modelled.
pub(super) fn view_ports(ports: &[Port], channels: &Channels) -> Result<Vec<ViewedPort>, Reason> {
    let mut mixed = vec![(false, false); channels.count];
    for port in ports {
        let (first, last) = port.channels;
        let reached = mixed.get_mut(first..=last).filter(|reached| !reached.is_empty());
        let reached = reached.ok_or_else(|| {
            Reason::from(format!(
                "a port reaches channels {first} to {last}, and {} has {}, counted from 0",
                channels.title, channels.count
            ))
        })?;
        for (read, written) in reached {
            *read |= port.direction != Direction::Write;
            *written |= port.direction != Direction::Read;
        }
    }
    let see = |port: &Port| {
        let both = mixed.get(port.channels.0..=port.channels.1).unwrap_or_default();
        let copied = both.iter().all(|&(read, written)| read && written);
        let direction = if copied { Direction::Copy } else { port.direction };
        let alone = single_stream(port, channels)?;
        let port = Port { direction, ..port.clone() };
        // Random access inside one channel keeps it busy for longer than its bytes do.
        let random = port.reach() == 1 && port.pattern != Pattern::Sequential;
        let service = channels.rate_for(&port);
        let service = match &channels.limits.random_interval {
            Some(interval) if random => {
                BytesPerSecond(service.0.min((port.burst() / interval.value).0))
            }
            _ => service,
        };
        Ok(ViewedPort { port, alone, service })
    };
    ports.iter().map(see).collect()
}

/// What all ports get together: each no more than it gets alone, each channel busy for no more than all of the time, and
/// no more than the card allows. Buffers are assumed to be in the best of the channels that a port reaches.
///
/// Where every port reaches as many channels as it needs this is `min(sum of ports, n x channel)`. A channel that some
/// ports read and others write gives the efficiency of a copy. The error is a sentence: a port that reaches no channel of
/// this memory, or random access that cannot be modelled.
pub fn aggregate_bandwidth(ports: &[Port], channels: &Channels) -> Result<Bandwidth, Reason> {
    Ok(aggregate_viewed(&view_ports(ports, channels)?, channels))
}

/// [`aggregate_bandwidth`] of ports that were looked at.
pub(super) fn aggregate_viewed(seen: &[ViewedPort], channels: &Channels) -> Bandwidth {
    // What most of the bytes are held down by, if it is not the channels.
    let mut held = [
        (LimitedBy::Port, 0.0),
        (LimitedBy::InFlight, 0.0),
        (LimitedBy::Random, 0.0),
        (LimitedBy::Channel, 0.0),
    ];
    for ViewedPort { alone, .. } in seen {
        if let Some((_, bytes)) = held.iter_mut().find(|(by, _)| *by == alone.limited_by) {
            *bytes += alone.value.0;
        }
    }
    let wanted: f64 = seen.iter().map(|one| one.alone.value.0).sum();
    let demand = |one: &ViewedPort| Demand {
        channels: one.port.channels,
        left: one.alone.value.0,
        service: one.service.0,
    };
    let total = serve_demands(seen.iter().map(demand).collect(), channels.count);
    let by_port =
        held.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(LimitedBy::Port, |(by, _)| by);
    let limited_by = if total < wanted * (1.0 - 1e-12) { LimitedBy::Channel } else { by_port };
    let all = Bandwidth { value: BytesPerSecond(total), limited_by };
    let all = match channels.attachment_rate(seen.iter().map(|one| &one.port)) {
        Some(rate) => all.or_lower(rate, LimitedBy::Attachment),
        None => all,
    };
    match channels.card {
        Some(card) => all.or_lower(card, LimitedBy::Card),
        None => all,
    }
}

/// Serves the demands channel by channel, those that end first before the others: as ranges are intervals, no other order
/// serves more (earliest deadline first).
fn serve_demands(mut demands: Vec<Demand>, count: usize) -> f64 {
    demands.sort_by(|a, b| a.channels.1.cmp(&b.channels.1).then(b.service.total_cmp(&a.service)));
    let mut total = 0.0;
    for channel in 0..count {
        let mut idle = 1.0;
        for demand in &mut demands {
            let reached = demand.channels.0 <= channel && channel <= demand.channels.1;
            if !reached || demand.left <= 0.0 || idle <= 0.0 {
                continue;
            }
            let served = demand.left.min(idle * demand.service);
            demand.left -= served;
            idle -= served / demand.service;
            total += served;
        }
    }
    total
}
