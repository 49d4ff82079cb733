//! What a pass under a scenario's roofs takes, done as the design does it and done as well as can be.

use crate::Analysis;
use crate::hold::{held_bytes, is_held};
use crate::pass::Setting;
use crate::scenario::Assumptions;
use derate_project::{Schedule, TensorFormats};
use derate_units::Seconds;
use derate_workload::classes::classify_layers;
use derate_workload::{Part, Role};

fn known_seconds(seconds: f64) -> Option<Seconds> {
    seconds.is_finite().then_some(Seconds(seconds))
}

/// Roofline time with what `[design]` fuses, holds and leaves out; unfused where it says nothing. `None` where a peak is
/// not known.
fn designed_time(analysis: &Analysis, assumptions: &Assumptions) -> Option<Seconds> {
    let design = &analysis.project.design;
    let mut p = assumptions.parameters(analysis);
    (p.hoist_cross_kv, p.drop_dead_work) = (design.hoist_cross_kv, design.drop_dead_work);
    let bytes = held_bytes(analysis, &assumptions.storage, &p).ok();
    let held = |part: &Part| bytes.is_some() && is_held(analysis, part);
    let free = analysis.on_chip().value.0 - bytes.map_or(0.0, |bytes| bytes.0);
    let (plan, setting) = assumptions.plan(analysis, &p, &held, design.schedule(), Some(free))?;
    known_seconds(plan.run(&setting).roofline)
}

/// The shortest time that the roofs allow an inference: without the work that can be left out, whole layers fused on a
/// chip that holds whatever is kept, every weight read once, and all transfers behind the products (or these behind them):
/// `max(sum of products / peak, sum of bytes / bandwidth)`. Where nothing says which product reads another's result, all of
/// them may stay on the chip: the bytes are those of the weights, the smallest operand and the smallest result. `None` where
/// a peak is not known.
fn shortest_time(analysis: &Analysis, assumptions: &Assumptions) -> Option<Seconds> {
    let mut p = assumptions.parameters(analysis);
    (p.hoist_cross_kv, p.drop_dead_work) = (true, true);
    let (plan, setting) =
        assumptions.plan(analysis, &p, &|_| true, Schedule::Block, Some(f64::INFINITY))?;
    // Where memory is never waited for, what is left is the products.
    let compute = plan.run(&Setting { bandwidth: f64::INFINITY, ..setting.clone() }).roofline;
    let pass = plan.run(&setting);
    let bytes = if analysis.workload.is_whole() {
        pass.bytes
    } else {
        let formats = assumptions.storage.formats(&analysis.shape);
        pass.weight_bytes + end_bytes(&analysis.workload.inference_parts(&p), &formats)?
    };
    known_seconds(compute.max(bytes / setting.bandwidth))
}

/// Bytes of the smallest operand that is not a weight and of the smallest result: whatever is kept on the chip, one of each
/// crosses. `None` where a tensor's format is not known.
fn end_bytes(parts: &[Part], formats: &TensorFormats) -> Option<f64> {
    let (mut read, mut written) = (f64::INFINITY, f64::INFINITY);
    for class in classify_layers(parts, formats, &|_| true).ok()? {
        for operand in &class.block.operands {
            let bytes = class.formats.of(operand.format).bytes(operand.elements).0;
            match operand.role {
                Role::Input => read = read.min(bytes),
                Role::Output => written = written.min(bytes),
                Role::Weight | Role::Vector => {}
            }
        }
    }
    Some([read, written].into_iter().filter(|bytes| bytes.is_finite()).sum())
}

/// How a latency compares with what the claimed roofs allow.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum LatencyStanding {
    /// No pass takes so little.
    Impossible,
    /// The pass of `[design]`, else an unfused one, takes more.
    BelowDesign,
    /// That pass takes no more.
    Possible,
}

/// What a latency is compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatencyRoofs {
    /// No pass takes less; `None` where a peak is not known.
    pub least: Option<Seconds>,
    /// What a pass takes that fuses what `[design]` says; `None` where a peak is not known.
    pub own: Option<Seconds>,
}

impl LatencyRoofs {
    /// Those under the claimed roofs.
    pub fn claimed(analysis: &Analysis) -> Self {
        let claimed = Assumptions::claimed(analysis);
        Self { least: shortest_time(analysis, &claimed), own: designed_time(analysis, &claimed) }
    }

    /// How `latency` compares with them.
    pub fn compare(&self, latency: Seconds) -> LatencyStanding {
        let below = |bound: Option<Seconds>| bound.is_some_and(|bound| latency < bound);
        match (below(self.least), below(self.own)) {
            (true, _) => LatencyStanding::Impossible,
            (false, true) => LatencyStanding::BelowDesign,
            (false, false) => LatencyStanding::Possible,
        }
    }
}
