//! Edits that may fix a finding, as rules offer them.

mod claim;
mod constant;
mod include;
mod retype;

pub use claim::{add_beside, restate_claim, round_down};
pub use constant::find_value;
pub use include::add_include;
pub use retype::find_spelling;

use derate_hls::{Reason, Span};
use serde::Serialize;

/// Which side of a disagreement is changed.
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
    /// Puts `replacement` in place of the text at `span`.
    pub fn new(span: Span, replacement: impl Into<String>) -> Self {
        Self { span, replacement: replacement.into() }
    }
}

/// One way to fix a finding.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fix {
    /// The strategy that it belongs to; `None` where there is one way only, which both take.
    pub strategy: Option<Strategy>,
    /// What it does, in a few words: `claim fp32`.
    pub title: String,
    /// What it changes, or why it cannot.
    pub edits: Result<Vec<Edit>, Reason>,
}

impl Fix {
    /// The one way there is: both strategies take it.
    pub fn only(title: impl Into<String>, edits: Result<Vec<Edit>, Reason>) -> Self {
        Self { strategy: None, title: title.into(), edits }
    }

    /// The way of one strategy.
    pub fn of(
        strategy: Strategy,
        title: impl Into<String>,
        edits: Result<Vec<Edit>, Reason>,
    ) -> Self {
        Self { strategy: Some(strategy), title: title.into(), edits }
    }

    /// Whether a strategy takes it.
    pub fn suits(&self, strategy: Strategy) -> bool {
        self.strategy.is_none_or(|own| own == strategy)
    }
}
