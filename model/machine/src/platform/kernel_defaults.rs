use crate::FlowTarget;
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
        Self::of_flow(FlowTarget::Vitis)
    }
}

impl KernelDefaults {
    /// What the tool takes in a flow.
    pub fn of_flow(flow: FlowTarget) -> Self {
        let named = match flow {
            FlowTarget::Vitis => "the Vitis kernel flow",
            FlowTarget::Vivado => "the Vivado IP flow",
        };
        let option = |value, name| {
            Figure::new(
                value,
                Provenance::Datasheet,
                format!("UG1399: default of {name} in {named}"),
            )
        };
        let launch = "middle of the 0.25 to 0.28 ms between XRT kernel calls in a published trace of TeraFly on a U280";
        Self {
            launch: match flow {
                FlowTarget::Vitis => Figure::new(Seconds(265e-6), Provenance::Published, launch),
                FlowTarget::Vivado => Figure::new(
                    Seconds(265e-6),
                    Provenance::Assumed,
                    format!("{launch}; no measurement of a call on this board was found"),
                ),
            },
            m_axi_latency: Figure::new(
                Cycles(flow.latency() as f64),
                Provenance::Datasheet,
                format!("UG1399: default latency of an m_axi port in {named}"),
            ),
            m_axi_burst: option(16.0, "max_read_burst_length and max_write_burst_length"),
            m_axi_outstanding: option(16.0, "num_read_outstanding and num_write_outstanding"),
        }
    }
}
