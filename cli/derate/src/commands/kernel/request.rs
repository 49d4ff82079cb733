//! What is asked for: by options, then by the configuration, then by default.

use std::path::{Path, PathBuf};

use anyhow::{Error, anyhow, bail};
use derate_hls::{HlsConfig, TclFile, read_tool_version};
use derate_model::Platform;
use derate_model::kernel::{Directives, Part, Settings, find_card_part, find_part, known_parts};
use derate_model::load::{self, Preprocess};
use derate_model::quantity::ParseQuantity;
use derate_model::units::{Hertz, Seconds};

use super::read_constants;
use crate::args::KernelSource;
use crate::commands::platform::find_card;

const PLATFORM: &str = "u280";
const CLOCK: &str = "300 MHz";
const TOOL: &str = "2023.2";

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
        let clock = args.clock.clone().or(config.clock).unwrap_or_else(|| {
            defaults.push(format!("the clock {CLOCK}"));
            CLOCK.to_owned()
        });
        let tool = args.tool.clone().unwrap_or_else(|| {
            defaults.push(format!("Vitis HLS {TOOL}"));
            TOOL.to_owned()
        });
        let clock_ns = parse_clock(&clock)?;
        let mut settings = Settings::new(part, clock_ns, parse_tool(&tool)?);
        if let Some(text) = &config.clock_uncertainty {
            settings.uncertainty = parse_uncertainty(text, clock_ns)?;
        }
        settings.apply_tool_settings(&config.file.settings);
        if let Some(path) = &args.constants {
            settings.constants = read_constants(path)?;
        }
        let files = match args.files.as_slice() {
            [] => config.sources.iter().map(|source| folder.join(source)).collect(),
            named => named.to_vec(),
        };
        if files.is_empty() {
            bail!("no source is named: give C++ files, or an hls_config.cfg that has syn.file");
        }
        let mut preprocess = args.preprocess.options();
        add_flags(&mut preprocess, &config.cflags, folder);
        let directives = Directives { list: config.file.directives.clone() };
        let asked = args.directives.as_ref().map(|path| (path.display().to_string(), config.file));
        let notes = match defaults.as_slice() {
            [] => Vec::new(),
            some => vec![format!("taken by default: {}", some.join(", "))],
        };
        let top = args.top.clone().or(config.top);
        Ok(Self { files, preprocess, top, directives, asked, settings, platform, notes })
    }
}

fn choose_part(
    args: &KernelSource,
    config: &HlsConfig,
    defaults: &mut Vec<String>,
) -> Result<(Option<Platform>, Part), Error> {
    let part = args.part.as_ref().or(config.part.as_ref().filter(|_| args.platform.is_none()));
    if let Some(name) = part {
        let known = || known_parts().iter().map(|part| part.name.as_str()).collect::<Vec<_>>();
        let part = find_part(name).ok_or_else(|| {
            anyhow!("the part `{name}` is not known: there are {}", known().join(", "))
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

/// `3.33 ns`, `300 MHz`, or a bare number of ns as in Tcl.
fn parse_clock(text: &str) -> Result<f64, Error> {
    let bare = text.trim().parse::<f64>().ok().filter(|ns| ns.is_finite() && *ns > 0.0);
    let ns = bare
        .or_else(|| Seconds::parse_quantity(text).ok().map(|period| period.0 * 1e9))
        .or_else(|| Hertz::parse_quantity(text).ok().map(|clock| 1e9 / clock.0));
    ns.filter(|ns| (0.1..=1e6).contains(ns)).ok_or_else(|| {
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

/// The `-I` and `-D` of a configuration, whose folders are seen from its own.
fn add_flags(preprocess: &mut Preprocess, flags: &[String], folder: &Path) {
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        let value = |prefix: &str, rest: &mut std::slice::Iter<'_, String>| {
            let text = flag.strip_prefix(prefix)?;
            if text.is_empty() { rest.next().cloned() } else { Some(text.to_owned()) }
        };
        if let Some(path) = value("-I", &mut flags) {
            preprocess.include.push(folder.join(path));
        } else if let Some(define) = value("-D", &mut flags) {
            preprocess.define.push(define);
        }
    }
}
