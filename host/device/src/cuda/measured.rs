//! Measurements of a GPU.

use std::fmt::Write as _;

use derate_model::measurement::{
    BytesFrom, Computed, DeviceKind, KernelKind, MeasuredDevice, Measurement, Run,
};
use derate_model::operator::{Attention as Extents, Mlp as Layers, OperatorFormats, Scores, Shape};
use derate_model::units::{Bytes, Seconds};
use derate_model::{Encoding, Mixture, Precision};

use super::packed::Packed;
use super::{Arithmetic, Attention, Copies, Gpu, GpuTiming, Mlp, Product};
use crate::error::{BenchError, CudaError};
use crate::measure::{Cancel, Progress, Repeat, machine_measurement, record_shape};
use crate::packed::PackedFormat;

fn setup_error<T>(text: String) -> Result<T, BenchError> {
    Err(BenchError::Setup(text))
}

fn arithmetic_of(precision: Precision) -> Result<Arithmetic, BenchError> {
    Ok(match precision {
        Precision::FP32 => Arithmetic::Fp32,
        Precision::TF32 => Arithmetic::Tf32,
        Precision::FP16 => Arithmetic::Fp16,
        Precision::BF16 => Arithmetic::Bf16,
        Precision::INT8 => Arithmetic::Int8,
        Precision::FP8_E4M3 => Arithmetic::Fp8E4m3,
        Precision::FP8_E5M2 => Arithmetic::Fp8E5m2,
        other => return setup_error(refuse(other.into())),
    })
}

/// What to give instead of a format that has no kernel.
fn refuse(stored: Encoding) -> String {
    format!(
        "{stored} has no kernel on a GPU: give fp32, tf32, fp16, bf16, int8, fp8 or fp8-e5m2, or weights in int8-row, mxfp8, mxfp8-e5m2, \
         mxfp4, nvfp4, nf4, int4 or int4-g32, int4-g64, int4-g128, int4-g256"
    )
}

/// The packed format whose weights a kernel of derate's own expands; FP8 alone is multiplied as it is.
fn packed_of(stored: Encoding) -> Option<PackedFormat> {
    PackedFormat::of(stored)
        .filter(|_| stored.plain().is_none_or(|own| arithmetic_of(own).is_err()))
}

/// What multiplies elements of that format there.
pub(crate) fn describe_arithmetic(gpu: &Gpu, stored: Encoding) -> Result<Computed, BenchError> {
    if packed_of(stored).is_some() {
        return describe_packed(gpu, stored);
    }
    let Some(precision) = stored.plain() else { return setup_error(refuse(stored)) };
    let arithmetic = arithmetic_of(precision)?;
    if arithmetic.is_fp8() {
        return Ok(Computed {
            arithmetic: precision.key(),
            accumulate: "fp32".to_owned(),
            engine: format!(
                "cuBLASLt {}, {} times FP8 (E4M3), each scaled by one number, results in FP32",
                gpu.cublas_lt_version()?,
                if arithmetic == Arithmetic::Fp8E5m2 { "FP8 (E5M2)" } else { "FP8 (E4M3)" },
            ),
        });
    }
    Ok(Computed {
        arithmetic: precision.key(),
        accumulate: if arithmetic == Arithmetic::Int8 { "int32" } else { "fp32" }.to_owned(),
        engine: format!("cuBLAS {}", gpu.cublas_version()?),
    })
}

/// What computes with packed weights.
fn describe_packed(gpu: &Gpu, stored: Encoding) -> Result<Computed, BenchError> {
    Ok(Computed {
        arithmetic: "fp32".to_owned(),
        accumulate: "fp32".to_owned(),
        engine: format!(
            "weights stored in {stored}, expanded in registers and multiplied with FP32 by kernels of derate's own, compiled by {}; \
             activations and results are FP32: no {stored} arithmetic",
            gpu.own_kernels()?.compiler()
        ),
    })
}

