use super::parts::PreparedGemm;
use super::{
    Borrowed, DominantPart, ElementBytes, ErrorBand, Fitted, FittedFile, GemmConstants, GemmParts,
    GemmTimeError, GpuFigures, ThreeConstants, TimingConditions,
};
use derate_machine::{Processor, ProcessorKind};
use derate_units::{Precision, Seconds};
use derate_workload::Matmul;

/// The time of a product and what it is made of.
pub fn gemm_parts(
    product: Matmul,
    machine: &GpuFigures,
    conditions: &TimingConditions,
    constants: &GemmConstants,
) -> GemmParts {
    PreparedGemm::new(product, conditions, machine).best_time(constants)
}

/// Times of GEMMs on one processor in one arithmetic.
#[derive(Clone, Debug)]
pub struct GemmModel {
    kind: ModelBasis,
    elements: ElementBytes,
    basis: String,
}

#[derive(Clone, Debug)]
enum ModelBasis {
    Own { fitted: &'static Fitted, machine: GpuFigures },
    Borrowed { borrowed: &'static Borrowed, peak: GpuFigures },
}

/// A modelled time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GemmEstimate {
    /// The whole call.
    pub total: Seconds,
    /// What most of it is.
    pub region: DominantPart,
    /// How far such times were from timings that the fit had not seen.
    pub band: ErrorBand,
    /// What it is made of, where the device has timings of its own.
    pub parts: Option<GemmParts>,
}

/// Arithmetic that runs on the same units at the same rate: timings of one serve the other.
fn same_rate_as(arithmetic: &str) -> Option<&'static str> {
    Some(match arithmetic {
        "fp16" => "bf16",
        "bf16" => "fp16",
        "fp8_e5m2" => "fp8_e4m3",
        "fp8_e4m3" => "fp8_e5m2",
        _ => return None,
    })
}

impl GemmModel {
    /// Of a processor of the catalogue or of one like it; else why its times are unknown: no peak is published, or it is not a GPU.
    pub fn of(processor: &Processor, arithmetic: Precision) -> Result<Self, GemmTimeError> {
        if processor.kind != ProcessorKind::Gpu {
            return Err(GemmTimeError::Cpu(processor.title.clone()));
        }
        let peak = processor.peak(arithmetic)?.rate.value;
        let file = FittedFile::embedded()?;
        let key = arithmetic.key();
        let elements = ElementBytes::of(arithmetic);
        let found = file.of(&processor.name, &key).map(|fit| (fit, false)).or_else(|| {
            let fit = file.of(&processor.name, same_rate_as(&key)?)?;
            Some((fit, true))
        });
        // A file of the user's may bear a name of the catalogue and be another device.
        let timed = || GpuFigures::of(&Processor::named(&processor.name).ok()?, arithmetic).ok();
        if let Some((fitted, other)) = found
            && let Ok(machine) = GpuFigures::of(processor, arithmetic)
            && timed() == Some(machine)
        {
            let basis = describe_own(processor, fitted, other.then_some(arithmetic));
            return Ok(Self { kind: ModelBasis::Own { fitted, machine }, elements, basis });
        }
        let borrowed = file.borrowed(&key).ok_or_else(|| {
            let title = processor.title.clone();
            GemmTimeError::NoTimings { title, arithmetic }
        })?;
        let basis = describe_borrowed(processor, arithmetic, borrowed);
        let peak = GpuFigures::from_roofs(processor, peak);
        Ok(Self { kind: ModelBasis::Borrowed { borrowed, peak }, elements, basis })
    }

    /// What the times rest on, in a sentence.
    pub fn basis(&self) -> &str {
        &self.basis
    }

    /// The timings of the device's own; `None` where constants are borrowed.
    pub fn fitted(&self) -> Option<&'static Fitted> {
        if let ModelBasis::Own { fitted, .. } = self.kind { Some(fitted) } else { None }
    }

    /// The sets of timings that constants are borrowed from; none where the device has its own.
    pub fn borrowed_from(&self) -> &'static [String] {
        if let ModelBasis::Borrowed { borrowed, .. } = self.kind { &borrowed.sets } else { &[] }
    }

    /// How far times were off, whatever most of them is.
    pub fn band(&self) -> ErrorBand {
        match self.kind {
            ModelBasis::Own { fitted, .. } => fitted.left_out,
            ModelBasis::Borrowed { borrowed, .. } => borrowed.left_out,
        }
    }

    /// The time of a product, under the conditions of the timings: see [`GemmModel::basis`]. The error says how it is
    /// unlike those that were timed.
    pub fn estimate_time(&self, product: Matmul) -> Result<GemmEstimate, GemmTimeError> {
        let (ModelBasis::Own { fitted: Fitted { timed, .. }, .. }
        | ModelBasis::Borrowed { borrowed: Borrowed { timed, .. }, .. }) = self.kind;
        timed.check_covers(product)?;
        Ok(match &self.kind {
            ModelBasis::Own { fitted, machine } => {
                let conditions = TimingConditions {
                    elements: self.elements,
                    weight_copies: fitted.weight_copies,
                    quantised: fitted.quantised,
                    column_major: fitted.column_major,
                };
                let parts = gemm_parts(product, machine, &conditions, &fitted.constants);
                let region = parts.region();
                let band = fitted.region.iter().find(|band| band.of == region);
                let band = band.map_or(fitted.left_out, |region| region.band);
                GemmEstimate { total: parts.total, region, band, parts: Some(parts) }
            }
            ModelBasis::Borrowed { borrowed, peak } => {
                let three = &borrowed.three;
                let total = three.model_time(product, &self.elements, peak);
                let region = three.region(product, &self.elements, peak);
                GemmEstimate { total, region, band: borrowed.left_out, parts: None }
            }
        })
    }
}

/// Timings below which a half of them hardly holds the constants.
const FEW: usize = 40;

fn describe_own(processor: &Processor, fitted: &Fitted, other: Option<Precision>) -> String {
    let Fitted { rows, framework, source, .. } = fitted;
    let quantised =
        if fitted.quantised { "; quantising the left operand, row by row, is in them" } else { "" };
    let caches = if fitted.weight_copies > 1.0 {
        "weights come from memory unless the cache holds several matrices"
    } else {
        "the same matrices are multiplied again and again, so that small ones stay in the cache"
    };
    let other = other.map_or_else(String::new, |asked| {
        format!("; none in {asked} were found, whose peak is the same")
    });
    let few = if *rows < FEW {
        let half = rows / 2;
        format!(
            "; they are few: the band is that of constants fitted on {half} of them, about one to a constant"
        )
    } else {
        String::new()
    };
    let arithmetic = &fitted.arithmetic;
    let results = match arithmetic.as_str() {
        "fp8_e4m3" | "fp8_e5m2" => "; results are written in BF16",
        "int8" => "; results are written in INT32",
        _ => "",
    };
    format!(
        "fitted on {rows} published timings of {} in {} ({framework}; {source}){other}; {caches}{quantised}{results}{few}",
        processor.title,
        Precision::parse(arithmetic).map_or_else(|| arithmetic.clone(), |p| p.to_string()),
    )
}

fn describe_borrowed(processor: &Processor, arithmetic: Precision, borrowed: &Borrowed) -> String {
    let ThreeConstants { compute, memory, launch } = borrowed.three;
    format!(
        "no timings of {} in {arithmetic}: {:.0} % of the peak, {:.0} % of the bandwidth and {launch:.1} us are borrowed from {}; \
         the band is that of devices left out of such a fit",
        processor.title,
        100.0 * compute,
        100.0 * memory,
        borrowed.sets.join(", "),
    )
}
