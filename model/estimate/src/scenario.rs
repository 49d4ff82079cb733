//! Sets of assumptions to estimate under.

mod claims;
mod combinations;
mod kind;
mod ladder;
mod peak_basis;

pub use claims::{claimed_bandwidth, claimed_tokens, derated_bandwidth};
pub(crate) use combinations::{by_precision, grid_scenarios};
pub use kind::ScenarioKind;
pub use ladder::{Skipped, design_array, ladder_steps};
pub use peak_basis::{PeakBasis, PeakSource, claim_for, derived_peaks, has_own_claim};

use crate::{Analysis, Array};
use derate_project::{Schedule, Storage};
use derate_units::figures::rate_unit;
use derate_units::{BytesPerSecond, Figure};

/// What is assumed of an inference. Each figure says where it is from; texts about it are made from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Assumptions {
    /// What the scenario is.
    pub kind: ScenarioKind,
    /// Number formats in memory.
    pub storage: Storage,
    /// Tokens that the layers see.
    pub tokens: Figure<f64>,
    /// External bandwidth.
    pub bandwidth: Figure<BytesPerSecond>,
    /// Peak rates.
    pub peaks: PeakBasis,
    /// What is fused.
    pub schedule: Schedule,
}

impl Assumptions {
    /// Everything as `derate.toml` claims it.
    pub fn claimed(analysis: &Analysis) -> Self {
        Self {
            kind: ScenarioKind::Claimed,
            storage: analysis.claimed_storage(),
            tokens: claimed_tokens(analysis),
            bandwidth: claimed_bandwidth(analysis),
            peaks: PeakBasis::Claimed,
            schedule: Schedule::Unfused,
        }
    }

    /// A combination outside the ladder, unfused.
    pub fn custom(
        storage: Storage,
        tokens: Figure<f64>,
        bandwidth: Figure<BytesPerSecond>,
        peaks: PeakBasis,
    ) -> Self {
        let (kind, schedule) = (ScenarioKind::Custom, Schedule::Unfused);
        Self { kind, storage, tokens, bandwidth, peaks, schedule }
    }

    /// The name: that of the step of the ladder; of another combination, what it assumes.
    pub fn name(&self) -> String {
        if self.kind != ScenarioKind::Custom {
            return self.kind.name().to_owned();
        }
        let (bandwidth, peak) = self.roof_texts();
        let (storage, tokens) = (self.storage.name(), self.tokens.value);
        format!("{storage}, {tokens} tokens, {bandwidth}, {peak} peak")
    }

    /// What it corrects against the step before, in a word.
    pub fn change(&self) -> String {
        let word = match (self.kind, &self.peaks) {
            (_, PeakBasis::Array(array)) => {
                let (rows, columns) = (array.rows.value, array.columns.value);
                return format!("array of {rows} x {columns}, {}", self.storage.name());
            }
            (ScenarioKind::Claimed | ScenarioKind::Design, _) => "nothing",
            (ScenarioKind::AsBuilt, _) => "bytes",
            (ScenarioKind::TrueTokens, _) => "tokens",
            (ScenarioKind::Derated, _) => "bandwidth",
            (ScenarioKind::DerivedPeak, _) => "peak",
            (ScenarioKind::Custom, _) => "as the options say",
        };
        word.to_owned()
    }

    /// The arguments of `derate estimate` that give it again, but for the schedule.
    pub fn arguments(&self) -> String {
        if self.kind != ScenarioKind::Custom {
            return format!("--scenario {}", self.kind);
        }
        let (bandwidth, peak) = self.roof_texts();
        let (storage, tokens) = (self.storage.argument(), self.tokens.value);
        format!(
            "--precision {storage} --tokens {tokens} --bandwidth \"{bandwidth}\" --peak \"{peak}\""
        )
    }

    /// Bandwidth and peak, as the command line takes them.
    fn roof_texts(&self) -> (String, String) {
        let peak = match &self.peaks {
            PeakBasis::Given(rate) => {
                format!("{} T{}", rate.0 / 1e12, rate_unit(self.storage.precisions()))
            }
            basis => basis.source().name().to_owned(),
        };
        (format!("{} GB/s", self.bandwidth.value.0 / 1e9), peak)
    }

    /// The token count.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "made from a count; the cast saturates"
    )]
    pub fn token_count(&self) -> u64 {
        self.tokens.value as u64
    }

    /// The array that everything runs on; `None` where no design is behind the scenario.
    pub fn array(&self) -> Option<&Array> {
        match &self.peaks {
            PeakBasis::Array(array) => Some(array),
            _ => None,
        }
    }
}
