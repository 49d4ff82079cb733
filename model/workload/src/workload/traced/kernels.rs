//! The kernels of one operation.

use super::layer::{LayerBuilder, Source, TracedLayer};
use crate::graph::{Operation, OperationKind};
use crate::workload::{Convolved, Elementwise, FormatOf, Op, PointFunction, Role, WorkloadError};

/// What an operation does on each element.
fn elementwise_of(operation: &Operation, read: u64, written: u64) -> Elementwise {
    let function = || Elementwise::Function(PointFunction::find(&operation.function));
    match &operation.kind {
        OperationKind::Norm => match operation.function.as_str() {
            "layer_norm" => Elementwise::LayerNorm,
            "rms_norm" => Elementwise::RmsNorm,
            _ => function(),
        },
        OperationKind::Softmax if operation.function == "log_softmax" => function(),
        OperationKind::Softmax => Elementwise::Softmax,
        OperationKind::Pool { window } => Elementwise::Pool(*window),
        OperationKind::Reduction => Elementwise::Reduction(read.div_ceil(written.max(1))),
        OperationKind::Copy | OperationKind::Fill | OperationKind::Embedding => Elementwise::Copy,
        OperationKind::Unknown => Elementwise::Function(PointFunction::unknown()),
        _ => match operation.function.as_str() {
            "gelu" => Elementwise::Gelu,
            "silu" => Elementwise::Silu,
            _ => function(),
        },
    }
}

impl LayerBuilder<'_> {
    /// Adds an operation; `rest` is its module's path within the layer.
    pub(super) fn add(&mut self, operation: &Operation, rest: &str) -> Result<(), WorkloadError> {
        match &operation.kind {
            OperationKind::Attention => self.add_attention(operation, rest),
            OperationKind::Embedding => self.add_embedding(operation, rest),
            _ => self.add_plain(operation, rest),
        }
    }

    /// The module's name for what it is there for, such as `mlp.fc1`; else with the function: `attn.softmax`.
    fn name(&mut self, rest: &str, function: &str, is_own: bool) -> std::borrow::Cow<'static, str> {
        let name = match (rest.is_empty(), is_own) {
            (true, _) => function.to_owned(),
            (false, true) => rest.to_owned(),
            (false, false) => format!("{rest}.{function}"),
        };
        self.name_kernel(name)
    }

    fn add_plain(&mut self, operation: &Operation, rest: &str) -> Result<(), WorkloadError> {
        let first = self.first();
        let mut sources = Vec::with_capacity(operation.inputs.len());
        let mut seen: Vec<usize> = Vec::new();
        for &input in &operation.inputs {
            // A value by itself is read once; a product has a left and a right operand.
            if seen.contains(&input) && !Self::is_product(operation) {
                continue;
            }
            seen.push(input);
            sources.push((self.find_source(input)?, self.graph.count_read(operation, input)));
        }
        let has_weight = sources.iter().any(|(source, _)| matches!(source, Source::Slot(_)));
        let names: [&'static str; 3] = match operation.kind {
            OperationKind::Convolution(_) => ["activations", "weights", "bias"],
            OperationKind::Product if has_weight => ["activations", "weights", "bias"],
            OperationKind::Product => ["left", "right", "added"],
            _ => ["input", "input", "input"],
        };
        let is_product = Self::is_product(operation);
        for (at, (source, elements)) in sources.iter().enumerate() {
            let role = if is_product && at < 2 { Role::Weight } else { Role::Vector };
            let name = match source {
                Source::Slot(_) if role == Role::Vector => "vector",
                _ => names[at.min(2)],
            };
            self.read(name, *source, *elements, role);
        }
        let read = sources.first().map_or(0, |(_, elements)| *elements);
        let written = self.graph.values[operation.outputs[0]].elements();
        self.write_results(operation, first)?;
        let products = self.graph.list_products(operation);
        let product = products.unwrap_or_default().first().copied();
        let op = match (&operation.kind, product) {
            (OperationKind::Convolution(own), Some(product)) => {
                let window = &self.graph.values[operation.inputs[1]].shape;
                Op::Convolution(Box::new(Convolved {
                    product,
                    window: window.get(2..).unwrap_or_default().to_vec(),
                    stride: own.stride.clone(),
                    transposed: own.transposed,
                }))
            }
            (_, Some(product)) => Op::Matmul(product),
            _ => Op::Elementwise(elementwise_of(operation, read, written)),
        };
        let is_own = matches!(operation.kind, OperationKind::Norm | OperationKind::Pool { .. })
            || is_product && has_weight;
        let function = match operation.kind {
            OperationKind::Product => "matmul",
            _ => operation.function.as_str(),
        };
        let name = self.name(rest, function, is_own);
        self.push(name, op, is_product && sources.len() > 2, first);
        Ok(())
    }

    /// Rows of a table.
    fn add_embedding(&mut self, operation: &Operation, rest: &str) -> Result<(), WorkloadError> {
        let first = self.first();
        for (&input, name) in operation.inputs.iter().zip(["rows", "input"]) {
            let source = self.find_source(input)?;
            let elements = self.graph.count_read(operation, input);
            self.read(name, source, elements, Role::Weight);
        }
        self.write_results(operation, first)?;
        let name = self.name(rest, &operation.function, true);
        self.push(name, Op::Gather, false, first);
        Ok(())
    }

    /// Scaled dot-product attention is three kernels: scores, their softmax, and the product with the values.
    fn add_attention(&mut self, operation: &Operation, rest: &str) -> Result<(), WorkloadError> {
        let products = self.graph.list_products(operation).unwrap_or_default();
        let &[scores, weighted] = products.as_slice() else { return Ok(()) };
        let of = |builder: &mut Self, at: usize| -> Result<_, WorkloadError> {
            let input = operation.inputs[at];
            Ok((builder.find_source(input)?, builder.graph.count_read(operation, input)))
        };
        let elements = scores.batch.saturating_mul(scores.m).saturating_mul(scores.n);
        let first = self.first();
        let (query, key) = (of(self, 0)?, of(self, 1)?);
        self.read("queries", query.0, query.1, Role::Weight);
        self.read("keys", key.0, key.1, Role::Weight);
        let made =
            self.push_value(elements, scores.n, FormatOf::Scores, Some(self.next()), false)?;
        self.write("scores", made);
        let name = self.name(rest, "qk", false);
        self.push(name, Op::Matmul(scores), false, first);

        let first = self.first();
        self.read("input", Source::Value(made), elements, Role::Input);
        if operation.inputs.len() > 3 {
            let mask = of(self, 3)?;
            self.read("mask", mask.0, mask.1, Role::Vector);
        }
        let shares =
            self.push_value(elements, scores.n, FormatOf::Scores, Some(self.next()), false)?;
        self.write("result", shares);
        let name = self.name(rest, "softmax", false);
        self.push(name, Op::Elementwise(Elementwise::Softmax), false, first);

        let first = self.first();
        self.read("scores", Source::Value(shares), elements, Role::Input);
        let value = of(self, 2)?;
        self.read("values", value.0, value.1, Role::Weight);
        self.write_results(operation, first)?;
        let name = self.name(rest, "pv", false);
        self.push(name, Op::Matmul(weighted), false, first);
        Ok(())
    }

    /// The layer, with what may be fused marked.
    pub(super) fn finish(mut self) -> TracedLayer {
        super::joins::mark_joins(&mut self.layer.block);
        self.layer
    }
}
