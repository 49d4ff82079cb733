//! This machine.

use derate_model::measurement::Kind;
use derate_model::units::Bytes;
use derate_model::{
    Figure, Precision, Processor, ProcessorKind, ProcessorMemory, Provenance, UnknownPeak,
};

use super::{Roofs, STREAMS, counted, peak, reached};
use crate::bench::{BenchError, Cancel, OperatorDevice, Progress};
use crate::cpu::{LastCache, Machine, name, streams};

/// Arrays of so many times the last cache: what is left in it is no large part.
const TIMES: u64 = 4;

/// Bytes of a stream where nobody tells of a cache.
const UNKNOWN_CACHE: u64 = 1 << 30;

/// No stream is larger.
const LARGEST: u64 = 4 << 30;

/// Rows, columns and terms of the products, of which the fastest counts.
const SHAPES: [[u64; 3]; 4] =
    [[768, 768, 768], [1024, 1024, 1024], [1536, 1536, 1024], [1200, 2048, 1024]];

/// Measures this machine.
pub(super) fn roofs(
    threads: usize,
    device: &OperatorDevice,
    roofs: &Roofs<'_>,
    cancel: Cancel<'_>,
    progress: Progress<'_>,
) -> Result<Processor, BenchError> {
    let on = counted(threads, "thread");
    let cache = LastCache::of_this_machine();
    let beyond = cache.map_or(UNKNOWN_CACHE, |own| {
        own.bytes.saturating_mul(own.count as u64).saturating_mul(TIMES).min(LARGEST)
    });
    let bytes = vec![roofs.stream.unwrap_or(beyond)];
    let setup = Machine { bytes, threads, repeat: STREAMS };
    let mut stream = |kind: Kind, what: &str| {
        if cancel() {
            return Err(BenchError::Cancelled);
        }
        let measured = streams(kind, &setup, progress)?;
        let run = measured.runs.first().ok_or_else(|| BenchError::Setup("no run".to_owned()))?;
        reached(run, what, &on, roofs)
    };
    let bandwidth = stream(Kind::Read, "read")?;
    let copy_bandwidth = stream(Kind::Memcpy, "copy")?;
    let peaks = [Precision::FP32, Precision::INT8]
        .into_iter()
        .map(|precision| peak(precision, &SHAPES, &on, device, roofs, cancel, progress))
        .collect::<Result<Vec<_>, _>>()?;
    let widened = |precision: Precision, wider: Precision| UnknownPeak {
        arithmetic: precision,
        reason: format!(
            "derate has no kernel here that multiplies {precision}: elements stored so are widened to {wider}, whose peak counts"
        ),
        computed_as: Some(wider),
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let units = Figure::new(
        threads as f64,
        Provenance::Measured,
        format!(
            "threads that every figure here was measured with; this process may use {cores} processors"
        ),
    );
    let cache = cache.map(|own| {
        let source = format!("/sys/devices/system/cpu: {} of the last level", own.count);
        Figure::new(Bytes(own.bytes as f64 * own.count as f64), Provenance::Datasheet, source)
    });
    Ok(Processor {
        name: roofs.name.to_owned(),
        title: format!("{}, as measured on {on}", name()),
        kind: ProcessorKind::Cpu,
        memory: ProcessorMemory {
            title: "main memory".to_owned(),
            bandwidth,
            copy_bandwidth: Some(copy_bandwidth),
            capacity: None,
        },
        units: Some(units),
        last_level_cache: cache,
        power: None,
        peaks,
        disputed: Vec::new(),
        unknown: vec![
            widened(Precision::FP16, Precision::FP32),
            widened(Precision::BF16, Precision::FP32),
            widened(Precision::INT8, Precision::INT16),
        ],
    })
}
