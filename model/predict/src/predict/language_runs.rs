//! Runs of a decoder without their detail: listed ones, or a part of a sweep.

use std::ops::Range;

use super::{DecoderQuestion, PredictionSetup};
use crate::PredictionError;
use crate::language::sweep::{LengthPoint, evaluate_cases, sweep_range};
use crate::language::{Deployment, Generation, GenerationCase};
use derate_units::Bytes;

impl DecoderQuestion<'_> {
    /// Each of the listed runs in place of the question's own.
    ///
    /// # Errors
    ///
    /// A platform whose roofs are not known.
    pub fn evaluate_runs(
        &self,
        setting: &PredictionSetup,
        runs: &[Generation],
    ) -> Result<Vec<LengthPoint>, PredictionError> {
        let (deployment, capacity) = self.deploy(setting)?;
        let case = |index: u64| {
            let listed = usize::try_from(index).ok().and_then(|at| runs.get(at));
            GenerationCase {
                generation: listed.copied().unwrap_or(self.case.generation),
                ..self.case
            }
        };
        evaluate_cases(&deployment, capacity, 0..runs.len() as u64, self.threads, case)
    }

    /// The combinations of `range` of the question's axes.
    ///
    /// # Errors
    ///
    /// A platform whose roofs are not known.
    pub fn sweep_part(
        &self,
        setting: &PredictionSetup,
        range: Range<u64>,
    ) -> Result<Vec<LengthPoint>, PredictionError> {
        let (deployment, capacity) = self.deploy(setting)?;
        sweep_range(&deployment, capacity, &self.case, &self.axes, range, self.threads)
    }

    fn deploy(
        &self,
        setting: &PredictionSetup,
    ) -> Result<(Deployment<'_>, Option<Bytes>), PredictionError> {
        let ground = setting.find_roofs()?;
        let (model, formats, scores) = (self.model, setting.formats, self.scores);
        let deployment = Deployment { model, formats, roofs: ground.roofs, scores };
        Ok((deployment, ground.capacity.as_ref().map(|capacity| capacity.value)))
    }
}
