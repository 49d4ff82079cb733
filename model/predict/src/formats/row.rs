use serde::{Serialize, Serializer};

use super::circuit::BitIntensity;
use super::encoding_note::note_encoding;
use super::given::GivenFigures;
use super::subject;
use derate_machine::{PeakRange, Target};
use derate_measure::points::MeasuredPoint;
use derate_units::RateFigure;
use derate_units::{
    Bound, Bytes, BytesPerSecond, Encoding, Figure, Mixture, Ops, OpsPerByte, OpsPerSecond,
    Precision, Provenance, Roofline, Seconds,
};
use derate_workload::operator::Shape;

/// What a workload is in one format.
#[derive(Clone, Debug, PartialEq)]
pub struct FormatRow {
    /// The format.
    pub mixture: Mixture,
    /// What it runs in.
    pub arithmetic: Precision,
    /// Bits of a weight: of the workload's matrix where there is one, else of a large one.
    pub bits: f64,
    /// Operations.
    pub flops: Option<Ops>,
    /// Bytes that cross memory.
    pub bytes: Option<Bytes>,
    /// Operational intensity: `flops / bytes`.
    pub oi: Option<OpsPerByte>,
    /// The target's peak in that arithmetic.
    pub peak: Option<Figure<OpsPerSecond>>,
    /// Where that peak and the memory's bandwidth meet: the critical intensity.
    pub ridge: Option<OpsPerByte>,
    /// `oi / ridge`: below one, memory bounds.
    pub rho: Option<f64>,
    /// What bounds.
    pub bound: Option<Bound>,
    /// The rate under the roofline.
    pub attainable: Option<OpsPerSecond>,
    /// What holds of a peak that is not known; `None` where it is known, or nothing bounds it.
    pub conditional: Option<ConditionalBound>,
    /// Time of the bytes at the memory's bandwidth.
    pub memory_seconds: Option<Seconds>,
    /// Time of the operations at the peak.
    pub compute_seconds: Option<Seconds>,
    /// Bit-level intensity, both definitions with both sets of weights.
    pub bit_intensity: Vec<BitIntensity>,
    /// What was measured.
    pub achieved: Vec<AchievedPoint>,
    /// Why figures are missing.
    pub unknown: Option<String>,
    /// What to know of the format.
    pub note: Option<String>,
}

/// What holds if a peak that is not known is in the range that the platform's other arithmetic gives.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConditionalBound {
    /// What has to hold, as the end of a sentence that begins with `if`.
    pub condition: String,
    /// What bounds, whatever the peak is in that range.
    pub bound: Bound,
    /// The rate under the roofline; `null` where it goes with the peak.
    pub attainable: Option<OpsPerSecond>,
}

impl ConditionalBound {
    /// `None` where the bound is another one at the ends of the range.
    fn of(range: &PeakRange, oi: OpsPerByte, bandwidth: BytesPerSecond) -> Option<Self> {
        let is_memory = |peak: OpsPerSecond| oi < Roofline { peak, bandwidth }.ridge();
        let (low, high) = (is_memory(range.low.0), range.high.is_none_or(|high| is_memory(high.0)));
        let (bound, attainable) = match (low, high) {
            (true, true) => (Bound::Memory, Some(OpsPerSecond(oi.0 * bandwidth.0))),
            (false, false) => (Bound::Compute, None),
            _ => return None,
        };
        Some(Self { condition: range.condition(), bound, attainable })
    }
}

/// A measured point of a format.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AchievedPoint {
    /// Its name.
    pub name: String,
    /// Operational intensity, as it was measured.
    pub oi: OpsPerByte,
    /// The rate.
    pub rate: OpsPerSecond,
    /// The rates of the slowest and the fastest repetition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<(OpsPerSecond, OpsPerSecond)>,
    /// Where both are from.
    pub source: String,
}

impl AchievedPoint {
    /// The point, if its name begins with the format: `fp16`, `fp16 4096^3`.
    fn of(point: &MeasuredPoint, mixture: &Mixture) -> Option<Self> {
        let MeasuredPoint { name, oi, rate, range, source } = point.clone();
        let of = Mixture::parse(name.split_whitespace().next()?).ok()?;
        (of == *mixture).then_some(Self { name, oi, rate, range, source })
    }
}

/// Bits of a weight of an encoding, shared out over the workload's matrix.
fn weight_bits(weights: Encoding, matrix: Option<(u64, u64)>) -> f64 {
    matrix.map_or(weights.nominal_bits(), |(rows, columns)| {
        weights.bits_per_element(u128::from(rows), columns)
    })
}

