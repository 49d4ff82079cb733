//! What was measured, as plain data: the JSON contract `derate.measurement/1`.
//!
//! `derate bench` writes it, `derate validate` and `derate report` read it. A file is one kernel on one device in one
//! setup, run at one size or several. Numbers are in SI base units; what is not known is left out, and nothing is put in
//! its place. [`judge_measurement`] says whether a file supports a [`BandwidthClaim`]; [`validate_recordings`] does so for
//! several files and for what `xbutil` prints.
//!
//! ```
//! use derate_measure::{BandwidthClaim, Measurement, Verdict, judge_measurement};
//!
//! let text = r#"{"schema": "derate.measurement/1", "kernel": "read", "provenance": "measured", "source": "host timer",
//!     "device": {"kind": "emulator", "name": "derate's emulator"},
//!     "runs": [{"bytes_read": 4e9, "bytes_written": 0, "seconds": [0.010, 0.011, 0.012]}]}"#;
//! let measurement = Measurement::parse("run.json", text).unwrap();
//! let judged = judge_measurement(&measurement, &BandwidthClaim::of_u280());
//! assert_eq!(judged.verdict, Verdict::NotEvidence);
//! assert_eq!(judged.reasons[0].code, "emulated");
//! ```

pub mod points;
pub mod times;

mod above_all;
mod arithmetic;
mod attention_run;
mod bytes_from;
mod capacity;
mod claim;
mod computed;
mod counted;
mod csv;
mod device;
mod directions;
mod disagree;
mod emulation;
mod error;
mod evidence;
mod expected;
mod fits;
mod gap;
mod judge;
mod kernel_clock;
mod kind;
mod launch;
mod main_run;
mod mlp_run;
mod named_card;
mod other_seconds;
mod own_kernels;
mod plausible;
mod ports;
pub mod profile;
mod read;
mod run;
mod same_times;
mod setup;
mod share;
mod timed_by;
mod undecided;
mod uneven;
mod validation;
mod verdict;
mod versions;
mod wall;
mod warm_up;
mod xbutil;

use serde::{Deserialize, Serialize};

pub use attention_run::AttentionRun;
pub use bytes_from::BytesFrom;
pub use claim::BandwidthClaim;
pub use computed::Computed;
pub use device::{DeviceKind, EMULATOR_NAME, MeasuredDevice};
pub use error::MeasurementError;
pub use judge::judge_measurement;
pub use kind::KernelKind;
pub use launch::FASTEST_CALL;
pub use mlp_run::MlpRun;
pub use ports::PortGroup;
pub use run::{GemmRun, ResultCheck, Run, RunTimes};
pub use timed_by::TimedBy;
pub use uneven::note_uneven;
pub use validation::{
    FileKind, OtherClaim, Recording, RecordingContent, ValidatedFile, Validation,
    validate_recordings,
};
pub use verdict::{BAR, Judgement, Verdict, VerdictReason};
pub use versions::Versions;
pub use xbutil::{Xbutil, XbutilFigure, XbutilTest};

use derate_units::{Hertz, Provenance};

/// The form of the file and its version.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub enum Schema {
    /// The first.
    #[default]
    #[serde(rename = "derate.measurement/1")]
    V1,
}

/// One kernel on one device in one setup, and how long it took.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Measurement {
    /// The form of the file.
    pub schema: Schema,
    /// What the kernel does.
    pub kernel: KernelKind,
    /// Where it ran.
    pub device: MeasuredDevice,
    /// How the times are known: `Measured` on a card and on a CPU, `Emulated` where a model made them up, `Published`
    /// where somebody else measured.
    pub provenance: Provenance,
    /// Where they are from, in a sentence.
    pub source: String,
    /// What took the times, where the file says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timed_by: Option<TimedBy>,
    /// The command that gives them again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Threads of a processor that shared the work, at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<u64>,
    /// Compute units that ran side by side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compute_units: Option<u64>,
    /// Their ports to external memory, equal ones together; empty where they are not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ports: Vec<PortGroup>,
    /// The clock that the kernel ran at, not the one that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel_clock: Option<Hertz>,
    /// The clock of the memory's AXI ports; on a card with HBM the link report says it (`hbm_aclk`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_clock: Option<Hertz>,
    /// What it was run with.
    #[serde(default)]
    pub versions: Versions,
    /// One for each size; at least one.
    pub runs: Vec<Run>,
}

#[cfg(test)]
mod tests;
