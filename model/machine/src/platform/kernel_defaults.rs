use derate_units::{Cycles, Figure, Provenance, Seconds};

/// What a kernel call costs and what HLS gives an `m_axi` port, where neither the platform file nor the code says.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelDefaults {
    /// From one kernel call of the host to the next, beside the kernel's own time.
    pub launch: Figure<Seconds>,
    /// Cycles that the schedule waits for external memory.
    pub m_axi_latency: Figure<Cycles>,
    /// Beats in one burst.
    pub m_axi_burst: Figure<f64>,
    /// Bursts in flight, reads and writes each.
    pub m_axi_outstanding: Figure<f64>,
}

impl Default for KernelDefaults {
    fn default() -> Self {
        let option = |value, name| {
            Figure::new(
                value,
                Provenance::Datasheet,
                format!("UG1399: default of {name} in the Vitis kernel flow"),
            )
        };
        Self {
            launch: Figure::new(
                Seconds(265e-6),
                Provenance::Published,
                "middle of the 0.25 to 0.28 ms between XRT kernel calls in a published trace of TeraFly on a U280",
            ),
            m_axi_latency: Figure::new(
                Cycles(64.0),
                Provenance::Datasheet,
                "UG1399: default latency of an m_axi port in the Vitis kernel flow",
            ),
            m_axi_burst: option(16.0, "max_read_burst_length and max_write_burst_length"),
            m_axi_outstanding: option(16.0, "num_read_outstanding and num_write_outstanding"),
        }
    }
}
