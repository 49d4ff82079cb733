//! `--limit`: how much of each resource a design may take.

use anyhow::{Error, anyhow};
use derate_model::Budget;

/// What there is; then what `--limit` says. A share is of what there is.
pub(super) fn read_limits(texts: &[String], all: Budget) -> Result<Budget, Error> {
    let mut limits = all;
    for text in texts {
        let error = || {
            anyhow!(
                "--limit `{text}` is not a limit: write one such as dsp=4000 or lut=75%, for dsp, bram18, uram, lut or ff"
            )
        };
        let (name, amount) = text.split_once('=').ok_or_else(error)?;
        let (own, of_all) = match name.trim().to_ascii_lowercase().as_str() {
            "dsp" => (&mut limits.dsp, all.dsp),
            "bram18" => (&mut limits.bram18, all.bram18),
            "uram" => (&mut limits.uram, all.uram),
            "lut" => (&mut limits.lut, all.lut),
            "ff" => (&mut limits.ff, all.ff),
            _ => return Err(error()),
        };
        let amount = amount.trim();
        let number =
            |text: &str| text.trim().parse::<f64>().ok().filter(|n| n.is_finite() && *n >= 0.0);
        *own = Some(
            match amount.strip_suffix('%') {
                Some(percent) => {
                    number(percent).zip(of_all).map(|(percent, all)| percent / 100.0 * all)
                }
                None => number(amount),
            }
            .ok_or_else(error)?,
        );
    }
    Ok(limits)
}
