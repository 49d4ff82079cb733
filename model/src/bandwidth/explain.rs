use super::{Channels, Direction, LimitedBy, Port, aggregate, single_stream};
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
    let what = describe(ports);
    let channel = if reached == 1 {
        "channel that they reach gives"
    } else {
        "channels that they reach give"
    };
    let mut sentence = format!(
        "{what} carry {}, the {reached} {channel} {} ({} x {} each): {} hold{} it at {}.",
        quantity(demand),
        quantity(supply),
        channels.efficiency,
        quantity(channels.rate),
        together.limited_by.as_str(),
        if together.limited_by == LimitedBy::Card || together.limited_by == LimitedBy::Random {
            "s"
        } else {
            ""
        },
        quantity(together.value)
    );
    if together.limited_by == LimitedBy::Port {
        let wider: Vec<Port> = ports
            .iter()
            .map(|port| Port { width_bits: port.width_bits * 2.0, ..port.clone() })
            .collect();
        let wider = aggregate(&wider, &channels)?;
        let wider = quantity(wider.value);
        sentence +=
            " It is a figure of these ports, not of the memory: twice as wide they would get ";
        sentence += &wider;
        sentence += ", and at a lower clock less in proportion.";
    }
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
