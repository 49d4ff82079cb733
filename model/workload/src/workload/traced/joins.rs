//! What may run on the tile that the kernel before has just made, by who reads whose result.

use crate::workload::{Block, Elementwise, Joins, Op, Role, Value};

/// The kernel directly before, where its result is what kernel `at` reads first or beside others, element by element.
fn follows_tile(block: &Block, at: usize) -> bool {
    let kernel = &block.kernels[at];
    let Op::Elementwise(op) = kernel.op else { return false };
    let is_pointwise = matches!(
        op,
        Elementwise::Function(_) | Elementwise::Gelu | Elementwise::Silu | Elementwise::Bias
    );
    let made: Option<&Value> = read_from_before(block, at);
    let written = block.operands_of(kernel).iter().find(|o| o.role == Role::Output);
    is_pointwise
        && made.zip(written).is_some_and(|(made, written)| made.elements == written.elements)
}

/// The value that kernel `at` reads of the kernel directly before.
fn read_from_before(block: &Block, at: usize) -> Option<&Value> {
    let before = at.checked_sub(1)?;
    block
        .operands_of(&block.kernels[at])
        .iter()
        .filter(|o| o.role == Role::Input)
        .filter_map(|o| block.values.get(usize::from(o.value?)))
        .find(|value| value.producer == Some(before))
}

/// A product of two values.
fn is_weightless(block: &Block, at: usize) -> bool {
    let kernel = &block.kernels[at];
    matches!(kernel.op, Op::Matmul(_))
        && block.operands_of(kernel).iter().take(2).all(|o| o.role == Role::Input)
}

/// Marks which kernels may join the one before them.
pub(super) fn mark_joins(block: &mut Block) {
    for at in 1..block.kernels.len() {
        if follows_tile(block, at) {
            block.kernels[at].joins = Joins::Epilogue;
        }
    }
    for at in 1..block.kernels.len() {
        if matches!(block.kernels[at].op, Op::Elementwise(Elementwise::Softmax)) {
            mark_attention(block, at);
        }
    }
}

/// A softmax between two products of values is an attention: scores need not leave the chip.
fn mark_attention(block: &mut Block, softmax: usize) {
    let chained = |block: &Block, at: usize| read_from_before(block, at).is_some();
    let mut scores = softmax;
    while scores > 0 && chained(block, scores) && block.kernels[scores].op.product().is_none() {
        scores -= 1;
    }
    let mut values = softmax + 1;
    while values < block.kernels.len()
        && chained(block, values)
        && block.kernels[values].op.product().is_none()
    {
        values += 1;
    }
    let is_product = |at: usize| at < block.kernels.len() && is_weightless(block, at);
    let inner = scores + 1..values + 1;
    let is_whole = is_product(scores) && is_product(values) && chained(block, values);
    let is_elementwise =
        |at: usize| at == softmax || at == values || follows_tile(block, at) || is_copy(block, at);
    if is_whole && inner.clone().all(is_elementwise) {
        for kernel in &mut block.kernels[inner] {
            kernel.joins = Joins::Attention;
        }
        name_product(block, scores, "qk");
        name_product(block, values, "pv");
    }
}

/// What a product is in an attention says more than that it is one; of several attentions the number stays.
fn name_product(block: &mut Block, at: usize, name: &str) {
    let own = &mut block.kernels[at].name;
    if own.contains("matmul") {
        let number = own.rsplit_once("matmul").map_or("", |(_, number)| number);
        let number = number.trim_start_matches('_').parse::<usize>().unwrap_or(1);
        let path = own.rsplit_once("matmul").map_or("", |(path, _)| path);
        // Each attention has two.
        let of = number.div_ceil(2);
        let ending = if of > 1 { format!("_{of}") } else { String::new() };
        *own = format!("{path}{name}{ending}").into();
    }
}

/// A conversion of scores to another format.
fn is_copy(block: &Block, at: usize) -> bool {
    matches!(block.kernels[at].op, Op::Elementwise(Elementwise::Copy))
}
