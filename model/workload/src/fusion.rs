//! The groups of a block under a schedule: fused where the chip can hold what that keeps, and where it saves bytes.

use std::ops::Range;

use crate::classes::LayerClass;
use crate::traffic::{GroupTraffic, count_traffic};
use crate::workload::{Block, Joins};
use derate_project::Schedule;
use derate_units::Bytes;

/// Kernels that run as one.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelGroup {
    /// Indices of its kernels in the block.
    pub kernels: Range<usize>,
    /// What they move.
    pub traffic: GroupTraffic,
}

/// A group that the schedule asks for and that is not made.
#[derive(Clone, Debug, PartialEq)]
pub struct RefusedFusion {
    /// Indices of its kernels in the block.
    pub kernels: Range<usize>,
    /// What it would have to hold.
    pub footprint: Bytes,
    /// What the chip has; a group that fits is refused where it would move more bytes.
    pub capacity: Bytes,
    /// Bytes that it would save or, below zero, add.
    pub saves: Bytes,
}

/// The groups of a class in their order, appended to `groups`.
pub fn group_kernels(
    class: &LayerClass,
    schedule: Schedule,
    capacity: f64,
    groups: &mut Vec<KernelGroup>,
    refused: &mut Vec<RefusedFusion>,
) {
    split_range(class, schedule, capacity, 0..class.block.kernels.len(), groups, refused);
}

/// Splits `range` by the schedule; a group that is not legal is split by the next finer one.
fn split_range(
    class: &LayerClass,
    schedule: Schedule,
    capacity: f64,
    range: Range<usize>,
    groups: &mut Vec<KernelGroup>,
    refused: &mut Vec<RefusedFusion>,
) {
    let mut first = range.start;
    while first < range.end {
        let kernels = next_group(schedule, &class.block, first, range.end);
        first = kernels.end;
        let cost = count_traffic(class, kernels.clone(), capacity, |_| {});
        let finer = schedule.finer().filter(|_| kernels.len() > 1);
        let Some(finer) = finer else {
            groups.push(KernelGroup { kernels, traffic: cost });
            continue;
        };
        let (before, refused_before) = (groups.len(), refused.len());
        split_range(class, finer, capacity, kernels.clone(), groups, refused);
        let apart: f64 = groups[before..].iter().map(|group| group.traffic.bytes).sum();
        if cost.footprint <= capacity && cost.bytes <= apart {
            groups.truncate(before);
            refused.truncate(refused_before);
            groups.push(KernelGroup { kernels, traffic: cost });
        } else {
            // A finer schedule that groups the same kernels has refused them already.
            let known = refused[refused_before..].iter().any(|r| r.kernels == kernels);
            if !known {
                refused.push(RefusedFusion {
                    kernels,
                    footprint: Bytes(cost.footprint),
                    capacity: Bytes(capacity),
                    saves: Bytes(apart - cost.bytes),
                });
            }
        }
    }
}

/// The kernels of the group that begins with kernel `first`.
fn next_group(schedule: Schedule, block: &Block, first: usize, end: usize) -> Range<usize> {
    let is_fused = |joins: Joins| match schedule {
        Schedule::Unfused => false,
        Schedule::Epilogue => joins == Joins::Epilogue,
        Schedule::Attention => joins != Joins::Nothing,
        Schedule::Block => true,
    };
    let members = block.kernels[first..end].iter().skip(1).take_while(|k| is_fused(k.joins));
    first..first + 1 + members.count()
}
