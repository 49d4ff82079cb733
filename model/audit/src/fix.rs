//! What mends a finding: alternatives of edits. Rules provide them, [`mend`] chooses and tries them.

mod claim;
mod constant;
mod diff;
mod include;
mod mend;
mod patch;
mod retype;

pub(super) use claim::{beside, restate, round_down};
pub(super) use constant::value_of;
pub use diff::unified;
pub(super) use include::include;
pub use mend::{Mended, Mending, Refusal, mend};
pub use patch::{Patch, apply};
pub(super) use retype::spelling_of;

use derate_hls::Span;
use serde::Serialize;

/// Which side of a disagreement is mended.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Strategy {
    /// `derate.toml`, to what the code and the card do.
    Claim,
    /// The source, to what it says of itself.
    Code,
}

impl Strategy {
    /// `claim` or `code`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Claim => "claim",
            Self::Code => "code",
        }
    }

    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Claim => Self::Code,
            Self::Code => Self::Claim,
        }
    }
}

/// One text in place of another.
#[derive(Clone, Debug, Eq, PartialEq, Ord, PartialOrd)]
pub struct Edit {
    /// What goes; an empty span is a place to insert at.
    pub span: Span,
    /// What comes.
    pub replacement: String,
}

impl Edit {
    /// `replacement` in place of what stands at `span`.
    pub fn new(span: Span, replacement: impl Into<String>) -> Self {
        Self { span, replacement: replacement.into() }
    }
}

/// One way to mend a finding.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fix {
    /// The strategy that it belongs to; `None` where there is one way only, which both take.
    pub strategy: Option<Strategy>,
    /// What it does, in a few words: `claim fp32`.
    pub title: String,
    /// What it changes, or why it cannot.
    pub edits: Result<Vec<Edit>, String>,
}

impl Fix {
    /// The one way there is: both strategies take it.
    pub fn only(title: impl Into<String>, edits: Result<Vec<Edit>, String>) -> Self {
        Self { strategy: None, title: title.into(), edits }
    }

    /// The way of one strategy.
    pub fn of(
        strategy: Strategy,
        title: impl Into<String>,
        edits: Result<Vec<Edit>, String>,
    ) -> Self {
        Self { strategy: Some(strategy), title: title.into(), edits }
    }

    /// Whether a strategy takes it.
    pub(super) fn suits(&self, strategy: Strategy) -> bool {
        self.strategy.is_none_or(|own| own == strategy)
    }
}
