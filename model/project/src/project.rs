//! `derate.toml`: what the analysis claims, each claim with its line.

mod checker;
mod design;
mod figure_claims;
mod kernel;
mod launches;
mod level;
mod levels;
mod measured;
mod raw;
mod schedule;
mod transfers;

use std::collections::BTreeMap;

use derate_hls::{FileId, FilePlace, Reason, Sources, Span};

use checker::{Checker, optional, parse_precision};
pub use design::DesignSection;
pub use figure_claims::{ClaimPer, ClaimedFigure, FigureClaim};
use figure_claims::{RawFigures, split_per};
pub use kernel::{
    KernelOrigin, KernelReport, KernelSection, KernelSource, StageList, StageSection, StatedUse,
};
pub use launches::Launches;
pub use level::Level;
pub use levels::RuleLevel;
pub use measured::{MeasuredOrigin, MeasuredSection, Timer};
pub use schedule::Schedule;
pub use transfers::TransferSection;

use derate_units::quantity::ParseQuantity;
use derate_units::{BytesPerSecond, Hertz, OpsPerSecond, Precision, Seconds};

/// The card that is taken where `[platform]` names none and one is needed.
const ASSUMED_PLATFORM: &str = "u280";

/// A stated value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim<T> {
    /// What is claimed.
    pub value: T,
    /// As it is written.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// The precision that an analysis assumes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ClaimedPrecision {
    /// Every tensor has this one.
    Uniform(Precision),
    /// Each tensor has what the dump says.
    AsStored,
}

/// The latency that an analysis states for batch 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClaimedLatency {
    /// One pass takes this long.
    Known(Seconds),
    /// The analysis says that it does not know.
    Unknown,
}

/// `[model]`: the dump and the workload's parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelSection {
    /// Path of the dump, from the project's folder; only a bandwidth's claim is held to measurements without one.
    pub shapes: Option<Claim<String>>,
    /// Name of the workload.
    pub workload: Option<Claim<String>>,
    /// Camera images per inference.
    pub cameras: Option<Claim<u64>>,
    /// Language tokens, padding included.
    pub language_tokens: Option<Claim<u64>>,
    /// Denoising steps of the action expert.
    pub denoise_steps: Option<Claim<u64>>,
    /// Actions that are denoised at once.
    pub chunk: Option<Claim<u64>>,
    /// Sizes of dimensions that an ONNX file leaves open, by their names.
    pub dimensions: BTreeMap<String, u64>,
}

/// `[hls]`: the code.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HlsSection {
    /// Paths or glob patterns, from the project's folder.
    pub sources: Vec<Claim<String>>,
    /// Folders that includes are looked for in, from the project's folder.
    pub include: Vec<Claim<String>>,
    /// Macros that count as defined: name and value.
    pub defines: Vec<Claim<(String, String)>>,
    /// Path of the v++ configuration.
    pub connectivity: Option<Claim<String>>,
    /// Paths or glob patterns of what the tools printed.
    pub reports: Vec<Claim<String>>,
    /// Paths or glob patterns of the files that run the tools.
    pub scripts: Vec<Claim<String>>,
}

/// `[claims]`: the numbers that the analysis is based on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Claims {
    /// Bytes per element.
    pub precision: Option<Claim<ClaimedPrecision>>,
    /// Inferences at a time.
    pub batch: Option<Claim<u64>>,
    /// Tokens that a layer sees.
    pub sequence_length: Option<Claim<u64>>,
    /// Kernel clock.
    pub clock: Option<Claim<Hertz>>,
    /// External bandwidth.
    pub bandwidth: Option<Claim<BytesPerSecond>>,
    /// Peak rate per arithmetic.
    pub peak: BTreeMap<Precision, Claim<OpsPerSecond>>,
    /// Time of one pass.
    pub latency: Option<Claim<ClaimedLatency>>,
    /// All other figures: of the whole, then those of `[[claim]]`.
    pub figures: Vec<Claim<FigureClaim>>,
}

/// The project file, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Project {
    /// The file itself.
    pub file: FileId,
    /// `[model]`.
    pub model: ModelSection,
    /// `[hls]`.
    pub hls: HlsSection,
    /// `[platform] name`; where it is left out, the card that is assumed, at the beginning of the file.
    pub platform: Claim<String>,
    /// Whether `[platform]` names no card.
    pub assumes_platform: bool,
    /// `[claims]`.
    pub claims: Claims,
    /// `[derate] bandwidth`.
    pub derated_bandwidth: Option<Claim<BytesPerSecond>>,
    /// `[measurements] files`: paths or glob patterns, from the project's folder.
    pub measurements: Vec<Claim<String>>,
    /// `[measurements] points`: path of the points for the roofline, from the project's folder.
    pub points: Option<Claim<String>>,
    /// `[design]`.
    pub design: DesignSection,
    /// `[[kernel]]`, in their order.
    pub kernels: Vec<KernelSection>,
    /// `[transfers]`.
    pub transfers: TransferSection,
    /// `[[measured]]`, in their order.
    pub measured: Vec<MeasuredSection>,
    /// `[audit.levels]`, by the code of the rule.
    pub levels: BTreeMap<String, RuleLevel>,
}

