//! A block of numbers as a block of any kind of count.

use std::sync::Arc;

use crate::workload::{Block, Convolved, Count, Kernel, Matmul, Op, Operand, Value};

fn count_product<C: Count>(own: &Matmul) -> Matmul<C> {
    Matmul { batch: own.batch.into(), m: own.m.into(), k: own.k.into(), n: own.n.into() }
}

impl Block {
    /// The same block in another kind of count.
    pub(super) fn recount<C: Count>(&self) -> Block<C> {
        let kernel = |one: &Kernel| Kernel {
            name: one.name.clone(),
            op: match &one.op {
                Op::Matmul(own) => Op::Matmul(count_product(own)),
                Op::Convolution(own) => Op::Convolution(Box::new(Convolved {
                    product: count_product(&own.product),
                    window: own.window.clone(),
                    stride: own.stride.clone(),
                    transposed: own.transposed,
                })),
                Op::Elementwise(own) => Op::Elementwise(*own),
                Op::Gather => Op::Gather,
            },
            joins: one.joins,
            adds: one.adds,
            first: one.first,
            end: one.end,
        };
        let operand = |one: &Operand| Operand {
            name: one.name,
            role: one.role,
            elements: one.elements.into(),
            format: one.format,
            value: one.value,
        };
        let value = |one: &Value| Value {
            elements: one.elements.into(),
            row: one.row.into(),
            format: one.format,
            producer: one.producer,
            first_use: one.first_use,
            last_use: one.last_use,
            escapes: one.escapes,
        };
        Block {
            name: self.name.clone(),
            kernels: self.kernels.iter().map(kernel).collect(),
            operands: self.operands.iter().map(operand).collect(),
            values: self.values.iter().map(value).collect(),
            layers: Arc::clone(&self.layers),
        }
    }
}
