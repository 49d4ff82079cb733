//! Single operators.

use super::gemm_times::GemmTimes;
use super::{Phase, Prediction, Setting, Workload};
use crate::operator::{Attention, Mlp, Operation, Scores, gemm, gemv};

/// Builds predictions of operators.
pub struct Operators<'a>(pub &'a Setting);

impl Operators<'_> {
    fn of(
        &self,
        workload: Workload,
        phases: &[(&'static str, Vec<(Operation, u64)>)],
    ) -> Result<Prediction, String> {
        let ground = self.0.ground()?;
        let operations = phases.iter().flat_map(|(_, operations)| operations);
        let times = GemmTimes::new(self.0, &ground);
        let bases = times.bases(operations.map(|(operation, _)| operation));
        let mut prediction = self.0.prediction(&ground, workload);
        prediction.phases = phases
            .iter()
            .map(|(name, operations)| {
                Phase::new(name, operations, &self.0.formats, &ground, &times)
            })
            .collect();
        prediction.rest_on(bases);
        Ok(prediction)
    }

    /// `y[n] = W[n, k] x[k]`.
    pub fn gemv(&self, n: u64, k: u64) -> Result<Prediction, String> {
        self.of(Workload::Gemv { n, k }, &[("gemv", vec![(gemv(n, k), 1)])])
    }

    /// `C[m, n] = A[m, k] B[k, n]`, `B` the weights.
    pub fn gemm(&self, m: u64, n: u64, k: u64) -> Result<Prediction, String> {
        self.of(Workload::Gemm { m, n, k }, &[("gemm", vec![(gemm(m, n, k), 1)])])
    }

    /// One attention. The error is one sentence.
    pub fn attention(&self, attention: &Attention) -> Result<Prediction, String> {
        attention.check().map_err(|error| error.to_string())?;
        let mut operations = Vec::new();
        attention.operations(|operation| operations.push((operation, 1)));
        let mut prediction =
            self.of(Workload::Attention(*attention), &[("attention", operations)])?;
        if attention.causal && attention.scores == Scores::Written {
            prediction.notes.push(
                "Scores that are written are computed whole: the mask hides them and saves nothing."
                    .to_owned(),
            );
        }
        Ok(prediction)
    }

    /// Layers of one width, forward and backward.
    pub fn mlp(&self, mlp: &Mlp) -> Result<Prediction, String> {
        let mut forward: Vec<(Operation, u64)> =
            mlp.operations().into_iter().map(|operation| (operation, mlp.layers)).collect();
        let own = Mlp { backward: false, ..*mlp }.operations().len();
        let backward = forward.split_off(own.min(forward.len()));
        let mut phases = vec![("forward", forward)];
        if mlp.backward {
            phases.push(("backward", backward));
        }
        self.of(Workload::Mlp(*mlp), &phases)
    }
}
