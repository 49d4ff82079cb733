//! The table of operators: delays of logic, latencies and resources of floating point.

use crate::area::Area;
use crate::cause::Cause;
use crate::conditions::Conditions;
use crate::timing::Timing;
use derate_machine::Family;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Delays, latencies and resources of operators. `--constants FILE` replaces the built-in table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constants {
    schema: String,
    /// What a floating-point operator needs of a cycle at its start, as a share, from a version of the tool on.
    #[serde(default)]
    start: Vec<Start>,
    logic: Vec<Logic>,
    /// By kind: each operation asks for its row.
    #[serde(deserialize_with = "read_operators")]
    float: BTreeMap<String, Vec<Float>>,
    #[serde(default)]
    bus: Vec<BusCycles>,
    pub(crate) area: Area,
    /// By what hardware may be faster and slower, by the cause of doubt.
    #[serde(default)]
    pub(crate) range: BTreeMap<Cause, (f64, f64)>,
}

/// Cycles of a bus beside those that memory takes.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BusCycles {
    /// The first version of the tool that it holds for: year and release.
    from: (u16, u16),
    /// From a request to the first beat.
    pub request: u32,
    /// From the last beat that is written to the answer.
    pub response: u32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Start {
    from: (u16, u16),
    share: f64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Logic {
    family: Family,
    add: f64,
    add_per_bit: f64,
    compare: f64,
    gate: f64,
    select: f64,
    shift: f64,
    load_bram: f64,
    load_lutram: f64,
    load_uram: f64,
    store: f64,
    stream: f64,
    /// Of a queue with many words.
    deep_stream: f64,
    /// Width up to which, delay in ns, extra cycles.
    multiplier: Vec<(u16, f64, u32)>,
    /// A DSP slice that multiplies and adds: cycles, and delays at its start and its end.
    multiply_add: (u32, f64, f64),
}

fn read_operators<'d, D: Deserializer<'d>>(
    deserializer: D,
) -> Result<BTreeMap<String, Vec<Float>>, D::Error> {
    let mut operators: BTreeMap<String, Vec<Float>> = BTreeMap::new();
    for row in Vec::<Float>::deserialize(deserializer)? {
        operators.entry(row.kind.clone()).or_default().push(row);
    }
    Ok(operators)
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Float {
    family: Option<Family>,
    /// The first version of the tool that it holds for: year and release.
    from: Option<(u16, u16)>,
    kind: String,
    /// 0 is every width that has no row of its own.
    bits: u16,
    /// Shortest period in ns, and the latency from there on.
    latency: Vec<(f64, u32)>,
    before: Option<f64>,
    after: Option<f64>,
    /// Shortest period in ns, and the delay in ns of its first and last stage from there on; before the shares.
    #[serde(default)]
    delay: Vec<(f64, f64)>,
    /// Shortest period in ns, and the interval of a sum from there on, if it is not the latency plus one.
    accumulate: Option<Vec<(f64, i64)>>,
    /// Shortest period in ns, and the latency of the faster operator that recurrences get from there on.
    fast: Option<Vec<(f64, u32)>>,
    dsp: u32,
    /// DSP slices that place and route leaves, if they are others.
    dsp_routed: Option<u32>,
    /// DSP slices of `bind_op impl=fulldsp`, if they are others.
    full_dsp: Option<u32>,
    /// Shortest period in ns, and LUT and FF in a report from there on.
    #[serde(default)]
    area: Vec<(f64, f64, f64)>,
}

/// A floating-point operator at a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FloatOperator {
    /// Cycles from its start to its result.
    pub latency: u32,
    /// Delay of its first stage, in ns.
    pub before: f64,
    /// Delay of its last stage, in ns.
    pub after: f64,
    /// DSP slices in a report.
    pub dsp: u32,
    /// DSP slices after place and route.
    pub dsp_routed: u32,
}

/// The table cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConstantsError {
    /// It is not of the form that is read: what is wrong.
    #[error("{0}")]
    Form(String),
    /// It is not of the form that is read: the line, and what is wrong.
    #[error("line {0}: {1}")]
    Line(usize, String),
    /// It is of another version.
    #[error(
        "the schema is `{0}`, and derate reads `{SCHEMA}`: begin with the table of this version"
    )]
    Schema(String),
    /// A number that cannot be.
    #[error("{0}")]
    Number(&'static str),
}

impl ConstantsError {
    fn of_reader(text: &str, error: &toml::de::Error) -> Self {
        let reason = error.message().lines().collect::<Vec<_>>().join(" ");
        match error.span().and_then(|span| text.get(..span.start)) {
            Some(before) => Self::Line(before.matches('\n').count() + 1, reason),
            None => Self::Form(reason),
        }
    }
}

/// Kinds that do not take the row of mathematics where they have none.
const OPERATORS: [&str; 6] = ["add", "fast_add", "mul", "logic_mul", "div", "cmp"];

/// The form that is read.
const SCHEMA: &str = "derate.constants/2";

const BUILT_IN: &str = include_str!("../data/constants.toml");

