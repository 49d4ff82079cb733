use super::{Bandwidth, Channels, Direction, LimitedBy, Port, aggregate, single_stream};
use crate::figures::{quantity, significant};
use crate::units::{BytesPerSecond, Hertz};
use crate::{Figure, KernelDefaults, Memory, Provenance};

/// A bandwidth with the reason for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Explained {
    /// The figure; its source is the formula with its inputs.
    pub figure: Figure<BytesPerSecond>,
    /// What holds it down.
    pub limited_by: LimitedBy,
    /// What the ports would get from memory without end.
    pub ports: BytesPerSecond,
    /// What the channels that they reach give.
    pub channels: BytesPerSecond,
    /// The figure, its limit, and when it is wrong.
    pub sentence: String,
}

/// `32 ports of 256 bit at 300 MHz`; several kinds are counted alone.
fn describe(ports: &[Port]) -> String {
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
pub fn explain(
    memory: &Memory,
    axi_clock: Option<Hertz>,
    ports: &[Port],
) -> Result<Explained, String> {
    let channels = Channels::at(memory, axi_clock.unwrap_or(memory.axi_clock.value));
    if ports.is_empty() {
        return Err(format!("no port reaches {}", memory.title));
    }
    let together = aggregate(ports, &channels)?;
    let endless = Channels { rate: BytesPerSecond(f64::MAX), card: None, ..channels.clone() };
    let alone = |port: &Port| Ok::<_, String>(single_stream(port, &endless)?.value);
    let demand: BytesPerSecond = ports.iter().map(alone).sum::<Result<_, _>>()?;
    let mut reached = vec![false; channels.count];
    for port in ports {
        if let Some(range) = reached.get_mut(port.channels.0..=port.channels.1) {
            range.fill(true);
        }
    }
    let reached = reached.into_iter().filter(|&hit| hit).count();
    let supply = channels.stream_rate() * reached as f64;
    let mut said = vec![carried(ports, demand, reached, supply, &channels, together)];
    if together.limited_by == LimitedBy::Port {
        let double = |port: &Port| Port { width_bits: port.width_bits * 2.0, ..port.clone() };
        let wider: Vec<Port> = ports.iter().map(double).collect();
        said.push(format!(
            "It is a figure of these ports, not of the memory: twice as wide they would get {}, and at a lower clock less \
             in proportion.",
            quantity(aggregate(&wider, &channels)?.value)
        ));
    }
    if let (LimitedBy::Card, Some(peak), Some(nominal)) =
        (together.limited_by, &memory.peak, &memory.nominal)
    {
        let (peak, nominal) = (quantity(peak.value), quantity(nominal.value));
        said.push(format!("Its data sheet has {peak} as the peak and {nominal} as nominal."));
    }
    let sentence = said.join(" ");
    Ok(Explained {
        figure: Figure::new(
            together.value,
            standing(memory, ports, together.limited_by),
            sentence.clone(),
        ),
        limited_by: together.limited_by,
        ports: demand,
        channels: supply,
        sentence,
    })
}

/// What the ports carry, what the channels give, and which of the limits holds.
fn carried(
    ports: &[Port],
    demand: BytesPerSecond,
    reached: usize,
    supply: BytesPerSecond,
    channels: &Channels,
    together: Bandwidth,
) -> String {
    let (carry, they) = match ports.len() {
        1 => ("carries", "it reaches"),
        _ => ("carry", "they reach"),
    };
    let give = if reached == 1 { "the channel" } else { "the channels" };
    let gives = if reached == 1 { "gives" } else { "give" };
    let one = matches!(together.limited_by, LimitedBy::Card | LimitedBy::Random);
    format!(
        "{} {carry} {}, {give} that {they} {gives} {} ({reached} x {} x {}): {} {} it at {}.",
        describe(ports),
        quantity(demand),
        quantity(supply),
        channels.efficiency,
        quantity(channels.rate),
        together.limited_by.as_str(),
        if one { "holds" } else { "hold" },
        quantity(together.value)
    )
}

/// A figure that a limit decides of which nobody has seen a measurement is no derivation.
fn standing(memory: &Memory, ports: &[Port], by: LimitedBy) -> Provenance {
    let limits = &memory.limits;
    let assumed = |known: Option<Provenance>| known == Some(Provenance::Assumed);
    let writes = ports.iter().any(|port| port.direction != Direction::Read);
    let weak = match by {
        LimitedBy::InFlight => {
            assumed(limits.read_latency.as_ref().map(|f| f.provenance))
                || writes && assumed(limits.write_latency.as_ref().map(|f| f.provenance))
        }
        LimitedBy::Random => {
            assumed(limits.random_interval.as_ref().map(|f| f.provenance))
                || assumed(limits.switch_latency.as_ref().map(|f| f.provenance))
        }
        LimitedBy::Channel => assumed(Some(memory.efficiency.provenance)),
        LimitedBy::Port => writes && assumed(limits.write_gap.as_ref().map(|f| f.provenance)),
        LimitedBy::Card => false,
    };
    if weak { Provenance::Assumed } else { Provenance::Derived }
}

/// [`explain`] for `count` equal ports that read in sequence, spread evenly over the first `channels` channels, with the
/// bursts that HLS gives by default.
pub fn explain_ports(
    memory: &Memory,
    width_bits: f64,
    clock: Hertz,
    count: usize,
    channels: usize,
) -> Result<Explained, String> {
    let defaults = KernelDefaults::default();
    let channels = channels.max(1);
    let ports: Vec<Port> = (0..count.min(4096))
        .map(|index| Port::sequential(width_bits, clock, index % channels, &defaults))
        .collect();
    explain(memory, None, &ports)
}
