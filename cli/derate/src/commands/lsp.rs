//! `derate lsp`.

use std::io::{IsTerminal, stdin};

use anyhow::{Error, bail};

use crate::output::Outcome;

pub(crate) fn run() -> Result<Outcome, Error> {
    if stdin().is_terminal() {
        bail!(
            "derate lsp speaks to an editor, not to a terminal: `derate lsp --help` shows how an editor starts it"
        );
    }
    derate_lsp::serve_stdio()?;
    Ok(Outcome::Clean)
}
