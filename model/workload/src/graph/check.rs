//! Whether the shapes of a graph fit one another.

use super::attention::measure_attention;
use super::misfit::Misfit;
use super::product::measure_product;
use super::{Graph, Operation, OperationKind};
use crate::matmul::Matmul;

/// Functions whose operands repeat to the shape of the result.
const BROADCAST: [&str; 12] = [
    "add",
    "sub",
    "rsub",
    "mul",
    "div",
    "where",
    "pow",
    "maximum",
    "minimum",
    "lt",
    "eq",
    "logical_and",
];

/// A sum of multiply-adds beyond this is a mistake in a shape.
const MOST: u128 = 1 << 80;

impl Graph {
    /// The products of an operation; empty for what multiplies no matrices. The error says which shapes do not fit.
    pub(crate) fn list_products(&self, operation: &Operation) -> Result<Vec<Matmul>, Misfit> {
        let shape = |list: &[usize], at: usize| match list.get(at) {
            Some(&value) => Ok(self.values[value].shape.as_slice()),
            None => Err(Misfit::new("it lacks an operand")),
        };
        let input = |at| shape(&operation.inputs, at);
        let made = || shape(&operation.outputs, 0);
        Ok(match &operation.kind {
            OperationKind::Product => {
                let product = measure_product(input(0)?, input(1)?)?;
                let results = self.values[operation.outputs[0]].elements();
                let expected = product.batch.saturating_mul(product.m).saturating_mul(product.n);
                if results != expected {
                    return Err(Misfit::new(format!(
                        "it multiplies {:?} by {:?} and its result is {:?}",
                        input(0)?,
                        input(1)?,
                        made()?
                    )));
                }
                vec![product]
            }
            OperationKind::Convolution(own) => vec![own.measure(input(0)?, input(1)?, made()?)?],
            OperationKind::Attention => {
                measure_attention(input(0)?, input(1)?, input(2)?, made()?)?.to_vec()
            }
            _ => Vec::new(),
        })
    }

    /// The first thing that does not fit, with the operation that has it.
    pub(crate) fn check(&self) -> Result<(), (Option<usize>, String)> {
        let mut macs = 0_u128;
        for (index, operation) in self.operations.iter().enumerate() {
            let wrong = |reason: Misfit| {
                let what = operation.describe();
                (
                    Some(index),
                    format!("operation {index}, {what}: {reason}: record the model again"),
                )
            };
            self.check_places(operation).map_err(wrong)?;
            for product in self.list_products(operation).map_err(wrong)? {
                let Matmul { batch, m, k, n } = product;
                let sizes = [batch, m, k, n, self.count_runs(operation)];
                let own = sizes.into_iter().try_fold(1_u128, |a, b| a.checked_mul(b.into()));
                macs = own
                    .and_then(|own| macs.checked_add(own))
                    .filter(|all| *all <= MOST)
                    .ok_or_else(|| wrong(Misfit::new("it has more than 2^80 multiply-adds")))?;
            }
            self.check_elements(operation).map_err(wrong)?;
        }
        match self.outputs.iter().find(|at| **at >= self.values.len()) {
            Some(at) => Err((None, format!("the model returns value {at}, which is not there"))),
            None if self.operations.is_empty() => {
                Err((None, "there is no operation: record a call of the model".to_owned()))
            }
            None => Ok(()),
        }
    }

    fn check_places(&self, operation: &Operation) -> Result<(), Misfit> {
        let all = operation.inputs.iter().chain(&operation.outputs);
        if let Some(at) = all.into_iter().find(|at| **at >= self.values.len()) {
            return Err(Misfit::new(format!(
                "it names value {at}, and there are {}",
                self.values.len()
            )));
        }
        if operation.outputs.is_empty() {
            return Err(Misfit::new("it has no result"));
        }
        match operation.around.filter(|at| *at >= self.loops.len()) {
            Some(at) => {
                Err(Misfit::new(format!("it is in loop {at}, and there are {}", self.loops.len())))
            }
            None => Ok(()),
        }
    }

    /// What is computed element by element has as many results as its operand has elements.
    fn check_elements(&self, operation: &Operation) -> Result<(), Misfit> {
        let made = &self.values[operation.outputs[0]];
        let first = operation.inputs.first().map(|&at| &self.values[at]);
        let differ = |what: &str| {
            let first = first.map_or_else(String::new, |first| format!("{:?}", first.shape));
            Err(Misfit::new(format!("{what}: it reads {first} and writes {:?}", made.shape)))
        };
        match operation.kind {
            OperationKind::Norm | OperationKind::Softmax => match first {
                Some(first) if first.elements() == made.elements() => Ok(()),
                _ => differ("it keeps the number of elements"),
            },
            OperationKind::Pool { window: 0 } => Err(Misfit::new("its window is missing")),
            OperationKind::Embedding => {
                let &[table, rows] = operation.inputs.as_slice() else {
                    return Err(Misfit::new("it reads a table and which rows"));
                };
                let sizes = self.values[table].shape.iter().skip(1);
                let width = sizes.fold(1_u64, |a, &b| a.saturating_mul(b));
                if self.values[rows].elements().checked_mul(width) == Some(made.elements()) {
                    Ok(())
                } else {
                    differ("its rows do not make its result")
                }
            }
            OperationKind::Elementwise if BROADCAST.contains(&operation.function.as_str()) => {
                let repeats = |&at: &usize| repeats_to(&self.values[at].shape, &made.shape);
                if operation.inputs.iter().all(repeats) {
                    Ok(())
                } else {
                    let shapes: Vec<_> =
                        operation.inputs.iter().map(|&at| &self.values[at].shape).collect();
                    Err(Misfit::new(format!(
                        "{shapes:?} do not repeat to its result {:?}",
                        made.shape
                    )))
                }
            }
            _ => Ok(()),
        }
    }
}

/// Whether a shape repeats to another one, aligned at the innermost dimension.
fn repeats_to(shape: &[u64], to: &[u64]) -> bool {
    let own = shape.iter().rev();
    own.len() <= to.len() && own.zip(to.iter().rev()).all(|(a, b)| a == b || *a == 1)
}
