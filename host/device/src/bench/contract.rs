//! How a bench calls a kernel: the arguments that it gives, in their order. Names of kernels and arguments are free.

use std::fmt::Write as _;

use derate_model::bandwidth::Direction;
use derate_model::measurement::KernelKind as Bench;

use super::product::BITS;
use crate::error::BenchError;
use derate_emulate::emulator::{Kernel, KernelArgumentKind};

/// What a kernel is given for an argument.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Given {
    /// Words that it reads.
    Source,
    /// Words that it writes.
    Target,
    /// One word that it writes in the end.
    Sum,
    /// A whole number.
    Number,
}

/// How a bench calls a kernel.
#[derive(Clone, Debug)]
pub struct Contract {
    bench: Bench,
    bits: u32,
    arguments: &'static [(&'static str, Given)],
}

impl Contract {
    /// That of a bench, with ports of so many bits; those of a product have 512.
    pub fn of(bench: Bench, bits: u32) -> Self {
        use Given::{Number, Source, Sum, Target};
        let arguments: &[_] = match bench {
            Bench::Memcpy => &[("src", Source), ("dst", Target), ("words", Number)],
            Bench::Read => &[("src", Source), ("sum", Sum), ("words", Number)],
            Bench::Write => &[("dst", Target), ("words", Number), ("seed", Number)],
            Bench::Gemm => &[
                ("a", Source),
                ("b", Source),
                ("c", Target),
                ("m", Number),
                ("n", Number),
                ("k", Number),
            ],
            // derate calls no kernel of a card for these.
            Bench::Gemv | Bench::Attention | Bench::Mlp => &[],
        };
        Self { bench, bits: if bench == Bench::Gemm { BITS } else { bits }, arguments }
    }

    /// `void NAME(port<const ap_uint<512>> src, ...)`
    pub fn signature(&self, name: &str) -> String {
        let mut text = format!("void {name}(");
        for (at, (argument, given)) in self.arguments.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            let kind = match given {
                Given::Source => format!("port<const ap_uint<{}>>", self.bits),
                Given::Target | Given::Sum => format!("port<ap_uint<{}>>", self.bits),
                Given::Number => "uint32_t".to_owned(),
            };
            let _ = write!(text, "{comma}{kind} {argument}");
        }
        text + ")"
    }

    /// The directions of the streams, by argument; a sum has none.
    pub(super) fn directions(&self) -> Vec<Option<Direction>> {
        let way = |given: &Given| match given {
            Given::Source => Some(Direction::Read),
            Given::Target => Some(Direction::Write),
            Given::Sum | Given::Number => None,
        };
        self.arguments.iter().map(|(_, given)| way(given)).collect()
    }

    /// Whether a kernel can be called so.
    pub(super) fn check_kernel(&self, kernel: &Kernel) -> Result<(), BenchError> {
        let word = self.bits / 8;
        let fits = |given: Given, kind: KernelArgumentKind| match (given, kind) {
            (Given::Source, KernelArgumentKind::Port { bytes, .. }) => bytes == word,
            (Given::Target | Given::Sum, KernelArgumentKind::Port { bytes, writes }) => {
                bytes == word && writes
            }
            (Given::Number, KernelArgumentKind::Scalar { bytes }) => bytes == 4 || bytes == 8,
            _ => false,
        };
        let found = &kernel.arguments;
        let known = |name: &str| self.arguments.iter().any(|(own, _)| *own == name);
        // A name of ours in another's place is an argument in the wrong place.
        let in_place = self.arguments.iter().zip(found).all(|((name, given), one)| {
            fits(*given, one.kind) && (one.name == *name || !known(&one.name))
        });
        if found.len() == self.arguments.len() && in_place {
            return Ok(());
        }
        let shown: Vec<String> = found
            .iter()
            .map(|one| {
                let what = match one.kind {
                    KernelArgumentKind::Result { .. } => "a register that it writes".to_owned(),
                    KernelArgumentKind::Stream { .. } => "a stream".to_owned(),
                    KernelArgumentKind::Scalar { bytes } => {
                        format!("a number of {} bits", 8 * bytes)
                    }
                    KernelArgumentKind::Port { bytes, writes } => {
                        let way = if writes { "read and written" } else { "read" };
                        format!("elements of {} bits, {way}", 8 * bytes)
                    }
                };
                format!("{} ({what})", one.name)
            })
            .collect();
        Err(BenchError::Setup(format!(
            "bench {} calls a kernel as `{}`, where names are free but not the order, and instead of ap_uint<{}> any type of {word} bytes will do; {} takes {}",
            self.bench,
            self.signature(&kernel.name),
            self.bits,
            kernel.name,
            if shown.is_empty() { "nothing".to_owned() } else { shown.join(", ") }
        )))
    }
}
