//! `[design]`: the hardware that the analysis has in mind.

use derate_hls::Reason;
use std::collections::BTreeMap;

use super::checker::{Checker, MOST, optional, parse_precision};
use super::{Claim, ClaimedPrecision, Launches, ProjectError, Schedule, raw};
use derate_units::quantity::ParseQuantity;
use derate_units::{Bytes, Hertz, Precision, Seconds};

/// What is known of the design; latency needs at least `rows` and `columns`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DesignSection {
    /// Its number format; the claimed one where it is not given.
    pub precision: Option<Claim<ClaimedPrecision>>,
    /// DSP slices per multiply-add.
    pub dsp_per_mac: BTreeMap<Precision, Claim<f64>>,
    /// Rows of the array of processing elements.
    pub rows: Option<Claim<u64>>,
    /// Columns of it.
    pub columns: Option<Claim<u64>>,
    /// Multiply-adds that each element starts per cycle.
    pub unroll: Option<Claim<u64>>,
    /// Cycles between two additions to the same partial sum.
    pub accumulation_ii: Option<Claim<u64>>,
    /// Cycles to fill and drain the array, per tile.
    pub fill: Option<Claim<u64>>,
    /// Elements that an elementwise operator makes per cycle.
    pub lanes: Option<Claim<u64>>,
    /// Cycles from a request to its first word.
    pub memory_latency: Option<Claim<u64>>,
    /// Time that the host takes per kernel call.
    pub launch: Option<Claim<Seconds>>,
    /// What a kernel call is.
    pub launches: Option<Claim<Launches>>,
    /// The clock that the bitstream reached.
    pub clock: Option<Claim<Hertz>>,
    /// What is fused.
    pub schedule: Option<Claim<Schedule>>,
    /// On-chip memory for operands.
    pub buffer: Option<Claim<Bytes>>,
    /// Ports to external memory.
    pub ports: Option<Claim<u32>>,
    /// Width of each, in bits.
    pub port_bits: Option<Claim<u64>>,
    /// Parts whose weights stay on the chip from run to run.
    pub hold: Vec<Claim<String>>,
    /// Whether cross-attention projects the cached keys and values once.
    pub hoist_cross_kv: bool,
    /// Whether results that nobody reads are left out.
    pub drop_dead_work: bool,
}

impl DesignSection {
    /// What it fuses; nothing where it does not say.
    pub fn schedule(&self) -> Schedule {
        self.schedule.as_ref().map_or(Schedule::Unfused, |claim| claim.value)
    }
}

/// No card has room for more ports to external memory.
const MOST_PORTS: u32 = 4096;

fn port_count(ports: i64) -> Result<u32, Reason> {
    u32::try_from(ports).ok().filter(|n| (1..=MOST_PORTS).contains(n)).ok_or_else(|| {
        Reason::from(format!(
            "{ports} is not a count of ports to external memory: write a whole number from 1 to \
             {MOST_PORTS}"
        ))
    })
}

fn dsp_cost(dsp: f64) -> Result<f64, Reason> {
    // The densest packing that is published is eight multiply-adds.
    let possible = dsp.is_finite() && dsp >= 0.125;
    possible.then_some(dsp).ok_or_else(|| {
        Reason::from(format!(
            "{dsp} is not a DSP cost: write slices per multiply-add, 0.125 or more"
        ))
    })
}

/// A time that may be zero.
fn read_launch(text: &str) -> Result<Seconds, Reason> {
    let nothing = text.split_whitespace().next().is_some_and(|n| n.parse() == Ok(0.0_f64));
    if nothing {
        Ok(Seconds(0.0))
    } else {
        Seconds::parse_quantity(text).map_err(|error| Reason::from(error.to_string()))
    }
}

fn read_named<T>(
    parse: fn(&str) -> Option<T>,
    known: &'static str,
) -> impl Fn(String) -> Result<T, Reason> {
    move |text| {
        parse(&text).ok_or_else(|| Reason::from(format!("`{text}` is not known: write {known}")))
    }
}

impl Checker<'_> {
    /// A whole number from 0 to a million.
    fn cycles(&self, raw: toml::Spanned<i64>) -> Result<Claim<u64>, ProjectError> {
        self.claim(raw, |n| {
            u64::try_from(n).ok().filter(|n| *n <= MOST).ok_or_else(|| {
                Reason::from(format!(
                    "{n} is not a count of cycles: write a whole number from 0 to {MOST}"
                ))
            })
        })
    }

    pub(super) fn design(&self, raw: raw::Design) -> Result<DesignSection, ProjectError> {
        let count = |n| self.count(n);
        let (rows, columns) = (optional(raw.rows, count)?, optional(raw.columns, count)?);
        if let (Some(one), None) | (None, Some(one)) = (&rows, &columns) {
            return Err(ProjectError::at(
                self.sources,
                one.span,
                "an array has rows and columns: write both under [design], or none",
            ));
        }
        let ports = optional(raw.ports, |n| self.claim(n, port_count))?;
        let port_bits = optional(raw.port_bits, count)?;
        let alone = match (&ports, &port_bits) {
            (Some(ports), None) => Some(ports.span),
            (None, Some(bits)) => Some(bits.span),
            _ => None,
        };
        if let Some(span) = alone {
            return Err(ProjectError::at(
                self.sources,
                span,
                "ports have a number and a width: write both ports and port_bits under [design], \
                 or none",
            ));
        }
        let format = |text: String| match text.as_str() {
            "as-stored" => Ok(ClaimedPrecision::AsStored),
            name => parse_precision(name).map(ClaimedPrecision::Uniform),
        };
        Ok(DesignSection {
            precision: optional(raw.precision, |p| self.claim(p, format))?,
            dsp_per_mac: self.by_precision(raw.dsp_per_mac.unwrap_or_default(), dsp_cost)?,
            rows,
            columns,
            unroll: optional(raw.unroll, count)?,
            accumulation_ii: optional(raw.accumulation_ii, count)?,
            fill: optional(raw.fill, |n| self.cycles(n))?,
            lanes: optional(raw.lanes, count)?,
            memory_latency: optional(raw.memory_latency, |n| self.cycles(n))?,
            launch: optional(raw.launch, |t| self.claim(t, |text| read_launch(&text)))?,
            launches: optional(raw.launches, |t| {
                self.claim(t, read_named(Launches::parse, "kernel, block, part or inference"))
            })?,
            clock: optional(raw.clock, |q| self.quantity(q))?,
            schedule: optional(raw.schedule, |t| {
                self.claim(t, read_named(Schedule::parse, "unfused, epilogue, attention or block"))
            })?,
            ports,
            port_bits,
            buffer: optional(raw.buffer, |q| self.quantity(q))?,
            hold: raw
                .hold
                .unwrap_or_default()
                .into_iter()
                .map(|t| self.text(t))
                .collect::<Result<_, _>>()?,
            hoist_cross_kv: raw.hoist_cross_kv.is_some_and(toml::Spanned::into_inner),
            drop_dead_work: raw.drop_dead_work.is_some_and(toml::Spanned::into_inner),
        })
    }
}
