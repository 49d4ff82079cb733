//! One kernel of a class as a row of the estimate.

use std::borrow::Cow;

use super::{KernelEstimate, Member, OperandTraffic, Totals};
use crate::EstimateError;
use crate::latency::Terms;
use crate::setting::Peaks;
use derate_units::{
    Bound, Bytes, BytesPerSecond, Ops, OpsPerByte, OpsPerSecond, Precision, Provenance, Roofline,
    Seconds,
};
use derate_workload::classes::LayerClass;
use derate_workload::fusion::KernelGroup;
use derate_workload::traffic::{GroupTraffic, count_traffic};
use derate_workload::work::{GroupWork, kernel_arithmetic};
use derate_workload::{Kernel, Op};

/// More members than these are named by their block.
const NAMED: usize = 4;

/// What a row needs to know of its scenario.
pub(super) struct Roofs<'a> {
    pub(super) bandwidth: BytesPerSecond,
    pub(super) capacity: f64,
    /// The peaks in use, by arithmetic.
    pub(super) peaks: &'a Peaks,
    /// Whether the workload models all work.
    pub(super) whole: bool,
    /// Why no latency is known.
    pub(super) no_latency: &'static str,
    /// How times under them are known.
    pub(super) provenance: Provenance,
}

impl Roofs<'_> {
    pub(super) fn peak(&self, precision: Precision) -> Result<OpsPerSecond, EstimateError> {
        match self.peaks.iter().find(|(p, _)| *p == precision) {
            Some((_, Ok(peak))) => Ok(peak.rate.value),
            Some((_, Err(error))) => Err(error.clone()),
            None => Err(EstimateError::NoPeak(precision)),
        }
    }
}

/// The name of a group: its kernel's, its kernels', or that of the block that it fuses.
fn group_name(class: &LayerClass, group: &KernelGroup) -> Cow<'static, str> {
    let kernels = &class.block.kernels[group.kernels.clone()];
    match kernels {
        [one] => one.name.clone(),
        few if few.len() <= NAMED => {
            few.iter().map(|k| k.name.as_ref()).collect::<Vec<_>>().join(" + ").into()
        }
        all if all.len() == class.block.kernels.len() => "whole block".into(),
        [first, .., last] => {
            format!("{} ... {} ({} kernels)", first.name, last.name, kernels.len()).into()
        }
        [] => "".into(),
    }
}

/// `0, 1, 2, 5` as `0-2, 5`.
fn format_ranges(numbers: &[u64]) -> String {
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

/// The name of a row; `numbered` where layers of the same block differ.
fn row_name(class: &LayerClass, group: &KernelGroup, numbered: bool) -> Cow<'static, str> {
    let name = group_name(class, group);
    let layers = || class.layers.iter().filter_map(|&at| class.block.layers[at].number);
    if !numbered || layers().next().is_none() {
        return name;
    }
    format!("{name} (layers {})", format_ranges(&layers().collect::<Vec<_>>())).into()
}

/// The figures of one call of a group, without latency; the error says which peak is not known.
pub(super) fn group_totals(
    work: &GroupWork,
    traffic: &GroupTraffic,
    roofs: &Roofs<'_>,
) -> (Totals, Result<(), EstimateError>) {
    let mut known = Ok(());
    let peak = |precision| match roofs.peak(precision) {
        Ok(peak) => peak.0,
        Err(error) => {
            known = Err(error);
            0.0
        }
    };
    let products = Seconds(work.seconds(peak));
    let (flops, bytes) = (Ops(work.flops), Bytes(traffic.bytes));
    let memory = bytes / roofs.bandwidth;
    let time = Seconds(products.0.max(memory.0));
    // A kernel without products has no peak to be measured against: memory holds it down.
    let compute = work.flops > 0.0 && products >= memory;
    let totals = Totals {
        flops,
        elementwise_ops: roofs.whole.then_some(Ops(work.elementwise)),
        bytes,
        weight_bytes: Bytes(traffic.weight_bytes),
        oi: if bytes.0 > 0.0 { flops / bytes } else { OpsPerByte(0.0) },
        bound: known.is_ok().then_some(if compute { Bound::Compute } else { Bound::Memory }),
        attainable: (known.is_ok() && time.0 > 0.0).then(|| flops / time),
        throughput_seconds: known.is_ok().then_some(time),
        latency_seconds: None,
    };
    (totals, known)
}

/// The arithmetic of a group: that of its first product, else the format of its first operand.
pub(super) fn group_precision(class: &LayerClass, group: &KernelGroup) -> Precision {
    let kernels = &class.block.kernels[group.kernels.clone()];
    let product = kernels.iter().position(|k: &Kernel| k.op.product().is_some());
    kernel_arithmetic(&class.block, group.kernels.start + product.unwrap_or(0), &class.formats)
}

/// The row of one group.
pub(super) fn estimate_kernel(
    class: &LayerClass,
    (group, work): (&KernelGroup, &GroupWork),
    numbered: bool,
    roofs: &Roofs<'_>,
    terms: Option<Terms>,
) -> KernelEstimate {
    let members = list_members(class, group);
    let mut products = members.iter().filter_map(|m| m.matmul);
    let (product, more) = (products.next(), products.next().is_some());
    let (totals, known) = group_totals(work, &group.traffic, roofs);
    let precision = group_precision(class, group);
    let mut unknown = Vec::new();
    if let Err(error) = known {
        unknown.push(
            format!("the bound, the attainable rate and the roofline time are unknown: {error}")
                .into(),
        );
    }
    if terms.is_none() {
        unknown.push(roofs.no_latency.into());
    }
    KernelEstimate {
        block: class.block.name.clone(),
        name: row_name(class, group, numbered),
        matmul: product.filter(|_| !more),
        calls: class.calls(),
        precision,
        totals: Totals { latency_seconds: terms.map(|t| t.total()), ..totals },
        ridge: roofs
            .peak(precision)
            .ok()
            .filter(|_| product.is_some())
            .map(|peak| Roofline { peak, bandwidth: roofs.bandwidth }.ridge()),
        latency: terms,
        unknown,
        provenance: roofs.provenance,
        members,
        footprint: Bytes(group.traffic.footprint),
        operands: list_operands(class, group, roofs.capacity),
    }
}

/// The operators of a group.
fn list_members(class: &LayerClass, group: &KernelGroup) -> Vec<Member> {
    class.block.kernels[group.kernels.clone()]
        .iter()
        .map(|kernel| {
            let (mut convolution, mut elementwise) = (None, None);
            match &kernel.op {
                Op::Convolution(own) => convolution = Some(own.clone()),
                Op::Elementwise(op) => elementwise = Some(*op),
                Op::Matmul(_) | Op::Gather => {}
            }
            let matmul = kernel.op.product().copied();
            Member { name: kernel.name.clone(), matmul, convolution, elementwise }
        })
        .collect()
}

/// What crosses memory for a group, operand by operand.
fn list_operands(class: &LayerClass, group: &KernelGroup, capacity: f64) -> Vec<OperandTraffic> {
    let mut operands = Vec::with_capacity(4 * group.kernels.len());
    let kernels = group.kernels.clone();
    count_traffic(class, kernels, capacity, |crossing| {
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
