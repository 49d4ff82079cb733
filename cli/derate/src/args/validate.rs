//! The options of `derate validate`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use derate_model::measurement::Verdict;

use super::Format;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Reads what `derate bench` writes (derate.measurement/1) and what `xbutil validate -f JSON` or `xrt-smi validate\n\
        -f JSON` prints. A verdict is one of\n  \
        supported     at least 93 % of the claim was reached\n  \
        refuted       less was; why, by the bandwidth model\n  \
        implausible   more than the ports and channels could carry, other bytes than the kernel moves, wrong results,\n                \
                      more kernel calls than the time has room for, more arithmetic than the card has\n  \
        inconclusive  a field is missing or is nothing that the card has, there is too little work, or one bank was used,\n                \
                      which is never multiplied\n  \
        not-evidence  emulated, modelled, or measured on something else than the claim is about\n\n\
        The claim is --bandwidth, about whatever was measured: of a processor, too, whose peak is not known, so that nothing \
        is implausible there but wrong results and other bytes; else [derate] bandwidth of the project, else [claims] \
        bandwidth, about its card; else 300 GB/s on a U280.\n\n\
        Exits with 0 if every file supports the claim, else with 1; with --expect, if every file gets that verdict.\n\n\
        Examples:\n  derate validate memcpy.json read.json\n  derate validate read.json --project hw/accelerator\n  \
        derate validate read.json --bandwidth \"420 GB/s\"\n  derate validate u280.json --format json\n  \
        derate validate --expect refuted narrow.json"
)]
pub(crate) struct Validate {
    /// Measurements; without any, those that derate.toml names under measurements
    pub(crate) files: Vec<PathBuf>,
    /// The project whose claim counts: a folder with a derate.toml, or that file [default: this folder, if it has one]
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// The bandwidth that is claimed, such as "300 GB/s" [default: the project's]
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) bandwidth: Option<String>,
    /// Exit with 0 if every file gets this verdict, with 1 if not
    #[arg(long, value_name = "VERDICT", value_parser = verdict_words())]
    pub(crate) expect: Option<Verdict>,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

/// The verdicts, listed in the help.
fn verdict_words() -> impl TypedValueParser<Value = Verdict> {
    PossibleValuesParser::new(Verdict::ALL.map(Verdict::as_str)).try_map(|word| {
        let known = Verdict::ALL.into_iter().find(|verdict| verdict.as_str() == word);
        known.ok_or("no such verdict")
    })
}
