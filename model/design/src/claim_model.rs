//! What the model says of claimed figures.

use derate_estimate::Analysis;
use derate_machine::ResourceKind;
use derate_project::{ClaimPer, ClaimedFigure, Storage};
use derate_units::figures::significant;
use thiserror::Error;

use crate::claim_groups::{ClaimGroup, GroupedClaim, group_claims, name_per};
use crate::design::KernelDesign;
use crate::kernel::DesignKernel;
use crate::kernel_design::find_design;
use crate::subject::SubjectWork;

/// A claimed figure beside what the model says of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelledClaim {
    /// What it is of; `None` is the whole inference.
    pub of: Option<String>,
    /// The claimed figure.
    pub figure: ClaimedFigure,
    /// ` per layer`, ` per call`, or nothing.
    pub per: &'static str,
    /// The least and the most by the model, in the unit of the figure; the reason where nothing is known.
    pub modelled: Result<ModelledRange, Unmodelled>,
}

/// What a figure may be by the model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelledRange {
    /// The least; `None` where nothing bounds it from below.
    pub least: Option<f64>,
    /// The most.
    pub most: Option<f64>,
    /// What it is computed from.
    pub source: String,
}

/// Why the model says nothing of a claimed figure.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum Unmodelled {
    /// What crosses memory is not the workload's alone.
    #[error("what crosses memory depends on what is fused")]
    DependsOnFusion,
    /// A figure per layer, of layers that differ.
    #[error("its layers differ, so that none is like one of them")]
    DifferentLayers,
    /// There is no matrix product.
    #[error("the workload has no matrix product of it")]
    NoProduct,
    /// A tensor has no size in the claimed storage.
    #[error("{0} gives no size for one of its tensors")]
    NoSize(String),
    /// Weights stay on the chip.
    #[error("weights that stay on the chip are read by no inference")]
    HeldWeights,
    /// The bytes of the weights are not known, or there are none.
    #[error("the bytes of its weights are not known")]
    UnknownBytes,
    /// No kernel with a time computes it.
    #[error("no [[kernel]] with a time computes it")]
    NoKernel,
    /// A rate is of the whole alone.
    #[error("a rate of a part is not modelled")]
    RateOfPart,
    /// A utilisation is of one kernel.
    #[error("it is not of one [[kernel]]")]
    NotOneKernel,
    /// A kernel without cycles, DSP slices or number format.
    #[error("its cycles, DSP slices or number format are not known")]
    UnknownUse,
}

/// Each claimed figure of `derate.toml` beside what the model says of it, in the order in which claims are grouped.
#[must_use]
pub fn model_claims(analysis: &Analysis) -> Vec<ModelledClaim> {
    let design = find_design(analysis);
    let groups = group_claims(analysis);
    let all = groups.iter().flat_map(|group| group.claims.iter().map(move |claim| (group, claim)));
    all.map(|(group, claim)| ModelledClaim {
        of: group.subject.name.clone(),
        figure: claim.figure,
        per: name_per(claim.per),
        modelled: model_claim(analysis, design.as_ref(), group, claim),
    })
    .collect()
}

fn model_claim(
    analysis: &Analysis,
    design: Option<&KernelDesign>,
    group: &ClaimGroup,
    claim: &GroupedClaim,
) -> Result<ModelledRange, Unmodelled> {
    match claim.figure {
        ClaimedFigure::Work(_) => model_work(analysis, group, claim),
        ClaimedFigure::Weights(_) => model_weights(analysis, group, claim),
        ClaimedFigure::Activations(_) => Err(Unmodelled::DependsOnFusion),
        ClaimedFigure::Intensity(_) => model_intensity(analysis, group),
        ClaimedFigure::Latency(_) => model_latency(analysis, design, group, claim),
        ClaimedFigure::Throughput(_) => model_throughput(analysis, design, group),
        ClaimedFigure::Utilisation(_) => model_use(analysis, design, group),
    }
}

fn between(least: f64, most: f64, source: impl Into<String>) -> ModelledRange {
    ModelledRange { least: Some(least), most: Some(most), source: source.into() }
}

fn model_work(
    analysis: &Analysis,
    group: &ClaimGroup,
    claim: &GroupedClaim,
) -> Result<ModelledRange, Unmodelled> {
    let work = judged_work(group, claim).ok_or(Unmodelled::DifferentLayers)?;
    let passes = analysis.batch() as f64 * claim.count;
    let products = work.products.0 / passes;
    if products <= 0.0 {
        return Err(Unmodelled::NoProduct);
    }
    let all = products + work.elementwise.0 / passes;
    Ok(between(products, all, "matrix products; with elementwise work"))
}

