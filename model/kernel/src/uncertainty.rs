//! How far a prediction may be off, from what the design has.

use crate::answer::{Doubt, HeldBy, KernelAnswer, LoopAnswer};
use crate::runs::count_runs;
use derate_hls::is_vivado;
use derate_operators::Cause;
use derate_operators::Settings;

/// The range of `expected` as factors of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uncertainty {
    /// At most one.
    pub low: f64,
    /// At least one.
    pub high: f64,
}

impl Uncertainty {
    /// The whole cycles between which a number of cycles lies.
    #[must_use]
    pub fn bound(&self, cycles: f64) -> [f64; 2] {
        [(cycles * self.low).floor(), (cycles * self.high).ceil()]
    }
}

/// States more or less that a short kernel may have.
const STATES: f64 = 2.0;
/// The share of the stages of pipelines that may be more or less: depths of loops are exact for six in ten.
const STAGES: f64 = 0.25;
/// The share of the cycles that a kernel without a doubt may be off.
const STRAY: f64 = 0.03;
/// A pipeline of more stages is deep: much is unrolled in it.
const DEEP_STAGES: f64 = 64.0;
/// Below this period in ns the tool chooses between adders for a recurrence.
const FAST_CLOCK: f64 = 4.5;
/// Versions of the tool whose reports the rules and constants are from.
const VERSIONS: [(u16, u16); 4] = [(2022, 1), (2022, 2), (2023, 2), (2025, 1)];
/// More of the time than this in no loop counts as this.
const MOST_OUTSIDE: f64 = 0.3;
/// The worst case by the data counts as up to so many times the best.
const WIDEST_SPAN: f64 = 3.0;

/// The range in which hardware is expected to be, with what a report says in it. Each doubt widens it by its factors.
#[must_use]
pub fn uncertainty(answer: &KernelAnswer) -> Uncertainty {
    let expected = answer.latency.expected.max(1.0);
    let reported = answer.latency.reported.max(1.0) / expected;
    let (mut low, mut high) = (reported.min(1.0), reported.max(1.0));
    for doubt in &answer.doubts {
        low /= doubt.factors.0.powf(doubt.amount);
        high *= doubt.factors.1.powf(doubt.amount);
    }
    let states = states_in_doubt(answer) / expected;
    // A doubt of an interval leaves open what is beside the intervals.
    let beside = 1.0 + (states - STRAY).min(STRAY);
    Uncertainty {
        low: f64::min(low / beside, (1.0 - states).max(0.0)),
        high: f64::max(high * beside, 1.0 + states),
    }
}

/// Cycles more or less that a kernel may have, whatever its doubts: a share of all, states, and
/// stages each time a pipeline is filled.
#[must_use]
pub fn states_in_doubt(answer: &KernelAnswer) -> f64 {
    STATES + STAGES * stages_filled(answer) + STRAY * answer.latency.expected
}

/// Stages of all pipelines, each time that one is filled; no more than the kernel takes.
fn stages_filled(answer: &KernelAnswer) -> f64 {
    let runs = count_runs(&answer.loops);
    let fills = runs
        .iter()
        .filter(|one| one.answer.ii.is_some())
        .map(|one| one.runs.unwrap_or(1.0) * one.answer.depth.min(one.answer.cycles.expected));
    fills.sum::<f64>().min(answer.latency.expected)
}

