//! Measurements of a GPU.

use derate_model::Precision;
use derate_model::measurement::{
    BytesFrom, Computed, Device, DeviceKind, Gemm, Kind, Measurement, Run,
};
use derate_model::operator::Shape;
use derate_model::units::{Bytes, Seconds};

use super::{Arithmetic, Copies, CudaError, Gpu, Product, Timed};
use crate::bench::{BenchError, Cancel, Progress, Repeat, of_a_machine};

fn refused<T>(text: String) -> Result<T, BenchError> {
    Err(BenchError::Setup(text))
}

fn known(precision: Precision) -> Result<Arithmetic, BenchError> {
    Ok(match precision {
        Precision::FP32 => Arithmetic::Fp32,
        Precision::TF32 => Arithmetic::Tf32,
        Precision::FP16 => Arithmetic::Fp16,
        Precision::BF16 => Arithmetic::Bf16,
        Precision::INT8 => Arithmetic::Int8,
        other => {
            return refused(format!(
                "{other} is not measured on a GPU: give fp32, tf32, fp16, bf16 or int8"
            ));
        }
    })
}

/// What multiplies elements of that precision there.
pub(crate) fn arithmetic(gpu: &Gpu, precision: Precision) -> Result<Computed, BenchError> {
    let arithmetic = known(precision)?;
    Ok(Computed {
        arithmetic: arithmetic.name().to_owned(),
        accumulate: if arithmetic == Arithmetic::Int8 { "int32" } else { "fp32" }.to_owned(),
        engine: format!("cuBLAS {}", gpu.cublas_version()?),
    })
}

/// What a bench of so many launches comes to.
fn run(timed: Timed, read: u64, written: u64, repeat: Repeat) -> Run {
    Run {
        bytes_read: Some(Bytes(read as f64)),
        bytes_written: Some(Bytes(written as f64)),
        bytes_from: Some(BytesFrom::Formulas),
        beyond_cache: Some(timed.beyond_cache),
        warm_up: Some(repeat.warm_up as u64),
        // What is told is the time of one of them.
        launches: Some(1),
        seconds: timed.seconds.into_iter().map(Seconds).collect(),
        check: Some(timed.check),
        ..Run::default()
    }
}

/// The product that a shape is in that precision; a sentence for other operators, and for what cuBLAS does not multiply.
pub(crate) fn product(shape: &Shape, precision: Precision) -> Result<Product, BenchError> {
    let arithmetic = known(precision)?;
    let (m, n, k) = match *shape {
        // The vector is the second operand's one column.
        Shape::Gemv { n, k } => (n, 1, k),
        Shape::Gemm { m, n, k } => (m, n, k),
        Shape::Attention(_) | Shape::Mlp(_) => {
            return refused(
                "on a GPU derate measures products of matrices: give gemv or gemm".to_owned(),
            );
        }
    };
    let product = Product { m, n, k, arithmetic };
    product.extents()?;
    Ok(product)
}

/// One product on a GPU.
pub(crate) fn measure(
    gpu: &Gpu,
    shape: &Shape,
    precision: Precision,
    repeat: Repeat,
    cancel: Cancel<'_>,
    progress: Progress<'_>,
) -> Result<Run, BenchError> {
    let (computed, product) = (arithmetic(gpu, precision)?, product(shape, precision)?);
    let timed = product.run(gpu, repeat, cancel, progress)?;
    let holds = if timed.beyond_cache { "cannot hold" } else { "may hold" };
    let engine = format!(
        "{}, {} sets of operands in turn, which the last-level cache {holds}, each time the mean of {} launches",
        computed.engine, timed.sets, timed.launches
    );
    let [first, second, result] = product.bytes().unwrap_or_default();
    let stored = precision.key();
    let Product { m, n, k, .. } = product;
    // Of a vector the file has one row.
    let (m, n) = if matches!(shape, Shape::Gemv { .. }) { (n, m) } else { (m, n) };
    let gemm = Gemm { m, n, k, precision: stored, count: 1 };
    let run = run(timed, first + second, result, repeat);
    let size = run.bytes();
    Ok(Run { size, gemm: Some(gemm), computed: Some(Computed { engine, ..computed }), ..run })
}

/// Copies of these sizes within a GPU's memory.
pub fn copies(
    gpu: &Gpu,
    sizes: &[u64],
    repeat: Repeat,
    progress: Progress<'_>,
) -> Result<Measurement, BenchError> {
    let mut runs = Vec::with_capacity(sizes.len());
    for &bytes in sizes {
        let copies = Copies { bytes };
        let timed = copies.run(gpu, repeat, progress)?;
        let moved = copies.moved();
        let size = Some(Bytes(moved as f64));
        runs.push(Run { size, ..run(timed, moved, moved, repeat) });
    }
    Ok(measurement(gpu, Kind::Memcpy, runs)?)
}

/// The file of such runs.
pub(crate) fn measurement(
    gpu: &Gpu,
    kernel: Kind,
    runs: Vec<Run>,
) -> Result<Measurement, CudaError> {
    let what = if kernel == Kind::Memcpy { "the driver's copies" } else { "cuBLAS" };
    let source = format!(
        "{what}, one after another, by the GPU's own events (driver of CUDA {}, compute capability {})",
        gpu.driver_version()?,
        gpu.capability()?
    );
    let device = Device { kind: DeviceKind::Gpu, name: gpu.name().to_owned(), platform: None };
    Ok(of_a_machine(kernel, device, None, source, runs))
}
