//! What was read of the kernels that `[[kernel]]` names.

use derate_hls::Report;
use derate_kernel::{KernelAnswer, Uncertainty};

/// What was read of one kernel.
#[derive(Clone, Debug)]
pub enum KernelReading {
    /// The model of its source.
    Modelled(Box<SourceModel>),
    /// Its synthesis report.
    Reported(Box<Report>),
    /// Nothing: `derate.toml` describes it.
    Described,
}

/// A kernel whose source was modelled.
#[derive(Clone, Debug)]
pub struct SourceModel {
    /// What the model says.
    pub answer: KernelAnswer,
    /// How far it may be off.
    pub uncertainty: Uncertainty,
}