/// What makes the cycles doubtful. What is not here is constant trips, intervals as asked for or of known sums, and stretches of
/// states: these are exact.
/// What the tool makes by itself differs less between versions and parts than what directives ask for: `is_directed`.
pub(crate) fn list_doubts(
    answer: &KernelAnswer,
    settings: &Settings,
    is_directed: bool,
) -> Vec<Doubt> {
    let latency = &answer.latency;
    let expected = latency.expected.max(1.0);
    let runs = count_runs(&answer.loops);
    let share = |test: &dyn Fn(&LoopAnswer) -> bool| -> f64 {
        let counted = runs.iter().filter(|one| one.answer.ii.is_some() || one.is_innermost);
        let shares = counted.filter(|one| test(one.answer)).map(|one| {
            (one.runs.unwrap_or(1.0) * one.answer.cycles.expected / expected).clamp(0.0, 1.0)
        });
        shares.sum::<f64>().min(1.0)
    };
    let through_memory = |one: &LoopAnswer| {
        matches!(&one.held_by, Some(HeldBy::Recurrence { through: Some(_), .. }))
    };
    let is_fast = settings.clock_ns < FAST_CLOCK;
    let ports = share(&|one| matches!(one.held_by, Some(HeldBy::Memory { .. })));
    let deep = share(&|one| one.ii.is_some() && one.depth > DEEP_STAGES);
    let span = (latency.worst.max(1.0) / latency.best.max(1.0)).clamp(1.0, WIDEST_SPAN).ln();
    let flag = |is: bool| f64::from(u8::from(is));
    let is_dataflow = answer.loops.len() > 1 && answer.interval.worst < 0.9 * latency.worst;
    let amounts = [
        (Cause::Ports, ports),
        (Cause::DeepPorts, ports * deep),
        (Cause::FastRecurrence, if is_fast { share(&through_memory) } else { 0.0 }),
        (
            Cause::OwnRecurrence,
            if is_fast { 0.0 } else { share(&|one| one.asked.is_none() && through_memory(one)) },
        ),
        (
            Cause::ValueRecurrence,
            share(&|one| matches!(&one.held_by, Some(HeldBy::Recurrence { through: None, .. }))),
        ),
        (Cause::Data, span),
        (Cause::Unknown, flag(!answer.unknown.is_empty())),
        (Cause::Stalls, flag(is_dataflow)),
        (Cause::Outside, (1.0 - share(&|_| true)).clamp(0.0, MOST_OUTSIDE)),
        (Cause::Streams, flag(answer.ports.iter().any(|port| port.kind == "fifo"))),
        (Cause::Buses, flag(answer.ports.iter().any(|port| port.kind == "m_axi"))),
        (Cause::ReorderedSums, flag(settings.unsafe_math)),
        (Cause::Family, flag(is_directed && !settings.part.family.is_ultrascale_plus())),
        (
            Cause::Version,
            // What Vivado HLS makes unasked is held against few reports: its loops without a pipeline are off by 0.45 to 1.4 times.
            flag((is_directed || is_vivado(settings.tool)) && !VERSIONS.contains(&settings.tool)),
        ),
    ];
    let found = amounts.into_iter().filter(|one| one.1 > 0.0);
    found
        .map(|(cause, amount)| Doubt { cause, amount, factors: settings.range_factors(cause) })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Directives, estimate_kernel, find_part};
    use derate_program::read_program;
    use derate_syntax::{SourceFile, read_unit};

    fn answer(body: &str) -> KernelAnswer {
        let text = format!("void top(int n, float a[1024], float b[1024]) {{ {body} }}");
        let source = SourceFile { path: "a.cpp".into(), text };
        let unit = read_unit(&[source], &mut |_, _, _| None, &[]);
        let program = read_program(&unit, "top").unwrap();
        let settings = Settings::new(find_part("xcu280").unwrap(), 10.0, (2022, 1));
        estimate_kernel(&program, &Directives::default(), &settings)
    }

    #[test]
    fn each_cause_widens_the_range() {
        let width = |body: &str| {
            let range = uncertainty(&answer(body));
            range.high / range.low
        };
        let plain = width("for (int i = 0; i < 1024; i++) b[i] = a[i] * 2.0f;");
        assert!(plain < 1.1, "{plain}");
        let held = width("float s = 0; for (int i = 0; i < 1024; i++) s += a[i]; b[0] = s;");
        assert!(held > plain, "{held}");
        let ports = width("for (int i = 0; i < 512; i++) b[i] = a[i] + a[i + 256] + a[i + 512];");
        assert!(ports > plain, "{ports}");
    }

    #[test]
    fn what_vivado_hls_makes_unasked_is_less_certain() {
        let width = |tool| {
            let settings = Settings::new(find_part("xcu280").unwrap(), 10.0, tool);
            let text =
                "void top(int a[64], int b[64]) { for (int i = 0; i < 64; i++) b[i] = a[i]; }";
            let source = SourceFile { path: "a.cpp".into(), text: text.to_owned() };
            let unit = read_unit(&[source], &mut |_, _, _| None, &[]);
            let program = read_program(&unit, "top").unwrap();
            let range = uncertainty(&estimate_kernel(&program, &Directives::default(), &settings));
            range.high / range.low
        };
        assert!(width((2019, 1)) > 1.5 && width((2023, 1)) < 1.5);
    }

    #[test]
    fn a_doubt_has_a_cause_and_a_share() {
        let answer = answer("for (int i = 0; i < 512; i++) b[i] = a[i] + a[i + 256] + a[i + 512];");
        let ports = answer.doubts.iter().find(|doubt| doubt.cause == Cause::Ports).unwrap();
        assert!(ports.amount > 0.9 && ports.amount <= 1.0, "{ports:?}");
        assert!(ports.factors.0 >= 1.0 && ports.factors.1 >= 1.0, "{ports:?}");
    }

    #[test]
    fn a_short_kernel_may_have_a_state_more() {
        let short = uncertainty(&answer("b[0] = a[0] * 2.0f;"));
        assert!(short.high > 1.2, "{short:?}");
    }
}
