//! A run of a decoder under many combinations of batch and lengths, in parallel.

use std::ops::Range;

use serde::Serialize;

use super::{Deployment, Generation, Logits, MemoryFit};
use crate::PredictionError;
use derate_units::axes::{check_axes, count_all, count_combinations, split_index};
use derate_units::{Bound, Bytes, OpsPerByte, Seconds};
use derate_workload::operator::parse_extent;

/// What can be varied.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum LengthKey {
    Batch,
    Prompt,
    Generate,
    Context,
}

const KEYS: [(&str, LengthKey); 4] = [
    ("batch", LengthKey::Batch),
    ("prompt", LengthKey::Prompt),
    ("generate", LengthKey::Generate),
    ("context", LengthKey::Context),
];

/// One key with its values.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct LengthAxis {
    /// As it is written.
    pub key: String,
    /// In their order.
    pub values: Vec<u64>,
    #[serde(skip)]
    of: LengthKey,
}

impl LengthAxis {
    /// Reads `key=v1,v2..`; the error is one sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (key, values) = text.split_once('=').ok_or_else(|| {
            format!("`{text}` varies nothing: write a key and its values, such as batch=1,2,4")
        })?;
        let key = key.trim();
        let found = KEYS.iter().find(|(name, _)| *name == key);
        let &(name, of) = found.ok_or_else(|| {
            let known = KEYS.map(|(name, _)| name).join(", ");
            format!("`{key}` cannot be varied: there are {known}")
        })?;
        let values = values.split(',').map(parse_extent).collect::<Result<Vec<_>, _>>();
        let values = values.map_err(|error| format!("{name}: {error}"))?;
        Ok(Self { key: name.to_owned(), values, of })
    }

    /// As it is given: `key=v1,v2`.
    pub fn to_text(&self) -> String {
        let values: Vec<String> = self.values.iter().map(u64::to_string).collect();
        format!("{}={}", self.key, values.join(","))
    }
}

/// One combination.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LengthPoint {
    /// Sequences.
    pub batch: u64,
    /// Tokens of each prompt.
    pub prompt: u64,
    /// Tokens that each sequence gets.
    pub generate: u64,
    /// Tokens that the decode step sees, its own included.
    pub context: u64,
    /// Time of the prompts; `null` where a peak is not known.
    pub prefill_seconds: Option<Seconds>,
    /// The same, or what the bytes alone take.
    pub prefill_at_least_seconds: Seconds,
    /// Operational intensity of the prompts' pass.
    pub prefill_oi: OpsPerByte,
    /// What holds the prompts' pass.
    pub prefill_bound: Option<Bound>,
    /// Time of one decode step at `context`; `null` where a peak is not known.
    pub decode_seconds: Option<Seconds>,
    /// The same, or what the bytes alone take.
    pub decode_at_least_seconds: Seconds,
    /// Its operational intensity.
    pub decode_oi: OpsPerByte,
    /// What holds it.
    pub decode_bound: Option<Bound>,
    /// Tokens of all sequences by the time of that step; `null` where a peak is not known.
    pub decode_tokens_per_second: Option<f64>,
    /// The same, or what the bytes alone allow.
    pub decode_tokens_per_second_at_most: f64,
    /// Prompts and all steps; `null` where a peak is not known.
    pub seconds: Option<Seconds>,
    /// The same, or what the bytes alone take.
    pub at_least_seconds: Seconds,
    /// Weights and the cache at the longest context.
    pub held: Bytes,
    /// Whether that fits the memory; `None` where the memory's size is not known.
    pub fits: Option<bool>,
}

/// What is varied around.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GenerationCase {
    /// The run.
    pub generation: Generation,
    /// Tokens that the decode step sees; `None` is those of the run's last step.
    pub context: Option<u64>,
    /// Which positions of the prompts pass through the head.
    pub logits: Logits,
}

impl GenerationCase {
    /// Tokens that the decode step sees, its own included.
    pub fn context(&self) -> u64 {
        self.context.unwrap_or_else(|| self.generation.context())
    }

    /// Tokens that the cache has to hold at most.
    pub fn longest_context(&self) -> u64 {
        self.generation.context().max(self.context())
    }
}

