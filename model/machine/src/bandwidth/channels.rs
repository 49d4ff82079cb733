use super::{Direction, Pattern, Port};
use crate::{Attachment, Limits, Memory};
use derate_units::{BytesPerSecond, Cycles, Figure, Hertz};

/// The channels of a memory at the clock that they really run at.
#[derive(Clone, Debug, PartialEq)]
pub struct Channels {
    /// What the memory is called.
    pub title: String,
    /// How many.
    pub count: usize,
    /// What one carries at its clock: `port bits / 8 x clock`.
    pub rate: BytesPerSecond,
    /// The share of it that streams reach.
    pub efficiency: Figure<f64>,
    /// What else slows a port.
    pub limits: Limits,
    /// What the card allows in all, sustained where that is known.
    pub card: Option<BytesPerSecond>,
    /// The ports of the processor that the memory belongs to.
    pub attachment: Option<Attachment>,
}

impl Channels {
    /// The channels at the memory's own clock.
    pub fn of(memory: &Memory) -> Self {
        Self::at(memory, memory.axi_clock.value)
    }

    /// The channels at another clock, such as the HBM AXI clock that the link report prints.
    pub fn at(memory: &Memory, clock: Hertz) -> Self {
        Self {
            title: memory.title.clone(),
            count: memory.channels.value as usize,
            rate: BytesPerSecond(memory.port_bits.value / 8.0 * clock.0),
            efficiency: memory.share(),
            limits: memory.limits.clone(),
            card: memory.card().map(|card| card.value),
            attachment: memory.attachment.clone(),
        }
    }

    /// The port as the memory's own ports let it through: as narrow as they are, with bursts of as many bytes.
    pub(super) fn narrow(&self, port: &Port) -> Port {
        match self.attachment.as_ref().map(|own| own.bits.value) {
            Some(bits) if port.width_bits > bits => Port {
                width_bits: bits,
                burst_beats: port.burst_beats * port.width_bits / bits,
                ..port.clone()
            },
            _ => port.clone(),
        }
    }

    /// What the ports of the processor that the memory belongs to carry for these ports, each way that they move data.
    pub(super) fn attachment_rate<'a>(
        &self,
        ports: impl Iterator<Item = &'a Port>,
    ) -> Option<BytesPerSecond> {
        let attachment = self.attachment.as_ref()?;
        let (mut reads, mut writes, mut clock) = (false, false, Hertz(0.0));
        for port in ports {
            reads |= port.direction != Direction::Write;
            writes |= port.direction != Direction::Read;
            clock = if port.clock > clock { port.clock } else { clock };
        }
        let ways = f64::from(u8::from(reads) + u8::from(writes));
        Some(attachment.rate_at(clock) * ways)
    }

    /// The share of a channel's rate that the port's direction and pattern reach; that of sequential reads where no other
    /// is known.
    pub(super) fn efficiency_for(&self, port: &Port) -> &Figure<f64> {
        let reordered = port.pattern == Pattern::Reordered && port.reach() > 1;
        let own = match port.direction {
            Direction::Copy => self.limits.copy_efficiency.as_ref(),
            _ if reordered => self.limits.reordered_efficiency.as_ref(),
            _ => None,
        };
        own.unwrap_or(&self.efficiency)
    }

    /// What one channel gives this port, were it alone: `eta x W_c x f_c`.
    pub fn rate_for(&self, port: &Port) -> BytesPerSecond {
        self.rate * self.efficiency_for(port).value
    }

    /// Idle cycles after a burst of that direction and pattern: `g`.
    pub(super) fn gap(&self, port: &Port, direction: Direction) -> Cycles {
        let known =
            |figure: &Option<Figure<Cycles>>| figure.as_ref().map_or(Cycles(0.0), |f| f.value);
        if port.pattern == Pattern::Sequential {
            match direction {
                Direction::Write => known(&self.limits.write_gap),
                _ => Cycles(0.0),
            }
        } else {
            known(&self.limits.random_gap)
        }
    }
}
