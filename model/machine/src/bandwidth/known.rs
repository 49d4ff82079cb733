//! What a synthesis report says of a kernel's ports.

use derate_hls::{Figure as Printed, Located, Report};

use super::Direction;
use derate_units::{Figure, Provenance};

/// What is known of a kernel's port, from a report or from the source. What is `None` is taken from the platform.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownPort {
    /// The kernel.
    pub kernel: String,
    /// The port: `m_axi_gmem0`, or `gmem0`.
    pub name: String,
    /// The kernel's arguments that go through it.
    pub arguments: Vec<String>,
    /// Its width in bits.
    pub bits: Option<Figure<f64>>,
    /// Which way it moves data.
    pub direction: Option<Direction>,
    /// Beats in one burst.
    pub(crate) burst_beats: Option<f64>,
    /// Bursts in flight.
    pub(crate) outstanding: Option<f64>,
}

fn without_prefix(name: &str) -> &str {
    name.strip_prefix("m_axi_").unwrap_or(name)
}

impl KnownPort {
    /// Whether `sp=` may call it that.
    pub fn is_called(&self, argument: &str) -> bool {
        without_prefix(&self.name) == without_prefix(argument)
            || self.arguments.iter().any(|known| known == argument)
    }
}

/// The ports that a synthesis report lists. A port that is read and written is taken to do both at the same time.
pub fn known_ports(report: &Report) -> Vec<KnownPort> {
    let Some(kernel) = &report.top else { return Vec::new() };
    let number = |printed: &Option<Located<Printed>>| {
        printed.as_ref().and_then(|one| one.value.known()).map(|value| value as f64)
    };
    let of = |port: &derate_hls::MemoryPort| {
        let direction = port.access.as_ref().and_then(|access| match access.value.as_str() {
            "READ_ONLY" => Some(Direction::Read),
            "WRITE_ONLY" => Some(Direction::Write),
            "READ_WRITE" => Some(Direction::Copy),
            _ => None,
        });
        let (burst, outstanding) = match direction {
            Some(Direction::Write) => (&port.max_write_burst, &port.write_outstanding),
            _ => (&port.max_read_burst, &port.read_outstanding),
        };
        let source = format!("the synthesis report, port {} of {}", port.name.value, kernel.value);
        let bits = number(&port.bits).filter(|&bits| bits > 0.0);
        KnownPort {
            kernel: kernel.value.clone(),
            name: port.name.value.clone(),
            arguments: Vec::new(),
            bits: bits.map(|bits| Figure::new(bits, Provenance::Synthesised, source)),
            direction,
            burst_beats: number(burst).filter(|&beats| beats > 0.0),
            outstanding: number(outstanding).filter(|&bursts| bursts > 0.0),
        }
    };
    report.ports.iter().map(of).collect()
}
