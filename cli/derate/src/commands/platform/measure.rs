//! `derate platform measure`.

use anyhow::{Context, Error, anyhow, bail};
use derate_host::BenchError;
use derate_host::HeldSignals;
use derate_host::cpu::build_note;
use derate_host::operators::OperatorDevice;
use derate_host::roofs::{Roofs, measure_roofs};
use derate_model::operator::parse_extents;
use derate_model::quantity::ParseQuantity;
use derate_model::units::Bytes;

use crate::args::MeasurePlatform;
use crate::output::{self, MEASURED, Outcome};
use crate::replace::{check_writable, replace_file};

/// The bytes that a stream can have.
const STREAM: std::ops::RangeInclusive<f64> = 4096.0..=(1_u64 << 40) as f64;

pub(super) fn run(args: &MeasurePlatform) -> Result<Outcome, Error> {
    if let Some(path) = &args.out {
        if !path.extension().is_some_and(|own| own.eq_ignore_ascii_case("toml")) {
            bail!("--out {}: a platform file ends in .toml", path.display());
        }
        output::may_replace(path, output::Written::Platform)?;
        check_writable(path)?;
    }
    let sign = |sign: char| sign.is_ascii_alphanumeric() || "-_.".contains(sign);
    if let Some(name) = args.name.as_deref().filter(|own| own.is_empty() || !own.chars().all(sign))
    {
        bail!("--name {name:?}: give letters, digits, -, _ and .");
    }
    let on_cpu = args.device == "cpu";
    let shape = |text: &String| {
        parse_extents::<3>(text, "MxNxK").map_err(|error| anyhow!("--shape: {error}"))
    };
    let stream = match &args.size {
        None => None,
        Some(text) => {
            let bytes = Bytes::parse_quantity(text).map_err(|error| anyhow!("--size: {error}"))?.0;
            if !STREAM.contains(&bytes) {
                bail!("--size {text}: give 4 kB to 1 TiB");
            }
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
            Some(bytes as u64)
        }
    };
    let command = output::command_line();
    let device = OperatorDevice::named(&args.device, args.ports.map(usize::from))?;
    let what = Roofs {
        name: args.name.as_deref().unwrap_or(if on_cpu { "cpu" } else { "gpu" }),
        command: &command,
        stream,
        shapes: args.shape.iter().map(shape).collect::<Result<_, _>>()?,
    };
    let mut progress = output::show_progress;
    let signals = HeldSignals::new().context("signals cannot be caught")?;
    let measured = measure_roofs(&device, &what, &|| signals.asked().is_some(), &mut progress);
    progress("");
    let measured = match measured {
        Ok(measured) => measured,
        Err(BenchError::Cancelled) => {
            output::note("stopped before it was through: nothing is written");
            return Ok(Outcome::Clean);
        }
        Err(error) => return Err(error.into()),
    };
    let words = command.strip_prefix("derate ").unwrap_or(&command);
    let text = format!(
        "{MEASURED}{words}`. Figures of one moment on one machine: another run gives others.\n{}",
        measured.processor.to_toml()
    );
    for text in build_note().filter(|_| on_cpu).iter().chain(&measured.notes) {
        output::note(&format!("note: {text}"));
    }
    match &args.out {
        Some(path) => {
            replace_file(path, text.as_bytes())?;
            output::note(&format!("wrote {}", path.display()));
        }
        None => output::put_bytes(text.as_bytes())?,
    }
    Ok(Outcome::Clean)
}
