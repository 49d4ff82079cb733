//! What `derate predict` gives: an operator or a language model under the roofs of a card or a processor.

mod basis;
mod conditional;
mod expected;
mod expected_sum;
mod gemm_times;
mod held;
mod language;
mod language_runs;
mod operation_row;
mod operators;
mod phase;
mod roofs;

use serde::{Serialize, Serializer};

pub use basis::{BasisRow, TimingsRow};
pub use conditional::ConditionalTime;
pub use expected::ExpectedTime;
pub use expected_sum::ExpectedSum;
pub use held::{CountedOperator, EnergyUse, HeldFigures, MeasuredOperator};
pub use language::{
    DecoderQuestion, GenerationFigures, LanguageFigures, LanguageModels, LengthSweep,
    MeasuredGeneration, MemoryUse, ModelInfo,
};
pub use operation_row::{OperandRow, OperationRow};
pub use operators::Operators;
pub use phase::{Phase, PhaseSums};
pub use roofs::{RoofFigures, RoofPeak};

use crate::language::SHARED_INPUT;
use derate_machine::Target;
use derate_measure::points::MeasuredPoint;
use derate_units::command::quote_word;
use derate_units::{Encoding, Precision, Seconds};
use derate_workload::operator::{
    ArithmeticRoof, OperatorFormats, RoofError, RoofOverrides, Shape, TargetRoofs,
};

/// The JSON contract `derate.prediction/1`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prediction {
    /// `derate.prediction/1`.
    pub schema: &'static str,
    /// The command that gives it again.
    pub command: String,
    /// Where it runs.
    pub platform: PlatformName,
    /// How tensors are stored.
    pub precision: Stores,
    /// The figures behind every time.
    pub roofs: RoofFigures,
    /// What runs.
    pub workload: PredictedWorkload,
    /// Its parts, each with its operations.
    pub phases: Vec<Phase>,
    /// What expected times rest on, of each kind of product.
    pub expected_from: Vec<BasisRow>,
    /// What is known of a language model beyond its parts.
    pub language: Option<LanguageFigures>,
    /// A measured time of an operator.
    pub measured: Option<MeasuredOperator>,
    /// What a profiler counted.
    pub counted: Option<CountedOperator>,
    /// Power beside a time.
    pub energy: Option<EnergyUse>,
    /// Measured points beside it.
    pub points: Vec<MeasuredPoint>,
    /// What to know when reading it.
    pub notes: Vec<String>,
}

/// Where it runs.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct PlatformName {
    /// Short name.
    pub name: String,
    /// Full name.
    pub title: String,
    /// `card`, `gpu` or `cpu`.
    pub kind: &'static str,
}

impl PlatformName {
    /// Of a card or a processor.
    pub fn of(target: &Target) -> Self {
        let (title, kind) = match target {
            Target::Card(card) => (&card.title, "card"),
            Target::Processor(processor) => match processor.kind {
                derate_machine::ProcessorKind::Gpu => (&processor.title, "gpu"),
                derate_machine::ProcessorKind::Cpu => (&processor.title, "cpu"),
            },
        };
        Self { name: target.name().to_owned(), title: title.clone(), kind }
    }
}

/// How tensors are stored, and what sums are kept in.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub struct Stores {
    /// Weights.
    pub weights: Encoding,
    /// Activations.
    pub activations: Encoding,
    /// Keys and values.
    pub kv: Encoding,
    /// The embedding table and the head.
    pub table: Encoding,
    /// Attention scores, where they are written.
    pub scores: Encoding,
    /// Sums.
    pub accumulate: Precision,
}

/// What runs, by its extents.
#[derive(Clone, Debug, PartialEq)]
pub enum PredictedWorkload {
    /// An operator.
    Operator(Shape),
    /// A decoder.
    Language {
        /// Its name or file.
        model: String,
        /// Sequences.
        batch: u64,
        /// Tokens of each prompt.
        prompt: u64,
        /// Tokens that each sequence gets.
        generate: u64,
        /// Tokens that the shown decode step sees.
        context: u64,
    },
}

impl PredictedWorkload {
    /// `gemv`, `gemm`, `attention`, `mlp` or `llm`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Operator(shape) => shape.kind().name(),
            Self::Language { .. } => "llm",
        }
    }
}

impl Serialize for PredictedWorkload {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Product {
            kind: &'static str,
            m: u64,
            n: u64,
            k: u64,
        }
        #[derive(Serialize)]
        struct Run<'a> {
            kind: &'static str,
            model: &'a str,
            batch: u64,
            prompt: u64,
            generate: u64,
            context: u64,
        }
        let kind = self.kind();
        match *self {
            // The contract has the one row of a GEMV.
            Self::Operator(Shape::Gemv { n, k }) => {
                Product { kind, m: 1, n, k }.serialize(serializer)
            }
            Self::Operator(shape) => shape.serialize(serializer),
            Self::Language { ref model, batch, prompt, generate, context } => {
                Run { kind, model, batch, prompt, generate, context }.serialize(serializer)
            }
        }
    }
}

/// What every prediction is made with.
#[derive(Clone, Debug, PartialEq)]
pub struct PredictionSetup {
    /// Where it runs.
    pub target: Target,
    /// How tensors are stored.
    pub formats: OperatorFormats,
    /// Figures that replace the target's own.
    pub given: RoofOverrides,
    /// The command that gives the prediction again.
    pub command: String,
}

