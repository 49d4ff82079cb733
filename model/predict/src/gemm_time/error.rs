use derate_source::Reason;
use derate_units::figures::{grouped, quantity};
use derate_units::{Encoding, Ops, Precision};

/// Why the time of a product is not known: one sentence without its stop.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GemmTimeError {
    /// It is a processor, and only GPUs were timed.
    #[error("no GEMM timings of CPUs are known here: measure {0} with `derate bench`")]
    Cpu(String),
    /// It is a card, and only GPUs were timed.
    #[error("no GEMM timings of FPGA cards are known here")]
    Card,
    /// The peak is not known.
    #[error("{0}")]
    Peak(#[from] Reason),
    /// The file of the processor lacks a figure.
    #[error("the file of {title} gives no {figure}")]
    NoFigure {
        /// The processor.
        title: String,
        /// The figure.
        figure: &'static str,
    },
    /// Nobody timed such products.
    #[error(
        "no GEMM timings of {title} in {arithmetic} are known here, nor of several other GPUs that could replace them"
    )]
    NoTimings {
        /// The processor.
        title: String,
        /// What is multiplied.
        arithmetic: Precision,
    },
    /// An extent is smaller or larger than those that were timed.
    #[error(
        "{name} of {} lies outside of the products that were timed, {} to {}",
        grouped(*extent as f64),
        grouped(*least as f64),
        grouped(*most as f64)
    )]
    Extent {
        /// `M`, `N` or `K`.
        name: &'static str,
        /// Its own.
        extent: u64,
        /// The smallest that was timed.
        least: u64,
        /// The largest that was timed.
        most: u64,
    },
    /// The product is larger than those that were timed.
    #[error("a product of {} is larger than the {} that were timed", quantity(*own), quantity(*most))]
    TooLarge {
        /// Its operations.
        own: Ops,
        /// Those of the largest that was timed.
        most: Ops,
    },
    /// Operands are stored in another format than was timed.
    #[error(
        "the timings are of operands in {arithmetic}, and converting {operand} from {encoding} was not timed"
    )]
    Converted {
        /// What was timed.
        arithmetic: Precision,
        /// Which operand.
        operand: &'static str,
        /// How it is stored.
        encoding: Encoding,
    },
    /// A roof is not that of the platform's file.
    #[error(
        "the constants go with peak and bandwidth of the platform's file, and --peak or --bandwidth replaces one of them"
    )]
    OtherRoofs,
    /// Sums are not kept as in the timings.
    #[error(
        "the timings are taken to be of sums in {0}, as the first peak of the platform's file is"
    )]
    OtherSums(Precision),
    /// The constants that derate ships cannot be read.
    #[error("model/gemm_constants.toml: {0}")]
    Constants(#[from] toml::de::Error),
}
