use super::{Direction, Pattern, Port};
use crate::{Limits, Memory};
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
            efficiency: memory.efficiency.clone(),
            limits: memory.limits.clone(),
            card: memory.card().map(|card| card.value),
        }
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
