//! This machine.

use derate_model::measurement::KernelKind;
use derate_model::units::Bytes;
use derate_model::{
    Figure, Precision, Processor, ProcessorKind, ProcessorMemory, Provenance, UnknownPeak,
};

use super::{STREAMS, Session};
use crate::cpu::{
    LastCache, Machine, count_processors, crowd_note, measure_streams, processor_name,
};
use crate::error::BenchError;

/// Arrays of so many times the last cache: what is left in it is a small part.
const TIMES: u64 = 4;

/// Bytes of a stream where nobody tells of a cache.
const UNKNOWN_CACHE: u64 = 1 << 30;

/// No stream is larger.
const LARGEST: u64 = 4 << 30;

/// Rows, columns and terms of the products, of which the fastest counts.
pub(super) const SHAPES: [[u64; 3]; 4] =
    [[800, 800, 800], [1088, 1088, 1088], [1600, 1600, 1024], [1200, 2048, 1024]];

/// Measures this machine.
pub(super) fn measure_cpu(
    threads: usize,
    session: &mut Session<'_, '_>,
) -> Result<Processor, BenchError> {
    let cache = LastCache::of_this_machine().map(|cache| cache.of_threads(threads));
    let beyond =
        cache.map_or(UNKNOWN_CACHE, |own| own.total_bytes().saturating_mul(TIMES).min(LARGEST));
    let bytes = session.roofs.stream.unwrap_or(beyond);
    let setup = Machine { bytes: vec![bytes], threads, repeat: STREAMS };
    let mut stream = |kind: KernelKind, what: &str| {
        session.go_on()?;
        let measured = measure_streams(kind, &setup, session.progress)?;
        session.stream_bandwidth(&measured, what)
    };
    let read = stream(KernelKind::Read, "read")?;
    let copy = stream(KernelKind::Memcpy, "copy")?;
    // No roof is below what was seen.
    let bandwidth = if copy.value.0 > read.value.0 { copy.clone() } else { read };
    let in_cache = cache.is_some_and(|own| bytes <= own.total_bytes());
    let title = if in_cache {
        session.notes.push(format!(
            "streams of {bytes} bytes fit the last-level cache: the bandwidth is not the main memory's; leave --size out"
        ));
        "what holds the streams"
    } else {
        "main memory"
    };
    let peaks = [Precision::FP32, Precision::INT8]
        .into_iter()
        .map(|precision| session.find_peak(precision, &SHAPES))
        .collect::<Result<Vec<_>, _>>()?;
    let widened = |precision: Precision, wider: Precision| UnknownPeak {
        arithmetic: precision,
        reason: format!(
            "derate has no kernel here that multiplies {precision}: elements stored so are widened to {wider}, whose peak counts"
        ),
        absent: false,
        computed_as: Some(wider),
    };
    session.notes.extend(crowd_note(threads));
    let cores = count_processors();
    let units = Figure::new(
        threads as f64,
        Provenance::Measured,
        format!(
            "threads that every figure here was measured with; this process may use {cores} processors"
        ),
    );
    let cache = cache.map(|own| {
        let source = format!(
            "/sys/devices/system/cpu: {} of the last level with {} bytes each, as many as {} may use at a time",
            own.count, own.bytes, session.on
        );
        Figure::new(Bytes(own.total_bytes() as f64), Provenance::Derived, source)
    });
    Ok(Processor {
        name: session.roofs.name.to_owned(),
        title: format!("{}, as measured on {}", processor_name(), session.on),
        kind: ProcessorKind::Cpu,
        memory: ProcessorMemory {
            title: title.to_owned(),
            bandwidth,
            copy_bandwidth: Some(copy),
            capacity: None,
            driver_keeps: None,
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
