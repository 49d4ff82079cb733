//! Files against a claim: the JSON contract `derate.validation/1`.

use serde::Serialize;
use serde_json::Value;

use super::{
    BandwidthClaim, Judgement, Measurement, MeasurementError, Verdict, VerdictReason, Xbutil,
    disagree, judge_measurement, read, xbutil,
};
use derate_source::FilePlace;
use derate_units::command::quote_word;
use derate_units::{BytesPerSecond, Figure, Provenance};

/// What to do with a file of another form.
const GIVE: &str = "give what `derate bench` wrote, or what `xbutil validate -f JSON -o FILE` did";

/// What a file was read as.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FileKind {
    /// `derate.measurement/1`.
    Measurement,
    /// What `xbutil validate` or `xrt-smi validate` printed.
    Xbutil,
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
pub enum RecordingContent {
    /// One kernel in one setup.
    Measurement(Box<Measurement>),
    /// The figures of one card or several.
    Xbutil(Vec<Xbutil>),
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// Its name.
    pub file: String,
    /// What it holds.
    pub content: RecordingContent,
}

impl Recording {
    /// Reads the text of a file, whichever of the forms it has.
    pub fn parse(name: &str, text: &str) -> Result<Self, MeasurementError> {
        let value: Value = serde_json::from_str(text).map_err(|error| {
            let mut error = read::describe_error(name, &error);
            error.reason = format!("it is not JSON ({}): {GIVE}", error.reason);
            error
        })?;
        if !value.is_object() {
            return Err(MeasurementError {
                place: FilePlace::of_file(name),
                reason: format!("it is not an object in braces: {GIVE}"),
            });
        }
        let content = if Xbutil::is_one(&value) {
            RecordingContent::Xbutil(Xbutil::parse(name, text)?)
        } else {
            RecordingContent::Measurement(Box::new(Measurement::parse(name, text)?))
        };
        Ok(Self { file: name.to_owned(), content })
    }
}

/// One file's verdict.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValidatedFile {
    /// The file.
    pub file: String,
    /// What it was read as.
    pub kind: FileKind,
    /// Where it was measured.
    pub device: String,
    /// How its figures are known.
    pub provenance: Provenance,
    /// The verdict of the file: of several figures the gravest, and never that a claim holds because some did.
    pub verdict: Verdict,
    /// What each of its figures says.
    pub figures: Vec<Judgement>,
    /// Rates in the file that could not be read, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// The measurement as it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measurement: Option<Measurement>,
}

/// `derate.validation/1`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Validation {
    /// The form of this object.
    pub schema: &'static str,
    /// The command that gives it again.
    pub command: String,
    /// What was held against the measurements.
    pub claim: Figure<BytesPerSecond>,
    /// Other claims of the project, and what each file says of them.
    pub beside: Vec<OtherClaim>,
    /// In the order in which they were named.
    pub files: Vec<ValidatedFile>,
}

/// Another claim of the same project.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OtherClaim {
    /// The claim.
    pub claim: Figure<BytesPerSecond>,
    /// The verdict of each file on it.
    pub verdicts: Vec<Verdict>,
}

impl Validation {
    /// Whether there is evidence, and all of it supports the claim.
    pub fn is_supported(&self) -> bool {
        !self.files.is_empty() && self.files.iter().all(|file| file.verdict == Verdict::Supported)
    }
}

/// The order of verdicts, from the gravest: impossible, refuted, open, not evidence, supported.
fn rank_verdict(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Implausible => 4,
        Verdict::Refuted => 3,
        Verdict::Inconclusive => 2,
        Verdict::NotEvidence => 1,
        Verdict::Supported => 0,
    }
}

fn validate_file(recording: &Recording, claim: &BandwidthClaim) -> ValidatedFile {
    let (kind, device, provenance, figures, measurement) = match &recording.content {
        RecordingContent::Measurement(measurement) => (
            FileKind::Measurement,
            measurement.device.name.clone(),
            measurement.provenance,
            vec![judge_measurement(measurement, claim)],
            Some((**measurement).clone()),
        ),
        RecordingContent::Xbutil(cards) => (
            FileKind::Xbutil,
            cards.iter().map(|card| card.shell.as_str()).collect::<Vec<_>>().join(", "),
            Provenance::Measured,
            cards
                .iter()
                .flat_map(|card| card.figures.iter().map(|f| xbutil::judge_figure(card, f, claim)))
                .collect(),
            None,
        ),
    };
    let left_out = match &recording.content {
        RecordingContent::Measurement(_) => Vec::new(),
        RecordingContent::Xbutil(cards) => {
            cards.iter().flat_map(|card| card.left_out.clone()).collect()
        }
    };
    let gravest = figures.iter().map(|figure| figure.verdict).max_by_key(|v| rank_verdict(*v));
    ValidatedFile {
        file: recording.file.clone(),
        kind,
        device,
        provenance,
        verdict: gravest.unwrap_or(Verdict::Inconclusive),
        figures,
        left_out,
        measurement,
    }
}

/// Takes the verdict from files of one setup that say the opposite of one another.
fn settle_files(files: &mut [ValidatedFile]) {
    let opposed = |at: usize, this: &ValidatedFile| {
        let mine = (this.measurement.as_ref()?, this.verdict);
        files.iter().enumerate().filter(|(other, _)| *other != at).find_map(|(_, other)| {
            disagree::compare_files(mine, (other.measurement.as_ref()?, other.verdict), &other.file)
        })
    };
    let reasons: Vec<Option<VerdictReason>> =
        files.iter().enumerate().map(|(at, file)| opposed(at, file)).collect();
    for (file, reason) in files.iter_mut().zip(reasons) {
        let (Some(reason), Some(figure)) = (reason, file.figures.first_mut()) else { continue };
        file.verdict = Verdict::Inconclusive;
        (figure.verdict, figure.share) = (Verdict::Inconclusive, None);
        (figure.reasons, figure.gaps) = (vec![reason], Vec::new());
    }
}

/// Holds files against a claim, and says beside it what they say of `others`. `words` are those of the command line
/// after `derate validate`.
pub fn validate_recordings(
    words: &[String],
    recordings: &[Recording],
    claim: &BandwidthClaim,
    others: &[BandwidthClaim],
) -> Validation {
    let figure = |claim: &BandwidthClaim| {
        Figure::new(claim.value, Provenance::Assumed, claim.source.clone())
    };
    let against = |claim: &BandwidthClaim| {
        let mut files: Vec<ValidatedFile> =
            recordings.iter().map(|recording| validate_file(recording, claim)).collect();
        settle_files(&mut files);
        files
    };
    let words = words.iter().map(|word| format!(" {}", quote_word(word)));
    Validation {
        schema: "derate.validation/1",
        command: format!("derate validate{}", words.collect::<String>()),
        claim: figure(claim),
        beside: others
            .iter()
            .map(|other| OtherClaim {
                claim: figure(other),
                verdicts: against(other).into_iter().map(|file| file.verdict).collect(),
            })
            .collect(),
        files: against(claim),
    }
}
