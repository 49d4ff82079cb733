//! `derate compare FILE...`.

use anyhow::{Context, Error, anyhow, bail};
use derate_model::Target;
use derate_model::accuracy::Accuracy;
use derate_model::load;
use derate_model::measurement::Measurement;
use derate_reports::sections;

use crate::args::Compare;
use crate::commands::platform;
use crate::output::{self, Outcome};
use crate::replace::{check_writable, replace_file};

pub(crate) fn run(args: &Compare) -> Result<Outcome, Error> {
    if let Some(path) = &args.out {
        output::is_no_input(path, &args.files)?;
        output::may_replace(path, output::Written::Comparison)?;
        check_writable(path)?;
    }
    let mut files = Vec::with_capacity(args.files.len());
    for path in &args.files {
        let name = path.display().to_string();
        let measurement = Measurement::parse(&name, &load::read_text(path)?)?;
        files.push((name, measurement));
    }
    let target = choose_target(args, &files)?;
    let accuracy = Accuracy::of(&files, &target, output::command_line()).map_err(Error::msg)?;
    if let Some(path) = &args.out {
        let mut bytes = serde_json::to_vec_pretty(&accuracy)?;
        bytes.push(b'\n');
        replace_file(path, &bytes)?;
        output::note(&format!("wrote {}", path.display()));
    }
    output::put_screen_as(args.format, args.detail, &accuracy, || sections::accuracy(&accuracy))?;
    Ok(Outcome::Clean)
}

/// What is asked for, else the one card that all files name.
fn choose_target(args: &Compare, files: &[(String, Measurement)]) -> Result<Target, Error> {
    if let Some(name) = &args.platform {
        return platform::find_target(name);
    }
    let mut names = files.iter().map(|(_, measurement)| measurement.device.platform.as_deref());
    let first = names.next().flatten().ok_or_else(|| {
        anyhow!("give --platform NAME: the files name no card; `derate platform measure --out cpu.toml` makes one of this machine")
    })?;
    if names.any(|name| name != Some(first)) {
        bail!("the files name several cards, or not all of them one: give --platform NAME");
    }
    platform::find_target(first).with_context(|| format!("the card `{first}` that the files name"))
}
