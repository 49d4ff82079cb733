//! Operators on this machine: loops of derate's own, vectorised for the processor that is there, over threads.
//!
//! FP32, FP16 and BF16 are multiplied and summed in single precision, whatever they are stored in; INT8 is widened to 16 bits,
//! summed in 32 and rounded back. Each run says what really ran.

#![expect(
    clippy::inline_always,
    reason = "what is not inlined into a function for a processor's extensions is not compiled for them"
)]

mod attention;
mod dot_bytes;
mod elementwise;
mod epilogue;
mod gemm;
mod gemv;
mod held;
mod level;
mod mlp;
mod number;
mod pack;
mod packed;
mod product;
mod stop;
mod team;
mod training;

use std::time::Instant;

use derate_model::measurement::{BytesFrom, Computed, ResultCheck, Run};
use derate_model::operator::{Mlp, OperatorFormats, Shape};
use derate_model::units::{Bytes, Seconds};
use derate_model::{Encoding, Mixture, Precision};
use half::{bf16, f16};

use crate::error::BenchError;
use crate::measure::{Cancel, Progress, Repeat, record_shape, require_memory};
use crate::oracle::{Numbers, Oracle};
use crate::packed::PackedFormat;
use gemv::exact_array;
use number::{Number, Real};
use stop::Stop;

/// An extent or a number of elements.
type Extent = usize;

/// What is repeated, timed and checked.
trait Operator {
    /// Computes it once: this is timed. Once `stop` hears yes, the rest is left.
    fn run(&mut self, stop: &Stop<'_>);
    /// Wipes the result, so that what was not computed shows.
    fn wipe_result(&mut self);
    /// Holds the result against what it must be, until `cancel` says yes; the oracle is made once.
    fn check_result(
        &self,
        oracle: &mut Option<Oracle>,
        cancel: Cancel<'_>,
    ) -> Result<ResultCheck, BenchError>;
}

/// Elements that a matrix may have here.
const MOST_ELEMENTS: f64 = (1_u64 << 27) as f64;

/// Layers, or heads of all sequences.
const MOST_PIECES: f64 = 65_536.0;

/// Terms whose products of 8 bits any 32-bit sum holds.
const MOST_INTEGER_TERMS: u64 = (1 << 17) - 1;

/// Numbers that are drawn between two questions whether to go on.
const AT_ONCE: Extent = 1 << 20;

/// Numbers of that type that look random, each time the same, until `cancel` says yes.
fn draw_operands<E: Number>(
    count: Extent,
    seed: u64,
    cancel: Cancel<'_>,
) -> Result<Vec<E>, BenchError> {
    let mut numbers = Numbers::new(seed);
    let mut all = Vec::with_capacity(count);
    while all.len() < count {
        if cancel() {
            return Err(BenchError::Cancelled);
        }
        let more = AT_ONCE.min(count - all.len());
        all.extend((0..more).map(|_| E::draw(&mut numbers)));
    }
    Ok(all)
}

/// An extent as this machine counts.
fn to_extent(extent: u64) -> Result<Extent, BenchError> {
    Extent::try_from(extent)
        .map_err(|_| BenchError::Setup(format!("{extent} is more than this machine addresses")))
}

/// By how many bits the sum of so many products of integers is moved, so that most fit eight.
fn result_shift<E: Number>(terms: Extent) -> u32 {
    if E::STEP == 1 { 0 } else { 7 + terms.max(1).ilog2() / 2 }
}

/// What this machine computes an operator in.
pub(crate) fn name_vectors() -> &'static str {
    level::name_vectors()
}

fn setup_error<T>(text: String) -> Result<T, BenchError> {
    Err(BenchError::Setup(text))
}

