//! The form of a processor's file, and what becomes of it.

use serde::Deserialize;
use toml::Spanned;

use super::{ArithmeticPeak, Disputed, Processor, ProcessorKind, ProcessorMemory, UnknownPeak};
use crate::cited::{Cited, Refusal, read_precision};
use derate_units::Precision;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    name: String,
    title: String,
    kind: ProcessorKind,
    memory: MemoryTable,
    units: Option<Cited<f64>>,
    last_level_cache: Option<Cited<String>>,
    power: Option<Cited<String>>,
    peak: Spanned<Vec<PeakTable>>,
    #[serde(default)]
    disputed: Vec<DisputedTable>,
    #[serde(default)]
    unknown: Vec<UnknownTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MemoryTable {
    title: String,
    bandwidth: Cited<String>,
    copy_bandwidth: Option<Cited<String>>,
    capacity: Option<Cited<String>>,
    driver_keeps: Option<Cited<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PeakTable {
    arithmetic: Spanned<String>,
    accumulate: Spanned<String>,
    engine: String,
    rate: Cited<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DisputedTable {
    figure: Spanned<String>,
    value: String,
    source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UnknownTable {
    arithmetic: Spanned<String>,
    reason: String,
    #[serde(default)]
    absent: bool,
    computed_as: Option<Spanned<String>>,
}

impl MemoryTable {
    fn into_memory(self) -> Result<ProcessorMemory, Refusal> {
        Ok(ProcessorMemory {
            title: self.title,
            bandwidth: self.bandwidth.read_quantity()?,
            copy_bandwidth: self.copy_bandwidth.map(Cited::read_quantity).transpose()?,
            capacity: self.capacity.map(Cited::read_quantity).transpose()?,
            driver_keeps: self.driver_keeps.map(Cited::read_quantity).transpose()?,
        })
    }
}

/// The peaks, each arithmetic and its sums once.
fn read_peaks(tables: Spanned<Vec<PeakTable>>) -> Result<Vec<ArithmeticPeak>, Refusal> {
    let whole = tables.span();
    let mut peaks: Vec<ArithmeticPeak> = Vec::new();
    for table in tables.into_inner() {
        let place = table.arithmetic.span();
        let (arithmetic, accumulate) =
            (read_precision(table.arithmetic)?, read_precision(table.accumulate)?);
        if peaks.iter().any(|peak| peak.is_of(arithmetic) && peak.accumulate == accumulate) {
            return Err(Refusal::at(
                place,
                format!("{arithmetic} with sums in {accumulate} has a peak already: keep one"),
            ));
        }
        let rate = table.rate.read_quantity()?;
        peaks.push(ArithmeticPeak { arithmetic, accumulate, engine: table.engine, rate });
    }
    if peaks.is_empty() {
        return Err(Refusal::at(whole, "at least one [[peak]] is needed"));
    }
    Ok(peaks)
}

/// What elements are widened to: it needs a peak.
fn read_wider(name: Spanned<String>, peaks: &[ArithmeticPeak]) -> Result<Precision, Refusal> {
    let place = name.span();
    let wider = read_precision(name)?;
    if peaks.iter().any(|peak| peak.is_of(wider)) {
        return Ok(wider);
    }
    let reason = format!("`computed_as` is {wider}, which has no [[peak]]: give it one");
    Err(Refusal::at(place, reason))
}

impl File {
    pub(super) fn into_processor(self) -> Result<Processor, Refusal> {
        let peaks = read_peaks(self.peak)?;
        let mut unknown = Vec::new();
        for table in self.unknown {
            let place = table.arithmetic.span();
            let arithmetic = read_precision(table.arithmetic)?;
            if peaks.iter().any(|peak| peak.is_of(arithmetic)) {
                let reason =
                    format!("{arithmetic} has a [[peak]], so it is not unknown: take one out");
                return Err(Refusal::at(place, reason));
            }
            let computed_as = table.computed_as.map(|name| read_wider(name, &peaks)).transpose()?;
            let (reason, absent) = (table.reason, table.absent);
            unknown.push(UnknownPeak { arithmetic, reason, absent, computed_as });
        }
        let known = |figure: &str| match figure {
            "memory.bandwidth"
            | "memory.copy_bandwidth"
            | "memory.capacity"
            | "memory.driver_keeps"
            | "units"
            | "last_level_cache"
            | "power" => true,
            figure => figure.strip_prefix("peak.").is_some_and(|p| Precision::parse(p).is_some()),
        };
        let mut disputed = Vec::new();
        for table in self.disputed {
            let (place, figure) = (table.figure.span(), table.figure.into_inner());
            if !known(&figure) {
                let reason = format!(
                    "`{figure}` is not a figure of this file: write memory.bandwidth, memory.capacity, units, \
                     last_level_cache, power or peak. and a precision"
                );
                return Err(Refusal::at(place, reason));
            }
            disputed.push(Disputed { figure, value: table.value, source: table.source });
        }
        Ok(Processor {
            name: self.name,
            title: self.title,
            kind: self.kind,
            memory: self.memory.into_memory()?,
            units: self.units.map(|units| units.read_positive("units")).transpose()?,
            last_level_cache: self.last_level_cache.map(Cited::read_quantity).transpose()?,
            power: self.power.map(Cited::read_quantity).transpose()?,
            peaks,
            disputed,
            unknown,
        })
    }
}
