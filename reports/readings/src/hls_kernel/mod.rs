//! What the model says of one HLS kernel as a document and as data: `derate.kernel/1`.

mod data;
mod hardware;
mod help;
pub(crate) mod loops;
mod text;
pub(crate) mod words;

use derate_advice::Advice;
use derate_kernel::{KernelAnswer, Settings};
use derate_machine::Platform;
use derate_render::Document;

pub use data::KernelReport;

/// A scheduled kernel with what it was scheduled for.
#[derive(Clone, Copy, Debug)]
pub struct KernelStudy<'a> {
    /// What the model says.
    pub answer: &'a KernelAnswer,
    /// Clock, part and tool.
    pub settings: &'a Settings,
    /// The card, where one is named rather than a part.
    pub platform: Option<&'a Platform>,
    /// What would make it faster, the best first.
    pub advice: &'a [Advice],
    /// What was taken because nothing was said, a sentence each.
    pub notes: &'a [String],
    /// The command that gives it again.
    pub command: &'a str,
}

/// How much of it a document shows.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum KernelDetail {
    /// What fits one screen of 40 lines.
    Screen,
    /// Everything.
    All,
}

/// What `derate kernel` prints: data for machines, a document for people.
pub fn hls_kernel(study: &KernelStudy<'_>, detail: KernelDetail) -> (KernelReport, Document) {
    (KernelReport::of_study(study), text::document(study, detail))
}