/// The operator as a GPU runs it: scores are written and softmaxed by a kernel of its own, and activations are one, too.
pub fn as_run(shape: &Shape) -> Shape {
    match *shape {
        Shape::Attention(own) => Shape::Attention(Extents { scores: Scores::Apart, ..own }),
        Shape::Mlp(own) => Shape::Mlp(Layers { apart: true, ..own }),
        product @ (Shape::Gemv { .. } | Shape::Gemm { .. }) => product,
    }
}

/// What a bench of so many launches comes to.
fn to_run(timed: GpuTiming, read: Bytes, written: Bytes, repeat: Repeat) -> Run {
    Run {
        bytes_read: Some(read),
        bytes_written: Some(written),
        bytes_from: Some(BytesFrom::Formulas),
        beyond_cache: Some(timed.beyond_cache),
        warm_up: Some(repeat.warm_up as u64),
        // The time is that of one of them.
        launches: Some(1),
        seconds: timed.seconds.into_iter().map(Seconds).collect(),
        check: Some(timed.check),
        ..Run::default()
    }
}

/// What runs a shape.
enum Runner {
    Product(Product),
    Attention(Attention),
    Mlp(Mlp),
    Packed(Packed),
}

impl Runner {
    /// For that shape in that format; a sentence where a GPU does not run it.
    fn of(shape: &Shape, stored: Encoding) -> Result<Self, BenchError> {
        if let Some(format) = packed_of(stored) {
            return Self::of_packed(shape, format);
        }
        let Some(precision) = stored.plain() else { return setup_error(refuse(stored)) };
        // Between products, FP8 would have to be rounded to: the layers' weights alone are FP8.
        if let (Shape::Mlp(_), Some(format), true) =
            (shape, PackedFormat::of(stored), arithmetic_of(precision)?.is_fp8())
        {
            return Self::of_packed(shape, format);
        }
        let arithmetic = arithmetic_of(precision)?;
        Ok(match as_run(shape) {
            // The vector is the second operand's one column.
            Shape::Gemv { n, k } => Self::Product(Product { m: n, n: 1, k, arithmetic }),
            Shape::Gemm { m, n, k } => Self::Product(Product { m, n, k, arithmetic }),
            Shape::Attention(extents) => Self::Attention(Attention { extents, arithmetic }),
            Shape::Mlp(extents) => Self::Mlp(Mlp { extents, arithmetic }),
        })
    }

    fn of_packed(shape: &Shape, format: PackedFormat) -> Result<Self, BenchError> {
        let stored = format.encoding;
        let one = |vectors, rows, columns| Packed {
            format,
            vectors,
            rows,
            columns,
            layers: 1,
            activated: false,
        };
        Ok(Self::Packed(match *shape {
            Shape::Gemv { n, k } => one(1, n, k),
            Shape::Gemm { m, n, k } => one(m, n, k),
            Shape::Mlp(own) if own.backward => {
                return setup_error(format!(
                    "an mlp in {stored} runs forward only: leave --backward out, or give fp32, tf32, fp16 or bf16"
                ));
            }
            Shape::Mlp(own) => Packed {
                layers: own.layers,
                activated: true,
                ..one(own.batch, own.width, own.width)
            },
            Shape::Attention(_) => {
                return setup_error(format!(
                    "attention has no kernel for {stored}, as it has no weights: give fp32, tf32, fp16 or bf16"
                ));
            }
        }))
    }

    fn check_support(&self, gpu: &Gpu) -> Result<(), CudaError> {
        match self {
            Self::Packed(own) => own.extents().map(|_| ()),
            Self::Product(own) => own.check_support(gpu),
            Self::Attention(own) => own.check_support(),
            Self::Mlp(own) => own.check_support(),
        }
    }

    fn time_runs(
        &self,
        gpu: &Gpu,
        repeat: Repeat,
        cancel: Cancel<'_>,
        progress: Progress<'_>,
    ) -> Result<GpuTiming, BenchError> {
        match self {
            Self::Packed(own) => own.run(gpu, repeat, cancel, progress),
            Self::Product(own) => own.run(gpu, repeat, cancel, progress),
            Self::Attention(own) => own.run(gpu, repeat, cancel, progress),
            Self::Mlp(own) => own.run(gpu, repeat, cancel, progress),
        }
    }

