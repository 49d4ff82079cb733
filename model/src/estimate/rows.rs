//! One kernel of a class as a row of the estimate.

use super::{KernelEstimate, Member, OperandTraffic, Totals};
use crate::classes::Class;
use crate::fusion::Group;
use crate::latency::Terms;
use crate::traffic::traffic;
use crate::units::{Bytes, BytesPerSecond, Ops, OpsPerByte, OpsPerSecond, Seconds};
use crate::work::{arithmetic, work};
use crate::workload::{Kernel, Op};
use crate::{Bound, Peak, Precision, Provenance, Roofline};

/// More members than these are named by their block.
const NAMED: usize = 4;

/// What a row needs to know of its scenario.
pub(super) struct Roofs<'a> {
    pub(super) bandwidth: BytesPerSecond,
    pub(super) capacity: f64,
    /// The peaks in use, by arithmetic.
    pub(super) peaks: &'a [(Precision, Result<Peak, String>)],
    /// Why no latency is known.
    pub(super) no_latency: &'a str,
}

impl Roofs<'_> {
    fn peak(&self, precision: Precision) -> Result<OpsPerSecond, String> {
        match self.peaks.iter().find(|(p, _)| *p == precision) {
            Some((_, Ok(peak))) => Ok(peak.rate.value),
            Some((_, Err(reason))) => Err(reason.clone()),
            None => Err(format!("no {precision} peak")),
        }
    }
}

/// The name of a group: its kernel's, its kernels', or that of the block that it fuses.
fn group_name(class: &Class<'_>, group: &Group) -> String {
    let kernels = &class.block.kernels[group.kernels.clone()];
    match kernels {
        [one] => one.name.to_string(),
        few if few.len() <= NAMED => {
            few.iter().map(|k| k.name.as_ref()).collect::<Vec<_>>().join(" + ")
        }
        all if all.len() == class.block.kernels.len() => format!("whole {}", class.block.name),
        [first, .., last] => {
            format!("{} ... {} ({} kernels)", first.name, last.name, kernels.len())
        }
        [] => String::new(),
    }
}

/// `0, 1, 2, 5` as `0-2, 5`.
pub(super) fn ranges(numbers: &[u64]) -> String {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(number) => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let texts =
        ranges.iter().map(|&(a, b)| if a == b { a.to_string() } else { format!("{a}-{b}") });
    texts.collect::<Vec<_>>().join(", ")
}

/// How the rows of a class are told apart from those of other classes and blocks of the part.
pub(super) struct Label {
    /// Put before the name where the part has several blocks.
    pub(super) block: bool,
    /// Put behind it where layers differ.
    pub(super) layers: bool,
}

impl Label {
    fn name(&self, class: &Class<'_>, group: &Group) -> String {
        let mut name = group_name(class, group);
        if self.block && !name.ends_with(class.block.name.as_ref()) {
            name = format!("{}: {name}", class.block.name);
        }
        if self.layers {
            let numbers: Vec<u64> =
                class.layers.iter().filter_map(|&at| class.block.layers[at].number).collect();
            if !numbers.is_empty() {
                name = format!("{name} (layers {})", ranges(&numbers));
            }
        }
        name
    }
}

/// The row of one group.
pub(super) fn row(
    class: &Class<'_>,
    group: &Group,
    label: &Label,
    roofs: &Roofs<'_>,
    terms: Option<Terms>,
) -> KernelEstimate {
    let block = class.block;
    let members = members(class, group);
    let mut products = members.iter().filter_map(|m| m.matmul);
    let (product, more) = (products.next(), products.next().is_some());
    let mut reason = None;
    let mut peak = |precision| match roofs.peak(precision) {
        Ok(peak) => peak.0,
        Err(why) => {
            reason.get_or_insert(why);
            0.0
        }
    };
    let work = work(block, group.kernels.clone(), &class.formats, &mut peak);
    let main = block.kernels[group.kernels.clone()]
        .iter()
        .position(|k: &Kernel| matches!(k.op, Op::Matmul(_)))
        .map_or(group.kernels.start, |at| group.kernels.start + at);
    let precision = arithmetic(block, main, &class.formats);
    let (flops, bytes) = (Ops(work.flops), Bytes(group.traffic.bytes));
    let oi = if bytes.0 > 0.0 { flops / bytes } else { OpsPerByte(0.0) };
    let memory = bytes / roofs.bandwidth;
    let time = Seconds(work.seconds.max(memory.0));
    let known = reason.is_none();
    // A kernel without products has no peak to be measured against: memory holds it down.
    let compute = work.flops > 0.0 && work.seconds >= memory.0;
    let bound = if compute { Bound::Compute } else { Bound::Memory };
    let mut unknown = Vec::new();
    if let Some(reason) = reason {
        unknown.push(format!(
            "the bound, the attainable rate and the roofline time are unknown: {reason}"
        ));
    }
    if terms.is_none() {
        unknown.push(format!("the latency is unknown: {}", roofs.no_latency));
    }
    KernelEstimate {
        name: label.name(class, group),
        matmul: product.filter(|_| !more),
        calls: class.calls(),
        precision,
        totals: Totals {
            flops,
            elementwise_ops: Ops(work.elementwise),
            bytes,
            weight_bytes: Bytes(group.traffic.weight_bytes),
            oi,
            bound: known.then_some(bound),
            attainable: (known && time.0 > 0.0).then(|| flops / time),
            throughput_seconds: known.then_some(time),
            latency_seconds: terms.map(|t| t.total()),
        },
        ridge: roofs
            .peak(precision)
            .ok()
            .filter(|_| product.is_some())
            .map(|peak| Roofline { peak, bandwidth: roofs.bandwidth }.ridge()),
        latency: terms,
        unknown,
        provenance: Provenance::Derived,
        members,
        footprint: Bytes(group.traffic.footprint),
        operands: operands(class, group, roofs.capacity),
    }
}

/// The operators of a group.
fn members(class: &Class<'_>, group: &Group) -> Vec<Member> {
    class.block.kernels[group.kernels.clone()]
        .iter()
        .map(|kernel| {
            let (matmul, elementwise) = match kernel.op {
                Op::Matmul(matmul) => (Some(matmul), None),
                Op::Elementwise(op) => (None, Some(op)),
                Op::Gather => (None, None),
            };
            Member { name: kernel.name.to_string(), matmul, elementwise }
        })
        .collect()
}

/// What crosses memory for a group, operand by operand.
fn operands(class: &Class<'_>, group: &Group, capacity: f64) -> Vec<OperandTraffic> {
    let mut operands = Vec::with_capacity(4 * group.kernels.len());
    let kernels = group.kernels.clone();
    traffic(class.block, kernels, &class.formats, capacity, class.weight_reads(), |crossing| {
        operands.push(OperandTraffic {
            member: crossing.kernel - group.kernels.start,
            name: crossing.operand.name,
            role: crossing.operand.role,
            elements: crossing.operand.elements,
            precision: crossing.precision,
            crossings: crossing.crossings,
            bytes: crossing.bytes,
        });
    });
    operands
}
