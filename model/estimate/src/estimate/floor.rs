//! What a pass under a scenario's roofs takes, done as the design does it and done as well as can be.

use crate::Analysis;
use crate::hold::{held_bytes, is_held};
use crate::pass::{Pass, Plan, Setting};
use crate::scenario::Scenario;
use crate::setting::{parameters, peaks, setting};
use derate_project::{Schedule, TensorFormats};
use derate_units::Seconds;
use derate_workload::classes::classify_layers;
use derate_workload::{InferenceParameters, Part, Role};

/// The passes of one plan at the rates of a scenario; `None` where a number format is not known.
struct Passes {
    plan: Plan,
    setting: Setting,
}

fn passes(
    analysis: &Analysis,
    scenario: &Scenario,
    parameters: &InferenceParameters,
    held: &dyn Fn(&Part) -> bool,
    schedule: Schedule,
    capacity: impl FnOnce(f64) -> f64,
) -> Option<Passes> {
    let parts = analysis.workload.inference_parts(parameters);
    let formats = scenario.storage.formats(&analysis.shape);
    let peaks = peaks(analysis, scenario, &classify_layers(&parts, &formats, held).ok()?);
    let setting = setting(analysis, scenario, &peaks, schedule);
    let capacity = capacity(setting.capacity);
    let plan = Plan::new(parts, &formats, held, schedule, capacity, None).ok()?;
    Some(Passes { plan, setting })
}

impl Passes {
    fn run(&self) -> Pass {
        self.plan.run(&self.setting)
    }
}

fn known(seconds: f64) -> Option<Seconds> {
    seconds.is_finite().then_some(Seconds(seconds))
}

/// Roofline time with what `[design]` fuses, holds and leaves out; unfused where it says nothing. `None` where a peak is
/// not known.
fn as_designed(analysis: &Analysis, scenario: &Scenario) -> Option<Seconds> {
    let design = &analysis.project.design;
    let mut p = parameters(analysis, scenario);
    (p.hoist_cross_kv, p.drop_dead_work) = (design.hoist_cross_kv, design.drop_dead_work);
    let bytes = held_bytes(analysis, &scenario.storage, &p);
    let fits = bytes.is_ok();
    let held = |part: &Part| fits && is_held(analysis, part);
    let left = |chip: f64| chip - bytes.map_or(0.0, |bytes| bytes.0);
    let passes = passes(analysis, scenario, &p, &held, design.schedule(), left)?;
    known(passes.run().roofline)
}

/// The shortest time that the roofs allow an inference: without the work that can be left out, whole layers fused on a
/// chip that holds whatever is kept, every weight read once, and all transfers behind the products (or these behind them):
/// `max(sum of products / peak, sum of bytes / bandwidth)`. Where nothing says which product reads another's result, all of
/// them may stay on the chip: the bytes are those of the weights, the smallest operand and the smallest result. `None` where
/// a peak is not known.
fn floor(analysis: &Analysis, scenario: &Scenario) -> Option<Seconds> {
    let mut p = parameters(analysis, scenario);
    (p.hoist_cross_kv, p.drop_dead_work) = (true, true);
    let unlimited = |_| f64::INFINITY;
    let passes = passes(analysis, scenario, &p, &|_| true, Schedule::Block, unlimited)?;
    // Where memory is never waited for, what is left is the products.
    let setting = Setting { bandwidth: f64::INFINITY, ..passes.setting.clone() };
    let compute = passes.plan.run(&setting).roofline;
    let pass = passes.run();
    let bytes = if analysis.workload.is_whole() {
        pass.bytes
    } else {
        let formats = scenario.storage.formats(&analysis.shape);
        pass.weight_bytes + ends(&analysis.workload.inference_parts(&p), &formats)?
    };
    known(compute.max(bytes / passes.setting.bandwidth))
}

/// Bytes of the smallest operand that is no weight and of the smallest result: whatever is kept on the chip, one of each
/// crosses. `None` where a tensor's format is not known.
fn ends(parts: &[Part], formats: &TensorFormats) -> Option<f64> {
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

/// Where a claimed latency stands against what the claimed roofs allow.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Stand {
    /// Below what no pass undercuts.
    Impossible,
    /// Below what the pass of `[design]` takes, else an unfused one.
    Further,
    /// At or above that.
    Above,
}

/// What a latency is held against.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatencyRoofs {
    /// What no pass undercuts; `None` where a peak is not known.
    pub least: Option<Seconds>,
    /// Of a pass that fuses what `[design]` says; `None` where a peak is not known.
    pub own: Option<Seconds>,
}

impl LatencyRoofs {
    /// Those under the claimed roofs.
    pub fn claimed(analysis: &Analysis) -> Self {
        let scenario = crate::scenario::claimed(analysis);
        Self { least: floor(analysis, &scenario), own: as_designed(analysis, &scenario) }
    }

    /// Where `latency` stands.
    pub fn stand(&self, latency: Seconds) -> Stand {
        let below = |bound: Option<Seconds>| bound.is_some_and(|bound| latency < bound);
        match (below(self.least), below(self.own)) {
            (true, _) => Stand::Impossible,
            (false, true) => Stand::Further,
            (false, false) => Stand::Above,
        }
    }
}