    /// What is written by one kernel and read by the next, and how it is called; a product has none.
    fn intermediate(&self) -> Option<(u64, &'static str, &'static str)> {
        match self {
            Self::Product(_) => None,
            Self::Packed(own) if !own.activated => None,
            Self::Packed(own) => {
                own.bytes().map(|[_, flow, _]| (flow, "GELU", "results of a layer"))
            }
            Self::Attention(own) => own.bytes().map(|[_, _, scores]| (scores, "softmax", "scores")),
            Self::Mlp(own) => own.bytes().map(|[_, flow, _]| (flow, "GELU", "results of a layer")),
        }
    }

    /// Whether one pass moves most of what it works on from and to the memory, given that the cache does not hold its sets: at most
    /// a twentieth of it may stay in the cache from one kernel to the next.
    fn is_beyond(&self, cache: u64, all: Bytes) -> bool {
        self.intermediate().is_none_or(|(bytes, ..)| {
            let times = match self {
                // Backward, the gradient of each is one more.
                Self::Mlp(own) => own.extents.layers << u32::from(own.extents.backward),
                Self::Packed(own) => own.layers,
                Self::Product(_) | Self::Attention(_) => 1,
            };
            // Written, read and written again, and read.
            bytes > cache || 4.0 * bytes as f64 * times as f64 <= all.0 / 20.0
        })
    }

    /// Kernels of one pass, one after another.
    fn count_kernels(&self) -> u64 {
        match self {
            Self::Product(_) => 1,
            Self::Attention(_) => 3,
            Self::Packed(own) => own.layers << u32::from(own.activated),
            // A product and GELU forward; its slope and two products backward.
            Self::Mlp(own) if own.extents.backward => own.extents.layers.saturating_mul(5),
            Self::Mlp(own) => own.extents.layers.saturating_mul(2),
        }
    }
}

/// A sentence where that GPU does not run that shape in that precision.
pub(crate) fn check_support(gpu: &Gpu, shape: &Shape, stored: Encoding) -> Result<(), BenchError> {
    Ok(Runner::of(shape, stored)?.check_support(gpu)?)
}

/// One operator on a GPU.
pub(crate) fn measure_operator(
    gpu: &Gpu,
    shape: &Shape,
    stored: Encoding,
    repeat: Repeat,
    cancel: Cancel<'_>,
    progress: Progress<'_>,
) -> Result<Run, BenchError> {
    let measured = measure_on(gpu, shape, stored, repeat, cancel, progress);
    if let Err(BenchError::Cuda(error)) = &measured {
        gpu.note_loss(error);
    }
    measured
}

fn measure_on(
    gpu: &Gpu,
    shape: &Shape,
    stored: Encoding,
    repeat: Repeat,
    cancel: Cancel<'_>,
    progress: Progress<'_>,
) -> Result<Run, BenchError> {
    gpu.make_current()?;
    let runner = Runner::of(shape, stored)?;
    runner.check_support(gpu)?;
    let computed = match runner {
        Runner::Packed(_) => describe_packed(gpu, stored)?,
        _ => describe_arithmetic(gpu, stored)?,
    };
    let timed = runner.time_runs(gpu, repeat, cancel, progress)?;
    let mut engine = computed.engine.clone();
    if let Some((bytes, kernel, what)) = runner.intermediate() {
        let holds = if bytes > gpu.last_level_cache()? { "cannot" } else { "may" };
        let _ = write!(
            engine,
            "; a {kernel} of derate's own, compiled by {}, reads and writes the {what} where they are ({bytes} bytes of a \
             set, which the last-level cache {holds} hold from one kernel to the next)",
            gpu.own_kernels()?.compiler()
        );
    }
    let holds = if timed.beyond_cache { "cannot hold" } else { "may hold" };
    let launch = if runner.count_kernels() == 1 { "launch" } else { "pass" };
    let each = match timed.launches {
        1 => format!("that of one {launch}"),
        many => format!("the mean of {many} {launch}es"),
    };
    let _ = write!(
        engine,
        ", {} sets of operands in turn, which the last-level cache {holds}, each time {each}",
        timed.sets
    );
    let shape = as_run(shape);
    let (read, written) = match &runner {
        // A result of INT8 is wider than its operands.
        Runner::Product(product) => {
            let [first, second, result] = product.bytes().unwrap_or_default();
            (Bytes((first + second) as f64), Bytes(result as f64))
        }
        Runner::Attention(_) | Runner::Mlp(_) => {
            shape.bytes(&OperatorFormats::new(Mixture::of(stored)))
        }
        // Beside packed weights, activations are FP32.
        Runner::Packed(_) => shape.bytes(&OperatorFormats::new(Mixture {
            weights: stored,
            ..Mixture::of(Precision::FP32.into())
        })),
    };
    let run = to_run(timed, read, written, repeat);
    let beyond = runner.is_beyond(gpu.last_level_cache()?, read + written);
    let mut run = Run {
        beyond_cache: run.beyond_cache.map(|sets| sets && beyond),
        size: run.bytes(),
        launches: Some(runner.count_kernels()),
        computed: Some(Computed { engine, ..computed }),
        ..run
    };
    record_shape(&mut run, &shape, stored.to_string());
    Ok(run)
}

