//! What a makefile for Vitis calls: `v++` and its companions.

mod card;
mod config;
mod object;
mod vpp;
mod words;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Error, bail};
use derate_host::swemu::render_emconfig;

use crate::args::{Format, Inspect, Tool};
use crate::output::{self, Outcome};
use card::find_platform;

/// The tools.
pub(super) const TOOLS: [&str; 5] =
    ["v++", "emconfigutil", "platforminfo", "xclbinutil", "python3"];

pub(crate) fn run(args: &Tool) -> Result<Outcome, Error> {
    let words = &args.words;
    match args.name.as_str() {
        "v++" => vpp::run(words),
        "emconfigutil" => write_emconfig(words),
        "platforminfo" => show_platform(words),
        "python3" => super::python::become_python(words),
        "xclbinutil" => show_design(words),
        other => bail!("there is no tool `{other}`: there are {}", TOOLS.join(", ")),
    }
}

/// The value behind one of these flags.
fn value_of<'w>(words: &'w [String], flags: &[&str]) -> Option<&'w str> {
    let mut pairs = words.iter().zip(words.iter().skip(1));
    let apart = pairs.find(|(flag, _)| flags.contains(&flag.as_str())).map(|(_, value)| value);
    let joined = || {
        let split = words.iter().filter_map(|word| word.split_once('='));
        split.into_iter().find(|(flag, _)| flags.contains(flag)).map(|(_, value)| value)
    };
    apart.map(String::as_str).or_else(joined)
}

/// `emconfigutil --platform P --od FOLDER --nd N`
fn write_emconfig(words: &[String]) -> Result<Outcome, Error> {
    let Some(name) = value_of(words, &["--platform", "-f", "-p"]) else {
        bail!("emconfigutil: name the platform with --platform");
    };
    let platform = find_platform(name)?;
    let count = value_of(words, &["--nd", "-n"]).unwrap_or("1");
    let Some(count) = count.parse().ok().filter(|count| (1..=16).contains(count)) else {
        bail!("emconfigutil: --nd {count} is not a number of cards from 1 to 16");
    };
    let folder = PathBuf::from(value_of(words, &["--od", "-o"]).unwrap_or("."));
    let path = folder.join("emconfig.json");
    fs::create_dir_all(&folder)
        .and_then(|()| {
            fs::write(&path, render_emconfig(&platform, count).map_err(std::io::Error::other)?)
        })
        .with_context(|| format!("{} cannot be written: check the path", path.display()))?;
    output::note(&format!("wrote {}: {count} x {}", path.display(), platform.title));
    Ok(Outcome::Clean)
}

/// `platforminfo P -jhardwarePlatform.board.part`
fn show_platform(words: &[String]) -> Result<Outcome, Error> {
    let named = value_of(words, &["--platform", "-p"]);
    let Some(name) =
        named.or_else(|| words.iter().map(String::as_str).find(|one| !one.starts_with('-')))
    else {
        bail!("platforminfo: name a platform");
    };
    let platform = find_platform(name)?;
    let part = platform.part.as_ref().map_or("", |part| part.value.as_str());
    let wants_part = words.iter().any(|word| word.ends_with("hardwarePlatform.board.part"));
    let text = if wants_part {
        format!("{part}\n")
    } else {
        format!("Platform: {name}\nBoard: {}\nPart: {part}\n", platform.title)
    };
    output::put_bytes(text.as_bytes())?;
    Ok(Outcome::Clean)
}

/// `xclbinutil --info --input FILE`
fn show_design(words: &[String]) -> Result<Outcome, Error> {
    let input = value_of(words, &["--input", "-i"]);
    let Some(file) = input.filter(|_| words.iter().any(|word| word.starts_with("--info"))) else {
        bail!(
            "xclbinutil: derate reads designs with --info --input FILE, and makes them with v++; it adds and dumps no sections"
        );
    };
    super::inspect::run(&Inspect { file: PathBuf::from(file), format: Format::Text })
}
