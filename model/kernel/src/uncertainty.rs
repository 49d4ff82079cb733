//! How far a prediction may be off, from what the design has.

use crate::answer::{HeldBy, KernelAnswer, LoopAnswer};

/// The range of `expected` as factors of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uncertainty {
    /// At most one.
    pub low: f64,
    /// At least one.
    pub high: f64,
}

/// What a cause does to the range: by how much hardware may be faster, and by how much slower.
///
/// The factors are quantiles of the logarithm of hardware over `expected` on nine public sets (cycles of RTL where they are
/// known, else the report's), each kernel with one weight, rounded by hand. Fits of this form with a fifth of the families of
/// kernels left out in turn held 88 to 91 % of the designs of these.
type Factors = (f64, f64);

/// A schedule with nothing that widens it.
const PLAIN: Factors = (1.02, 1.01);
/// States more or less that a short kernel may have.
const STATES: f64 = 2.0;
/// Loops that are not pipelined: states between them, and what the tool pipelines by itself.
const UNPIPELINED: Factors = (1.0, 1.24);
/// An interval that ports of memories hold: how arrays are cut decides it.
const MEMORY: Factors = (1.1, 1.48);
/// An interval that a recurrence holds: the tool may order its sums in another way.
const RECURRENCE: Factors = (1.5, 1.08);
/// An interval of [`WIDE_INTERVAL`] or more.
const WIDE: Factors = (1.23, 1.03);
const WIDE_INTERVAL: u64 = 16;
/// A pipeline of more than [`DEEP_STAGES`] stages: much that is unrolled.
const DEEP: Factors = (2.2, 1.13);
const DEEP_STAGES: f64 = 64.0;
/// Memory behind a bus: latency and bursts.
const BUS: Factors = (1.0, 1.46);
/// A stream at the interface.
const STREAM: Factors = (1.05, 1.07);
/// Stages that run side by side: an interval that is shorter than the latency.
const DATAFLOW: Factors = (1.8, 1.0);
/// Each thing that is not known, up to [`MOST_UNKNOWN`] of them.
const UNKNOWN: Factors = (1.02, 1.9);
const MOST_UNKNOWN: usize = 2;
/// The worst case by the data is so many times the best, to this power and up to [`WIDEST_SPAN`].
const SPAN: f64 = 1.1;
const WIDEST_SPAN: f64 = 3.0;

/// The range in which hardware is expected to be. Each cause that the design has widens it by its factors.
#[must_use]
pub fn uncertainty(answer: &KernelAnswer) -> Uncertainty {
    let loops = |test: &dyn Fn(&LoopAnswer) -> bool| answer.loops.iter().any(test);
    let ports = |kind: &str| answer.ports.iter().any(|port| port.kind == kind);
    let latency = &answer.latency;
    let is_dataflow = answer.loops.len() > 1 && answer.interval.worst < 0.9 * latency.worst;
    let causes = [
        (true, PLAIN),
        (loops(&|one| one.ii.is_none()), UNPIPELINED),
        (loops(&|one| matches!(one.held_by, Some(HeldBy::Memory { .. }))), MEMORY),
        (loops(&|one| matches!(one.held_by, Some(HeldBy::Recurrence { .. }))), RECURRENCE),
        (loops(&|one| one.ii.is_some_and(|ii| ii >= WIDE_INTERVAL)), WIDE),
        (loops(&|one| one.ii.is_some() && one.depth > DEEP_STAGES), DEEP),
        (ports("m_axi"), BUS),
        (ports("fifo"), STREAM),
        (is_dataflow, DATAFLOW),
    ];
    let unknown = answer.unknown.iter().take(MOST_UNKNOWN).map(|_| (true, UNKNOWN));
    let (mut low, mut high) = (1.0, 1.0);
    for (_, factors) in causes.into_iter().chain(unknown).filter(|cause| cause.0) {
        low /= factors.0;
        high *= factors.1;
    }
    let expected = latency.expected.max(1.0);
    low = f64::min(low, (1.0 - STATES / expected).max(0.0));
    high = f64::max(high, 1.0 + STATES / expected);
    let span = (latency.worst.max(1.0) / latency.best.max(1.0)).powf(SPAN);
    Uncertainty { low, high: high * span.clamp(1.0, WIDEST_SPAN) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Directives, Settings, estimate_kernel, find_part};
    use derate_program::read_program;
    use derate_syntax::{SourceFile, read_unit};

    fn range(body: &str) -> Uncertainty {
        let text = format!("void top(int n, float a[1024], float b[1024]) {{ {body} }}");
        let source = SourceFile { path: "a.cpp".into(), text };
        let unit = read_unit(&[source], &mut |_, _, _| None, &[]);
        let program = read_program(&unit, "top").unwrap();
        let settings = Settings::new(find_part("xcu280").unwrap(), 10.0, (2022, 1));
        uncertainty(&estimate_kernel(&program, &Directives::default(), &settings))
    }

    #[test]
    fn each_cause_widens_the_range() {
        let plain = range("for (int i = 0; i < 1024; i++) b[i] = a[i] * 2.0f;");
        assert!(plain.high / plain.low < 1.05, "{plain:?}");
        let held = range("float s = 0; for (int i = 0; i < 1024; i++) s += a[i]; b[0] = s;");
        assert!(held.low < plain.low && held.high > plain.high, "{held:?}");
        let varies =
            range("for (int i = 0; i < 1024; i++) for (int j = 0; j < i; j++) b[j] = a[i] * 2.0f;");
        assert!(varies.high > plain.high, "{varies:?}");
    }

    #[test]
    fn a_short_kernel_may_have_a_state_more() {
        let short = range("b[0] = a[0] * 2.0f;");
        assert!(short.high > 1.2, "{short:?}");
    }
}
