//! Layers of one width, each linear and then GELU, forward and backward: what seed analyses train.

use serde::{Deserialize, Serialize};

use super::{Factors, Matrix, Operation, StoredAs};
use crate::workload::{Elementwise, Matmul};
use derate_units::Ops;

/// A stack of `layers` linear layers of `width` by `width`, each with an activation.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Mlp {
    /// Rows.
    pub batch: u64,
    /// Inputs and outputs of each layer.
    pub width: u64,
    /// Layers, all alike.
    pub layers: u64,
    /// Whether gradients are computed too, of the weights and of what each layer reads.
    pub backward: bool,
    /// Whether each activation is an operation of its own that reads and writes memory, as an eager framework runs it.
    pub apart: bool,
}

impl Mlp {
    /// The operations of one layer, forward, then backward.
    ///
    /// A linear layer is `2 b d^2` forward; backward `2 b d^2` for the gradient of its input and as much for that of its
    /// weights.
    pub fn operations(&self) -> Vec<Operation> {
        let (batch, width) = (self.batch, self.width);
        let flow = |name, read: bool| {
            let kind = if read { Matrix::read } else { Matrix::written };
            kind(name, StoredAs::Activations, u128::from(batch), width)
        };
        let gelu = Ops(batch as f64 * width as f64 * Elementwise::Gelu.operations() as f64);
        let forward = Operation::linear(
            "linear",
            StoredAs::Weights,
            batch,
            (width, width),
            StoredAs::Activations,
        );
        let mut all = Vec::with_capacity(5);
        if self.apart {
            let operands = [flow("input", true), flow("result", false)];
            let own = Operation::new("gelu", Ops(0.0), Factors::Nothing, operands);
            all.extend([forward, own.with_elementwise(gelu)]);
        } else {
            all.push(forward.with_elementwise(gelu));
        }
        if !self.backward {
            return all;
        }
        let product = Matmul::gemm(batch, width, width).flops();
        if self.apart {
            let operands = [flow("input", true), flow("gradient", true), flow("result", false)];
            // What the gradient of GELU computes is not counted, as it is not a product.
            all.push(Operation::new("gelu gradient", Ops(0.0), Factors::Nothing, operands));
        }
        all.push(Operation::new(
            "input gradient",
            product,
            Factors::Weights,
            [
                flow("gradient", true),
                Matrix::weights(StoredAs::Weights, u128::from(width), width),
                flow("result", false),
            ],
        ));
        all.push(Operation::new(
            "weight gradient",
            product,
            Factors::Activations,
            [
                flow("gradient", true),
                flow("activations", true),
                Matrix::written("result", StoredAs::Activations, u128::from(width), width),
            ],
        ));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seed 004 trains 4 layers of 2048 with 512 rows: 6 b d^2 a layer. It adds 8 b d for GELU, which is not a product.
    #[test]
    fn a_layer_is_two_forward_and_four_backward() {
        let mlp = Mlp { batch: 512, width: 2048, layers: 4, backward: true, apart: false };
        let flops: f64 = mlp.operations().iter().map(|operation| operation.flops.0).sum();
        assert_eq!(Ops(flops * 4.0), Ops(51_539_607_552.0));
        let forward = Mlp { backward: false, ..mlp };
        assert_eq!(forward.operations().len(), 1);
        assert_eq!(Mlp { apart: true, ..mlp }.operations().len(), 5);
    }
}