/// Bytes that operands, result and oracle take on a processor, and a sentence where a matrix is too large.
pub fn operator_bytes(shape: &Shape, stored: impl Into<Encoding>) -> Result<u64, BenchError> {
    let element = f64::from(stored.into().element().bits()) / 8.0;
    let area = |a: u64, b: u64| a as f64 * b as f64;
    // Elements that are kept, those of the largest matrix, and what the oracle has in f64.
    let (kept, largest, oracle) = match shape {
        Shape::Gemv { n, k } => (area(*n, *k), area(*n, *k), 2.0 * area(*n, *k)),
        Shape::Gemm { m, n, k } => {
            let (operands, result) = (area(*m, *k) + area(*k, *n), area(*m, *n));
            let largest = area(*m, *k).max(area(*k, *n)).max(result);
            (operands + 2.0 * result, largest, 2.0 * operands + 4.0 * result)
        }
        Shape::Attention(of) => {
            let rows = area(of.batch, of.heads) * area(of.queries, of.head_dim);
            let cached = area(of.batch, of.kv_heads) * area(of.keys, of.head_dim);
            let scores = area(of.heads / of.kv_heads.max(1), of.queries) * of.keys as f64;
            let one = 4.0 * scores + 4.0 * (rows + cached) / area(of.batch, of.kv_heads).max(1.0);
            (2.0 * (rows + cached), rows.max(cached).max(scores), one)
        }
        Shape::Mlp(of) => {
            let (weights, flow) = (area(of.width, of.width), area(of.batch, of.width));
            let layers = of.layers as f64;
            let largest = (layers * weights).max(layers * flow);
            if of.backward {
                // Weights and their gradients, three flows a layer and three more; what a thread sums in.
                let kept = (2.0 * layers + 1.0) * weights + (3.0 * layers + 4.0) * flow;
                (kept, largest, 5.0 * weights + 8.0 * flow)
            } else {
                let kept = layers * weights + (layers + 2.0) * flow;
                (kept, largest, 2.0 * weights + 5.0 * flow)
            }
        }
    };
    // Each of these is a piece of work of its own.
    let pieces = match shape {
        Shape::Attention(of) => area(of.batch, of.heads),
        Shape::Mlp(of) => of.layers as f64,
        Shape::Gemv { .. } | Shape::Gemm { .. } => 1.0,
    };
    if pieces > MOST_PIECES {
        return setup_error(format!(
            "{} of {} has more than {MOST_PIECES} layers, or heads of all sequences: give a smaller shape",
            kind_of(shape),
            shape.title()
        ));
    }
    if largest > MOST_ELEMENTS {
        return setup_error(format!(
            "{} of {} has more than {MOST_ELEMENTS} elements in one matrix: give a smaller shape",
            kind_of(shape),
            shape.title()
        ));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "less than 2^40")]
    Ok((kept * element.max(4.0) + 8.0 * oracle) as u64)
}

fn kind_of(shape: &Shape) -> derate_model::measurement::KernelKind {
    shape.kind().into()
}

/// What there is once its operands are drawn; none where nothing computes it.
type Made = Result<Option<Box<dyn Operator>>, BenchError>;

/// An operator whose elements are floats.
fn make_real<E: Real>(shape: &Shape, threads: usize, cancel: Cancel<'_>) -> Made {
    Ok(Some(match shape {
        Shape::Attention(of) => Box::new(attention::Attention::<E>::new(of, threads, cancel)?),
        Shape::Mlp(of) => {
            let extents = [to_extent(of.batch)?, to_extent(of.width)?, to_extent(of.layers)?];
            if of.backward {
                Box::new(training::Training::<E>::new(extents, threads, cancel)?)
            } else {
                Box::new(mlp::Mlp::<E>::new(extents, threads, cancel)?)
            }
        }
        _ => return make_product::<E>(shape, threads, cancel),
    }))
}

