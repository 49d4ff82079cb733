//! What a bench is asked for, and what of it makes no sense.

use anyhow::{Error, anyhow, bail};
use derate_host::cuda::CudaName;
use derate_host::measure::Repeat;
use derate_model::Precision;
use derate_model::measurement::Kind;
use derate_model::quantity::ParseQuantity;
use derate_model::units::Bytes;

use crate::args::{self, BenchKind};

const SIZE: u64 = 64 << 20;

pub(super) fn kind(args: &args::Bench) -> Kind {
    match args.kind {
        BenchKind::Memcpy => Kind::Memcpy,
        BenchKind::Read => Kind::Read,
        BenchKind::Write => Kind::Write,
        BenchKind::Gemm => Kind::Gemm,
        BenchKind::Gemv => Kind::Gemv,
        BenchKind::Attention => Kind::Attention,
        BenchKind::Mlp => Kind::Mlp,
    }
}

/// Whether it is no card's, but a whole machine: a processor or a GPU.
pub(super) fn is_machine(args: &args::Bench) -> bool {
    args.device() == "cpu" || CudaName::is_meant(args.device())
}

/// Refuses what only operators have of a stream, of a stream what only it has, and operators that have no kernel there.
pub(super) fn check_operator(args: &args::Bench) -> Result<(), Error> {
    let kind = kind(args);
    if args.causal && kind != Kind::Attention {
        bail!("--causal is for attention");
    }
    if args.backward && kind != Kind::Mlp {
        bail!("--backward is for mlp");
    }
    if kind.operator().is_some() {
        if !args.size.is_empty() {
            bail!("--size is for streams: a product has --shape");
        }
        let machine = is_machine(args);
        if !machine && kind != Kind::Gemm {
            bail!("{kind} has no kernel for --device {}: it runs on cpu and cuda:0", args.device());
        }
        if !machine && args.sweep {
            bail!("--sweep is for cpu and cuda:0: on {} give each --shape", args.device());
        }
        return Ok(());
    }
    if !args.shape.is_empty() || args.sweep {
        bail!("--shape and --sweep are for operators: a stream has --size");
    }
    if !args.precision.is_empty() {
        bail!("--precision is for operators: a stream moves words, whatever is in them");
    }
    Ok(())
}

/// The precisions that are asked for; FP32 where none is.
pub(super) fn precisions(args: &args::Bench) -> Result<Vec<Precision>, Error> {
    if args.precision.is_empty() {
        return Ok(vec![Precision::FP32]);
    }
    let mut all = Vec::with_capacity(args.precision.len());
    for word in &args.precision {
        let one = Precision::parse(word).ok_or_else(|| {
            anyhow!("--precision: `{word}` is no known precision: give fp32, fp16, bf16 or int8")
        })?;
        if !all.contains(&one) {
            all.push(one);
        }
    }
    Ok(all)
}

pub(super) fn sizes(args: &args::Bench) -> Result<Vec<u64>, Error> {
    if args.size.is_empty() {
        return Ok(vec![SIZE]);
    }
    let one = |text: &String| {
        let bytes = Bytes::parse_quantity(text).map_err(|error| anyhow!("--size: {error}"))?.0;
        if bytes.fract() != 0.0 || bytes > (1_u64 << 50) as f64 {
            bail!("--size {text}: give a whole number of bytes that some memory could hold");
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "checked above"
        )]
        Ok(bytes as u64)
    };
    args.size.iter().map(one).collect()
}

pub(super) fn repeat(args: &args::Bench) -> Repeat {
    Repeat { repetitions: usize::from(args.repetitions), warm_up: usize::from(args.warm_up) }
}

/// Refuses what is of a card.
pub(super) fn is_no_card(args: &args::Bench) -> Result<(), Error> {
    let of_a_card = [
        args.banks.is_some(),
        args.clock.is_some(),
        !args.source.is_empty(),
        args.xclbin.is_some(),
        args.platform.is_some(),
        args.port_bits.is_some(),
    ];
    if of_a_card.contains(&true) {
        bail!(
            "--banks, --clock, --source, --xclbin, --platform and --port-bits are of a card: {} has none of them",
            args.device()
        );
    }
    Ok(())
}
