//! `softmax(Q K^T / sqrt(d)) V` by cuBLAS' products and a softmax of derate's own between them.

use derate_model::measurement::Check;
use derate_model::operator::Attention as Extents;

use super::arithmetic::NO_EXPONENTIALS;
use super::attended::attended;
use super::expected::Expected;
use super::extent::{GIVE, counted};
use super::kernels::{Kernels, Rows};
use super::memory::Memory;
use super::sys::{Batch, Cublas};
use super::turns::{Timed, Work, admit, draw, timed};
use super::{Arithmetic, Gpu};
use crate::error::BenchError;
use crate::error::CudaError;
use crate::measure::{Cancel, Progress, Repeat};

/// The seeds of queries, keys and values.
pub(super) const SEEDS: [u64; 3] = [11, 12, 13];

/// Attention of every sequence and head. Scores are written by one product for each head of keys, over the queries of all heads
/// that share it, so that keys and values are never copied; then softmaxed where they are, and read by the second product.
#[derive(Clone, Copy, Debug)]
pub struct Attention {
    /// Extents and mask; where the scores are is what runs here, whatever they say.
    pub extents: Extents,
    /// How it is computed: scores are stored as operands and result are.
    pub arithmetic: Arithmetic,
}

/// The matrices of one set, elements of each head in one piece: queries by heads of keys, then by those that share one.
struct Set {
    q: Memory,
    k: Memory,
    v: Memory,
    scores: Memory,
    result: Memory,
}

/// Its extents as cuBLAS counts them.
#[derive(Clone, Copy, Debug)]
struct Counted {
    /// Queries of all heads that share keys.
    rows: i32,
    keys: i32,
    dim: i32,
    /// Heads of keys of all sequences.
    heads: i32,
}

/// An attention on a GPU.
struct Attentions<'a> {
    of: Attention,
    counted: Counted,
    bytes: [u64; 3],
    gpu: &'a Gpu,
    cublas: &'a Cublas,
    kernels: &'a Kernels,
    expected: Expected,
}

impl Attention {
    fn title(&self) -> String {
        let shape = derate_model::operator::Shape::Attention(self.extents);
        format!("{} in {}", shape.title(), self.arithmetic.name())
    }

    fn wrong(&self, what: &str) -> CudaError {
        CudaError::Setup(format!("attention of {}: {what}", self.title()))
    }

    /// A sentence where it is not run here.
    pub(super) fn admit(&self) -> Result<(), CudaError> {
        self.extents.check().map_err(|error| CudaError::Setup(error.to_string()))?;
        if self.extents.window.is_some() {
            return Err(self.wrong("on a GPU it has no window"));
        }
        if self.arithmetic == Arithmetic::Int8 {
            return Err(self.wrong(NO_EXPONENTIALS));
        }
        self.counted().map(|_| ())
    }

    fn counted(&self) -> Result<Counted, CudaError> {
        let Extents { batch, heads, kv_heads, head_dim, queries, keys, .. } = self.extents;
        let count = |wanted: Option<u64>| {
            wanted.and_then(counted).ok_or_else(|| {
                self.wrong(&format!(
                    "{GIVE}, also of the queries of all heads that share keys, and of all heads of keys"
                ))
            })
        };
        let group = heads.checked_div(kv_heads);
        Ok(Counted {
            rows: count(group.and_then(|group| group.checked_mul(queries)))?,
            keys: count(Some(keys))?,
            dim: count(Some(head_dim))?,
            heads: count(batch.checked_mul(kv_heads))?,
        })
    }

    /// Bytes of the queries, which are those of the result, of the keys, which are those of the values, and of the scores.
    pub fn bytes(&self) -> Option<[u64; 3]> {
        let Extents { batch, heads, kv_heads, head_dim, queries, keys, .. } = self.extents;
        let size = self.arithmetic.operand_bytes();
        let of = |extents: [u64; 4]| extents.into_iter().try_fold(size, u64::checked_mul);
        Some([
            of([batch, heads, queries, head_dim])?,
            of([batch, kv_heads, keys, head_dim])?,
            of([batch, heads, queries, keys])?,
        ])
    }

