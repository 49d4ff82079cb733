//! What a pass under a scenario's roofs takes, done as the design does it and done as well as can be.

use super::setting::{parameters, peaks, setting};
use crate::classes::classes;
use crate::hold::{held_bytes, is_held};
use crate::pass::{Pass, Plan, Setting};
use crate::scenario::Scenario;
use crate::units::Seconds;
use crate::workload::{Parameters, Part};
use crate::{Analysis, Schedule};

/// The passes of one plan at the rates of a scenario; `None` where a number format is not known.
struct Passes {
    plan: Plan,
    setting: Setting,
}

fn passes(
    analysis: &Analysis,
    scenario: &Scenario,
    parameters: &Parameters,
    held: &dyn Fn(&Part) -> bool,
    schedule: Schedule,
    capacity: impl FnOnce(f64) -> f64,
) -> Option<Passes> {
    let parts = analysis.workload.inference(parameters);
    let formats = scenario.storage.formats(&analysis.shape);
    let peaks = peaks(analysis, scenario, &classes(&parts, &formats, held).ok()?);
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
pub(crate) fn as_designed(analysis: &Analysis, scenario: &Scenario) -> Option<Seconds> {
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
/// `max(sum of products / peak, sum of bytes / bandwidth)`. `None` where a peak is not known.
pub(crate) fn floor(analysis: &Analysis, scenario: &Scenario) -> Option<Seconds> {
    let mut p = parameters(analysis, scenario);
    (p.hoist_cross_kv, p.drop_dead_work) = (true, true);
    let unlimited = |_| f64::INFINITY;
    let passes = passes(analysis, scenario, &p, &|_| true, Schedule::Block, unlimited)?;
    // Where memory is never waited for, what is left is the products.
    let setting = Setting { bandwidth: f64::INFINITY, ..passes.setting.clone() };
    let compute = passes.plan.run(&setting).roofline;
    known(compute.max(passes.run().bytes / passes.setting.bandwidth))
}
