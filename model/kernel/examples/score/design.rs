//! A laid design: its sources, its directives and what is known of it.

use derate_hls::{TclFile, read_tcl, read_tool_version};
use derate_kernel::{DEFAULT_TOOL, Settings, find_part};
use derate_syntax::ast::Unit;
use derate_syntax::{SourceFile, read_unit};
use serde::Deserialize;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// `design.json`. What is not known is `null` or left out.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Facts {
    pub(crate) kernel: String,
    pub(crate) design: String,
    pub(crate) family: Option<String>,
    pub(crate) top: String,
    #[serde(default)]
    pub(crate) tool: String,
    pub(crate) part: String,
    pub(crate) files: Vec<String>,
    #[serde(default)]
    pub(crate) defines: Vec<String>,
    #[serde(default)]
    pub(crate) includes: Vec<String>,
    pub(crate) directives: Option<String>,
    pub(crate) clock_ns: f64,
    #[serde(default)]
    pub(crate) resources_stage: String,
    #[serde(default)]
    pub(crate) truth: Truth,
    #[serde(default)]
    pub(crate) post_route: Used,
    #[serde(default)]
    pub(crate) baseline: Baseline,
    #[serde(default)]
    pub(crate) loops: Vec<LoopTruth>,
}

/// What the tool printed.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Truth {
    pub(crate) latency_max: Option<f64>,
    pub(crate) interval_max: Option<f64>,
    pub(crate) cosim_cycles: Option<f64>,
    #[serde(flatten)]
    pub(crate) used: Used,
}

/// Resources, of synthesis or after place and route.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Used {
    pub(crate) dsp: Option<f64>,
    pub(crate) bram18: Option<f64>,
    pub(crate) lut: Option<f64>,
    pub(crate) ff: Option<f64>,
}

/// What a published predictor says of the same design.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Baseline {
    pub(crate) name: String,
    pub(crate) cycles: Option<f64>,
}

/// A loop as the tool printed it.
#[derive(Debug, Deserialize)]
pub(crate) struct LoopTruth {
    pub(crate) label: String,
    pub(crate) trip: Option<f64>,
    pub(crate) ii: Option<f64>,
    pub(crate) depth: Option<f64>,
}

/// A design that is read.
pub(crate) struct Design {
    pub(crate) facts: Facts,
    pub(crate) unit: Unit,
    pub(crate) tcl: TclFile,
    pub(crate) settings: Settings,
    /// Equal designs have the same one.
    pub(crate) fingerprint: u64,
    /// When reading began.
    pub(crate) started: Instant,
}

/// Why a folder is not a design that can be scored.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DesignError {
    #[error("{0} cannot be read: {1}")]
    Read(String, std::io::Error),
    #[error("design.json is not of the form that the book gives: {0}")]
    Form(#[from] serde_json::Error),
    #[error("the part `{0}` is not known")]
    Part(String),
}

fn read_text(folder: &Path, name: &str) -> Result<String, DesignError> {
    let bytes = std::fs::read(folder.join(name));
    let bytes = bytes.map_err(|error| DesignError::Read(name.to_owned(), error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads a design; `added` are lines of Tcl beside its own.
pub(crate) fn read_design(folder: &Path, added: &str) -> Result<Design, DesignError> {
    let facts: Facts = serde_json::from_str(&read_text(folder, "design.json")?)?;
    let part = find_part(&facts.part).ok_or_else(|| DesignError::Part(facts.part.clone()))?;
    let started = Instant::now();
    let source =
        |path: &String| Ok(SourceFile { path: path.clone(), text: read_text(folder, path)? });
    let files: Vec<SourceFile> =
        facts.files.iter().map(source).collect::<Result<_, DesignError>>()?;
    let directives = facts.directives.as_ref().map(|name| read_text(folder, name)).transpose()?;
    let directives = format!("{}\n{added}", directives.unwrap_or_default());
    let mut hasher = DefaultHasher::new();
    for file in &files {
        file.text.hash(&mut hasher);
    }
    (&directives, &facts.top, &facts.tool, &facts.part, &facts.defines).hash(&mut hasher);
    facts.clock_ns.to_bits().hash(&mut hasher);
    let define = |text: &String| {
        let (name, value) = text.split_once('=').unwrap_or((text, "1"));
        (name.to_owned(), value.to_owned())
    };
    let defines: Vec<(String, String)> = facts.defines.iter().map(define).collect();
    let mut loader = |name: &str, quoted: bool, from: &str| {
        find_include(folder, &facts.includes, name, quoted, from)
    };
    let unit = read_unit(&files, &mut loader, &defines);
    let tcl = read_tcl(&directives);
    let mut settings = Settings::new(part, facts.clock_ns, tool_version(&facts.tool));
    settings.apply_tool_settings(&tcl.settings);
    Ok(Design { facts, unit, tcl, settings, fingerprint: hasher.finish(), started })
}

/// Beside the file that includes it if it is in quotes, then in the folders of the design.
fn find_include(
    folder: &Path,
    includes: &[String],
    name: &str,
    quoted: bool,
    from: &str,
) -> Option<(String, String)> {
    let near = Path::new(from).parent().filter(|_| quoted).map(|parent| parent.join(name));
    let others = includes.iter().map(|include| Path::new(include).join(name));
    let mut candidates = near.into_iter().chain(others);
    candidates.find_map(|path: PathBuf| {
        let bytes = std::fs::read(folder.join(&path)).ok()?;
        Some((path.display().to_string(), String::from_utf8_lossy(&bytes).into_owned()))
    })
}

/// Year and release of `Vitis HLS 2022.1`; the default where it is not known.
fn tool_version(text: &str) -> (u16, u16) {
    text.split_whitespace().find_map(read_tool_version).unwrap_or(DEFAULT_TOOL)
}
