//! How far a kernel is from what the card could do of its work.

use derate_estimate::Analysis;
use derate_estimate::scenario::{PeakBasis, derated_bandwidth};
use derate_units::{Bound, Bytes, Figure, Precision, Provenance, Seconds};
use derate_workload::{Block, Part, Role};
use serde::Serialize;

use crate::served::{ServedWork, find_share};

/// The least time that the card needs for the work that a kernel serves, with all of its multipliers and its memory's sequential
/// streams.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KernelRoof {
    /// What sets it.
    pub bound: Bound,
    /// All calls of an inference at the roof.
    pub time: Figure<Seconds>,
    /// Bytes that have to cross memory: weights, what comes from other work and what other work needs, each once.
    pub bytes: Bytes,
    /// What the memory needs for them.
    pub memory: Seconds,
    /// How many times the roof's time the kernel takes; `None` where its time is not known.
    pub distance: Option<f64>,
}

/// The roof over the work of one kernel, without its distance; `None` where it serves nothing or no peak is known.
pub(crate) fn find_roof(
    analysis: &Analysis,
    parts: &[Part],
    serves: &ServedWork,
    precision: Precision,
) -> Option<KernelRoof> {
    let peak = PeakBasis::Derived.peak(analysis, precision).ok()?.rate;
    let bandwidth = derated_bandwidth(analysis);
    let operations = 2.0 * serves.multiply_adds();
    if operations <= 0.0 {
        return None;
    }
    let bytes: f64 = parts.iter().map(|part| part_bytes(part, serves, precision)).sum();
    let (compute, memory) = (operations / peak.value.0, bytes / bandwidth.value.0);
    let (bound, least, figure) = if compute >= memory {
        (Bound::Compute, compute, (peak.provenance, &peak.source))
    } else {
        (Bound::Memory, memory, (bandwidth.provenance, &bandwidth.source))
    };
    Some(KernelRoof {
        bound,
        time: Figure::new(Seconds(least), Provenance::of_inputs([figure.0]), figure.1.clone()),
        bytes: Bytes(bytes),
        memory: Seconds(memory),
        distance: None,
    })
}

fn part_bytes(part: &Part, serves: &ServedWork, precision: Precision) -> f64 {
    let blocks = part.blocks.iter();
    let bytes = blocks.map(|repeated| {
        let layers = repeated.block.layers.len().max(1) as f64 * repeated.runs as f64;
        layers * block_bytes(&part.key, &repeated.block, serves, precision)
    });
    bytes.sum()
}

/// Between the first and the last served operation of a layer, what one makes and another reads may stay on the chip.
fn block_bytes(part: &str, block: &Block, serves: &ServedWork, precision: Precision) -> f64 {
    let share = |at: usize| Some((at, find_share(serves, part, &block.kernels[at])?));
    let served: Vec<(usize, f64)> = (0..block.kernels.len()).filter_map(share).collect();
    let (Some((first, _)), Some((last, _))) = (served.first(), served.last()) else { return 0.0 };
    let mut seen = Vec::new();
    let mut bytes = 0.0;
    for (at, share) in &served {
        for operand in block.operands_of(&block.kernels[*at]) {
            let crosses = match operand.value {
                None => true,
                Some(value) if seen.contains(&value) => false,
                Some(id) => {
                    seen.push(id);
                    let value = &block.values[usize::from(id)];
                    if operand.role == Role::Output {
                        value.escapes || value.last_use > *last
                    } else {
                        value.producer.is_none_or(|producer| producer < *first)
                    }
                }
            };
            if crosses {
                bytes += share * precision.bytes(operand.elements).0;
            }
        }
    }
    bytes
}