/// A product, of any elements.
fn make_product<E: Number>(shape: &Shape, threads: usize, cancel: Cancel<'_>) -> Made {
    Ok(Some(match *shape {
        Shape::Gemv { n, k } => {
            Box::new(gemv::Gemv::<E>::new([to_extent(n)?, to_extent(k)?], threads, cancel)?)
        }
        Shape::Gemm { m, n, k } => {
            let extents = [to_extent(m)?, to_extent(n)?, to_extent(k)?];
            Box::new(gemm::Gemm::<E>::new(extents, threads, cancel)?)
        }
        Shape::Attention(_) | Shape::Mlp(_) => return Ok(None),
    }))
}

fn computed_by<E: Number>() -> Computed {
    Computed {
        arithmetic: E::ARITHMETIC.to_owned(),
        accumulate: E::ACCUMULATE.to_owned(),
        engine: format!("{}, {}", E::ENGINE, level::name_vectors()),
    }
}

/// What computes elements of that precision; a sentence where nothing does.
pub(crate) fn describe_arithmetic(stored: Encoding) -> Result<Computed, BenchError> {
    match stored.plain() {
        Some(Precision::FP32) => Ok(computed_by::<f32>()),
        Some(Precision::FP16) => Ok(computed_by::<f16>()),
        Some(Precision::BF16) => Ok(computed_by::<bf16>()),
        Some(Precision::INT8) => Ok(computed_by::<i8>()),
        _ if PackedFormat::of(stored).is_some() => Ok(packed::describe(stored)),
        _ => setup_error(format!(
            "{stored} has no kernel on a processor: give fp32, fp16, bf16 or int8, or weights in fp8, fp8-e5m2, int8-row, mxfp8, \
             mxfp8-e5m2, mxfp4, nvfp4, nf4, int4 or int4-g32, int4-g64, int4-g128, int4-g256"
        )),
    }
}

/// A sentence where no kernel here runs that shape in that precision.
pub(crate) fn check_support(shape: &Shape, stored: impl Into<Encoding>) -> Result<(), BenchError> {
    let stored = stored.into();
    describe_arithmetic(stored)?;
    operator_bytes(shape, stored)?;
    if let Some(format) = PackedFormat::of(stored) {
        packed::check(format, stored, shape)?;
    }
    let precision = stored.plain().unwrap_or(Precision::FP32);
    match shape {
        Shape::Mlp(of) if of.backward && of.layers > training::MOST_LAYERS as u64 => {
            setup_error(format!(
                "an mlp of {} layers runs forward only: give at most {} to run backward, too, as the gradients of more may leave the \
                 numbers that fp16 has",
                of.layers,
                training::MOST_LAYERS
            ))
        }
        Shape::Mlp(of) if of.apart => {
            setup_error("an mlp on a processor has GELU fused with its products".to_owned())
        }
        Shape::Attention(of)
            if of.scores != derate_model::operator::Scores::Fused || of.window.is_some() =>
        {
            setup_error("attention on a processor is fused and has no window".to_owned())
        }
        Shape::Gemv { k, .. } | Shape::Gemm { k, .. }
            if precision == Precision::INT8 && *k > MOST_INTEGER_TERMS =>
        {
            setup_error(format!(
                "sums of {k} products of 8 bits may leave 32 bits: give at most {MOST_INTEGER_TERMS} terms"
            ))
        }
        Shape::Attention(_) | Shape::Mlp(_) if precision == Precision::INT8 => {
            setup_error(no_kernel(shape, precision))
        }
        Shape::Attention(of) => {
            of.check_heads().map_err(|error| BenchError::Setup(error.to_string()))
        }
        _ => Ok(()),
    }
}

fn no_kernel(shape: &Shape, precision: Precision) -> String {
    format!(
        "{} in {} has no kernel on a processor, as its sums pass through exponentials: give fp32, fp16 or bf16",
        kind_of(shape),
        precision.key()
    )
}

