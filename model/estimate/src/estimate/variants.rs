//! Work that an inference could do without, and what that would save.

use serde::Serialize;

use crate::Analysis;
use crate::pass::{Pass, pass};
use crate::scenario::Scenario;
use crate::setting::{held, parameters, peaks, setting};
use derate_project::{DesignSection, Schedule};
use derate_units::{Bytes, Ops, Seconds};
use derate_workload::InferenceParameters;
use derate_workload::classes::classify_layers;

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
struct Known {
    key: &'static str,
    title: &'static str,
    change: Change,
    chosen: fn(&DesignSection) -> bool,
}

const VARIANTS: [Known; 2] = [
    Known {
        key: "hoist_cross_kv",
        title: "cross-attention projects the cached keys and values of the prefix in every denoising step; once is enough",
        change: |p| p.hoist_cross_kv = true,
        chosen: |design| design.hoist_cross_kv,
    },
    Known {
        key: "drop_dead_work",
        title: "of the last text layer only keys and values are read: its queries, attention, output projection and MLP are computed for nothing",
        change: |p| p.drop_dead_work = true,
        chosen: |design| design.drop_dead_work,
    },
];

/// The pass of a scenario with changed parameters.
fn pass_with(
    analysis: &Analysis,
    scenario: &Scenario,
    schedule: Schedule,
    change: impl FnOnce(&mut InferenceParameters),
) -> Option<Pass> {
    let mut p = parameters(analysis, scenario);
    change(&mut p);
    let parts = analysis.workload.inference_parts(&p);
    let formats = scenario.storage.formats(&analysis.shape);
    let held = held(analysis, scenario);
    let peaks = peaks(analysis, scenario, &classify_layers(&parts, &formats, &held).ok()?);
    pass(parts, &formats, &held, &setting(analysis, scenario, &peaks, schedule)).ok()
}

fn run(analysis: &Analysis, scenario: &Scenario, change: Option<Change>) -> Option<Pass> {
    pass_with(analysis, scenario, Schedule::Unfused, |p| {
        (p.hoist_cross_kv, p.drop_dead_work) = (false, false);
        if let Some(change) = change {
            change(p);
        }
    })
}

/// What one variant saves of `base`; `None` where that is nothing.
fn variant(
    analysis: &Analysis,
    scenario: &Scenario,
    base: &Pass,
    known: &Known,
) -> Option<Variant> {
    let less = run(analysis, scenario, Some(known.change))?;
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

/// What each variant saves under a scenario, unfused; one that saves nothing is none.
pub(super) fn variants(analysis: &Analysis, scenario: &Scenario) -> Vec<Variant> {
    let Some(base) = run(analysis, scenario, None) else { return Vec::new() };
    VARIANTS.iter().filter_map(|one| variant(analysis, scenario, &base, one)).collect()
}

/// What the variant of that key saves, and the operations of all products without it.
pub fn saved(analysis: &Analysis, scenario: &Scenario, key: &str) -> Option<(Variant, Ops)> {
    let base = run(analysis, scenario, None)?;
    let known = VARIANTS.iter().find(|known| known.key == key)?;
    Some((variant(analysis, scenario, &base, known)?, Ops(base.flops)))
}