fn sweep_point(
    deployment: &Deployment<'_>,
    capacity: Option<Bytes>,
    case: &GenerationCase,
) -> LengthPoint {
    let Generation { batch, prompt, generate } = case.generation;
    let prefill = deployment.prefill(batch, prompt, case.logits).totals();
    let step = deployment.decode(batch, case.context());
    let decode = step.totals();
    let held = deployment.footprint(batch, case.longest_context());
    let mut run = prefill;
    run.add(&if case.context() == case.generation.context() {
        deployment.sum_decoding_to(&case.generation, &step)
    } else {
        deployment.sum_decoding(&case.generation)
    });
    LengthPoint {
        batch,
        prompt,
        generate,
        context: case.context(),
        prefill_seconds: prefill.known_seconds(),
        prefill_at_least_seconds: prefill.seconds,
        prefill_oi: prefill.intensity(),
        prefill_bound: prefill.bound(),
        decode_seconds: decode.known_seconds(),
        decode_at_least_seconds: decode.seconds,
        decode_oi: decode.intensity(),
        decode_bound: decode.bound(),
        decode_tokens_per_second: decode.known_seconds().map(|time| batch as f64 / time.0),
        decode_tokens_per_second_at_most: batch as f64 / decode.seconds.0,
        seconds: run.known_seconds(),
        at_least_seconds: run.seconds,
        held: held.total(),
        fits: match held.check_fit(capacity) {
            MemoryFit::Fits { .. } => Some(true),
            MemoryFit::Short { .. } => Some(false),
            MemoryFit::Unknown => None,
        },
    }
}

/// How many combinations the axes have.
///
/// # Errors
///
/// Two axes that vary the same, or more combinations than a number has.
pub fn count_points(axes: &[LengthAxis]) -> Result<u64, PredictionError> {
    check_axes(axes.iter().map(|axis| (axis.key.as_str(), axis.of)))?;
    Ok(count_all(&axis_lengths(axes))?)
}

fn axis_lengths(axes: &[LengthAxis]) -> Vec<usize> {
    axes.iter().map(|axis| axis.values.len()).collect()
}

/// Varies `case` along `axes` on `threads` threads, the last axis fastest.
pub fn sweep_lengths(
    deployment: &Deployment<'_>,
    capacity: Option<Bytes>,
    case: &GenerationCase,
    axes: &[LengthAxis],
    threads: usize,
) -> Result<Vec<LengthPoint>, PredictionError> {
    check_axes(axes.iter().map(|axis| (axis.key.as_str(), axis.of)))?;
    let total = count_combinations(&axis_lengths(axes))?;
    sweep_range(deployment, capacity, case, axes, 0..total, threads)
}

/// The combinations of `range` alone, in their order.
pub fn sweep_range(
    deployment: &Deployment<'_>,
    capacity: Option<Bytes>,
    case: &GenerationCase,
    axes: &[LengthAxis],
    range: Range<u64>,
    threads: usize,
) -> Result<Vec<LengthPoint>, PredictionError> {
    let lengths = axis_lengths(axes);
    evaluate_cases(deployment, capacity, range, threads, |index| {
        let mut own = *case;
        for (axis, &value) in axes.iter().zip(&split_index(&lengths, index)) {
            let Some(&value) = axis.values.get(value as usize) else { continue };
            match axis.of {
                LengthKey::Batch => own.generation.batch = value,
                LengthKey::Prompt => own.generation.prompt = value,
                LengthKey::Generate => own.generation.generate = value,
                LengthKey::Context => own.context = Some(value),
            }
        }
        own
    })
}

/// The cases that `case_at` has at the places of `range`, in their order, on `threads` threads.
pub fn evaluate_cases(
    deployment: &Deployment<'_>,
    capacity: Option<Bytes>,
    range: Range<u64>,
    threads: usize,
    case_at: impl Fn(u64) -> GenerationCase + Sync,
) -> Result<Vec<LengthPoint>, PredictionError> {
    let point = |index: u64| sweep_point(deployment, capacity, &case_at(index));
    let (first, total) = (range.start, range.end.saturating_sub(range.start));
    let threads = threads.clamp(1, 256) as u64;
    let share = total.div_ceil(threads).max(1);
    let point = &point;
    std::thread::scope(|scope| {
        let at = |t: u64| first + (t * share).min(total);
        let ranges = (0..threads).map(|t| at(t)..at(t + 1));
        let workers: Vec<_> =
            ranges.map(|range| scope.spawn(move || range.map(point).collect::<Vec<_>>())).collect();
        let mut points = Vec::with_capacity(usize::try_from(total).unwrap_or(0));
        for worker in workers {
            points.extend(worker.join().map_err(|_| PredictionError::Worker)?);
        }
        Ok(points)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_is_a_key_and_its_extents() {
        let axis = LengthAxis::parse("batch=1, 2,4").unwrap();
        assert_eq!((axis.to_text().as_str(), axis.values.len()), ("batch=1,2,4", 3));
        for (text, says) in [
            ("batch", "write a key"),
            ("heads=1", "cannot be varied: there are batch"),
            ("batch=0", "batch: `0` is less than one"),
            ("batch=", "is not a whole number"),
            ("prompt=1000000000000", "is too large"),
        ] {
            let error = LengthAxis::parse(text).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
