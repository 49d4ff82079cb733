use derate_units::{Cycles, Figure, Seconds};

/// What slows a port beside its width and its channel's rate. What is not known limits nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// Share of the physical peak where a channel is read and written at the same time.
    pub copy_efficiency: Option<Figure<f64>>,
    /// Share of it where a random-access attachment (RAMA) sorts the requests.
    pub reordered_efficiency: Option<Figure<f64>>,
    /// From a read request to its first beat, unloaded.
    pub read_latency: Option<Figure<Seconds>>,
    /// From the last beat of a write to its response, unloaded.
    pub write_latency: Option<Figure<Seconds>>,
    /// Idle cycles of the port after each write burst.
    pub write_gap: Option<Figure<Cycles>>,
    /// Idle cycles of the port after each random request.
    pub random_gap: Option<Figure<Cycles>>,
    /// The least time between random accesses to one channel.
    pub random_interval: Option<Figure<Seconds>>,
    /// What one AXI ID waits when its next request goes to another channel.
    pub switch_latency: Option<Figure<Seconds>>,
    /// Read bursts that a channel's port takes before it stalls.
    pub reads_outstanding: Option<Figure<f64>>,
    /// Write bursts that it takes.
    pub writes_outstanding: Option<Figure<f64>>,
}
