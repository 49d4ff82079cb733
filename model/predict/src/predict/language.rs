//! A decoder: its prompts, one decode step, the whole run, and a measured time.

use serde::Serialize;

use super::gemm_times::GemmTimes;
use super::{ConditionalTime, Phase, PhaseSums, PredictedWorkload, Prediction, PredictionSetup};
use crate::PredictionError;
use crate::language::sweep::{LengthAxis, LengthPoint, sweep_lengths};
use crate::language::{
    AchievedRates, Decoder, Deployment, Floor, Generation, GenerationCase, MemoryFit,
    ParameterCounts, Step,
};
use derate_machine::{ProcessorKind, Target};
use derate_units::{Bound, Bytes, BytesPerSecond, OpsPerSecond, Seconds};
use derate_workload::operator::{Operation, OperationTotals, Scores, TargetRoofs};

/// What is known of a language model beyond its parts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LanguageFigures {
    /// Its extents.
    pub model: ModelInfo,
    /// What it holds in memory.
    pub memory: MemoryUse,
    /// Tokens of all sequences by the time of the shown decode step, at the roofline; `null` where a peak is not known.
    pub decode_tokens_per_second: Option<f64>,
    /// The same, or what the bytes alone allow.
    pub decode_tokens_per_second_at_most: f64,
    /// Prompts and all steps.
    pub run: GenerationFigures,
    /// A measured time held against it.
    pub measured: Option<MeasuredGeneration>,
    /// The same under other batches and lengths.
    pub sweep: Option<LengthSweep>,
}

/// A model and its parameters.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelInfo {
    /// Its extents.
    #[serde(flatten)]
    pub decoder: Decoder,
    /// What is trained.
    pub parameters: ParameterCounts,
    /// All of that.
    pub total_parameters: u64,
}

impl ModelInfo {
    fn new(decoder: Decoder) -> Self {
        let parameters = decoder.parameters();
        Self { decoder, parameters, total_parameters: parameters.total() }
    }
}

/// The JSON contract `derate.language-models/1`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LanguageModels {
    schema: &'static str,
    command: &'static str,
    models: Vec<ModelInfo>,
}

impl LanguageModels {
    /// These models.
    pub fn new(models: Vec<Decoder>) -> Self {
        Self {
            schema: "derate.language-models/1",
            command: "derate predict models --format json",
            models: models.into_iter().map(ModelInfo::new).collect(),
        }
    }
}

/// What a run holds in memory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MemoryUse {
    /// All parameters.
    pub weights: Bytes,
    /// Keys and values of one token of one sequence.
    pub cache_of_token: Bytes,
    /// Keys and values at the longest context.
    pub cache: Bytes,
    /// Both; activations are not counted.
    pub total: Bytes,
    /// What the memory holds; `null` where that is not known.
    pub capacity: Option<Bytes>,
    /// What the driver keeps of that; `null` where that is not known.
    pub driver_keeps: Option<Bytes>,
    /// What a program can have of it: the memory less what the driver keeps, as far as that is known.
    pub usable: Option<Bytes>,
    /// Whether it fits what a program can have; `null` where that is not known.
    pub fits: Option<bool>,
}

/// The prompts, then one token after another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GenerationFigures {
    /// Passes of one token each; the first token comes out of the prompts' own pass.
    pub decode_steps: u64,
    /// The decode steps alone, their contexts growing.
    pub decoding: Option<PhaseSums>,
    /// All of it.
    pub totals: PhaseSums,
    /// Tokens of all sequences by the whole time, at the roofline; `null` where a peak is not known.
    pub tokens_per_second: Option<f64>,
    /// The same, or what the bytes alone allow.
    pub tokens_per_second_at_most: f64,
}

/// A measured time held against the roofline.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeasuredGeneration {
    /// From the prompt to the last token.
    pub seconds: Seconds,
    /// Tokens of all sequences by that time.
    pub tokens_per_second: f64,
    /// Bytes of all operands and results, by that time.
    pub bandwidth: BytesPerSecond,
    /// Operations of products, by that time.
    pub rate: OpsPerSecond,
    /// The roofline's time over the measured one; `null` where a peak is not known.
    pub of_roofline: Option<f64>,
    /// The roof that holds most of the roofline's time.
    pub bound: Option<Bound>,
    /// The time that no run on these roofs goes below: that of its products, or of the matrices, keys and values that every
    /// pass reads, less what the chip may keep from pass to pass.
    pub floor_seconds: Seconds,
    /// Whether the run was faster than that.
    pub impossible: bool,
    /// What that means.
    pub sentence: String,
}

