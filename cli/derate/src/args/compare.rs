//! The options of `derate compare`.

use std::path::PathBuf;

use super::Format;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Reads what `derate bench gemv|gemm|attention|mlp` writes (derate.measurement/1), of any device of the platform's kind. A \
        prediction is the roofline of the arithmetic that ran: max(operations / peak, bytes / bandwidth). Apart from it, shares of peak and \
        bandwidth, and a launch and a share of its own for operands that fit the last cache where they pay, are fitted on \
        every other shape and tried on the rest; they change no prediction and no platform.\n\n\
        Examples:\n  derate compare gemm.json gemv.json --platform cpu.toml\n  \
        derate compare card.json                       on the card that the file names\n  \
        derate compare gemm.json --platform cpu.toml --out accuracy.json"
)]
pub(crate) struct Compare {
    /// Measurements of operators
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// What the prediction is for: a name of `derate platform` or a path to a .toml [default: the card that the files name]
    #[arg(long, visible_alias = "on", value_name = "NAME", value_parser = super::offered::target(), hide_possible_values = true)]
    pub(crate) platform: Option<String>,
    /// Write the comparison with the fitted efficiencies to this file, as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    /// Show every run, not what fits one screen
    #[arg(long)]
    pub(crate) detail: bool,
}
