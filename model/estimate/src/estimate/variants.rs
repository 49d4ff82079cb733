//! Work that an inference could do without, and what that would save.

use serde::Serialize;

use crate::Analysis;
use crate::pass::Pass;
use crate::scenario::Assumptions;
use derate_project::{DesignSection, Schedule};
use derate_units::{Bytes, Ops, Seconds};
use derate_workload::{InferenceParameters, Part};

/// A change to the model's own code that leaves its result as it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Variant {
    /// Its key under `[design]`.
    pub key: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Whether `[design]` leaves it out already.
    pub chosen: bool,
    /// Matrix products saved.
    pub flops: Ops,
    /// Bytes saved, unfused.
    pub bytes: Bytes,
    /// Roofline time saved; unknown without a peak.
    pub throughput_seconds: Option<Seconds>,
}

type Change = fn(&mut InferenceParameters);

/// A variant before it is computed.
struct KnownVariant {
    key: &'static str,
    title: &'static str,
    change: Change,
    chosen: fn(&DesignSection) -> bool,
}

const VARIANTS: [KnownVariant; 2] = [
    KnownVariant {
        key: "hoist_cross_kv",
        title: "cross-attention projects the cached keys and values of the prefix in every denoising step; once is enough",
        change: |p| p.hoist_cross_kv = true,
        chosen: |design| design.hoist_cross_kv,
    },
    KnownVariant {
        key: "drop_dead_work",
        title: "of the last text layer only keys and values are read: its queries, attention, output projection and MLP are computed for nothing",
        change: |p| p.drop_dead_work = true,
        chosen: |design| design.drop_dead_work,
    },
];

/// The unfused pass of a scenario without any variant, or with the one that `change` makes.
fn run_pass(analysis: &Analysis, scenario: &Assumptions, change: Option<Change>) -> Option<Pass> {
    let mut p = scenario.parameters(analysis);
    (p.hoist_cross_kv, p.drop_dead_work) = (false, false);
    if let Some(change) = change {
        change(&mut p);
    }
    let held = |part: &Part| scenario.holds_weights(analysis, part);
    let (plan, setting) = scenario.plan(analysis, &p, &held, Schedule::Unfused, None)?;
    Some(plan.run(&setting))
}

/// What one variant saves of `base`; `None` where that is nothing.
fn estimate_variant(
    analysis: &Analysis,
    scenario: &Assumptions,
    base: &Pass,
    known: &KnownVariant,
) -> Option<Variant> {
    let less = run_pass(analysis, scenario, Some(known.change))?;
    let time = base.roofline - less.roofline;
    (less.flops < base.flops).then(|| Variant {
        key: known.key,
        title: known.title,
        chosen: (known.chosen)(&analysis.project.design),
        flops: Ops(base.flops - less.flops),
        bytes: Bytes(base.bytes - less.bytes),
        throughput_seconds: time.is_finite().then_some(Seconds(time)),
    })
}

/// What each variant saves under a scenario, unfused; those that save nothing are left out.
pub(super) fn list_variants(analysis: &Analysis, scenario: &Assumptions) -> Vec<Variant> {
    let Some(base) = run_pass(analysis, scenario, None) else { return Vec::new() };
    VARIANTS.iter().filter_map(|one| estimate_variant(analysis, scenario, &base, one)).collect()
}

/// What the variant of that key saves, and the operations of all products without it.
pub fn variant_savings(
    analysis: &Analysis,
    scenario: &Assumptions,
    key: &str,
) -> Option<(Variant, Ops)> {
    let base = run_pass(analysis, scenario, None)?;
    let known = VARIANTS.iter().find(|known| known.key == key)?;
    Some((estimate_variant(analysis, scenario, &base, known)?, Ops(base.flops)))
}