/// A sweep.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LengthSweep {
    /// What is varied, the last the fastest.
    pub axes: Vec<LengthAxis>,
    /// One per combination.
    pub points: Vec<LengthPoint>,
}

/// What to predict of a decoder.
#[derive(Clone, Debug, PartialEq)]
pub struct DecoderQuestion<'a> {
    /// The model.
    pub model: &'a Decoder,
    /// The run.
    pub case: GenerationCase,
    /// Where attention scores are.
    pub scores: Scores,
    /// A measured time.
    pub measured: Option<Seconds>,
    /// What to vary.
    pub axes: Vec<LengthAxis>,
    /// Threads of a sweep.
    pub threads: usize,
}

impl DecoderQuestion<'_> {
    /// The prediction.
    pub fn predict_decoder(
        &self,
        setting: &PredictionSetup,
    ) -> Result<Prediction, PredictionError> {
        let ground = setting.find_roofs()?;
        let deployment = |roofs| Deployment {
            model: self.model,
            formats: setting.formats,
            roofs,
            scores: self.scores,
        };
        let (own, reached) = (deployment(ground.roofs), ground.reached_roofs().map(deployment));
        let GenerationCase { generation, logits, .. } = self.case;
        let Generation { batch, prompt, generate } = generation;
        let context = self.case.context();
        let workload = PredictedWorkload::Language {
            model: self.model.name.clone(),
            batch,
            prompt,
            generate,
            context,
        };
        let mut prediction = setting.start_prediction(&ground, workload);
        let times = GemmTimes::new(setting, &ground);
        let operations = |step: &Step| {
            let mut operations: Vec<(Operation, u64)> = Vec::new();
            own.visit_pass(step, |operation, runs| operations.push((operation, runs)));
            operations
        };
        let prompts = operations(&Deployment::prompt_step(batch, prompt, logits));
        let next = operations(&own.next_step(batch, context));
        let bases = times.list_bases(prompts.iter().chain(&next).map(|(operation, _)| operation));
        let phase = |name, operations: &[_]| {
            Phase::new(name, operations, &setting.formats, &ground, &times)
        };
        let (prefill, decode) = (phase("prefill", &prompts), phase("decode step", &next));
        let decoding = |on: &Deployment<'_>| on.sum_decoding(&generation);
        let whole = |on: &Deployment<'_>| on.sum_run(&generation, logits);
        let unknown = prefill.totals.unknown.clone().or_else(|| decode.totals.unknown.clone());
        let conditions = [&prefill, &decode];
        let condition = conditions.iter().find_map(|phase| phase.totals.conditional.as_ref());
        let condition = condition.map(|found| found.condition.clone());
        let (slow, fast) = (deployment(ground.slowest), deployment(ground.fastest));
        let sums = |of: &dyn Fn(&Deployment<'_>) -> OperationTotals| {
            let known = reached.as_ref().map(of);
            let condition = ConditionalTime::of(condition.clone(), &of(&slow), &of(&fast), None);
            PhaseSums::of(&of(&own), known.as_ref(), unknown.clone(), condition)
        };
        let (totals, steps) = (whole(&own), generation.steps());
        let tokens = batch as f64 * generate as f64;
        let sweep = if self.axes.is_empty() {
            None
        } else {
            let usable = ground.usable_capacity();
            let points = sweep_lengths(&own, usable, &self.case, &self.axes, self.threads)?;
            Some(LengthSweep { axes: self.axes.clone(), points })
        };
        prediction.language = Some(LanguageFigures {
            model: ModelInfo::new(self.model.clone()),
            memory: self.memory_use(&own, &ground),
            decode_tokens_per_second: decode.totals.seconds.map(|time| batch as f64 / time.0),
            decode_tokens_per_second_at_most: batch as f64 / decode.totals.at_least_seconds.0,
            run: GenerationFigures {
                decode_steps: steps,
                decoding: (steps > 0).then(|| sums(&decoding)),
                totals: sums(&whole),
                tokens_per_second: totals.known_seconds().map(|time| tokens / time.0),
                tokens_per_second_at_most: tokens / totals.seconds.0,
            },
            measured: self.measured.map(|seconds| {
                let on_chip = ground.on_chip.as_ref().map(|on_chip| on_chip.value);
                let floor = own.find_floor(&self.case, &totals, on_chip);
                describe_measured(
                    &AchievedRates::new(&generation, &totals, floor, seconds),
                    &totals,
                    on_chip,
                )
            }),
            sweep,
        });
        prediction.phases = vec![prefill, decode];
        prediction.add_bases(bases);
        prediction.notes.extend(self.collect_notes(&ground, &own));
        let is_gpu =
            matches!(&setting.target, Target::Processor(own) if own.kind == ProcessorKind::Gpu);
        if is_gpu && ground.capacity.is_some() && ground.driver_keeps.is_none() {
            prediction.notes.push("What a driver keeps of this memory is not known: nothing is taken off for it, so less may fit.".to_owned());
        }
        Ok(prediction)
    }

    fn memory_use(&self, deployment: &Deployment<'_>, ground: &TargetRoofs) -> MemoryUse {
        let held = deployment.footprint(self.case.generation.batch, self.case.longest_context());
        let usable = ground.usable_capacity();
        MemoryUse {
            weights: held.weights,
            cache_of_token: held.cache_of_token,
            cache: held.cache,
            total: held.total(),
            capacity: ground.capacity.as_ref().map(|capacity| capacity.value),
            driver_keeps: ground.driver_keeps.as_ref().map(|kept| kept.value),
            usable,
            fits: match held.check_fit(usable) {
                MemoryFit::Fits { .. } => Some(true),
                MemoryFit::Short { .. } => Some(false),
                MemoryFit::Unknown => None,
            },
        }
    }

    fn collect_notes(&self, ground: &TargetRoofs, deployment: &Deployment<'_>) -> Vec<String> {
        let mut notes = self.model.notes.clone();
        let memory = self.memory_use(deployment, ground);
        if memory.fits == Some(false) {
            notes.push(format!(
                "Weights and cache do not fit {}: the times hold for a memory that is larger and as fast.",
                ground.memory
            ));
        }
        if let Some(positions) = self.model.positions
            && self.case.longest_context() > positions
        {
            notes.push(format!(
                "The context is longer than the {positions} positions that the model was trained for."
            ));
        }
        if let Some(window) = self.model.window
            && self.case.longest_context() > window
        {
            notes.push(format!(
                "A token attends to the last {window} tokens at most, and the cache holds no more (model's sliding window)."
            ));
        }
        notes.push("The first token comes out of the prompts' own pass; each further one is a decode step.".to_owned());
        notes
    }
}

