use derate_model::units::Hertz;

/// The source of the memory clock and the port widths in a measurement: only what was read is recorded.
#[derive(Clone, Debug)]
pub enum Recorded {
    /// As the emulator was set up; the memory's clock is the catalogue's, which the time is modelled with.
    Modelled,
    /// A design that was loaded: what its sections say, and nothing in the place of what they do not.
    Design {
        /// Of the memory's AXI ports, in the banks that the bench uses.
        memory_clock: Option<Hertz>,
        /// Bits of the port of each argument that is a buffer, in their order.
        port_bits: Vec<Option<u64>>,
    },
}

impl Recorded {
    /// The memory's clock, which the model has from the catalogue.
    pub(super) fn memory_clock(&self, modelled: Option<Hertz>) -> Option<Hertz> {
        match self {
            Self::Modelled => modelled,
            Self::Design { memory_clock, .. } => *memory_clock,
        }
    }

    /// Bits of the ports of these arguments, where they have the same; the model has what the bench was asked for.
    pub(super) fn bits(&self, arguments: &[usize], modelled: u64) -> Option<u64> {
        let Self::Design { port_bits, .. } = self else { return Some(modelled) };
        let mut all = arguments.iter().map(|&at| port_bits.get(at).copied().flatten());
        let first = all.next()??;
        all.all(|bits| bits == Some(first)).then_some(first)
    }
}
