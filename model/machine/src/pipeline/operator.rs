use std::fmt;

use derate_units::{Cycles, Figure, Hertz, Provenance};

/// An operator that HLS takes from its library.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum LibraryOperator {
    /// Single-precision addition and subtraction.
    FAdd,
    /// Single-precision multiplication.
    FMul,
    /// Single-precision division.
    FDiv,
    /// Single-precision square root.
    FSqrt,
    /// Single-precision exponential.
    FExp,
    /// Double-precision addition and subtraction.
    DAdd,
    /// Double-precision multiplication.
    DMul,
    /// Double-precision division.
    DDiv,
    /// Double-precision exponential.
    DExp,
    /// Integer multiplication and multiply-add.
    Mul,
}

/// What an operator is built of.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Implementation {
    /// DSP slices, as many as help.
    Dsp,
    /// Look-up tables alone.
    Fabric,
}

/// The names of the table.
const OPERATORS: [(LibraryOperator, &str); 10] = [
    (LibraryOperator::FAdd, "fadd"),
    (LibraryOperator::FMul, "fmul"),
    (LibraryOperator::FDiv, "fdiv"),
    (LibraryOperator::FSqrt, "fsqrt"),
    (LibraryOperator::FExp, "fexp"),
    (LibraryOperator::DAdd, "dadd"),
    (LibraryOperator::DMul, "dmul"),
    (LibraryOperator::DDiv, "ddiv"),
    (LibraryOperator::DExp, "dexp"),
    (LibraryOperator::Mul, "mul"),
];

impl fmt::Display for LibraryOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = OPERATORS.iter().find(|(operator, _)| operator == self);
        f.pad(name.map_or("", |(_, name)| name))
    }
}

impl fmt::Display for Implementation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Dsp => "dsp",
            Self::Fabric => "fabric",
        })
    }
}

/// Latencies that synthesis reports print, all on devices with DSP48E2 slices: device, clock period in ns, operator,
/// implementation, cycles, source.
const PUBLISHED: &str = include_str!("../../operators.csv");

/// 3.33 ns is how the tools print 300 MHz.
const ROUNDING: f64 = 1.002;

/// A row of the table.
struct LatencyRow<'a> {
    device: &'a str,
    period: f64,
    cycles: f64,
    source: &'a str,
}

/// The rows of an operator, in the order of the table.
fn list_rows(
    operator: LibraryOperator,
    implementation: Implementation,
) -> impl Iterator<Item = LatencyRow<'static>> {
    let (operator, implementation) = (operator.to_string(), implementation.to_string());
    PUBLISHED.lines().skip(1).filter_map(move |line| {
        let mut cells = line.splitn(6, ',');
        let (device, period) = (cells.next()?, cells.next()?.parse().ok()?);
        let (named, built) = (cells.next()?, cells.next()?);
        let (cycles, source) = (cells.next()?.parse().ok()?, cells.next()?);
        let row = LatencyRow { device, period, cycles, source };
        (named == operator && built == implementation).then_some(row)
    })
}

/// No latency is published at so high a clock.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("no latency of {operator} in {implementation} is published at {:.0} MHz or above", .clock.0 / 1e6)]
pub struct NotPublished {
    /// The operator.
    pub operator: LibraryOperator,
    /// What it is built of.
    pub implementation: Implementation,
    /// The clock that was asked for.
    pub clock: Hertz,
}

/// Cycles from an operator's inputs to its result at `clock`: of the published latencies at that clock or above it, the
/// nearest, of `part` where there is one and else of another device with DSP48E2 slices.
///
/// At a lower clock the tool needs fewer stages, so that a figure from above the clock is never too low.
pub fn operator_latency(
    operator: LibraryOperator,
    implementation: Implementation,
    clock: Hertz,
    part: Option<&str>,
) -> Result<Figure<Cycles>, NotPublished> {
    let wanted = 1e9 / clock.0 * ROUNDING;
    let own = |row: &LatencyRow<'_>| part.is_some_and(|part| part.starts_with(row.device));
    // The slowest of those that are fast enough; the first of equals.
    let nearest = |only_own: bool| {
        list_rows(operator, implementation)
            .filter(|row| row.period <= wanted && (!only_own || own(row)))
            .reduce(|best, row| if row.period > best.period { row } else { best })
    };
    let row = nearest(true).or_else(|| nearest(false)).ok_or(NotPublished {
        operator,
        implementation,
        clock,
    })?;
    Ok(Figure::new(
        Cycles(row.cycles),
        Provenance::Published,
        format!(
            "{operator} in {implementation}: {} cycles on {} at {} ns ({})",
            row.cycles, row.device, row.period, row.source
        ),
    ))
}
