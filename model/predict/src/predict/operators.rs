//! Single operators.

use super::gemm_times::GemmTimes;
use super::{Phase, PredictedWorkload, Prediction, PredictionSetup};
use crate::PredictionError;
use derate_workload::operator::{Attention, Mlp, Operation, Scores, Shape};

/// Builds predictions of operators.
pub struct Operators<'a>(pub &'a PredictionSetup);

/// Its parts by their names; of an MLP forward and backward.
fn split_phases(shape: &Shape) -> Vec<(&'static str, Vec<(Operation, u64)>)> {
    let mut forward = shape.operations();
    let Shape::Mlp(mlp @ Mlp { backward: true, .. }) = *shape else {
        let name = if matches!(shape, Shape::Mlp(_)) { "forward" } else { shape.kind().name() };
        return vec![(name, forward)];
    };
    let own = Mlp { backward: false, ..mlp }.operations().len();
    let backward = forward.split_off(own.min(forward.len()));
    vec![("forward", forward), ("backward", backward)]
}

impl Operators<'_> {
    /// What the roofs allow an operator.
    pub fn predict_shape(&self, shape: &Shape) -> Result<Prediction, PredictionError> {
        if let Shape::Attention(attention) = shape {
            attention.check_heads()?;
        }
        let phases = split_phases(shape);
        let ground = self.0.find_roofs()?;
        let operations = phases.iter().flat_map(|(_, operations)| operations);
        let times = GemmTimes::new(self.0, &ground);
        let bases = times.list_bases(operations.map(|(operation, _)| operation));
        let mut prediction = self.0.start_prediction(&ground, PredictedWorkload::Operator(*shape));
        prediction.phases = phases
            .iter()
            .map(|(name, operations)| {
                Phase::new(name, operations, &self.0.formats, &ground, &times)
            })
            .collect();
        prediction.add_bases(bases);
        if let Shape::Attention(Attention {
            causal: true,
            scores: Scores::Written | Scores::Apart,
            ..
        }) = shape
        {
            prediction.notes.push(
                "Scores that are written are computed whole: the mask hides them and saves nothing."
                    .to_owned(),
            );
        }
        if let Shape::Mlp(Mlp { backward: true, apart: false, width, layers, batch }) = *shape {
            prediction.notes.push(format!(
                "What GELU is taken of is not among these bytes: whoever keeps it for the backward pass writes and reads {} x {batch} x {width} elements more, as `derate bench mlp --backward` does and counts.",
                layers.saturating_add(1)
            ));
        }
        Ok(prediction)
    }
}
