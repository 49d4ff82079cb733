use serde::{Deserialize, Serialize};

use super::{AttentionRun, BytesFrom, Computed, KernelKind, MlpRun};
use derate_units::{Bytes, BytesPerSecond, Ops, OpsPerSecond, Seconds};
use derate_workload::operator::Shape;

/// Sizes and type of a matrix product: `m x k` times `k x n`.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct GemmRun {
    /// Rows of the result.
    pub m: u64,
    /// Columns of the result.
    pub n: u64,
    /// Products that are summed in each element.
    pub k: u64,
    /// The type of the operands: `fp32`, `bf16`, `int8`.
    #[serde(rename = "type")]
    pub precision: String,
    /// Products of this shape in one repetition: one in each compute unit.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub count: u64,
}

fn one() -> u64 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
fn is_one(count: &u64) -> bool {
    *count == 1
}

impl GemmRun {
    /// `2 m n k` in each product: a multiply-add counts two.
    pub fn ops(&self) -> Ops {
        Ops(2.0 * self.m as f64 * self.n as f64 * self.k as f64 * self.count as f64)
    }

    /// `512 x 256 x 1024 in fp32`, or `4 of 512 x 256 x 1024 in fp32`.
    pub fn title(&self) -> String {
        let Self { m, n, k, precision, count } = self;
        let several = if *count == 1 { String::new() } else { format!("{count} of ") };
        format!("{several}{m} x {n} x {k} in {precision}")
    }
}

/// Whether the results were right.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ResultCheck {
    /// Whether they were.
    pub passed: bool,
    /// What was compared with what, in a few words.
    pub method: String,
    /// The worst relative error, where rounding is allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worst_error: Option<f64>,
    /// How large it may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
}

/// Repetitions at one size.
///
/// A run has the seconds of each repetition; one that somebody published as a bare rate has `stated_bandwidth` instead.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// What one repetition is about, in all compute units: the bytes that `memcpy` copies, `read` reads, `write` writes,
    /// the operands and the result of `gemm`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<Bytes>,
    /// Bytes that one repetition reads from external memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_read: Option<Bytes>,
    /// Bytes that it writes there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_written: Option<Bytes>,
    /// How those bytes are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_from: Option<BytesFrom>,
    /// The matrix product, where it is one; of a GEMV with one row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gemm: Option<GemmRun>,
    /// The attention, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attention: Option<AttentionRun>,
    /// The layers, where it is an MLP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mlp: Option<MlpRun>,
    /// The arithmetic that ran; where nothing is said, nobody knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub computed: Option<Computed>,
    /// Whether what its launches work on is together more than the last-level cache holds, where somebody saw to that: sets of
    /// operands that take turns count each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beyond_cache: Option<bool>,
    /// Repetitions that went before and were not timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warm_up: Option<u64>,
    /// Kernel calls of the host, one after another, within one repetition's time: those that run side by side count once.
    /// 0 where the card itself took the time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launches: Option<u64>,
    /// What each repetition took, in the order in which they ran; modelled where the provenance is `Emulated`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seconds: Vec<Seconds>,
    /// What the host's clock said of each beside modelled seconds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wall_seconds: Vec<Seconds>,
    /// The bandwidth, where it was published as a rate and not as bytes and seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated_bandwidth: Option<BytesPerSecond>,
    /// Whether the results were right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<ResultCheck>,
}

/// What the repetitions of a run come to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RunTimes {
    /// How many.
    pub repetitions: usize,
    /// The middle one.
    pub median: Seconds,
    /// The fastest.
    pub fastest: Seconds,
    /// The slowest.
    pub slowest: Seconds,
    /// `(slowest - fastest) / median`.
    pub spread: f64,
}

impl Run {
    /// Bytes that one repetition moves: those read and those written.
    pub fn bytes(&self) -> Option<Bytes> {
        Some(self.bytes_read? + self.bytes_written?)
    }

    /// The middle repetition; the mean of the two middle ones where their count is even.
    pub fn median(&self) -> Option<Seconds> {
        let mut sorted = self.seconds.clone();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
        let upper = *sorted.get(sorted.len() / 2)?;
        match sorted.len() {
            odd if odd % 2 == 1 => Some(upper),
            even => Some((*sorted.get(even / 2 - 1)? + upper) * 0.5),
        }
    }

    /// The fastest repetition and the slowest.
    pub fn extremes(&self) -> Option<(Seconds, Seconds)> {
        let mut all = self.seconds.iter().copied();
        let first = all.next()?;
        Some(all.fold((first, first), |(least, most), next| {
            (if next < least { next } else { least }, if next > most { next } else { most })
        }))
    }

    /// What the repetitions come to.
    pub fn times(&self) -> Option<RunTimes> {
        let (fastest, slowest) = self.extremes()?;
        Some(RunTimes {
            repetitions: self.seconds.len(),
            median: self.median()?,
            fastest,
            slowest,
            spread: self.spread()?,
        })
    }

    /// How far the repetitions lie apart: `(slowest - fastest) / median`; equal ones, which may be modelled at 0 s, do not.
    pub fn spread(&self) -> Option<f64> {
        let (least, most) = self.extremes()?;
        let apart = most.0 - least.0;
        Some(if apart > 0.0 { apart / self.median()?.0 } else { 0.0 })
    }

    /// Whether its bytes are known to be none: a kernel that did nothing.
    pub fn moves_nothing(&self) -> bool {
        self.bytes().is_some_and(|bytes| bytes.0 <= 0.0)
    }