impl FormatRow {
    /// Of an operator, with rows and columns of its weights, where there is one.
    pub(super) fn of(
        mixture: Mixture,
        subject: Option<(&Shape, (u64, u64))>,
        target: Option<&Target>,
        points: &[MeasuredPoint],
        given: &GivenFigures,
    ) -> Self {
        let stored = mixture.arithmetic();
        let arithmetic = target.map_or(stored, |target| target.computed_as(stored));
        let bits = weight_bits(mixture.weights, subject.map(|(_, matrix)| matrix));
        let flops = subject.map(|(shape, _)| shape.flops());
        let bytes = subject.map(|(shape, _)| subject::moved_bytes(shape, &mixture)).transpose();
        let peak = target
            .map(|target| match given.peaks.of(arithmetic) {
                Some(own) => {
                    Ok(Figure::new(own, Provenance::Assumed, "--peak on the command line"))
                }
                None => target.peak(stored, Some(mixture.accumulate), None),
            })
            .transpose()
            .map_err(String::from);
        let unknown = [bytes.as_ref().err(), peak.as_ref().err()];
        let unknown: Vec<&str> = unknown.into_iter().flatten().map(String::as_str).collect();
        let unknown = (!unknown.is_empty()).then(|| unknown.join("; "));
        let bytes = bytes.ok().flatten();
        let peak = peak.ok().flatten();
        let bandwidth = target.map(|target| given.bandwidth_of(target).value);
        let roof = peak.as_ref().zip(bandwidth);
        let roof = roof.map(|(peak, bandwidth)| Roofline { peak: peak.value, bandwidth });
        let oi = flops.zip(bytes).map(|(flops, bytes)| flops / bytes);
        let ridge = roof.map(|roof| roof.ridge());
        let rho = oi.zip(ridge).map(|(oi, ridge)| oi / ridge);
        let range = target
            .filter(|_| peak.is_none())
            .and_then(|target| target.peak_range(arithmetic, None));
        let conditional = range.zip(oi).zip(bandwidth);
        let conditional = conditional
            .and_then(|((range, oi), bandwidth)| ConditionalBound::of(&range, oi, bandwidth));
        let bit_intensity = flops.zip(bytes).map_or_else(Vec::new, |(flops, bytes)| {
            // Weights are of plain formats, and of a format for all operands.
            let plain = mixture == Mixture::of(stored.into());
            if plain {
                BitIntensity::list_intensities(stored, bits, flops, bytes, given.weights.as_ref())
            } else {
                Vec::new()
            }
        });
        Self {
            mixture,
            arithmetic,
            bits,
            flops,
            bytes,
            oi,
            ridge,
            rho,
            bound: rho.map(|rho| if rho < 1.0 { Bound::Memory } else { Bound::Compute }),
            attainable: roof.zip(oi).map(|(roof, oi)| roof.attainable(oi)),
            conditional,
            memory_seconds: bytes.zip(bandwidth).map(|(bytes, bandwidth)| bytes / bandwidth),
            compute_seconds: flops.zip(roof).map(|(flops, roof)| flops / roof.peak),
            peak,
            bit_intensity,
            achieved: points.iter().filter_map(|p| AchievedPoint::of(p, &mixture)).collect(),
            unknown,
            note: note_encoding(mixture.weights).map(str::to_owned),
        }
    }
}

impl Serialize for FormatRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields<'a> {
            name: String,
            mixture: &'a Mixture,
            arithmetic: Precision,
            bits_per_weight: f64,
            flops: Option<Ops>,
            bytes: Option<Bytes>,
            oi: Option<OpsPerByte>,
            peak: Option<RateFigure<'a>>,
            ridge: Option<OpsPerByte>,
            rho: Option<f64>,
            bound: Option<Bound>,
            attainable: Option<OpsPerSecond>,
            conditional: Option<&'a ConditionalBound>,
            memory_seconds: Option<Seconds>,
            compute_seconds: Option<Seconds>,
            bit_intensity: &'a [BitIntensity],
            achieved: &'a [AchievedPoint],
            unknown: Option<&'a str>,
            note: Option<&'a str>,
        }
        Fields {
            name: self.mixture.to_string(),
            mixture: &self.mixture,
            arithmetic: self.arithmetic,
            bits_per_weight: self.bits,
            flops: self.flops,
            bytes: self.bytes,
            oi: self.oi,
            peak: self.peak.as_ref().map(|peak| RateFigure::of(peak, self.arithmetic)),
            ridge: self.ridge,
            rho: self.rho,
            bound: self.bound,
            attainable: self.attainable,
            conditional: self.conditional.as_ref(),
            memory_seconds: self.memory_seconds,
            compute_seconds: self.compute_seconds,
            bit_intensity: &self.bit_intensity,
            achieved: &self.achieved,
            unknown: self.unknown.as_deref(),
            note: self.note.as_deref(),
        }
        .serialize(serializer)
    }
}