/// Why a project file could not be taken: one sentence with file and line.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct ProjectError {
    /// The file and the line.
    pub place: FilePlace,
    /// What is wrong and what to do.
    pub reason: String,
}

impl ProjectError {
    /// An error at `span`, in the words of `reason`.
    pub fn at(sources: &Sources, span: Span, reason: impl Into<String>) -> Self {
        let place = FilePlace::at_line(sources.name(span.file), sources.position(span).line);
        Self { place, reason: reason.into() }
    }
}

/// `NAME` or `NAME=VALUE` as a compiler's `-D` takes it: without a value a macro is 1.
pub fn read_define(text: &str) -> Result<(String, String), Reason> {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if name.is_empty() || !is_word || name.starts_with(|c: char| c.is_ascii_digit()) {
        let text = text.escape_debug();
        return Err(format!("`{text}` does not define a macro: write NAME or NAME=VALUE").into());
    }
    if value.contains(['\n', '\r']) {
        return Err(format!("the value of `{name}` has more than one line: write it on one").into());
    }
    Ok((name.to_owned(), value.to_owned()))
}

impl Checker<'_> {
    fn model(&self, raw: raw::Model) -> Result<ModelSection, ProjectError> {
        Ok(ModelSection {
            shapes: optional(raw.shapes, |path| self.text(path))?,
            workload: optional(raw.workload, |w| self.text(w))?,
            cameras: optional(raw.cameras, |n| self.count(n))?,
            language_tokens: optional(raw.language_tokens, |n| self.count(n))?,
            denoise_steps: optional(raw.denoise_steps, |n| self.count(n))?,
            chunk: optional(raw.chunk, |n| self.count(n))?,
            dimensions: raw
                .dimensions
                .unwrap_or_default()
                .into_iter()
                .map(|(name, size)| Ok((name, self.count(size)?.value)))
                .collect::<Result<_, ProjectError>>()?,
        })
    }

    fn hls(&self, raw: raw::Hls) -> Result<HlsSection, ProjectError> {
        let defines = |all: Vec<toml::Spanned<String>>| {
            all.into_iter().map(|one| self.claim(one, |text| read_define(&text))).collect()
        };
        Ok(HlsSection {
            sources: self.texts(raw.sources)?,
            include: self.texts(raw.include)?,
            defines: raw.defines.map_or_else(|| Ok(Vec::new()), defines)?,
            connectivity: optional(raw.connectivity, |path| self.text(path))?,
            reports: self.texts(raw.reports)?,
            scripts: self.texts(raw.scripts)?,
        })
    }

    fn claims(
        &self,
        mut raw: raw::Claims,
        parts: Vec<raw::PartClaim>,
    ) -> Result<Claims, ProjectError> {
        // A time of one layer is not a time of a pass.
        let is_partial = |text: &toml::Spanned<String>| {
            split_per(text.get_ref()).is_ok_and(|(_, per)| per != ClaimPer::Inference)
        };
        let single = raw.latency.take_if(|text| is_partial(text));
        let figures = RawFigures {
            work: raw.work,
            weights: raw.weights,
            activations: raw.activations,
            intensity: raw.intensity,
            throughput: raw.throughput,
            latency: single,
            utilisation: raw.utilisation,
        };
        let mut figures = self.figures(None, figures)?;
        figures.extend(self.part_claims(parts)?);
        let precision = |text: String| match text.as_str() {
            "as-stored" => Ok(ClaimedPrecision::AsStored),
            name => parse_precision(name)
                .map(ClaimedPrecision::Uniform)
                .map_err(|e| format!("{e}, or as-stored")),
        };
        let latency = |text: String| match text.as_str() {
            "unknown" => Ok(ClaimedLatency::Unknown),
            time => Seconds::parse_quantity(split_per(time).map_err(|e| e.to_string())?.0)
                .map(ClaimedLatency::Known)
                .map_err(|e| format!("{e}, or \"unknown\"")),
        };
        let peak = |text: String| OpsPerSecond::parse_quantity(&text);
        Ok(Claims {
            precision: optional(raw.precision, |p| self.claim(p, precision))?,
            batch: optional(raw.batch, |n| self.count(n))?,
            sequence_length: optional(raw.sequence_length, |n| self.count(n))?,
            clock: optional(raw.clock, |q| self.quantity(q))?,
            bandwidth: optional(raw.bandwidth, |q| self.quantity(q))?,
            peak: self.by_precision(raw.peak.unwrap_or_default(), peak)?,
            latency: optional(raw.latency, |l| self.claim(l, latency))?,
            figures,
        })
    }
}