    /// Whether it is known that its results were wrong.
    pub fn is_wrong(&self) -> bool {
        self.check.as_ref().is_some_and(|check| !check.passed)
    }

    /// `(bytes read + bytes written) / median`, or the rate that was published; 1 GB/s is 1e9 B/s. Where nothing was moved
    /// there is none.
    pub fn bandwidth(&self) -> Option<BytesPerSecond> {
        let moved = || self.bytes().filter(|_| !self.moves_nothing());
        self.stated_bandwidth.or_else(|| Some(moved()? / self.median()?))
    }

    /// The same of the fastest repetition.
    pub fn best_bandwidth(&self) -> Option<BytesPerSecond> {
        self.stated_bandwidth.or_else(|| Some(self.bytes()? / self.extremes()?.0))
    }

    /// The operator at its extents, and in how many copies it ran; `None` of a stream.
    pub fn shape(&self, kernel: KernelKind) -> Option<(Shape, u64)> {
        if let Some(GemmRun { m, n, k, count, .. }) = self.gemm {
            let gemv = kernel == KernelKind::Gemv;
            return Some((
                if gemv { Shape::Gemv { n, k } } else { Shape::Gemm { m, n, k } },
                count,
            ));
        }
        let attention = self.attention.as_ref().map(|own| Shape::Attention(own.shape()));
        attention.or_else(|| Some(Shape::Mlp(self.mlp.as_ref()?.shape()))).map(|shape| (shape, 1))
    }

    /// The type that its operands are stored in, where it is an operator.
    pub fn stored(&self) -> Option<&str> {
        let gemm = self.gemm.as_ref().map(|own| &own.precision);
        let attention = || self.attention.as_ref().map(|own| &own.precision);
        let mlp = || self.mlp.as_ref().map(|own| &own.precision);
        gemm.or_else(attention).or_else(mlp).map(String::as_str)
    }

    /// Operations of its matrix products: `2 m n k` of one.
    pub fn ops(&self) -> Option<Ops> {
        // Whether a product is a GEMV changes no count.
        let (shape, count) = self.shape(KernelKind::Gemm)?;
        Some(shape.flops() * count as f64)
    }

    /// The operations over the median; none of a modelled time of 0.
    pub fn ops_per_second(&self) -> Option<OpsPerSecond> {
        Some(self.ops()? / self.median()?).filter(|rate| rate.0.is_finite())
    }

    /// What it is about: `512 x 256 x 1024 in fp32`; `None` of a stream.
    pub fn title(&self) -> Option<String> {
        let other = || {
            let (shape, _) = self.shape(KernelKind::Gemm)?;
            Some(format!("{} in {}", shape.title(), self.stored()?))
        };
        self.gemm.as_ref().map(GemmRun::title).or_else(other)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn run(seconds: &[f64]) -> Run {
        Run {
            bytes_read: Some(Bytes(3e9)),
            bytes_written: Some(Bytes(1e9)),
            seconds: seconds.iter().copied().map(Seconds).collect(),
            ..Run::default()
        }
    }

    #[test]
    fn a_bandwidth_is_of_the_median_and_counts_both_ways() {
        assert_eq!(run(&[0.5, 0.1, 0.2]).bandwidth(), Some(BytesPerSecond(20e9)));
        assert_eq!(run(&[0.25, 0.125, 0.375, 0.5]).median(), Some(Seconds(0.3125)));
        assert_eq!(run(&[0.5, 0.1, 0.2]).best_bandwidth(), Some(BytesPerSecond(40e9)));
        assert_eq!(run(&[]).bandwidth(), None);
        // What moves nothing has none, however short it was modelled.
        let idle = Run {
            bytes_read: Some(Bytes(0.0)),
            bytes_written: Some(Bytes(0.0)),
            ..run(&[0.0, 0.0])
        };
        assert_eq!((idle.bandwidth(), idle.spread()), (None, Some(0.0)));
        let gemm = GemmRun { m: 512, n: 256, k: 1024, precision: "fp32".to_owned(), count: 1 };
        assert_eq!(gemm.ops(), Ops(268_435_456.0));
        let several = GemmRun { count: 3, ..gemm.clone() };
        assert_eq!(several.ops(), Ops(3.0 * 268_435_456.0));
        assert_eq!(several.title(), "3 of 512 x 256 x 1024 in fp32");
        // A file without a count has one product, and is written as it was.
        let text = serde_json::to_string(&gemm).unwrap();
        assert_eq!(text, r#"{"m":512,"n":256,"k":1024,"type":"fp32"}"#);
        assert_eq!(serde_json::from_str::<GemmRun>(&text).unwrap(), gemm);
    }

    proptest! {
        #[test]
        fn bytes_are_the_sum_of_both_ways(read in 0u64..1 << 40, written in 0u64..1 << 40) {
            let run = Run {
                bytes_read: Some(Bytes(read as f64)),
                bytes_written: Some(Bytes(written as f64)),
                ..run(&[1.0])
            };
            prop_assert_eq!(run.bytes(), Some(Bytes((read + written) as f64)));
            prop_assert_eq!(run.bandwidth(), Some(BytesPerSecond((read + written) as f64)));
        }

        #[test]
        fn the_median_lies_between_the_extremes_in_any_order(
            seconds in prop::collection::vec(1e-6..10.0f64, 1..20),
        ) {
            let first = run(&seconds);
            let (least, most) = first.extremes().unwrap();
            let median = first.median().unwrap();
            prop_assert!(least <= median && median <= most);
            let turned: Vec<f64> = seconds.into_iter().rev().collect();
            prop_assert_eq!(run(&turned).median().unwrap(), median);
        }
    }
}
