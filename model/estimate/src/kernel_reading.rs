//! What was read of the kernels that `[[kernel]]` names.

use derate_advice::Advice;
use derate_hls::Report;
use derate_kernel::{KernelAnswer, Program, Uncertainty};

/// What was read of one kernel.
#[derive(Clone, Debug)]
pub enum KernelReading {
    /// The model of its source.
    Modelled(Box<SourceModel>),
    /// Its synthesis report.
    Reported(Box<ReportReading>),
    /// Nothing: `derate.toml` describes it.
    Described,
}

impl KernelReading {
    /// Its source, where that was read.
    #[must_use]
    pub fn source(&self) -> Option<&SourceModel> {
        match self {
            Self::Modelled(source) => Some(source),
            Self::Reported(reading) => reading.source.as_ref(),
            Self::Described => None,
        }
    }
}

/// A kernel whose source was modelled.
#[derive(Clone, Debug)]
pub struct SourceModel {
    /// What was read.
    pub program: Program,
    /// What the model says.
    pub answer: KernelAnswer,
    /// How far it may be off.
    pub uncertainty: Uncertainty,
    /// The changes of the source that would save most cycles.
    pub advice: Vec<Advice>,
    /// What was chosen of several things in its file of directives, and what is not there.
    pub notes: Vec<String>,
}

/// A kernel whose synthesis report was read.
#[derive(Clone, Debug)]
pub struct ReportReading {
    /// The report.
    pub report: Report,
    /// The source that it should be of.
    pub source: Option<SourceModel>,
    /// What shows that it is of another version of that source, a sentence each without a full stop.
    pub stale: Vec<String>,
}
