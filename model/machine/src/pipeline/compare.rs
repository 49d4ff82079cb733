use std::collections::BTreeMap;

use derate_hls::{Figure, Located, Module, Report, ReportedLoop};

use super::CycleRule;
use derate_units::Cycles;

/// A rule beside what the tool printed.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedCycles {
    /// The module, and the loop in it: `gemm/ROW/COL`.
    pub place: String,
    /// The rule, with inputs from the same report.
    pub rule: CycleRule,
    /// What the tool printed.
    pub reported: Cycles,
}

impl ComparedCycles {
    /// What the rule gives less what was printed.
    #[must_use]
    pub fn miss(&self) -> f64 {
        self.rule.cycles().0 - self.reported.0
    }
}

fn known_number(printed: Option<&Located<Figure>>) -> Option<u64> {
    printed?.value.known()
}

/// The parts of a module's or a loop's body, and their cycles.
#[derive(Default)]
struct BodyParts {
    calls: u64,
    plain: u64,
    pipelined: u64,
    sum: u64,
}

impl BodyParts {
    /// `None` where the cycles of a part are not known.
    fn of(loops: &[ReportedLoop], calls: &[&Module]) -> Option<Self> {
        let mut parts = Self::default();
        for one in loops {
            let counted = if one.pipelined? { &mut parts.pipelined } else { &mut parts.plain };
            *counted += 1;
            parts.sum = parts.sum.checked_add(known_number(one.latency.as_ref())?)?;
        }
        for module in calls {
            parts.calls += 1;
            parts.sum = parts.sum.checked_add(known_number(module.latency.as_ref())?)?;
        }
        Some(parts)
    }

    /// The rule for such a body, if there is anything in it.
    fn choose_rule(&self, in_loop: bool) -> Option<CycleRule> {
        let &Self { calls, plain, pipelined, sum } = self;
        match (calls, plain, pipelined, in_loop) {
            (0, 0, 0, _) => None,
            (0, 0, 1, false) => Some(CycleRule::OutlinedPipelinedLoop { inner: sum }),
            (0, 1, 0, false) => Some(CycleRule::OutlinedPlainLoop { inner: sum }),
            _ => Some(CycleRule::Sequence { calls, plain, pipelined, in_loop, sum }),
        }
    }
}

/// The modules that a module calls, and in which of its loops.
type Calls<'a> = BTreeMap<(usize, Option<&'a str>), Vec<&'a Module>>;

fn calls_in<'a>(calls: &'a Calls<'a>, at: usize, within: Option<&'a str>) -> &'a [&'a Module] {
    calls.get(&(at, within)).map_or(&[], Vec::as_slice)
}

/// Every loop, module and dataflow region of a report whose figures are single numbers, with the rule that should give
/// them. Ranges and unknown figures are left out, as no rule can meet them.
#[must_use]
pub fn compare_report(report: &Report) -> Vec<ComparedCycles> {
    let mut called = Calls::new();
    for module in &report.modules {
        if let Some(caller) = module.caller {
            called.entry((caller, module.caller_loop.as_deref())).or_default().push(module);
        }
    }
    let mut found = Vec::new();
    for (at, module) in report.modules.iter().enumerate() {
        let name = &module.name.value;
        let mut add = |place: String, rule: Option<CycleRule>, printed: Option<u64>| {
            if let (Some(rule), Some(printed)) = (rule, printed) {
                found.push(ComparedCycles { place, rule, reported: Cycles(printed as f64) });
            }
        };
        let mut open: Vec<(&ReportedLoop, String)> =
            module.loops.iter().rev().map(|one| (one, name.clone())).collect();
        while let Some((one, above)) = open.pop() {
            let place = format!("{above}/{}", one.name.value);
            open.extend(one.loops.iter().rev().map(|inner| (inner, place.clone())));
            let (latency, iteration) =
                (known_number(one.latency.as_ref()), known_number(one.iteration_latency.as_ref()));
            if one.pipelined == Some(true) {
                add(place, pipelined_rule(one), latency);
            } else if one.pipelined == Some(false) {
                let within = calls_in(&called, at, Some(&one.name.value));
                let region = find_region(&one.loops, within);
                let body =
                    BodyParts::of(&one.loops, within).and_then(|parts| parts.choose_rule(true));
                let trips = known_number(one.trip_count.as_ref()).zip(iteration);
                if let Some((interval, region)) = region {
                    let rule = trips.map(|(trips, _)| CycleRule::DataflowLoop {
                        trips,
                        interval,
                        latency: region,
                    });
                    add(place, rule, latency);
                    continue;
                }
                let whole =
                    trips.map(|(trips, iteration)| CycleRule::PlainLoop { trips, iteration });
                add(place.clone(), whole, latency);
                add(format!("{place}, body"), body, iteration);
            }
        }
        let latency = known_number(module.latency.as_ref());
        let inside = calls_in(&called, at, None);
        if module.dataflow {
            // Which calls are in a loop of the region does not matter to its interval.
            let all = called.range((at, None)..).take_while(|((caller, _), _)| *caller == at);
            let parts: Option<Vec<u64>> = all
                .flat_map(|(_, parts)| parts)
                .map(|m| known_number(m.interval.as_ref()))
                .collect();
            let slowest = parts.and_then(|parts| parts.into_iter().max());
            let rule = slowest.map(|slowest| CycleRule::DataflowInterval { slowest });
            add(name.clone(), rule, known_number(module.interval.as_ref()));
        } else if let Some(depth) = known_number(module.depth.as_ref()) {
            add(name.clone(), Some(CycleRule::PipelinedFunction { depth }), latency);
        } else if !is_pipelined(module) {
            let rule =
                BodyParts::of(&module.loops, inside).and_then(|parts| parts.choose_rule(false));
            add(name.clone(), rule, latency);
        }
    }
    found
}

/// Interval and latency of the dataflow region that is a loop's whole body.
fn find_region(loops: &[ReportedLoop], calls: &[&Module]) -> Option<(u64, u64)> {
    let [module] = calls else { return None };
    let (interval, latency) =
        (known_number(module.interval.as_ref()), known_number(module.latency.as_ref()));
    (module.dataflow && loops.is_empty()).then_some(interval.zip(latency)).flatten()
}

fn pipelined_rule(one: &ReportedLoop) -> Option<CycleRule> {
    Some(CycleRule::PipelinedLoop {
        trips: known_number(one.trip_count.as_ref())?,
        ii: known_number(one.ii_achieved.as_ref())?,
        depth: known_number(one.depth.as_ref())?,
    })
}

/// A pipelined function whose depth the report does not print.
fn is_pipelined(module: &Module) -> bool {
    module.pipeline.as_ref().is_some_and(|word| matches!(word.value.as_str(), "yes" | "function"))
}
