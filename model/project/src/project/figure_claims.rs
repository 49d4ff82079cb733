//! Figures that people claim of a model, a part, an operation or a kernel: work, bytes, intensity, rates and times.

use derate_hls::{Reason, Sources, Span};

use super::checker::Checker;
use super::{Claim, ProjectError, raw};
use derate_units::quantity::{ParseQuantity, parse_ops_per_byte, parse_per_second, parse_share};
use derate_units::{Bytes, Ops, OpsPerByte, Seconds};

/// A claimed figure.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureClaim {
    /// The part, operation or kernel that it is of; `None` for the whole inference.
    pub of: Option<Claim<String>>,
    /// What one of it is.
    pub per: ClaimPer,
    /// The figure.
    pub figure: ClaimedFigure,
}

/// What a claimed amount or time is for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ClaimPer {
    /// All of it that an inference runs.
    Inference,
    /// One run of one layer.
    Layer,
    /// One call of a kernel.
    Call,
}

/// A figure and what it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClaimedFigure {
    /// Operations; a multiply-add is two.
    Work(Ops),
    /// Bytes of weights.
    Weights(Bytes),
    /// Bytes of everything else that is read and written.
    Activations(Bytes),
    /// Operations per byte of external memory.
    Intensity(OpsPerByte),
    /// Inferences per second.
    Throughput(f64),
    /// A time.
    Latency(Seconds),
    /// Share of the peak rate.
    Utilisation(f64),
}

impl ClaimedFigure {
    /// The key that claims it.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Work(_) => "work",
            Self::Weights(_) => "weights",
            Self::Activations(_) => "activations",
            Self::Intensity(_) => "intensity",
            Self::Throughput(_) => "throughput",
            Self::Latency(_) => "latency",
            Self::Utilisation(_) => "utilisation",
        }
    }

    /// The figure in its own unit.
    #[must_use]
    pub fn value(self) -> f64 {
        match self {
            Self::Work(Ops(value))
            | Self::Weights(Bytes(value))
            | Self::Activations(Bytes(value))
            | Self::Intensity(OpsPerByte(value))
            | Self::Throughput(value)
            | Self::Latency(Seconds(value))
            | Self::Utilisation(value) => value,
        }
    }
}

/// `20 ms per layer`: the quantity, and what it is for.
pub(super) fn split_per(text: &str) -> Result<(&str, ClaimPer), Reason> {
    let Some((quantity, per)) = text.split_once(" per ") else {
        return Ok((text, ClaimPer::Inference));
    };
    let per = match per.trim() {
        "layer" => ClaimPer::Layer,
        "call" => ClaimPer::Call,
        "inference" | "frame" => ClaimPer::Inference,
        other => {
            return Err(Reason::from(format!(
                "`per {other}` is not known: write per layer, per call or per inference"
            )));
        }
    };
    Ok((quantity, per))
}

/// The figures of one table.
pub(super) struct RawFigures {
    pub(super) work: Option<toml::Spanned<String>>,
    pub(super) weights: Option<toml::Spanned<String>>,
    pub(super) activations: Option<toml::Spanned<String>>,
    pub(super) intensity: Option<toml::Spanned<String>>,
    pub(super) throughput: Option<toml::Spanned<String>>,
    pub(super) latency: Option<toml::Spanned<String>>,
    pub(super) utilisation: Option<toml::Spanned<String>>,
}

type Read = fn(&str) -> Result<ClaimedFigure, Reason>;

fn quantity<Q: ParseQuantity>(text: &str) -> Result<Q, Reason> {
    Q::parse_quantity(text).map_err(|error| Reason::from(error.to_string()))
}

fn read_intensity(text: &str) -> Result<ClaimedFigure, Reason> {
    let read = parse_ops_per_byte(text).map_err(|error| Reason::from(error.to_string()));
    read.map(ClaimedFigure::Intensity)
}

fn read_throughput(text: &str) -> Result<ClaimedFigure, Reason> {
    let read = parse_per_second(text).map_err(|error| Reason::from(error.to_string()));
    read.map(ClaimedFigure::Throughput)
}

fn read_utilisation(text: &str) -> Result<ClaimedFigure, Reason> {
    let read = parse_share(text).map_err(|error| Reason::from(error.to_string()));
    read.map(ClaimedFigure::Utilisation)
}