    /// Computes it on a GPU, and times it by the GPU's own events.
    pub fn run(
        &self,
        gpu: &Gpu,
        repeat: Repeat,
        cancel: Cancel<'_>,
        progress: Progress<'_>,
    ) -> Result<Timed, BenchError> {
        self.admit()?;
        let counted = self.counted()?;
        let bytes = self.bytes().ok_or_else(|| self.wrong("that is more than any memory"))?;
        admit(gpu, self.arithmetic, sum(bytes), &format!("attention of {}", self.title()))?;
        let (cublas, kernels) = (gpu.cublas()?, gpu.kernels()?);
        let expected = attended(&self.extents, self.arithmetic, cancel)?;
        let work = Attentions { of: *self, counted, bytes, gpu, cublas, kernels, expected };
        timed(work, gpu, repeat, cancel, progress)
    }
}

/// Bytes of a set.
fn sum([rows, cached, scores]: [u64; 3]) -> u64 {
    rows.saturating_mul(2).saturating_add(cached.saturating_mul(2)).saturating_add(scores)
}

impl Set {
    /// What is drawn, in the order of its seeds.
    fn operands(&self) -> [&Memory; 3] {
        [&self.q, &self.k, &self.v]
    }
}

impl Attentions<'_> {
    /// `C` of `m` by `n`, a batch of it.
    fn product(&self, of: [&Memory; 3], [m, k]: [i32; 2], transposed: bool) -> Batch {
        let n = self.counted.rows;
        let step = |rows: i32, columns: i32| i64::from(rows) * i64::from(columns);
        Batch {
            one: self.of.arithmetic.product(of.map(Memory::address), [m, n, k]),
            transposed,
            steps: [step(m, k), step(k, n), step(m, n)],
            count: self.counted.heads,
        }
    }
}

impl Work for Attentions<'_> {
    type Set = Set;

    fn title(&self) -> String {
        self.of.title()
    }

    fn arithmetic(&self) -> Arithmetic {
        self.of.arithmetic
    }

    fn bytes(&self) -> u64 {
        sum(self.bytes)
    }

    fn make(&self, first: Option<&Set>) -> Result<Set, CudaError> {
        let ([rows, cached, scores], arithmetic) = (self.bytes, self.of.arithmetic);
        let memory = |bytes| self.gpu.memory(bytes);
        let set = Set {
            q: memory(rows)?,
            k: memory(cached)?,
            v: memory(cached)?,
            scores: memory(scores)?,
            result: memory(rows)?,
        };
        draw(arithmetic, set.operands(), first.map(Set::operands), SEEDS)?;
        Ok(set)
    }

    fn launch(&self, set: &Set) -> Result<(), CudaError> {
        let Counted { keys, dim, .. } = self.counted;
        let of = &self.of.extents;
        self.cublas.multiply_all(&self.product(
            [&set.k, &set.q, &set.scores],
            [keys, dim],
            true,
        ))?;
        let whole = |extent: u64| u32::try_from(extent).unwrap_or(u32::MAX);
        let rows = Rows {
            count: of.batch * of.heads * of.queries,
            queries: whole(of.queries),
            keys: whole(of.keys),
            causal: of.causal,
            scale: scale(of.head_dim),
        };
        self.kernels.softmax(self.of.arithmetic, set.scores.address(), rows)?;
        self.cublas.multiply_all(&self.product(
            [&set.v, &set.scores, &set.result],
            [dim, keys],
            false,
        ))
    }

    fn wipe(&self, set: &Set) -> Result<(), CudaError> {
        set.scores.wipe()?;
        set.result.wipe()
    }

    fn hold(&mut self, set: &Set) -> Result<(), CudaError> {
        self.expected.hold(&set.result)
    }

    fn check(self) -> Check {
        self.expected.check()
    }
}

/// What scores of heads of that width are multiplied with.
pub(super) fn scale(dim: u64) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest")]
    let scale = (1.0 / (dim as f64).sqrt()) as f32;
    scale
}
