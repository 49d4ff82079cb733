//! The options of `derate audit`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::Preprocess;

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum AuditFormat {
    /// For people
    Text,
    /// For machines
    Json,
    /// SARIF 2.1.0, for code-scanning services and editors
    Sarif,
    /// Annotations for a GitHub Actions workflow; run it in the repository's root
    Github,
}

/// The side of a disagreement that `audit --fix` edits.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Fix {
    /// derate.toml, to what the code and the card do; and a constant of the code that no tensor has
    Claim,
    /// The source: an alias becomes the type that its name promises; and such a constant
    Code,
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Needs no derate.toml: code, reports, scripts and v++ configurations below the folder are found and audited. A \
        derate.toml adds claims, a card and the dump of a model; what needs them is named as not checked.\n\n\
        Exits with 1 if a finding that it shows is at level error; after --write, if one is left.\n\n\
        A rule's level is set in derate.toml: [audit.levels] \"shape/mismatch\" = \"error\", \"warning\", \"note\" or \"off\".\n\
        A comment beside a finding, or alone on the line above it, allows it; it must say why:\n  \
        using bfloat16_t = float; // derate: allow(precision/alias-width): C simulation only\n\n\
        Examples:\n  derate audit\n  derate audit fixtures/smolvla --format json\n  \
        derate audit --format sarif > derate.sarif\n  derate audit hw/accelerator --format github\n  \
        derate audit --only report/ii --detail    every finding of one rule, in full\n  \
        derate audit hls_project --exclude third_party --exclude 'hw/old/*'\n  \
        derate audit --fix                  show how derate.toml would become true\n  \
        derate audit --fix=code             show how the source would\n  \
        derate audit --fix=claim --write    write it; every other byte stays"
)]
pub(crate) struct Audit {
    /// The folder to audit, or its derate.toml; one without is audited as far as its files show it
    #[arg(default_value = ".")]
    pub(crate) project: PathBuf,
    #[command(flatten)]
    pub(crate) preprocess: Preprocess,
    /// Leave out the files and folders that match; a name is of any folder: `tests`, `hw/old/*`, `**/*_ref.cpp`; repeatable
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Audit this solution where scripts make several: its top, clock, macros and directives, and its reports
    #[arg(long, value_name = "NAME")]
    pub(crate) solution: Option<String>,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: AuditFormat,
    /// Show each finding in full, not what fits one screen
    #[arg(long)]
    pub(crate) detail: bool,
    /// Show only the findings of this rule; repeatable
    #[arg(long, value_name = "CODE", value_parser = super::offered::rule(crate::commands::rules::read_code), hide_possible_values = true, conflicts_with = "fix")]
    pub(crate) only: Vec<&'static str>,
    /// Show the diff that fixes what an edit can fix [default: claim]
    #[arg(
        long,
        value_enum,
        value_name = "WHAT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "claim"
    )]
    pub(crate) fix: Option<Fix>,
    /// Write what --fix shows, all files or none
    #[arg(long)]
    pub(crate) write: bool,
}