fn model_weights(
    analysis: &Analysis,
    group: &ClaimGroup,
    claim: &GroupedClaim,
) -> Result<ModelledRange, Unmodelled> {
    let storage = analysis.claimed_storage();
    let reason = || Unmodelled::NoSize(storage.name().clone());
    let tensors =
        judged_work(group, claim).ok_or(Unmodelled::DifferentLayers)?.tensors.iter().copied();
    let used = count_bytes(analysis, &storage, tensors).ok_or_else(reason)? / claim.count;
    let is_whole = group.subject.name.is_none() && claim.per == ClaimPer::Inference;
    let all = if is_whole {
        let every = 0..analysis.shape.tensors.len();
        count_bytes(analysis, &storage, every).ok_or_else(reason)?
    } else {
        used
    };
    let source = format!("tensors in {}, those that are read or all", storage.name());
    Ok(between(used.min(all), used.max(all), source))
}

fn model_intensity(analysis: &Analysis, group: &ClaimGroup) -> Result<ModelledRange, Unmodelled> {
    if !analysis.project.design.hold.is_empty() {
        return Err(Unmodelled::HeldWeights);
    }
    let storage = analysis.claimed_storage();
    let work = &group.subject.all;
    let bytes = count_bytes(analysis, &storage, work.tensors.iter().copied());
    let bytes = bytes.filter(|bytes| *bytes > 0.0).ok_or(Unmodelled::UnknownBytes)?;
    Ok(ModelledRange {
        least: None,
        most: Some((work.products.0 + work.elementwise.0) / bytes),
        source: "all work over one reading of the weights".to_owned(),
    })
}

fn model_latency(
    analysis: &Analysis,
    design: Option<&KernelDesign>,
    group: &ClaimGroup,
    claim: &GroupedClaim,
) -> Result<ModelledRange, Unmodelled> {
    let design = design.ok_or(Unmodelled::NoKernel)?;
    let is_whole = group.subject.name.is_none() && claim.per == ClaimPer::Inference;
    if is_whole {
        let [least, most] = design.totals.range.ok_or(Unmodelled::NoKernel)?;
        let served = significant(100.0 * design.totals.served_share, 3);
        let source = format!("kernels that serve {served} % of the multiply-adds");
        return Ok(between(least.0, most.0, source));
    }
    let time = group.subject.time(design, analysis.launch().value).ok_or(Unmodelled::NoKernel)?;
    let count = claim.count.max(1.0);
    let (least, value) = (time.least.0 / count, time.value.0 / count);
    Ok(between(least, value, "kernels, at least and as expected"))
}

fn model_throughput(
    analysis: &Analysis,
    design: Option<&KernelDesign>,
    group: &ClaimGroup,
) -> Result<ModelledRange, Unmodelled> {
    if group.subject.name.is_some() {
        return Err(Unmodelled::RateOfPart);
    }
    let kernels = design.map_or(&[][..], |design| &design.kernels);
    let slowest = kernels.iter().filter_map(DesignKernel::least_interval);
    let slowest =
        slowest.reduce(f64::max).filter(|time| *time > 0.0).ok_or(Unmodelled::NoKernel)?;
    Ok(ModelledRange {
        least: None,
        most: Some(analysis.batch() as f64 / slowest),
        source: "the slowest kernel alone".to_owned(),
    })
}

fn model_use(
    analysis: &Analysis,
    design: Option<&KernelDesign>,
    group: &ClaimGroup,
) -> Result<ModelledRange, Unmodelled> {
    let kernel = design.zip(group.subject.kernel).and_then(|(one, at)| one.kernels.get(at));
    let kernel = kernel.ok_or(Unmodelled::NotOneKernel)?;
    let reached = find_use(analysis, kernel).ok_or(Unmodelled::UnknownUse)?;
    Ok(between(reached, reached, "multiply-adds per cycle over what its DSP slices do"))
}

/// What the model has of it; `None` for one of layers that differ.
pub fn judged_work<'a>(group: &'a ClaimGroup, claim: &GroupedClaim) -> Option<&'a SubjectWork> {
    let is_single = claim.per != ClaimPer::Inference;
    (group.subject.is_alike || !is_single).then(|| group.subject.work(claim.per))
}

/// Bytes of tensors under the claimed precision; `None` where one is not known.
pub fn count_bytes(
    analysis: &Analysis,
    storage: &Storage,
    tensors: impl Iterator<Item = usize>,
) -> Option<f64> {
    let mut sum = 0.0;
    for at in tensors {
        sum += storage.bytes_of(analysis.shape.tensors.get(at)?).ok()?.0;
    }
    Some(sum)
}

/// Multiply-adds per cycle over what the slices do at the densest packing of the precision.
pub fn find_use(analysis: &Analysis, kernel: &DesignKernel) -> Option<f64> {
    let slices = kernel.amount(ResourceKind::Dsp).filter(|slices| *slices > 0.0)?;
    let precision = kernel.precision?;
    let costs = analysis.platform.macs.iter().filter(|cost| cost.precision == precision);
    let packing = costs.map(|cost| cost.macs_per_dsp.value).max_by(f64::total_cmp)?;
    Some(kernel.multiply_adds_per_cycle()? / (slices * packing))
}
