use serde::Deserialize;

/// What the tool makes a kernel for. It decides the defaults of interfaces (UG1399, Default Settings of Vivado/Vitis
/// Flows).
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum FlowTarget {
    /// A block of a design in Vivado: pointers are plain memories, and a bus is taken to answer at once.
    #[default]
    Vivado,
    /// A kernel on a card: pointers are `m_axi`, and memory is taken to answer after 64 cycles.
    Vitis,
}

impl FlowTarget {
    /// Cycles that memory behind `m_axi` is taken to take: `m_axi_latency`.
    #[must_use]
    pub fn latency(self) -> u64 {
        match self {
            Self::Vivado => 0,
            Self::Vitis => 64,
        }
    }

    /// Bits up to which the tool widens ports by itself: `m_axi_max_widen_bitwidth`.
    #[must_use]
    pub fn widest(self) -> u64 {
        match self {
            Self::Vivado => 0,
            Self::Vitis => 512,
        }
    }

    /// As files spell it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Vivado => "vivado",
            Self::Vitis => "vitis",
        }
    }
}
