//! What derate fuses for one set of formats and parameters, and whether another set leaves that as it is.

use std::sync::Arc;

use derate_estimate::scenario::Assumptions;
use derate_estimate::{Analysis, ScenarioEstimate};
use derate_project::{Schedule, Storage};
use derate_workload::classes::{LayerClass, classify_layers};
use derate_workload::fusion::{KernelGroup, group_kernels};
use derate_workload::traffic::count_traffic;
use derate_workload::{InferenceParameters, Part};

/// A group of a class.
struct Made {
    class: usize,
    /// The place of its block in its part.
    block: usize,
    group: KernelGroup,
    /// How often each operand crosses; nothing for what is read once for all runs.
    crossings: Vec<Option<u64>>,
}

/// A group, for who reads it.
pub(super) struct FusedGroup<'p> {
    pub(super) class: &'p LayerClass,
    /// The place of its block in its part.
    pub(super) block: usize,
    pub(super) group: &'p KernelGroup,
    /// Whether it is the first of its layer.
    pub(super) first: bool,
}

/// The groups of all parts.
pub(super) struct Partition<'p> {
    schedule: Schedule,
    parts: &'p [Part],
    classes: Vec<LayerClass>,
    made: Vec<Made>,
}

impl<'p> Partition<'p> {
    /// Those of a scenario under a schedule, with some parameters and storage; `None` where the chip does not hold what it
    /// should.
    pub(super) fn of(
        analysis: &Analysis,
        step: &Assumptions,
        (parts, parameters): (&'p [Part], &InferenceParameters),
        storage: &Storage,
        schedule: Schedule,
    ) -> Option<Self> {
        let capacity = step.free_memory(analysis, storage, parameters)?;
        let is_held = |part: &Part| step.holds_weights(analysis, part);
        let formats = storage.formats(&analysis.shape);
        let classes = classify_layers(parts, &formats, &is_held).ok()?;
        let mut all = Vec::new();
        for (at, class) in classes.iter().enumerate() {
            let blocks = &parts.get(class.part)?.blocks;
            let block = blocks.iter().position(|b| Arc::ptr_eq(&b.block, &class.block))?;
            let (mut made, mut refused) = (Vec::new(), Vec::new());
            group_kernels(class, schedule, capacity, &mut made, &mut refused);
            all.extend(made.into_iter().map(|group| {
                let mut crossings = Vec::new();
                count_traffic(class, group.kernels.clone(), capacity, |crossing| {
                    let held = class.held && crossing.operand.role.is_stored();
                    crossings.push((!held).then(|| super::to_count(crossing.crossings)));
                });
                Made { class: at, block, group, crossings }
            }));
        }
        Some(Self { schedule, parts, classes, made: all })
    }

    /// Whether every kernel is a group of its own that has the whole chip.
    pub(super) fn is_alone(&self) -> bool {
        self.schedule == Schedule::Unfused && !self.classes.iter().any(|class| class.held)
    }

    /// The places of the parts that an estimate shows.
    pub(super) fn shown_parts(&self, scenario: &ScenarioEstimate) -> impl Iterator<Item = usize> {
        let all = scenario.parts.iter().any(|own| !own.runs);
        let parts = self.parts.iter().enumerate();
        parts.filter(move |(_, part)| all || part.never_runs.is_none()).map(|(at, _)| at)
    }

    /// The groups of a part in their order.
    pub(super) fn of_part(&self, part: usize) -> impl Iterator<Item = FusedGroup<'_>> {
        let own = self.made.iter().filter(move |made| self.classes[made.class].part == part);
        own.map(|made| FusedGroup {
            class: &self.classes[made.class],
            block: made.block,
            group: &made.group,
            first: made.group.kernels.start == 0,
        })
    }

    /// Whether `other` groups the same kernels of every layer, which read and write their operands as often.
    pub(super) fn is_like(&self, other: &Partition<'_>) -> bool {
        let of_layer =
            |partition: &Partition<'_>, class: &LayerClass, block: usize| -> Option<usize> {
                let layer = class.layers.first()?;
                partition.classes.iter().enumerate().position(|(at, own)| {
                    let same =
                        partition.made.iter().any(|made| made.class == at && made.block == block);
                    own.part == class.part && same && own.layers.contains(layer)
                })
            };
        // Only the unfused schedule has the claim's own kernels.
        let counts = |class: &LayerClass| {
            self.schedule == Schedule::Unfused || self.parts[class.part].never_runs.is_none()
        };
        self.classes.iter().enumerate().filter(|(_, class)| counts(class)).all(|(at, class)| {
            let mine = || self.made.iter().filter(|made| made.class == at);
            let Some(block) = mine().next().map(|made| made.block) else { return true };
            let Some(of) = of_layer(other, class, block) else { return false };
            let its = other.made.iter().filter(|made| made.class == of);
            mine()
                .map(|made| (&made.group.kernels, &made.crossings))
                .eq(its.map(|made| (&made.group.kernels, &made.crossings)))
        })
    }
}
