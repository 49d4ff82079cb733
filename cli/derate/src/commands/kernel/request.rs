//! What is asked for: by options, then by the configuration, then by default.

use std::path::{Path, PathBuf};

use anyhow::{Error, anyhow, bail};
use derate_hls::{HlsConfig, TclFile, read_heading_version, read_tool_version};
use derate_model::Platform;
use derate_model::kernel::{
    Directives, FlowTarget, Part, Settings, find_card_part, find_part, known_parts,
};
use derate_model::load::{self, Preprocess};
use derate_model::units::Hertz;
use derate_model::units::figures::quantity;

use super::read_constants;
use crate::args::KernelSource;
use crate::commands::platform::find_card;

const PLATFORM: &str = "u280";
const CLOCK: Hertz = Hertz(300e6);
const TOOL: &str = "2023.2";
/// Parts that are named in place of one that is not known.
const LIKE: usize = 4;

pub(crate) struct Request {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) preprocess: Preprocess,
    pub(crate) top: Option<String>,
    pub(crate) directives: Directives,
    /// The file of directives with its name.
    pub(crate) asked: Option<(String, TclFile)>,
    pub(crate) settings: Settings,
    pub(crate) platform: Option<Platform>,
    /// What was taken because nothing was said.
    pub(crate) notes: Vec<String>,
}

impl Request {
    pub(crate) fn of_args(args: &KernelSource) -> Result<Self, Error> {
        let config =
            args.directives.as_deref().map(load::read_directives).transpose()?.unwrap_or_default();
        let folder = args.directives.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
        let mut defaults = Vec::new();
        let (platform, part) = choose_part(args, &config, &mut defaults)?;
        let clock = args.clock.clone().or_else(|| config.clock.clone()).unwrap_or_else(|| {
            let usual = quantity(platform.as_ref().map_or(CLOCK, |card| card.clock.value));
            defaults.push(format!("the clock {usual}"));
            usual
        });
        let tool = args.tool.clone().unwrap_or_else(|| choose_tool(args, &mut defaults));
        let clock_ns = parse_clock(&clock)?;
        let mut settings = Settings::new(part, clock_ns, parse_tool(&tool)?);
        if let Some(text) = &config.clock_uncertainty {
            settings.uncertainty = parse_uncertainty(text, clock_ns)?;
        }
        settings.flow = choose_flow(args, &config, platform.as_ref());
        settings.apply_tool_settings(&config.file.settings);
        if let Some(path) = &args.constants {
            settings.constants = read_constants(path)?;
        }
        let files = match args.files.as_slice() {
            [] => config.sources.iter().map(|source| folder.join(source)).collect(),
            named => named.to_vec(),
        };
        if files.is_empty() {
            bail!(
                "no source is named: give C++ files, an hls_config.cfg that has syn.file, or a Tcl script that has add_files"
            );
        }
        let mut preprocess = args.preprocess.options();
        // The folders of a configuration are seen from its own.
        let (folders, defines) = load::split_flags(&config.cflags);
        preprocess.include.extend(folders.iter().map(|one| folder.join(one)));
        preprocess.define.extend(defines);
        let directives = Directives { list: config.file.directives.clone() };
        let asked = args.directives.as_ref().map(|path| (path.display().to_string(), config.file));
        let mut notes = match defaults.as_slice() {
            [] => Vec::new(),
            some => vec![format!("taken by default: {}", some.join(", "))],
        };
        notes.extend(settings.part.family.lent_numbers().map(str::to_owned));
        let top = args.top.clone().or(config.top);
        Ok(Self { files, preprocess, top, directives, asked, settings, platform, notes })
    }
}

/// The version of the tool that wrote the script, else the usual one.
fn choose_tool(args: &KernelSource, defaults: &mut Vec<String>) -> String {
    let script = args.directives.as_deref().and_then(|path| load::read_text(path).ok());
    if let Some((year, release)) = script.as_deref().and_then(read_heading_version) {
        defaults
            .push(format!("HLS {year}.{release}, the last of the year in the script's heading"));
        return format!("{year}.{release}");
    }
    defaults.push(format!("Vitis HLS {TOOL}"));
    TOOL.to_owned()
}

/// The flow before the configuration names one: of a platform that is named, that of its kernels. A file that opens a
/// solution, or an `hls_config.cfg`, asks the tool itself, whose own flow is Vivado's (UG1399).
fn choose_flow(args: &KernelSource, config: &HlsConfig, platform: Option<&Platform>) -> FlowTarget {
    let is_config = args.directives.as_deref().is_some_and(load::is_config_file);
    let named = platform.filter(|_| args.platform.is_some());
    match named {
        Some(card) if !is_config && !config.file.opens_solution() => card.flow.value,
        _ => FlowTarget::default(),
    }
}

fn choose_part(
    args: &KernelSource,
    config: &HlsConfig,
    defaults: &mut Vec<String>,
) -> Result<(Option<Platform>, Part), Error> {
    let part = args.part.as_ref().or(config.part.as_ref().filter(|_| args.platform.is_none()));
    if let Some(name) = part {
        let part = find_part(name).ok_or_else(|| {
            anyhow!(
                "the part `{name}` is not known: give one of its family with --part, such as {}",
                find_like(name).join(", ")
            )
        })?;
        return Ok((None, part));
    }
    let name = args.platform.as_deref().unwrap_or_else(|| {
        defaults.push(format!("the platform {PLATFORM}"));
        PLATFORM
    });
    let card = find_card(name)?;
    let part = find_card_part(&card).ok_or_else(|| {
        anyhow!("the platform {name} does not say what its chip has: name the chip with --part")
    })?;
    Ok((Some(card), part))
}

/// The known parts whose names begin most like this one.
fn find_like(name: &str) -> Vec<&'static str> {
    let name = name.to_ascii_lowercase();
    let alike = |part: &str| part.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
    let mut parts: Vec<&str> = known_parts().iter().map(|part| part.name.as_str()).collect();
    parts.sort_by_key(|part| std::cmp::Reverse(alike(part)));
    parts.truncate(LIKE);
    parts
}

/// `3.33 ns`, `300 MHz`, or a bare number of ns as in Tcl.
fn parse_clock(text: &str) -> Result<f64, Error> {
    load::read_clock(text).ok_or_else(|| {
        anyhow!("the clock `{text}` is not one: write a period such as \"3.33 ns\" or a frequency such as \"300 MHz\"")
    })
}

fn parse_tool(text: &str) -> Result<(u16, u16), Error> {
    read_tool_version(text).ok_or_else(|| {
        anyhow!("--tool `{text}` is not a version of Vitis HLS: write one such as 2023.2")
    })
}

/// The share of the period of `27%` or `0.9ns`.
fn parse_uncertainty(text: &str, clock_ns: f64) -> Result<f64, Error> {
    let share = match text.trim().strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().ok().map(|percent| percent / 100.0),
        None => parse_clock(text).ok().map(|ns| ns / clock_ns),
    };
    share.filter(|share| (0.0..1.0).contains(share)).ok_or_else(|| {
        anyhow!(
            "clock_uncertainty `{text}` is not a share of the clock: write one such as 27% or 0.9ns"
        )
    })
}