impl Constants {
    /// Reads a table.
    ///
    /// # Errors
    ///
    /// [`ConstantsError`] if it is not such a table.
    pub fn read(text: &str) -> Result<Self, ConstantsError> {
        let constants: Self =
            toml::from_str(text).map_err(|error| ConstantsError::of_reader(text, &error))?;
        if constants.schema != SCHEMA {
            return Err(ConstantsError::Schema(constants.schema));
        }
        match constants.area.whole.find_mistake() {
            Some(mistake) => Err(ConstantsError::Number(mistake)),
            None => Ok(constants),
        }
    }

    /// The table that comes with derate.
    ///
    /// # Panics
    ///
    /// Never: a test reads the table.
    #[must_use]
    pub fn built_in() -> Self {
        static BUILT: OnceLock<Constants> = OnceLock::new();
        BUILT
            .get_or_init(|| Self::read(BUILT_IN).expect("the built-in table is read by a test"))
            .clone()
    }

    /// What a bus takes by itself.
    pub(crate) fn bus(&self, tool: (u16, u16)) -> BusCycles {
        let fits = self.bus.iter().filter(|row| row.from <= tool);
        let first = BusCycles { from: (0, 0), request: 7, response: 5 };
        fits.max_by_key(|row| row.from).copied().unwrap_or(first)
    }

    fn logic(&self, conditions: &Conditions) -> &Logic {
        let family = conditions.family;
        let of = |family| self.logic.iter().find(|logic| logic.family == family);
        of(family).or_else(|| of(family.stand_in())).unwrap_or(&self.logic[0])
    }

    /// The delay of a kind of logic, in ns.
    pub(crate) fn delay(&self, conditions: &Conditions, kind: &str) -> f64 {
        let logic = self.logic(conditions);
        match kind {
            "add" => logic.add,
            "add_per_bit" => logic.add_per_bit,
            "compare" => logic.compare,
            "select" => logic.select,
            "shift" => logic.shift,
            "load_bram" => logic.load_bram,
            "load_lutram" => logic.load_lutram,
            "load_uram" => logic.load_uram,
            "store" => logic.store,
            "stream" => logic.stream,
            "deep_stream" => logic.deep_stream,
            _ => logic.gate,
        }
    }

    /// A multiplier of whole numbers of two widths, the larger first.
    pub(crate) fn multiplier(&self, conditions: &Conditions, wide: u16, _narrow: u16) -> Timing {
        let rows = &self.logic(conditions).multiplier;
        let row = rows.iter().find(|row| wide <= row.0).or(rows.last());
        let (delay, cycles) = row.map_or((0.0, 0), |row| (row.1, row.2));
        let budget = conditions.budget;
        if delay <= budget && cycles == 0 {
            return Timing { latency: 0, before: delay, after: delay };
        }
        // Slower than a cycle: registers are put in.
        let stages = (delay / budget).ceil().max(1.0);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let latency = cycles.max(stages as u32);
        Timing { latency, before: budget * 0.8, after: budget * 0.3 }
    }

    /// A DSP slice that multiplies and adds.
    pub(crate) fn multiply_add(&self, conditions: &Conditions) -> Timing {
        let (latency, before, after) = self.logic(conditions).multiply_add;
        Timing { latency, before, after }
    }

    /// The adder for recurrences that are too slow for the interval that was asked for.
    pub(crate) fn fast_add(&self, conditions: &Conditions, bits: u16) -> Option<Timing> {
        let fast = self.row(conditions, "add", bits)?.fast.as_ref()?;
        let latency = fast.iter().find(|row| conditions.clock_ns >= row.0 - 1e-9)?.1;
        let usual = self.float(conditions, "add", bits);
        let after = conditions.budget * 0.1;
        (latency < usual.latency).then_some(Timing { latency, before: usual.before, after })
    }

    /// A floating-point multiplier without DSP slices, if the table has it.
    pub(crate) fn logic_mul(&self, conditions: &Conditions, bits: u16) -> Option<Timing> {
        let row = self.row(conditions, "logic_mul", bits)?;
        let known = row.kind == "logic_mul" && row.family == Some(conditions.family);
        let in_table = row.latency.last().is_some_and(|last| conditions.clock_ns >= last.0 - 1e-9);
        let operator = self.float(conditions, "logic_mul", bits);
        let FloatOperator { latency, before, after, .. } = operator;
        (known && in_table).then_some(Timing { latency, before, after })
    }

    /// DSP slices of the multiplier that `bind_op impl=fulldsp` asks for, if they are not those of the usual one.
    pub(crate) fn full_dsp_mul(&self, conditions: &Conditions, bits: u16) -> Option<u32> {
        self.row(conditions, "mul", bits)?.full_dsp
    }

    /// The interval of a loop that only adds to a floating-point sum.
    pub(crate) fn accumulation(&self, conditions: &Conditions, bits: u16) -> Option<i64> {
        let row = self.row(conditions, "add", bits)?;
        let rows = row.accumulate.as_deref().unwrap_or_default();
        let given = rows.iter().find(|row| conditions.clock_ns >= row.0 - 1e-9).map(|row| row.1);
        given.or_else(|| Some(i64::from(self.float(conditions, "add", bits).latency.max(1))))
    }