impl Project {
    /// Checks the text of a project file.
    pub fn parse(sources: &Sources, file: FileId) -> Result<Self, ProjectError> {
        let check = Checker { sources, file };
        let raw: raw::File =
            toml::from_str(sources.text(file)).map_err(|error| raw::sentence(&check, &error))?;
        let (files, points) = raw.measurements.map_or((None, None), |m| (m.files, m.points));
        let kernels = check.kernels(raw.kernel.unwrap_or_default())?;
        let named = optional(raw.platform.name, |name| check.text(name))?;
        let assumes_platform = named.is_none();
        let platform = named.unwrap_or_else(|| Claim {
            value: ASSUMED_PLATFORM.to_owned(),
            text: String::new(),
            span: Span { file, start: 0, end: 0 },
        });
        let measured = check.measured(raw.measured.unwrap_or_default(), &kernels, platform.span)?;
        Ok(Self {
            file,
            model: check.model(raw.model.unwrap_or_default())?,
            hls: check.hls(raw.hls.unwrap_or_default())?,
            platform,
            assumes_platform,
            claims: check.claims(raw.claims.unwrap_or_default(), raw.claim.unwrap_or_default())?,
            derated_bandwidth: optional(raw.derate.and_then(|d| d.bandwidth), |q| {
                check.quantity(q)
            })?,
            measurements: check.texts(files)?,
            points: optional(points, |path| check.text(path))?,
            design: check.design(raw.design.unwrap_or_default())?,
            kernels,
            transfers: check.transfers(raw.transfers.unwrap_or_default())?,
            measured,
            levels: check.levels(raw.audit.and_then(|a| a.levels).unwrap_or_default())?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINIMAL: &str = "[model]\nshapes = \"m.txt\"\n[platform]\nname = \"u280\"\n";

    fn parse(text: &str) -> Result<Project, String> {
        let mut sources = Sources::default();
        let file = sources.add("derate.toml", text);
        Project::parse(&sources, file).map_err(|e| e.to_string())
    }

    #[test]
    fn a_claim_knows_its_line() {
        let text = format!("{MINIMAL}[claims]\nprecision = \"bf16\"\nbandwidth = \"460 GB/s\"\n");
        let mut sources = Sources::default();
        let file = sources.add("derate.toml", text);
        let project = Project::parse(&sources, file).unwrap();
        let bandwidth = project.claims.bandwidth.unwrap();
        assert_eq!(bandwidth.value, BytesPerSecond(460e9));
        assert_eq!(sources.position(bandwidth.span).line, 7);
        assert_eq!(bandwidth.text, "\"460 GB/s\"");
    }

    #[test]
    fn a_misspelt_key_is_refused_with_the_valid_ones() {
        let error = parse(&format!("{MINIMAL}[claims]\nbandwith = \"460 GB/s\"\n")).unwrap_err();
        assert!(error.starts_with("derate.toml:6: unknown key `bandwith`"), "{error}");
        assert!(error.contains("`bandwidth`"), "{error}");
        assert!(!error.contains('\n'), "{error}");
    }

    #[test]
    fn each_bad_value_is_one_sentence_with_its_line() {
        for (line, word) in [
            ("batch = 0", "whole number"),
            ("batch = -1", "whole number"),
            ("batch = \"one\"", "derate.toml:6"),
            ("bandwidth = \"460\"", "300 GB/s"),
            ("precision = \"fp17\"", "as-stored"),
            ("peak = { fp17 = \"1 TFLOP/s\" }", "fp17"),
            ("peak = { fp32 = \"fast\" }", "TFLOP/s"),
            ("latency = \"soon\"", "unknown"),
        ] {
            let error = parse(&format!("{MINIMAL}[claims]\n{line}\n")).unwrap_err();
            assert!(
                error.starts_with("derate.toml:6: ") && error.contains(word),
                "{line}: {error}"
            );
            assert!(!error.contains('\n'), "{line}: {error}");
        }
    }

    #[test]
    fn a_card_that_is_not_named_is_assumed_and_known_to_be() {
        assert!(!parse(MINIMAL).unwrap().assumes_platform);
        let open = parse(&MINIMAL.replace("name", "# name")).unwrap();
        assert!(open.assumes_platform && open.platform.value == "u280");
    }

    #[test]
    fn a_missing_table_is_named() {
        let error = parse("[model]\nshapes = \"m.txt\"\n").unwrap_err();
        assert!(error.contains("platform"), "{error}");
    }
}
