//! A decoder in number formats under roofs: what one pass of it costs.

use super::Decoder;
use derate_workload::operator::{
    Attention, Operation, OperationRecord, OperationTotals, OperatorFormats, OperatorRoofs, Scores,
    StoredAs,
};

/// Which positions pass through the head.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Logits {
    /// The last of each sequence: the one that the next token is drawn from.
    Last,
    /// All, as when a text is scored.
    All,
}

/// What one pass computes: the last `queries` of `keys` tokens of `batch` sequences.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Step {
    /// Sequences.
    pub batch: u64,
    /// Tokens of each that pass through the model.
    pub queries: u64,
    /// Tokens of each that attention reads, those among them.
    pub keys: u64,
    /// Whether a token sees no later one.
    pub causal: bool,
    /// Which of them pass through the head.
    pub logits: Logits,
}

/// Operations of a layer that read the same activations: what serves models multiplies their matrices as one.
pub(crate) const SHARED_INPUT: [&[&str]; 2] =
    [&["q_proj", "k_proj", "v_proj"], &["gate_proj", "up_proj"]];

/// Operations of one layer at most.
pub const MOST_OF_LAYER: usize = 10;

/// Those of a layer, the embedding and the head.
const MOST: usize = MOST_OF_LAYER + 2;

/// One layer at the roofs, operation by operation; nothing in it is allocated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Records<const N: usize> {
    records: [OperationRecord; N],
    used: usize,
}

impl<const N: usize> Records<N> {
    fn new() -> Self {
        Self { records: [OperationRecord::NONE; N], used: 0 }
    }

    fn push(&mut self, record: OperationRecord) {
        if let Some(place) = self.records.get_mut(self.used) {
            *place = record;
            self.used += 1;
        }
    }

    /// The records, in the order in which they run.
    pub fn all(&self) -> &[OperationRecord] {
        &self.records[..self.used]
    }

    /// What they come to.
    pub fn totals(&self) -> OperationTotals {
        OperationTotals::of(self.all())
    }
}

/// One pass: embedding, layers, head.
pub type PassRecords = Records<MOST>;

/// A decoder in number formats under the roofs of a machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Deployment<'a> {
    /// The model.
    pub model: &'a Decoder,
    /// How its tensors are stored.
    pub formats: OperatorFormats,
    /// Where it runs.
    pub roofs: OperatorRoofs,
    /// Where attention scores are.
    pub scores: Scores,
}

impl Deployment<'_> {
    /// The operations of one layer, in the order in which they run: calls `each` with them.
    ///
    /// Norms, rotations, activations and residuals are taken as fused into their neighbours: no traffic of their own.
    pub fn visit_layer(&self, step: &Step, mut each: impl FnMut(Operation)) {
        let model = self.model;
        let rows = step.batch.saturating_mul(step.queries);
        let [q, k, v, o, gate, up, down] = model.matrices();
        let linear = |name, matrix| {
            Operation::linear(name, StoredAs::Weights, rows, matrix, StoredAs::Activations)
        };
        let cached = |name, matrix| {
            let (heads, width) = (model.kv_heads, model.head_dim);
            let result = StoredAs::Cache;
            Operation::linear(name, StoredAs::Weights, rows, matrix, result)
                .arrange_in_heads(heads, width)
        };
        each(linear("q_proj", q));
        each(cached("k_proj", k));
        each(cached("v_proj", v));
        self.attention(step).operations(&mut each);
        each(linear("o_proj", o));
        each(linear("gate_proj", gate));
        each(linear("up_proj", up));
        each(linear("down_proj", down));
    }

    fn attention(&self, step: &Step) -> Attention {
        let model = self.model;
        Attention {
            batch: step.batch,
            heads: model.heads,
            kv_heads: model.kv_heads,
            head_dim: model.head_dim,
            queries: step.queries,
            keys: step.keys,
            causal: step.causal,
            window: model.window,
            scores: self.scores,
        }
    }

    /// One layer.
    pub fn layer_records(&self, step: &Step) -> Records<MOST_OF_LAYER> {
        let mut records = Records::new();
        self.visit_layer(step, |operation| {
            records.push(OperationRecord::new(&operation, 1, &self.formats, &self.roofs));
        });
        records
    }

    /// All operations of a pass, each with how often it runs: rows of the embedding table, the layers, the head over all of
    /// the vocabulary.
    pub fn visit_pass(&self, step: &Step, mut each: impl FnMut(Operation, u64)) {
        let model = self.model;
        let rows = step.batch.saturating_mul(step.queries);
        each(Operation::gather("embedding", rows, model.hidden), 1);
        self.visit_layer(step, |operation| each(operation, model.layers));
        let rows = match step.logits {
            Logits::Last => step.batch,
            Logits::All => rows,
        };
        let table = (model.vocabulary, model.hidden);
        let result = StoredAs::Activations;
        each(Operation::linear("lm_head", StoredAs::Table, rows, table, result), 1);
    }

    /// The same at the roofs.
    pub fn pass_records(&self, step: &Step) -> PassRecords {
        let mut records = Records::new();
        self.visit_pass(step, |operation, runs| {
            records.push(OperationRecord::new(&operation, runs, &self.formats, &self.roofs));
        });
        records
    }

    /// The pass of the prompts.
    pub fn prompt_step(batch: u64, prompt: u64, logits: Logits) -> Step {
        Step { batch, queries: prompt, keys: prompt, causal: true, logits }
    }

    /// The pass of one more token of each sequence.
    pub fn next_step(&self, batch: u64, context: u64) -> Step {
        let keys = self.model.attended(context);
        Step { batch, queries: 1, keys, causal: true, logits: Logits::Last }
    }

    /// The prompts, all at once.
    pub fn prefill(&self, batch: u64, prompt: u64, logits: Logits) -> PassRecords {
        self.pass_records(&Self::prompt_step(batch, prompt, logits))
    }

    /// One more token of each sequence; `context` counts all tokens that it may see, its own included.
    pub fn decode(&self, batch: u64, context: u64) -> PassRecords {
        self.pass_records(&self.next_step(batch, context))
    }

    /// The same, where the records at another context are known: attention alone depends on it.
    pub(super) fn decode_like(&self, other: &PassRecords, batch: u64, context: u64) -> PassRecords {
        let mut records = *other;
        self.attention(&self.next_step(batch, context)).operations(|operation| {
            let used = &mut records.records[..records.used];
            if let Some(record) = used.iter_mut().find(|record| record.name == operation.name) {
                let runs = self.model.layers;
                *record = OperationRecord::new(&operation, runs, &self.formats, &self.roofs);
            }
        });
        records
    }
}