    /// A floating-point operator.
    pub(crate) fn float(&self, conditions: &Conditions, kind: &str, bits: u16) -> FloatOperator {
        let Some(row) = self.row(conditions, kind, bits) else { return FloatOperator::default() };
        let clock = conditions.clock_ns;
        let latency = row
            .latency
            .iter()
            .find(|(period, _)| clock >= *period - 1e-9)
            .map_or(0, |(_, latency)| *latency);
        let budget = conditions.budget;
        let delay = row.delay.iter().find(|(period, _)| clock >= *period - 1e-9).map(|row| row.1);
        FloatOperator {
            latency,
            before: delay
                .unwrap_or(budget * row.before.unwrap_or_else(|| self.start_share(conditions))),
            after: delay.unwrap_or(budget * row.after.unwrap_or(0.9)),
            dsp: row.dsp,
            dsp_routed: row.dsp_routed.unwrap_or(row.dsp),
        }
    }

    /// LUT and FF of a floating-point operator, as a report counts them.
    pub(crate) fn unit_area(&self, conditions: &Conditions, kind: &str, bits: u16) -> (f64, f64) {
        let is_function = !OPERATORS.contains(&kind);
        let row = self.row(conditions, kind, bits).filter(|row| is_function || row.kind == kind);
        let Some(row) = row else { return (0.0, 0.0) };
        let fits = row.area.iter().find(|row| conditions.clock_ns >= row.0 - 1e-9);
        fits.map_or((0.0, 0.0), |row| (row.1, row.2))
    }

    fn start_share(&self, conditions: &Conditions) -> f64 {
        let known = self.start.iter().filter(|start| conditions.tool >= start.from);
        known.max_by_key(|start| start.from).map_or(0.78, |start| start.share)
    }

    fn row(&self, conditions: &Conditions, kind: &str, bits: u16) -> Option<&Float> {
        let family = conditions.family;
        let fits = |row: &&Float, bits: u16| {
            row.bits == bits
                && row.family.is_none_or(|own| own == family || own == family.stand_in())
                && row.from.is_none_or(|from| conditions.tool >= from)
        };
        let rows = |kind: &str| self.float.get(kind).map_or(&[][..], Vec::as_slice).iter();
        let find = |kind: &str, bits: u16| {
            rows(kind)
                .filter(|row| fits(row, bits))
                .max_by_key(|row| (row.family == Some(family), row.from, row.family.is_some()))
        };
        find(kind, bits)
            .or_else(|| find(kind, 0))
            .or_else(|| rows(kind).find(|row| row.bits == bits))
            .or_else(|| find("mathematics", bits))
            .or_else(|| find("mathematics", 32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refuse(old: &str, new: &str) -> String {
        assert!(BUILT_IN.contains(old), "{old}");
        Constants::read(&BUILT_IN.replacen(old, new, 1)).unwrap_err().to_string()
    }

    #[test]
    fn a_weight_that_is_not_known_is_refused() {
        let error = refuse("state_input = ", "state_inputs = ");
        assert!(
            error.ends_with("the weights `state_inputs` are not known: remove them"),
            "{error}"
        );
        assert!(error.starts_with("line "), "{error}");
    }

    #[test]
    fn a_weight_that_is_missing_is_refused() {
        let error = refuse("element = 1.0\noperand = 1.5\nmodule = 2.1\n", "");
        let wanted =
            "`element`, `operand`, `module` are missing: add them, with 0 for what costs nothing";
        assert!(error.ends_with(wanted), "{error}");
    }

    #[test]
    fn a_weight_below_nothing_is_refused() {
        let error = refuse("module = 2.1\n", "module = -2.1\n");
        assert!(error.ends_with("give a finite number that is not below 0"), "{error}");
    }

    #[test]
    fn numbers_of_whole_operators_that_cannot_be_are_refused() {
        for (from, to) in [
            ("small_multiplier = ", "small_multiplier = -"),
            ("logic_multiplier = 1.0", "logic_multiplier = nan"),
        ] {
            assert!(refuse(from, to).contains("finite numbers"), "{to}");
        }
        let (before, after) = BUILT_IN.split_once("logic_multiplier = 1.0\nmultiplier = ").unwrap();
        let end = after.find("]]").unwrap() + 2;
        let empty = format!("{before}logic_multiplier = 1.0\nmultiplier = []{}", &after[end..]);
        assert!(Constants::read(&empty).unwrap_err().to_string().contains("from narrow to wide"));
    }

    /// What costs nothing is written so.
    #[test]
    fn a_weight_of_nothing_is_read() {
        Constants::read(&BUILT_IN.replacen("module = 2.1\n", "module = 0.0\n", 1)).unwrap();
    }

    #[test]
    fn an_older_form_is_named() {
        let error = refuse("derate.constants/2", "derate.constants/1");
        assert!(error.contains("derate.constants/1"), "{error}");
    }
}