/// The command line that gives a prediction again, from its words.
pub fn join_command(words: impl IntoIterator<Item = String>) -> String {
    let words = words.into_iter().map(|word| quote_word(&word));
    std::iter::once("derate".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// What a time at the roofline is, in the notes of every prediction.
const ROOFLINE: &str = "Times at the roofline are those of each operation at its own roof, one after another, its operands read once and its result written once: nothing is faster that neither overlaps operations nor keeps operands on the chip from one to the next. Norms, rotations, activations and softmax without a row of their own are taken as fused into their neighbours.";

/// What the band of an expected time is.
const BAND: &str = "Within: nine in ten timings of single products that a fit had not seen were as near to what it expects. It is not a band of a sum, which is as far off only where all its products are off the same way; whoever measures with other software may find other times.";

/// Why an expected time may be below the roofline.
const CACHED: &str = "An expected time is below the roofline where the timings found operands in a cache, or operands or results of another width than is asked for here.";

impl PredictionSetup {
    /// The roofs of the target.
    pub fn find_roofs(&self) -> Result<TargetRoofs, RoofError> {
        TargetRoofs::new(&self.target, &self.formats, &self.given)
    }

    /// A prediction without its parts.
    fn start_prediction(&self, ground: &TargetRoofs, workload: PredictedWorkload) -> Prediction {
        let OperatorFormats { mixture, table, scores } = self.formats;
        let mut notes = vec![ROOFLINE.to_owned()];
        notes.extend(ground.peaks.iter().filter_map(|peak| {
            let why = peak.peak.as_ref().err()?;
            Some(match &peak.range {
                Some(range) => format!("Unknown: {why}. Where it counts, time and bound hold if {}.", range.condition()),
                None => format!("Unknown: {why}. Where it counts, no time at the roofline is known: moving the bytes alone takes so much at least."),
            })
        }));
        notes.extend(ground.peaks.iter().filter_map(|roof| {
            let (own, wider) = (roof.arithmetic, roof.computed_as?);
            Some(format!("What is stored in {own} is computed in {wider}, whose peak counts: so the platform's file says."))
        }));
        if let Target::Processor(processor) = &self.target {
            let peak = |arithmetic| {
                let own =
                    |roof: &ArithmeticRoof| roof.arithmetic == arithmetic && roof.peak.is_ok();
                self.given.peak.of(arithmetic).is_none() && ground.peaks.iter().any(own)
            };
            notes.extend(processor.disputes(self.given.bandwidth.is_none(), peak));
        }
        Prediction {
            schema: Prediction::SCHEMA,
            command: self.command.clone(),
            platform: PlatformName::of(&self.target),
            precision: Stores {
                weights: mixture.weights,
                activations: mixture.activations,
                kv: mixture.kv,
                table,
                scores,
                accumulate: mixture.accumulate,
            },
            roofs: RoofFigures::of(ground),
            workload,
            phases: Vec::new(),
            expected_from: Vec::new(),
            language: None,
            measured: None,
            counted: None,
            energy: None,
            points: Vec::new(),
            notes,
        }
    }
}

impl Prediction {
    /// What [`Prediction::schema`] says.
    pub const SCHEMA: &'static str = "derate.prediction/1";

    /// Expected times of the phases rest on these; the notes say so.
    fn add_bases(&mut self, bases: Vec<BasisRow>) {
        let mut sentences: Vec<String> = Vec::new();
        for row in &bases {
            let sentence = match (&row.basis, &row.unknown) {
                (Some(basis), _) => format!("Expected times: {basis}."),
                (None, Some(why)) => format!("Expected times are unknown: {why}."),
                (None, None) => continue,
            };
            if !sentences.contains(&sentence) {
                sentences.push(sentence);
            }
        }
        let mut without: Vec<(&str, Vec<&str>)> = Vec::new();
        for row in self.phases.iter().flat_map(|phase| &phase.operations) {
            let Some(why) = row.expected.why_not() else { continue };
            if bases.iter().any(|basis| basis.unknown.as_deref() == Some(why)) {
                continue;
            }
            match without.iter_mut().find(|(known, _)| *known == why) {
                Some((_, names)) if !names.contains(&row.name) => names.push(row.name),
                Some(_) => {}
                None => without.push((why, vec![row.name])),
            }
        }
        let sentence = |(why, names): &(&str, Vec<&str>)| {
            format!("No expected time of {}: {why}.", names.join(", "))
        };
        sentences.extend(without.iter().map(sentence));
        self.notes.append(&mut sentences);
        self.notes.extend(self.note_shared_inputs());
        if self.phases.iter().any(|phase| phase.expected.is_some()) {
            self.notes.push(BAND.to_owned());
        }
        let quicker = |phase: &Phase| {
            let roofline = |products: &[&str]| -> Seconds {
                let among = |row: &&OperationRow| products.contains(&row.name);
                phase.operations.iter().filter(among).map(|row| row.at_least_seconds).sum()
            };
            phase.operations.iter().any(|row| {
                row.expected.seconds.is_some_and(|own| own < roofline(&row.expected.products))
            })
        };
        if self.phases.iter().any(quicker) {
            self.notes.push(CACHED.to_owned());
        }
        self.expected_from = bases;
    }

    /// Which operations are expected as one product, and which that could be are not.
    fn note_shared_inputs(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for phase in &self.phases {
            let row = |name: &str| phase.operations.iter().find(|row| row.name == name);
            for names in SHARED_INPUT {
                let Some(first) = names.first().and_then(|first| row(first)) else { continue };
                let (all, phase) = (names.join(", "), &phase.name);
                if first.expected.products.len() > 1 {
                    notes.push(format!(
                        "{all} of the {phase} read the same activations and are expected as one product, as software that serves models runs them; calls of their own take longer as a rule."
                    ));
                } else if first.expected.seconds.is_some() {
                    notes.push(format!(
                        "{all} of the {phase} are expected as calls of their own, for none as wide as all of them was timed; software that runs them as one product takes less as a rule."
                    ));
                }
            }
        }
        notes
    }
}
