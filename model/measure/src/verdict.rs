use std::fmt;

use serde::Serialize;

use super::RunTimes;
use derate_units::{BytesPerSecond, Figure};

/// A measurement supports a claim from this share of it on: the bandwidth model is within 7 % of what is published of the
/// U280, and so is one build of a card from another.
pub const BAR: f64 = 0.93;

/// What a measurement says of a claim.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// At least [`BAR`] of it was reached.
    Supported,
    /// It was not.
    Refuted,
    /// What is stated cannot have happened.
    Implausible,
    /// The file does not decide it.
    Inconclusive,
    /// It is not a measurement of what the claim is about.
    NotEvidence,
}

impl Verdict {
    /// All of them, for help texts.
    pub const ALL: [Self; 5] =
        [Self::Supported, Self::Refuted, Self::Implausible, Self::Inconclusive, Self::NotEvidence];

    /// As the JSON spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Refuted => "refuted",
            Self::Implausible => "implausible",
            Self::Inconclusive => "inconclusive",
            Self::NotEvidence => "not-evidence",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::NotEvidence => "not evidence",
            other => other.as_str(),
        })
    }
}

/// A sentence, and a word for machines.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct VerdictReason {
    /// `above-peak`, `one-bank`, `port-width`.
    pub code: &'static str,
    /// For people.
    pub sentence: String,
}

impl VerdictReason {
    pub(super) fn new(code: &'static str, sentence: impl Into<String>) -> Self {
        Self { code, sentence: sentence.into() }
    }
}

/// A verdict with its reasons and figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judgement {
    /// What was measured: `memcpy of 1.074 GB`.
    pub name: String,
    /// What it says of the claim.
    pub verdict: Verdict,
    /// What was measured, with its provenance; `None` where bytes or times are missing.
    pub bandwidth: Option<Figure<BytesPerSecond>>,
    /// Its share of the claim, where it supports or refutes it.
    pub share: Option<f64>,
    /// How long a repetition took; `None` for what was published as a rate.
    pub times: Option<RunTimes>,
    /// More than this cannot be: the least of what the ports and the channels that were used could carry.
    pub peak: Option<Figure<BytesPerSecond>>,
    /// What the bandwidth model gives that setup; the most where a copy leaves a range.
    pub model: Option<Figure<BytesPerSecond>>,
    /// The least of that range.
    pub model_least: Option<BytesPerSecond>,
    /// Why the verdict is what it is.
    pub reasons: Vec<VerdictReason>,
    /// Where the difference between claim and measurement comes from.
    pub gaps: Vec<VerdictReason>,
    /// What to know beside it.
    pub notes: Vec<String>,
}

impl Judgement {
    /// Of which nothing is known yet.
    pub(super) fn new(name: String) -> Self {
        Self {
            name,
            verdict: Verdict::Inconclusive,
            bandwidth: None,
            share: None,
            times: None,
            peak: None,
            model: None,
            model_least: None,
            reasons: Vec::new(),
            gaps: Vec::new(),
            notes: Vec::new(),
        }
    }

    pub(super) fn with_verdict(mut self, verdict: Verdict, reasons: Vec<VerdictReason>) -> Self {
        self.verdict = verdict;
        self.reasons = reasons;
        self
    }
}
