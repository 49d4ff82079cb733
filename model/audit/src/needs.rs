//! What a rule needs beside code, reports and the v++ configuration.

use serde::Serialize;

use super::AuditInput;

/// What has to be known before a rule can say anything.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Needs {
    /// Nothing but the files.
    Files,
    /// The chip, and a kernel that is scheduled for it.
    Part,
    /// The card: its banks, dies and memory.
    Platform,
    /// The claims of `derate.toml`.
    Claims,
    /// The model's dump, and so the work of an inference.
    Model,
}

impl Needs {
    /// As it is printed.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Files => "files",
            Self::Part => "part",
            Self::Platform => "platform",
            Self::Claims => "claims",
            Self::Model => "model",
        }
    }

    /// In a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Self::Files => "files",
            Self::Part => "the chip",
            Self::Platform => "the card",
            Self::Claims => "claims",
            Self::Model => "the model",
        }
    }

    /// Whether a design has anything that such rules are about.
    pub(crate) fn are_about(self, input: &AuditInput<'_>) -> bool {
        match self {
            Self::Part => input.code.functions().next().is_some(),
            Self::Platform => {
                // No v++ links a design for a Zynq board.
                input.build.connectivity.is_some()
                    || (!input.is_for_zynq() && input.code.functions().next().is_some())
            }
            Self::Files | Self::Claims | Self::Model => true,
        }
    }

    /// Why the input does not have it, and what to add.
    pub(crate) fn explain(self, input: &AuditInput<'_>) -> String {
        let unknown = || input.unknown_part().unwrap_or("no part is named").to_owned();
        match self {
            Self::Files => String::new(),
            Self::Part if input.kernel_models().is_some() => match input.find_too_large() {
                Some(name) => {
                    format!("{name} has too much text, with what it includes, to be scheduled: more than 16 MB, or more than 2.6 million letters")
                }
                None => "no function is known to be a kernel, so none was scheduled; name it: `set_top` in Tcl, `nk=` in the v++ configuration, or an `interface` directive in it"
                    .to_owned(),
            },
            Self::Part => format!(
                "{}; name one: `set_part` and `create_clock` in Tcl, `part=` and `clock=` in hls_config.cfg, or [platform] in derate.toml",
                unknown()
            ),
            Self::Platform => {
                "no card is known; name it: `platform=` in the v++ configuration, or [platform] in derate.toml"
                    .to_owned()
            }
            Self::Claims => {
                "there is no derate.toml; `derate init` writes one, for [claims]".to_owned()
            }
            Self::Model => {
                "no dump of the model is named; `derate init` writes a derate.toml, [model] shapes names it"
                    .to_owned()
            }
        }
    }

    /// Whether the input has it.
    pub(crate) fn are_met(self, input: &AuditInput<'_>) -> bool {
        match self {
            Self::Files => true,
            Self::Part => input.kernel_models().is_some_and(|models| !models.kernels.is_empty()),
            Self::Platform => input.platform.is_some(),
            Self::Claims => input.project.is_some(),
            Self::Model => input.analysis.is_some(),
        }
    }
}
