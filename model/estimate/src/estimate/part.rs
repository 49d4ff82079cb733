//! A part of the workload.

use std::collections::BTreeMap;

use serde::Serialize;

use super::rows::{Roofs, estimate_kernel};
use super::totals::sum_totals;
use super::{KernelEstimate, RefusedGroup, Totals};
use crate::Terms;
use crate::pass::{Setting, group_terms};
use derate_units::{Bytes, Provenance, Seconds};
use derate_workload::classes::LayerClass;
use derate_workload::fusion::group_kernels;
use derate_workload::work::count_work;
use derate_workload::{NeverRuns, Part};

/// One part of the workload.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PartEstimate {
    /// Its name.
    pub name: String,
    /// Whether claims about the model are about it, where the claim models no kernels of its own.
    #[serde(skip)]
    pub is_main: bool,
    /// Layers that repeat the same kernels.
    pub layers: u64,
    /// Whether an inference runs it.
    pub runs: bool,
    /// Whether nothing calls it, not even under another name.
    #[serde(skip)]
    pub is_uncalled: bool,
    /// What is in it and what is not.
    pub note: String,
    /// Its weights, each counted once however often it is read.
    pub stored_weight_bytes: Bytes,
    /// All calls.
    #[serde(flatten)]
    pub totals: Totals,
    /// What its latency is made of.
    pub latency: Option<Terms>,
    /// One layer, where all are alike; without the calls that start the part.
    pub one_layer: Option<Totals>,
    /// The kernels.
    pub kernels: Vec<KernelEstimate>,
    /// How its times are known: as the least known of the figures that they come from.
    pub provenance: Provenance,
}

impl PartEstimate {
    /// Whether it is more than one call of one kernel, so that its sum is another figure.
    pub fn is_summed(&self) -> bool {
        self.kernels.len() > 1 || self.layers > 1
    }
}

/// A part under a setting; what it does not fuse is added to `refusals`.
pub(super) fn estimate_part(
    part: &Part,
    classes: &[&LayerClass],
    roofs: &Roofs<'_>,
    setting: &Setting,
    launches: Seconds,
    refusals: &mut Vec<RefusedGroup>,
) -> PartEstimate {
    let mut weights = Bytes(0.0);
    let (mut kernels, mut terms) = (Vec::new(), setting.array.as_ref().map(|_| Terms::default()));
    let mut blocks_of_a_name: BTreeMap<&str, usize> = BTreeMap::new();
    for class in classes {
        *blocks_of_a_name.entry(&class.block.name).or_default() += 1;
    }
    for class in classes {
        let (mut made, mut refused) = (Vec::new(), Vec::new());
        group_kernels(class, setting.schedule, setting.capacity, &mut made, &mut refused);
        let numbered = blocks_of_a_name.get(&*class.block.name).is_some_and(|number| *number > 1);
        for (at, group) in made.iter().enumerate() {
            let work = count_work(&class.block, group.kernels.clone(), &class.formats);
            let own = group_terms(&work, &group.traffic, at == 0, setting);
            if let (Some(sum), Some(own)) = (&mut terms, &own) {
                sum.add(own, class.calls() as f64);
            }
            let kernel = estimate_kernel(class, (group, &work), numbered, roofs, own);
            weights = weights + kernel.stored_weights() * class.layers.len() as f64;
            kernels.push(kernel);
        }
        if part.never_runs.is_none() {
            refusals.extend(refused.iter().map(|r| RefusedGroup::new(part, class, r)));
        }
    }
    if let Some(terms) = &mut terms {
        terms.launch = terms.launch + launches;
    }
    let totals = Totals {
        latency_seconds: terms.as_ref().map(Terms::total),
        ..sum_totals(kernels.iter().map(|k| (&k.totals, k.calls)))
    };
    let layers = part.layers();
    let alike = layers > 1
        && part.blocks.len() == 1
        && classes.len() == 1
        && kernels.iter().all(|k| k.calls % layers == 0);
    PartEstimate {
        name: part.name.to_string(),
        is_main: part.is_main,
        layers,
        runs: part.never_runs.is_none(),
        is_uncalled: matches!(part.never_runs, Some(NeverRuns::Uncalled(_))),
        note: match part.never_runs {
            Some(never) => {
                format!("{} Not part of an inference: {}.", part.note, never.reason())
            }
            None => part.note.to_string(),
        },
        stored_weight_bytes: weights,
        totals,
        latency: terms,
        one_layer: alike.then(|| sum_totals(kernels.iter().map(|k| (&k.totals, k.calls / layers)))),
        kernels,
        provenance: roofs.provenance,
    }
}
