//! Bytes that cross external memory for a group of kernels that run as one.
//!
//! Within a group, what one kernel makes and another reads stays on the chip; weights, what comes from other groups and
//! what other groups need cross. A matrix product whose operands do not fit is tiled, and one of its operands crosses
//! more than once.

mod tiling;

use std::ops::Range;

pub use tiling::count_crossings;

use crate::classes::LayerClass;
use crate::layer_formats::LayerFormats;
use crate::workload::{Block, Joins, Op, Operand, Role, Value};
use derate_units::{Bytes, Precision};

/// One operand of one kernel of a group, and how often it crosses memory.
pub struct OperandCrossing<'a> {
    /// Which kernel, by its index in the block.
    pub kernel: usize,
    /// The operand.
    pub operand: &'a Operand,
    /// Its number format.
    pub precision: Precision,
    /// 0 where it stays on the chip; below one where it is read once for several runs.
    pub crossings: f64,
    /// Bytes that cross memory.
    pub bytes: Bytes,
}

/// What a group costs in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GroupTraffic {
    /// All that crosses.
    pub bytes: f64,
    /// Weights among it.
    pub weight_bytes: f64,
    /// What must be on the chip at once at least, tiles aside.
    pub footprint: f64,
}

/// Walks through the kernels of `group` with `capacity` bytes of on-chip memory and shows every operand to `each`.
pub fn count_traffic(
    class: &LayerClass,
    group: Range<usize>,
    capacity: f64,
    mut each: impl FnMut(OperandCrossing<'_>),
) -> GroupTraffic {
    let (block, formats): (&Block, _) = (&class.block, &class.formats);
    let mut total = GroupTraffic::default();
    let alone = group.len() == 1;
    for index in group.clone() {
        let kernel = &block.kernels[index];
        let operands = block.operands_of(kernel);
        let (held, streamed) =
            if alone { (0.0, 0.0) } else { live_bytes(block, &group, index, formats) };
        let streams_scores = !alone && streams_scores(block, &group, index);
        let resident =
            if streams_scores { resident_bytes(block, &group, index, formats) } else { 0.0 };
        total.footprint = total.footprint.max(held + streamed + resident);
        let stays = |operand: &Operand| !alone && stays_on_chip(block, &group, index, operand);
        let is_held = |operand: &Operand| class.held && operand.role.is_stored();
        let (left, right) = match kernel.op.product() {
            Some(_) if streams_scores => (1, 1),
            Some(&matmul) => {
                let bytes = |o: &Operand| formats.of(o.format).bytes(1).0;
                // Windows of a convolution overlap: an element of the product's left operand is less than one of the input.
                let windowed = |o: &Operand| match &kernel.op {
                    Op::Convolution(_) => bytes(o) * o.elements as f64 / (matmul.left_elements()),
                    _ => bytes(o),
                };
                let on_chip =
                    |o: &Operand| stays(o) || !alone && is_held_for_others(block, &group, index, o);
                let whole = |o: &&Operand| stays(o) && is_held_whole(block, o);
                let product = tiling::TiledProduct {
                    matmul,
                    left: operands.first().map_or(0.0, windowed),
                    right: operands.get(1).map_or(0.0, bytes),
                    left_on_chip: operands.first().is_some_and(on_chip),
                    right_on_chip: operands.get(1).is_some_and(|o| on_chip(o) || is_held(o)),
                    held_result: operands.last().filter(whole).map_or(0.0, bytes),
                };
                count_crossings(&product, capacity - held)
            }
            None => (1, 1),
        };
        for (at, operand) in operands.iter().enumerate() {
            let crossings = match operand.role {
                _ if stays(operand) => 0,
                Role::Output | Role::Vector => 1,
                _ if at == 0 => left,
                _ => right,
            } as f64;
            let crossings = if is_held(operand) { class.weight_reads() } else { crossings };
            let precision = formats.of(operand.format);
            let bytes = precision.bytes(operand.elements).0 * crossings;
            total.bytes += bytes;
            if operand.role == Role::Weight {
                total.weight_bytes += bytes;
            }
            each(OperandCrossing {
                kernel: index,
                operand,
                precision,
                crossings,
                bytes: Bytes(bytes),
            });
        }
    }
    total
}

/// Whether a kernel of the group made it.
fn made_inside(value: &Value, group: &Range<usize>) -> bool {
    value.producer.is_some_and(|producer| group.contains(&producer))
}

/// Whether the group keeps what comes from outside for a later reader. A value that other groups have read before is
/// read again each time.
fn is_kept(value: &Value, group: &Range<usize>) -> bool {
    group.contains(&value.first_use)
}

/// Whether an operand of kernel `index` stays on the chip.
fn stays_on_chip(block: &Block, group: &Range<usize>, index: usize, operand: &Operand) -> bool {
    let Some(id) = operand.value else { return false };
    let value = &block.values[usize::from(id)];
    match operand.role {
        Role::Weight | Role::Vector => false,
        Role::Output => !value.escapes && value.last_use < group.end,
        // What comes from outside crosses once.
        Role::Input => {
            made_inside(value, group) || is_kept(value, group) && value.first_use < index
        }
    }
}

/// Whether an operand that stays on the chip is there as a whole, not row by row.
fn is_held_whole(block: &Block, operand: &Operand) -> bool {
    operand.value.is_some_and(|id| !is_streamed(block, &block.values[usize::from(id)]))
}

/// Whether a value is used up by the kernels that directly follow its producer, row by row.
fn is_streamed(block: &Block, value: &Value) -> bool {
    value.producer.is_some_and(|producer| {
        block.kernels[producer + 1..=value.last_use.max(producer)]
            .iter()
            .all(|kernel| kernel.joins != Joins::Nothing)
    })
}

/// The last kernel of the group that reads a value; 0 where none does.
fn last_use(block: &Block, group: &Range<usize>, id: usize, value: &Value) -> usize {
    if value.last_use < group.end {
        return value.last_use;
    }
    let reads = |&index: &usize| {
        let mut operands = block.operands_of(&block.kernels[index]).iter();
        operands.any(|o| o.role == Role::Input && o.value.is_some_and(|of| usize::from(of) == id))
    };
    // Others read it too, after the group.
    if value.first_use < group.end { group.clone().rev().find(reads).unwrap_or(0) } else { 0 }
}

/// Whether kernel `index` is the first of several in the group that read what comes from outside: it is held for them.
fn is_held_for_others(
    block: &Block,
    group: &Range<usize>,
    index: usize,
    operand: &Operand,
) -> bool {
    operand.value.is_some_and(|id| {
        let value = &block.values[usize::from(id)];
        value.first_use == index && last_use(block, group, id.into(), value) > index
    })
}

/// Bytes that are held whole while kernel `index` runs, and bytes of the rows that stream through it.
fn live_bytes(
    block: &Block,
    group: &Range<usize>,
    index: usize,
    formats: &LayerFormats,
) -> (f64, f64) {
    let (mut held, mut streamed) = (0.0, 0.0);
    for (id, value) in block.values.iter().enumerate() {
        let until = last_use(block, group, id, value);
        if until < index {
            continue;
        }
        if made_inside(value, group) {
            let producer = value.producer.unwrap_or(group.start);
            // What is only written is no more than a tile.
            if producer <= index && until > producer {
                if is_streamed(block, value) {
                    streamed += formats.bytes(value.row, value.format);
                } else {
                    held += formats.bytes(value.elements, value.format);
                }
            }
        } else if is_kept(value, group) && value.first_use <= index && value.first_use < until {
            held += formats.bytes(value.elements, value.format);
        }
    }
    (held, streamed)
}

/// Whether kernel `index` is a product whose scores stream between it and its neighbours.
fn streams_scores(block: &Block, group: &Range<usize>, index: usize) -> bool {
    let joined = |at: usize| {
        group.contains(&at)
            && block.kernels.get(at).is_some_and(|kernel| kernel.joins == Joins::Attention)
    };
    block.kernels[index].op.product().is_some()
        && (joined(index) && index > group.start || joined(index + 1))
}

/// Bytes of the right operands of one head, which stay while its rows of scores stream by.
fn resident_bytes(
    block: &Block,
    group: &Range<usize>,
    index: usize,
    formats: &LayerFormats,
) -> f64 {
    let products = group.clone().filter(|&k| streams_scores(block, group, k));
    // Keys and values of the same attention are within a few kernels of each other.
    products
        .filter(|k| k.abs_diff(index) <= 2)
        .map(|k| {
            let kernel = &block.kernels[k];
            let Some(matmul) = kernel.op.product() else { return 0.0 };
            let right = block.operands_of(kernel).get(1);
            right
                .map_or(0.0, |right| formats.bytes(matmul.k.saturating_mul(matmul.n), right.format))
        })
        .sum()
}