/// The operator with its operands drawn; a sentence where there is none.
fn make_operator(
    shape: &Shape,
    stored: impl Into<Encoding>,
    threads: usize,
    cancel: Cancel<'_>,
) -> Result<Box<dyn Operator>, BenchError> {
    let stored = stored.into();
    if let Some(format) = PackedFormat::of(stored) {
        let operator = packed::make(format, shape, threads, cancel)?;
        return operator
            .ok_or_else(|| BenchError::Setup(format!("no kernel runs that in {stored}")));
    }
    let precision = stored.plain().unwrap_or(Precision::FP32);
    let operator = match precision {
        Precision::FP32 => make_real::<f32>(shape, threads, cancel),
        Precision::FP16 => make_real::<f16>(shape, threads, cancel),
        Precision::BF16 => make_real::<bf16>(shape, threads, cancel),
        _ => make_product::<i8>(shape, threads, cancel),
    }?;
    operator.ok_or_else(|| BenchError::Setup(no_kernel(shape, precision)))
}

/// Repeats one operator on so many threads, each result checked. `cancel` is asked while operands are drawn, in
/// repetitions and between them, and in their checks.
pub(crate) fn measure_operator(
    shape: &Shape,
    stored: impl Into<Encoding>,
    threads: usize,
    repeat: Repeat,
    cancel: Cancel<'_>,
    progress: Progress<'_>,
) -> Result<Run, BenchError> {
    let stored = stored.into();
    if threads == 0 || repeat.repetitions == 0 {
        return setup_error("give at least one thread and one repetition".to_owned());
    }
    check_support(shape, stored)?;
    let mut own = describe_arithmetic(stored)?;
    let title = format!("{} of {} in {stored}", kind_of(shape), shape.title());
    let bytes = operator_bytes(shape, stored)?;
    require_memory(bytes, &format!("checking {} of {}", kind_of(shape), shape.title()))?;
    let mut operator = make_operator(shape, stored, threads, cancel)?;
    // Beside packed weights, activations are FP32.
    let mixture = if PackedFormat::of(stored).is_some() {
        Mixture { weights: stored, ..Mixture::of(Precision::FP32.into()) }
    } else {
        Mixture::of(stored)
    };
    let formats = OperatorFormats::new(mixture);
    let (mut read, mut written) = shape.bytes(&formats);
    if let Shape::Mlp(of @ Mlp { backward: true, .. }) = shape {
        let flow = of.batch as f64 * of.width as f64 * stored.nominal_bits() / 8.0;
        let kept = Bytes(training::kept_matrices(of.layers) * flow);
        (read, written) = (read + kept, written + kept);
        own.engine = format!("{}; {}", own.engine, training::KEPT);
    }
    let mut run = Run {
        size: Some(Bytes((read + written).0.ceil())),
        bytes_read: Some(read),
        bytes_written: Some(written),
        bytes_from: Some(BytesFrom::Formulas),
        warm_up: Some(repeat.warm_up as u64),
        launches: Some(0),
        computed: Some(own),
        ..Run::default()
    };
    record_shape(&mut run, shape, stored.to_string());
    let mut oracle = None;
    let repetitions = repeat.warm_up + repeat.repetitions;
    for at in 0..repetitions {
        if cancel() {
            return Err(BenchError::Cancelled);
        }
        progress(&format!("{title}: {} of {repetitions}", at + 1));
        operator.wipe_result();
        let stop = Stop::new(cancel);
        let begin = Instant::now();
        operator.run(&stop);
        let took = begin.elapsed();
        if stop.heard() {
            return Err(BenchError::Cancelled);
        }
        let this = operator.check_result(&mut oracle, cancel)?;
        if run.check.as_ref().is_none_or(|known| known.passed && !this.passed) {
            run.check = Some(this);
        }
        if at >= repeat.warm_up {
            // A clock may not advance for very short work.
            run.seconds.push(Seconds(took.as_secs_f64().max(1e-9)));
        }
    }
    Ok(run)
}

#[cfg(test)]
mod tests;
