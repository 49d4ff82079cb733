use super::{Bandwidth, Channels, Direction, LimitedBy, Pattern, Port};
use derate_hls::Reason;
use derate_units::{BytesPerSecond, Cycles};

/// What a port's wires carry in one direction: `W x f_k x b / (b + g)`.
///
/// `g` is 0 for a sequential read, 2 cycles after a random request (fitted to the Vitis HBM bandwidth tutorial), 4 after
/// a write burst (fitted to `axi_burst_performance` of `Vitis_Accel_Examples`).
fn wire_rate(port: &Port, channels: &Channels, direction: Direction) -> BytesPerSecond {
    let busy = port.burst_beats + channels.gap(port, direction).0;
    BytesPerSecond(port.burst().0 * port.clock.0 / busy)
}

/// What bursts in flight carry in one direction: `N x B / (L + b / f_k)` (Little's law); `None` where the memory's
/// latency is not known.
fn in_flight_rate(
    port: &Port,
    channels: &Channels,
    direction: Direction,
) -> Option<BytesPerSecond> {
    let limits = &channels.limits;
    let (latency, most) = match direction {
        Direction::Write => (&limits.write_latency, &limits.writes_outstanding),
        _ => (&limits.read_latency, &limits.reads_outstanding),
    };
    let most = most.as_ref().map_or(f64::INFINITY, |most| most.value);
    let bursts = port.outstanding.min(most);
    let round = latency.as_ref()?.value + Cycles(port.burst_beats) / port.clock;
    Some(port.burst() * bursts / round)
}

/// The least of wires and bursts in flight, in one direction.
fn one_way(port: &Port, channels: &Channels, direction: Direction) -> Bandwidth {
    let wires =
        Bandwidth { value: wire_rate(port, channels, direction), limited_by: LimitedBy::Port };
    match in_flight_rate(port, channels, direction) {
        Some(rate) => wires.or_lower(rate, LimitedBy::InFlight),
        None => wires,
    }
}

/// Random access: `B / t_rand` inside one channel; `B / ((1 - 1/n) x L_sw + B / cap)` where one AXI ID hops over `n`
/// channels and each answer must come before the next channel is asked.
fn random_rate(port: &Port, channels: &Channels) -> Result<BytesPerSecond, Reason> {
    let lacks = |key: &str| {
        format!(
            "the platform file gives no {key} for {}: random access cannot be modelled",
            channels.title
        )
    };
    let burst = port.burst();
    if port.reach() == 1 {
        let interval = channels.limits.random_interval.as_ref();
        return Ok(burst / interval.ok_or_else(|| lacks("random_interval"))?.value);
    }
    let switch = channels.limits.switch_latency.as_ref();
    let switch = switch.ok_or_else(|| lacks("switch_latency"))?.value;
    let hops = 1.0 - 1.0 / port.reach() as f64;
    Ok(burst / (switch * hops + burst / channels.rate_for(port)))
}

/// What one port gets from memory that nobody else uses: the least of its wires, its bursts in flight, one channel, and
/// its access pattern.
///
/// A sequential stream gets no more from several channels than from one (13.04 to 13.15 GB/s over 1, 2 and 4 pseudo
/// channels in the Vitis HBM bandwidth tutorial): its path into the memory is as wide as one of them. The error is a
/// sentence: random access to an unknown memory.
pub fn single_stream(port: &Port, channels: &Channels) -> Result<Bandwidth, Reason> {
    let port = &channels.narrow(port);
    let alone = match port.direction {
        Direction::Copy => {
            let read = one_way(port, channels, Direction::Read);
            let write = one_way(port, channels, Direction::Write);
            // As many bytes one way as the other: the slower way holds both.
            let slower = read.or_lower(write.value, write.limited_by);
            Bandwidth { value: slower.value * 2.0, ..slower }
        }
        direction => one_way(port, channels, direction),
    };
    let stream = alone.or_lower(channels.rate_for(port), LimitedBy::Channel);
    let hops = port.pattern == Pattern::Reordered && port.reach() > 1;
    if port.pattern == Pattern::Sequential || hops {
        Ok(stream)
    } else {
        Ok(stream.or_lower(random_rate(port, channels)?, LimitedBy::Random))
    }
}
