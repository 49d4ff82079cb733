//! What is asked for: by options, then by the configuration, then by default.

use std::path::PathBuf;

use anyhow::{Error, anyhow, bail};
use derate_hls::{TclFile, read_tool_version};
use derate_model::kernel::{
    Directives, Family, FlowTarget, Part, Settings, find_card_part, find_part, known_parts,
};
use derate_model::load::{self, GivenDirectives, Preprocess};
use derate_model::units::Hertz;
use derate_model::units::figures::quantity;
use derate_model::{PartName, Platform};

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
    /// The files of directives with their names.
    pub(crate) asked: Vec<(String, TclFile)>,
    pub(crate) settings: Settings,
    pub(crate) platform: Option<Platform>,
    /// What was taken because nothing was said.
    pub(crate) notes: Vec<String>,
}

impl Request {
    pub(crate) fn of_args(args: &KernelSource) -> Result<Self, Error> {
        let (config, asked) = read_directives(args)?;
        let mut defaults = Vec::new();
        let (platform, part) = choose_part(args, &config, &mut defaults)?;
        let clock = args.clock.clone().or_else(|| config.clock.clone()).unwrap_or_else(|| {
            let usual = quantity(platform.as_ref().map_or(CLOCK, |card| card.clock.value));
            defaults.push(format!("the clock {usual}"));
            usual
        });
        let tool = args.tool.clone().unwrap_or_else(|| choose_tool(&config, &mut defaults));
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
            [] => config.sources.clone(),
            named => named.to_vec(),
        };
        if files.is_empty() {
            bail!(
                "no source is named: give C++ files, an hls_config.cfg that has syn.file, or a Tcl script that has add_files"
            );
        }
        let mut preprocess = args.preprocess.options();
        preprocess.include.extend(config.include);
        preprocess.define.extend(config.define);
        let directives = Directives { list: config.file.directives };
        let mut notes = match defaults.as_slice() {
            [] => Vec::new(),
            some => vec![format!("taken by default: {}", some.join(", "))],
        };
        notes.extend(config.notes);
        notes.extend(settings.part.family.lent_numbers().map(str::to_owned));
        let top = args.top.clone().or(config.top);
        Ok(Self { files, preprocess, top, directives, asked, settings, platform, notes })
    }
}

/// What the files of directives say together, and each with its name. The first one decides that names a part, a clock, a
/// top or sources; directives and settings add up.
fn read_directives(
    args: &KernelSource,
) -> Result<(GivenDirectives, Vec<(String, TclFile)>), Error> {
    let clock = args.clock.as_deref().map(parse_clock).transpose()?.map(|ns| Hertz(1e9 / ns));
    let (mut all, mut files) = (GivenDirectives::default(), Vec::new());
    for path in &args.directives {
        let one = load::read_directives(path, args.top.as_deref(), clock)?;
        all.part = all.part.or(one.part);
        all.clock = all.clock.or(one.clock);
        all.clock_uncertainty = all.clock_uncertainty.or(one.clock_uncertainty);
        all.top = all.top.or(one.top);
        all.tool = all.tool.or(one.tool);
        if all.sources.is_empty() {
            all.sources = one.sources;
        }
        all.include.extend(one.include);
        all.define.extend(one.define);
        all.notes.extend(one.notes);
        all.file.directives.extend(one.file.directives.iter().cloned());
        all.file.settings.extend(one.file.settings.iter().cloned());
        files.push((path.display().to_string(), one.file));
    }
    Ok((all, files))
}

/// The version of the tool that wrote the script, else the usual one.
fn choose_tool(config: &GivenDirectives, defaults: &mut Vec<String>) -> String {
    if let Some((year, release)) = config.tool {
        defaults
            .push(format!("HLS {year}.{release}, the last of the year in the script's heading"));
        return format!("{year}.{release}");
    }
    defaults.push(format!("Vitis HLS {TOOL}"));
    TOOL.to_owned()
}

/// The flow before the configuration names one: of a platform that is named, that of its kernels. A file that opens a
/// solution, or an `hls_config.cfg`, asks the tool itself, whose own flow is Vivado's (UG1399).
fn choose_flow(
    args: &KernelSource,
    config: &GivenDirectives,
    platform: Option<&Platform>,
) -> FlowTarget {
    let is_config = args.directives.iter().any(|path| load::is_config_file(path));
    let named = platform.filter(|_| args.platform.is_some());
    match named {
        Some(card) if !is_config && !config.file.opens_solution() => card.flow.value,
        _ => FlowTarget::default(),
    }
}

fn choose_part(
    args: &KernelSource,
    config: &GivenDirectives,
    defaults: &mut Vec<String>,
) -> Result<(Option<Platform>, Part), Error> {
    let part = args.part.as_ref().or(config.part.as_ref().filter(|_| args.platform.is_none()));
    if let Some(name) = part {
        let part = find_part(name).ok_or_else(|| {
            anyhow!(
                "the part `{name}` is not known: give a known one with --part; those that begin most like it are {}",
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

/// The known parts whose names begin most like this one, those of its family first: their operators are the same.
fn find_like(name: &str) -> Vec<&'static str> {
    let name = name.to_ascii_lowercase();
    let alike = |part: &str| part.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
    let family = PartName::parse(&name).map(|part| Family::of_part(&part));
    let mut parts: Vec<&Part> = known_parts().iter().collect();
    parts.sort_by_key(|part| std::cmp::Reverse((Some(part.family) == family, alike(&part.name))));
    parts.iter().map(|part| part.name.as_str()).take(LIKE).collect()
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
