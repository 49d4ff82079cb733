//! Cycles of a layer by its reuse factor.
//!
//! The forms are those of the loops in hls4ml's `nnet_utils` for Vivado and Vitis (v1.1): a matrix takes `reuse_factor`
//! cycles a vector, a convolution on a stream as many a pixel, and a layer on single elements one cycle a packet. Modelled:
//! no layer waits, and each loop has the interval that its pragma asks for. A tool keeps a shorter one where an iteration
//! takes less than that, as may be with strategy latency.

use super::shapes::Layer;
use crate::graph::Folding;

/// How data goes from layer to layer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Flow {
    /// `io_parallel`: all elements at once.
    Parallel,
    /// `io_stream`: packets of so many elements, read and written.
    Stream { read: u64, written: u64 },
    /// Something else.
    Unknown,
}

fn multiply(sizes: &[u64]) -> Option<u64> {
    sizes.iter().try_fold(1_u64, |product, &size| product.checked_mul(size))
}

/// Cycles in which so many packets pass; one alone passes within the work.
fn pass(elements: u64, packet: u64) -> Option<u64> {
    let packets = elements.checked_div(packet)?;
    Some(if packets > 1 { packets } else { 0 })
}

impl Layer<'_> {
    fn reuse(&self) -> Option<u64> {
        self.find("reuse_factor").filter(|&reuse| reuse > 0)
    }

    /// A matrix of `inputs` by `outputs`.
    pub(super) fn fold_matrix(&self, inputs: u64, outputs: u64, flow: Flow) -> Option<Folding> {
        let products = inputs.checked_mul(outputs)?;
        let reuse = self.reuse()?.min(products.max(1));
        let cycles = match flow {
            Flow::Parallel => Some(reuse),
            Flow::Stream { read, written } => pass(inputs, read)
                .zip(pass(outputs, written))
                .and_then(|(before, after)| reuse.checked_add(before)?.checked_add(after)),
            Flow::Unknown => None,
        };
        let multipliers = Some(products.div_ceil(reuse));
        Some(Folding { reuse: Some(reuse), multipliers, cycles, ..Folding::default() })
    }

    /// A convolution by its input, weight and result.
    pub(super) fn fold_convolution(
        &self,
        [input, weight, made]: [&[u64]; 3],
        flow: Flow,
    ) -> Option<Folding> {
        let products = multiply(weight)?;
        let reuse = self.reuse()?.min(products.max(1));
        let (read, written) = (multiply(input.get(2..)?)?, multiply(made.get(2..)?)?);
        let strategy = self.settings.word(self.config, "strategy");
        let is_depthwise = weight.get(1) == Some(&1) && input.get(1) != Some(&1);
        let cycles = match (flow, strategy) {
            // Each pixel that is read begins an interval.
            (Flow::Stream { .. }, Some("latency" | "distributed_arithmetic")) => {
                read.checked_mul(reuse)
            }
            // A pixel that completes no window takes a cycle.
            (Flow::Stream { .. }, Some("resource" | "resource_unrolled")) => written
                .checked_mul(reuse)
                .and_then(|work| work.checked_add(read.saturating_sub(written))),
            (Flow::Parallel, Some(_)) if !is_depthwise => {
                self.find("n_partitions").and_then(|parts| parts.checked_mul(reuse))
            }
            _ => None,
        };
        let at_once = match flow {
            Flow::Stream { .. } => Some(1),
            Flow::Parallel => self
                .find("n_partitions")
                .filter(|parts| *parts > 0 && written.is_multiple_of(*parts))
                .map(|parts| written / parts),
            Flow::Unknown => None,
        };
        let multipliers = at_once.and_then(|pixels| pixels.checked_mul(products.div_ceil(reuse)));
        Some(Folding { reuse: Some(reuse), multipliers, cycles, ..Folding::default() })
    }

    /// The interval of a layer whose pragma asks for its reuse factor.
    pub(super) fn interval(&self) -> Option<u64> {
        self.reuse()
    }
}

/// A layer that takes a packet a cycle, or all elements at once in `interval` cycles.
pub(super) fn fold_stream(elements: u64, interval: Option<u64>, flow: Flow) -> Option<Folding> {
    let cycles = match flow {
        Flow::Parallel => interval?,
        Flow::Stream { read, .. } => elements.checked_div(read)?.max(1),
        Flow::Unknown => return None,
    };
    Some(Folding { cycles: Some(cycles), ..Folding::default() })
}
