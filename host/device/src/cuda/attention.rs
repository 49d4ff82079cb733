//! `softmax(Q K^T / sqrt(d)) V` by cuBLAS' products and a softmax of derate's own between them.

use derate_model::measurement::ResultCheck;
use derate_model::operator::Attention as Extents;

use super::arithmetic::NO_EXPONENTIALS;
use super::attended::{SEEDS, expected_attention, score_scale};
use super::expected::ExpectedEntries;
use super::extent::{GIVE, to_cublas_extent};
use super::kernels::{Kernels, Rows};
use super::memory::GpuMemory;
use super::sys::{Batch, Cublas, Matrices};
use super::turns::{GpuTiming, Job, Work, draw_operands, prepare_gpu, time_work};
use super::{Arithmetic, Gpu};
use crate::error::{BenchError, CudaError};
use crate::measure::{Cancel, Progress, Repeat};

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
    q: GpuMemory,
    k: GpuMemory,
    v: GpuMemory,
    scores: GpuMemory,
    result: GpuMemory,
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
    expected: ExpectedEntries,
}

impl Attention {
    fn title(&self) -> String {
        let shape = derate_model::operator::Shape::Attention(self.extents);
        format!("{} in {}", shape.title(), self.arithmetic.name())
    }

    fn setup_error(&self, what: &str) -> CudaError {
        CudaError::Setup(format!("attention of {}: {what}", self.title()))
    }

    /// A sentence where it is not run here.
    pub(super) fn check_support(&self) -> Result<(), CudaError> {
        self.extents.check_heads().map_err(|error| CudaError::Setup(error.to_string()))?;
        if self.extents.window.is_some() {
            return Err(self.setup_error("on a GPU it has no window"));
        }
        if !self.arithmetic.has_exponentials() {
            return Err(self.setup_error(NO_EXPONENTIALS));
        }
        self.count_extents().map(|_| ())
    }

    fn count_extents(&self) -> Result<Counted, CudaError> {
        let Extents { batch, heads, kv_heads, head_dim, queries, keys, .. } = self.extents;
        let count = |wanted: Option<u64>| {
            wanted.and_then(to_cublas_extent).ok_or_else(|| {
                self.setup_error(&format!(
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
    ) -> Result<GpuTiming, BenchError> {
        self.check_support()?;
        let counted = self.count_extents()?;
        let bytes =
            self.bytes().ok_or_else(|| self.setup_error("that is more than any memory holds"))?;
        let job =
            Job { title: self.title(), arithmetic: Some(self.arithmetic), bytes: set_bytes(bytes) };
        prepare_gpu(gpu, &job, "attention")?;
        let (cublas, kernels) = (gpu.cublas()?, gpu.own_kernels()?);
        let expected = expected_attention(&self.extents, self.arithmetic, cancel)?;
        let work = Attentions { of: *self, counted, bytes, gpu, cublas, kernels, expected };
        time_work(work, &job, gpu, repeat, cancel, progress)
    }
}

/// Bytes of a set.
fn set_bytes([rows, cached, scores]: [u64; 3]) -> u64 {
    rows.saturating_mul(2).saturating_add(cached.saturating_mul(2)).saturating_add(scores)
}

impl Set {
    /// What is drawn, in the order of its seeds.
    fn operands(&self) -> [&GpuMemory; 3] {
        [&self.q, &self.k, &self.v]
    }
}

impl Attentions<'_> {
    /// `C` of `m` by `n`, a batch of it.
    fn product(&self, of: [&GpuMemory; 3], [m, k]: [i32; 2], transposed: bool) -> Batch {
        let n = self.counted.rows;
        let step = |rows: i32, columns: i32| i64::from(rows) * i64::from(columns);
        let one = self.of.arithmetic.to_matrices(of.map(GpuMemory::address), [m, n, k]);
        Batch {
            one: Matrices { transposed: [transposed, false], ..one },
            steps: [step(m, k), step(k, n), step(m, n)],
            count: self.counted.heads,
        }
    }
}

impl Work for Attentions<'_> {
    type Set = Set;

    fn make_set(&mut self, first: Option<&Set>) -> Result<Set, CudaError> {
        let ([rows, cached, scores], arithmetic) = (self.bytes, self.of.arithmetic);
        let memory = |bytes| self.gpu.allocate_memory(bytes);
        let set = Set {
            q: memory(rows)?,
            k: memory(cached)?,
            v: memory(cached)?,
            scores: memory(scores)?,
            result: memory(rows)?,
        };
        draw_operands(arithmetic, set.operands(), first.map(Set::operands), SEEDS)?;
        Ok(set)
    }

    fn launch_set(&self, set: &Set) -> Result<(), CudaError> {
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
            scale: score_scale(of.head_dim),
        };
        self.kernels.softmax(self.of.arithmetic, set.scores.address(), rows)?;
        self.cublas.multiply_all(&self.product(
            [&set.v, &set.scores, &set.result],
            [dim, keys],
            false,
        ))
    }

    fn wipe_results(&self, set: &Set) -> Result<(), CudaError> {
        set.scores.wipe()?;
        set.result.wipe()
    }

    fn check_set(&mut self, set: &Set) -> Result<(), CudaError> {
        self.expected.check_entries(&set.result)
    }

    fn into_check(self) -> ResultCheck {
        self.expected.into_check()
    }
}