/// Copies of these sizes within a GPU's memory.
pub fn measure_copies(
    gpu: &Gpu,
    sizes: &[u64],
    repeat: Repeat,
    progress: Progress<'_>,
) -> Result<Measurement, BenchError> {
    let mut runs = Vec::with_capacity(sizes.len());
    for &bytes in sizes {
        let copies = Copies { bytes };
        let timed = copies.run(gpu, repeat, progress)?;
        let moved = Bytes(copies.moved() as f64);
        runs.push(Run { size: Some(moved), ..to_run(timed, moved, moved, repeat) });
    }
    Ok(gpu_measurement(gpu, KernelKind::Memcpy, runs)?)
}

/// The file of such runs.
pub(crate) fn gpu_measurement(
    gpu: &Gpu,
    kernel: KernelKind,
    runs: Vec<Run>,
) -> Result<Measurement, CudaError> {
    let what = match kernel {
        KernelKind::Memcpy => "the driver's copies",
        KernelKind::Attention => "cuBLAS and a softmax of derate's own",
        KernelKind::Mlp => "cuBLAS, or packed products of derate's own, and a GELU of derate's own",
        _ => "cuBLAS, cuBLASLt for FP8, or kernels of derate's own for packed weights",
    };
    let source = format!(
        "{what}, one after another, by the GPU's own events (driver of CUDA {}, compute capability {})",
        gpu.driver_version()?,
        gpu.capability()?
    );
    let device =
        MeasuredDevice { kind: DeviceKind::Gpu, name: gpu.name().to_owned(), platform: None };
    Ok(machine_measurement(kernel, device, None, source, runs))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CACHE: u64 = 50 << 20;

    fn beyond(shape: &Shape) -> bool {
        let runner = Runner::of(shape, Precision::FP16.into()).unwrap();
        let (read, written) =
            as_run(shape).bytes(&OperatorFormats::new(Mixture::of(Precision::FP16.into())));
        runner.is_beyond(CACHE, read + written)
    }

    /// On a cache of 50 MiB: scores of 32 and of 256 MiB, results of a layer of 8 KiB and of 32 MiB beside weights of 32.
    #[test]
    fn what_stays_in_the_cache_between_kernels_is_not_beyond_it() {
        use derate_model::operator::OperatorKind::{Attention, Gemm, Mlp};
        for (kind, text, wanted) in [
            (Attention, "1x1x1x64x4096x4096", false),
            (Attention, "1x8x8x64x4096x4096", true),
            (Mlp, "1x4096x8", true),
            (Mlp, "4096x4096x8", false),
            (Mlp, "8192x4096x8", true),
            (Gemm, "64x64x64", true),
        ] {
            assert_eq!(beyond(&Shape::parse(kind, text).unwrap()), wanted, "{text}");
        }
    }
}
