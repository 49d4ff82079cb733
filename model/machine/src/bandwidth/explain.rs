use super::aggregate::{ViewedPort, aggregate_viewed, view_ports};
use super::supply::Supply;
use super::{
    Bandwidth, Channels, Direction, LimitedBy, Pattern, Port, aggregate_bandwidth, single_stream,
};
use crate::Memory;
use derate_hls::Reason;
use derate_units::figures::{quantity, significant};
use derate_units::{BytesPerSecond, Figure, Hertz, Provenance};

/// A bandwidth with the reason for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Explained {
    /// The figure; its source is the formula with its inputs.
    pub figure: Figure<BytesPerSecond>,
    /// What holds it down.
    pub limited_by: LimitedBy,
    /// Why it is that figure: what the ports carry, what the channels give, and which limit holds.
    pub reason: String,
    /// The reason as a sentence, and when the figure is wrong.
    pub sentence: String,
}

/// `32 ports of 256 bit at 300 MHz`; several kinds are counted alone.
fn describe_ports(ports: &[Port]) -> String {
    let count = ports.len();
    let plural = if count == 1 { "" } else { "s" };
    match ports.first() {
        Some(first)
            if ports.iter().all(|p| {
                p.width_bits.to_bits() == first.width_bits.to_bits()
                    && p.clock.0.to_bits() == first.clock.0.to_bits()
            }) =>
        {
            let (bits, clock) = (significant(first.width_bits, 6), quantity(first.clock));
            format!("{count} port{plural} of {bits} bit at {clock}")
        }
        _ => format!("{count} port{plural} of several widths or clocks"),
    }
}

/// What `ports` get from `memory`, with its own AXI clock or the one that the link report prints, and why.
///
/// The error is a sentence: no ports, a port that reaches no channel, or random access that cannot be modelled.
pub fn explain_bandwidth(
    memory: &Memory,
    axi_clock: Option<&Figure<Hertz>>,
    ports: &[Port],
) -> Result<Explained, Reason> {
    let clock = axi_clock.unwrap_or(&memory.axi_clock);
    let channels = Channels::at(memory, clock.value);
    if ports.is_empty() {
        return Err(format!("no port reaches {}", memory.title).into());
    }
    let seen = view_ports(ports, &channels)?;
    let together = aggregate_viewed(&seen, &channels);
    let endless = Channels { rate: BytesPerSecond(f64::MAX), card: None, ..channels.clone() };
    let alone = |port: &Port| Ok::<_, String>(single_stream(port, &endless)?.value);
    let demand: BytesPerSecond = ports.iter().map(alone).sum::<Result<_, _>>()?;
    let mut supply = Supply::of(&seen, &channels);
    if let Some(linked) = axi_clock {
        let (clock, source) = (quantity(linked.value), &linked.source);
        supply.formula = format!("{} at an AXI clock of {clock}: {source}", supply.formula);
    }
    let reason = describe_limits(ports, demand, &supply, together);
    let mut sentences = vec![format!("{reason}.")];
    if together.limited_by == LimitedBy::Port {
        let double = |port: &Port| Port { width_bits: port.width_bits * 2.0, ..port.clone() };
        let wider: Vec<Port> = ports.iter().map(double).collect();
        let wider = aggregate_bandwidth(&wider, &channels)?.value;
        if wider > together.value {
            sentences.push(format!(
                "It is a figure of these ports, not of the memory: twice as wide they would get {}, and at a lower clock \
                 less in proportion.",
                quantity(wider)
            ));
        }
    }
    if let Some(attachment) = &memory.attachment {
        let (count, bits) = (attachment.count.value, attachment.bits.value);
        sentences.push(format!(
            "Logic reaches this memory through {}: {count} of {bits} bit, and the processor uses it too.",
            attachment.title
        ));
    }
    if memory.efficiency.is_none() && together.limited_by == LimitedBy::Channel {
        sentences.push(
            "What streams reach of this memory is not published, so the figure is an upper bound."
                .to_owned(),
        );
    }
    let uneven = together.value.0 < supply.total.0.min(demand.0) * (1.0 - 1e-9);
    if together.limited_by == LimitedBy::Channel && uneven {
        sentences.push(
            "A port gets no more than one channel gives, and a channel that is asked for less lends the others nothing."
                .to_owned(),
        );
    }
    if let (LimitedBy::Card, Some(peak), Some(nominal)) =
        (together.limited_by, &memory.peak, &memory.nominal)
    {
        let (peak, nominal) = (quantity(peak.value), quantity(nominal.value));
        sentences
            .push(format!("The platform file has {peak} as the peak and {nominal} as nominal."));
    }
    let sentence = sentences.join(" ");
    let provenance = if is_assumed(memory, &channels, &seen, ports, together.limited_by) {
        Provenance::Assumed
    } else {
        Provenance::Derived
    };
    Ok(Explained {
        figure: Figure::new(together.value, provenance, sentence.clone()),
        limited_by: together.limited_by,
        reason,
        sentence,
    })
}

/// What the ports carry, what the channels give, and which of the limits holds.
fn describe_limits(
    ports: &[Port],
    demand: BytesPerSecond,
    supply: &Supply,
    together: Bandwidth,
) -> String {
    let (carry, they) = match ports.len() {
        1 => ("carries", "it reaches"),
        _ => ("carry", "they reach"),
    };
    let (give, gives) =
        if supply.reached == 1 { ("the channel", "gives") } else { ("the channels", "give") };
    let one = matches!(together.limited_by, LimitedBy::Card | LimitedBy::Random);
    format!(
        "{} {carry} {}, {give} that {they} {gives} {} ({}): {} {} it at {}",
        describe_ports(ports),
        quantity(demand),
        quantity(supply.total),
        supply.formula,
        together.limited_by.as_str(),
        if one { "holds" } else { "hold" },
        quantity(together.value)
    )
}

/// Whether nobody has seen what decides the figure.
fn is_assumed(
    memory: &Memory,
    channels: &Channels,
    seen: &[ViewedPort],
    ports: &[Port],
    by: LimitedBy,
) -> bool {
    fn assumed<T>(known: Option<&Figure<T>>) -> bool {
        known.is_some_and(|figure| figure.provenance == Provenance::Assumed)
    }
    let limits = &memory.limits;
    let writes = ports.iter().any(|port| port.direction != Direction::Read);
    let random = ports.iter().any(|port| port.pattern != Pattern::Sequential);
    // The share of sequential reads is used where that of copies is unknown.
    let lent = |port: &Port| port.direction == Direction::Copy && limits.copy_efficiency.is_none();
    match by {
        LimitedBy::InFlight => {
            assumed(limits.read_latency.as_ref())
                || writes && assumed(limits.write_latency.as_ref())
        }
        LimitedBy::Random => {
            assumed(limits.random_interval.as_ref()) || assumed(limits.switch_latency.as_ref())
        }
        LimitedBy::Channel => seen
            .iter()
            .any(|one| lent(&one.port) || assumed(Some(channels.efficiency_for(&one.port)))),
        LimitedBy::Port => {
            writes && assumed(limits.write_gap.as_ref())
                || random && assumed(limits.random_gap.as_ref())
        }
        LimitedBy::Card => assumed(memory.card()),
        LimitedBy::Attachment => assumed(memory.attachment.as_ref().map(|one| &one.bits)),
    }
}