/// Which bound, and how far from it.
fn describe_measured(
    achieved: &AchievedRates,
    totals: &OperationTotals,
    on_chip: Option<Bytes>,
) -> MeasuredGeneration {
    use derate_units::figures::{quantity, significant};
    let bound = totals.bound();
    let products = if bound.is_some() { " and products" } else { "" };
    let sentence = if achieved.impossible {
        let Floor { compute, memory } = achieved.floor;
        let what = match on_chip {
            Some(on_chip) if memory >= compute => format!(
                "reading matrices, keys and values in every pass takes, though {} of them stay on the chip",
                quantity(on_chip)
            ),
            _ => "the products take at their peaks".to_owned(),
        };
        format!(
            "{} is less than the {} that {what}: the time, the model, the precision or a roof is wrong.",
            quantity(achieved.seconds),
            quantity(achieved.floor.seconds())
        )
    } else if achieved.seconds < totals.overlapped_time() {
        let held = on_chip.map_or("an unknown amount".to_owned(), quantity);
        format!(
            "{} is less than the {} that all bytes{products} take at these roofs even if they overlap: the run kept some of the bytes on the chip, which holds {held}, or a figure is wrong. What it has to compute and to read takes {} at least.",
            quantity(achieved.seconds),
            quantity(totals.overlapped_time()),
            quantity(achieved.floor.seconds())
        )
    } else if let (Some(bound), Some(share)) = (bound, achieved.of_roofline) {
        let held = match bound {
            Bound::Memory => "memory-bound",
            Bound::Compute => "compute-bound",
        };
        format!(
            "The run is {held}: the roofline allows {}, {} % of the measured {}.",
            quantity(totals.seconds),
            significant(share * 100.0, 3),
            quantity(achieved.seconds)
        )
    } else {
        format!(
            "What held the run is unknown, for want of a peak: of the measured {}, its bytes take {} at least.",
            quantity(achieved.seconds),
            quantity(totals.memory)
        )
    };
    MeasuredGeneration {
        seconds: achieved.seconds,
        tokens_per_second: achieved.tokens_per_second,
        bandwidth: achieved.bandwidth,
        rate: achieved.rate,
        of_roofline: achieved.of_roofline,
        bound,
        floor_seconds: achieved.floor.seconds(),
        impossible: achieved.impossible,
        sentence,
    }
}