impl Checker<'_> {
    /// The figures of one table, each with its place.
    pub(super) fn figures(
        &self,
        of: Option<&Claim<String>>,
        raw: RawFigures,
    ) -> Result<Vec<Claim<FigureClaim>>, ProjectError> {
        let amounts: [(Option<toml::Spanned<String>>, Read); 4] = [
            (raw.work, |text| quantity(text).map(ClaimedFigure::Work)),
            (raw.weights, |text| quantity(text).map(ClaimedFigure::Weights)),
            (raw.activations, |text| quantity(text).map(ClaimedFigure::Activations)),
            (raw.latency, |text| quantity(text).map(ClaimedFigure::Latency)),
        ];
        let rates: [(Option<toml::Spanned<String>>, Read); 3] = [
            (raw.intensity, read_intensity),
            (raw.throughput, read_throughput),
            (raw.utilisation, read_utilisation),
        ];
        let mut found = Vec::new();
        for (text, read) in amounts {
            let Some(text) = text else { continue };
            found.push(self.claim(text, |text| {
                let (quantity, per) = split_per(&text)?;
                Ok::<_, Reason>(FigureClaim { of: of.cloned(), per, figure: read(quantity)? })
            })?);
        }
        for (text, read) in rates {
            let Some(text) = text else { continue };
            let per = ClaimPer::Inference;
            found.push(self.claim(text, |text| {
                read(&text).map(|figure| FigureClaim { of: of.cloned(), per, figure })
            })?);
        }
        Ok(found)
    }

    /// `[[claim]]`: figures of parts, operations and kernels.
    pub(super) fn part_claims(
        &self,
        raw: Vec<raw::PartClaim>,
    ) -> Result<Vec<Claim<FigureClaim>>, ProjectError> {
        let mut found = Vec::new();
        for one in raw {
            let of = self.text(one.of)?;
            let figures = RawFigures {
                work: one.work,
                weights: one.weights,
                activations: one.activations,
                intensity: one.intensity,
                throughput: one.throughput,
                latency: one.latency,
                utilisation: one.utilisation,
            };
            let figures = self.figures(Some(&of), figures)?;
            if figures.is_empty() {
                return Err(refuse_empty(self.sources, of.span));
            }
            found.extend(figures);
        }
        Ok(found)
    }
}

fn refuse_empty(sources: &Sources, span: Span) -> ProjectError {
    let keys = "work, weights, activations, intensity, throughput, latency or utilisation";
    ProjectError::at(sources, span, format!("a [[claim]] claims nothing: add {keys}"))
}

#[cfg(test)]
mod tests {
    use super::super::Project;
    use super::*;

    fn read(claims: &str) -> Result<Project, String> {
        let mut sources = Sources::default();
        let text = format!("[platform]\nname = \"u280\"\n{claims}");
        let file = sources.add("derate.toml", text);
        Project::parse(&sources, file).map_err(|error| error.to_string())
    }

    #[test]
    fn a_time_per_layer_is_no_time_of_an_inference() {
        let project = read("[claims]\nlatency = \"20 ms per layer\"\n").unwrap();
        assert_eq!(project.claims.latency, None);
        let [claim] = project.claims.figures.as_slice() else { panic!("one figure") };
        assert_eq!(claim.value.per, ClaimPer::Layer);
        assert_eq!(claim.value.figure, ClaimedFigure::Latency(Seconds(0.02)));
    }

    #[test]
    fn figures_are_read_as_people_write_them() {
        let project = read(
            "[claims]\nwork = \"835 GOP\"\nweights = \"450 MB\"\nintensity = \"46 OP/B\"\nthroughput = \"40 FPS\"\n\
             utilisation = \"62 %\"\nlatency = \"25 ms\"\n[[claim]]\nof = \"vision\"\nwork = \"9 GMAC per layer\"\n",
        );
        let figures: Vec<ClaimedFigure> =
            project.unwrap().claims.figures.iter().map(|one| one.value.figure).collect();
        assert!(figures.contains(&ClaimedFigure::Work(Ops(835e9))));
        assert!(figures.contains(&ClaimedFigure::Weights(Bytes(450e6))));
        assert!(figures.contains(&ClaimedFigure::Throughput(40.0)));
        assert!(figures.contains(&ClaimedFigure::Utilisation(0.62)));
        // A multiply-add is two operations.
        assert!(figures.contains(&ClaimedFigure::Work(Ops(18e9))));
    }

    #[test]
    fn what_cannot_be_claimed_is_refused_with_its_line() {
        for (text, line, word) in [
            ("[claims]\nlatency = \"20 ms per head\"\n", 4, "per layer"),
            ("[claims]\nwork = \"835 GB\"\n", 4, "GOP"),
            ("[claims]\nthroughput = \"40\"\n", 4, "FPS"),
            ("[claims]\nutilisation = \"many\"\n", 4, "60 %"),
            ("[[claim]]\nof = \"vision\"\n", 4, "claims nothing"),
            ("[[claim]]\nof = \"vision\"\nlatency = \"unknown\"\n", 5, "90 ms"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(&format!("derate.toml:{line}: ")), "{text}: {error}");
            assert!(error.contains(word) && !error.contains('\n'), "{text}: {error}");
        }
    }
}
