//! A GPU, by the driver's copies and cuBLAS' products.

use derate_model::units::Bytes;
use derate_model::{
    Figure, Precision, Processor, ProcessorKind, ProcessorMemory, Provenance, UnknownPeak,
};

use super::{STREAMS, Session};
use crate::cuda::{Gpu, measure_copies};
use crate::error::{BenchError, CUBLAS, CUBLAS_LT, CudaError};

/// A copy of so many times the last cache.
const TIMES: u64 = 16;

/// No copy is smaller: short ones are ruled by their launch.
const SMALLEST: u64 = 256 << 20;

/// Rows, columns and terms of the products, of which the fastest counts.
pub(super) const SHAPES: [[u64; 3]; 3] =
    [[4608, 4608, 4608], [7680, 7680, 4096], [8448, 8448, 8192]];

/// What cuBLAS and cuBLASLt are asked for.
const PRECISIONS: [Precision; 6] = [
    Precision::FP32,
    Precision::TF32,
    Precision::FP16,
    Precision::BF16,
    Precision::INT8,
    Precision::FP8_E4M3,
];

/// Whether a GPU goes without an arithmetic that fails so: its libraries refuse it, or it has no units of FP8, or no library.
fn is_refused(error: &CudaError, precision: Precision) -> bool {
    match error {
        CudaError::Call { library, .. } => matches!(*library, CUBLAS | CUBLAS_LT),
        CudaError::Setup(_) | CudaError::NotInstalled { .. } => precision == Precision::FP8_E4M3,
        _ => false,
    }
}

/// Measures a GPU.
pub(super) fn measure_gpu(
    gpu: &Gpu,
    session: &mut Session<'_, '_>,
) -> Result<Processor, BenchError> {
    let cache = gpu.last_level_cache()?;
    let usual = || cache.saturating_mul(TIMES).max(SMALLEST);
    let bytes = session.roofs.stream.unwrap_or_else(usual);
    session.go_on()?;
    let copied = measure_copies(gpu, &[bytes], STREAMS, session.progress)?;
    let bandwidth = session.stream_bandwidth(&copied, "copy")?;
    let (mut peaks, mut unknown) = (Vec::new(), Vec::new());
    for precision in PRECISIONS {
        session.go_on()?;
        match session.find_peak(precision, &SHAPES) {
            Ok(peak) => peaks.push(peak),
            // Not every GPU multiplies everything.
            Err(BenchError::Cuda(error)) if is_refused(&error, precision) => {
                unknown.push(UnknownPeak {
                    arithmetic: precision,
                    reason: error.to_string(),
                    absent: false,
                    computed_as: None,
                });
            }
            Err(error) => return Err(error),
        }
    }
    let said = |bytes: u64, what: &str| {
        let source = format!("NVIDIA's driver, which was asked for {what}");
        Figure::new(Bytes(bytes as f64), Provenance::Datasheet, source)
    };
    Ok(Processor {
        name: session.roofs.name.to_owned(),
        title: format!("{}, as measured", gpu.name()),
        kind: ProcessorKind::Gpu,
        memory: ProcessorMemory {
            title: "device memory, by copies".to_owned(),
            bandwidth: bandwidth.clone(),
            copy_bandwidth: Some(bandwidth),
            capacity: Some(said(gpu.capacity()?, "the size of the memory")),
            driver_keeps: None,
        },
        units: None,
        last_level_cache: (cache > 0).then(|| said(cache, "the size of the L2 cache")),
        power: None,
        peaks,
        disputed: Vec::new(),
        unknown,
    })
}
