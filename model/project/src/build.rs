//! The inputs and outputs of the tools: the v++ configuration and the reports.

use derate_hls::{
    Connectivity, FileId, LayerSettings, Report, ReportError, Sources, Span, read_connectivity,
    read_report,
};

use crate::{Claim, ProjectError};
use derate_machine::{BuildFile, NamedPart, find_named_parts};
use derate_units::{Figure, Hertz};

/// The build as its files show it; empty where the project names none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Build {
    /// The reports, in the order given.
    pub reports: Vec<Report>,
    /// The logs of a synthesis that left no reports.
    pub logs: Vec<Report>,
    /// The logs that end with a synthesis of it which failed, and those beside them.
    pub runs: Vec<Report>,
    /// The v++ configuration, and its file.
    pub connectivity: Option<(FileId, Connectivity)>,
    /// Files that a pattern matches and that are not reports.
    pub foreign: Vec<Foreign>,
    /// The parts that the files of `[hls] scripts` name, file by file.
    pub scripts: Vec<Script>,
    /// What the model's layers were converted with, by `hls4ml_config.yml`.
    pub layers: Option<LayerSettings>,
}

/// A file that runs the tools, and the parts that it names.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    /// The file.
    pub file: FileId,
    /// The parts, in the order of the text.
    pub parts: Vec<NamedPart>,
}

impl Script {
    /// Where a part is named.
    pub fn span(&self, named: &NamedPart) -> Span {
        Span { file: self.file, start: named.start, end: named.start + named.text.len() }
    }
}

/// A file, and what of `derate.toml` names it.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// The file.
    pub file: FileId,
    /// The value in `derate.toml`.
    pub by: Claim<String>,
    /// Whether that is a pattern, such as `csynth/*.xml`, and not this file's own name.
    pub by_pattern: bool,
}

/// A file that is not what the pattern was to name.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Foreign {
    /// Its name.
    pub name: String,
    /// The pattern of `[hls] reports`.
    pub pattern: String,
    /// One sentence.
    pub reason: String,
}

impl Build {
    /// Reads the files. A file that a pattern matches and that is not a report goes to [`Build::foreign`].
    ///
    /// # Errors
    ///
    /// A file that is named by itself and is not what it should be, or one beyond all limits; with the line that names it.
    pub fn read(
        sources: &Sources,
        reports: &[Named],
        connectivity: Option<Named>,
    ) -> Result<Self, ProjectError> {
        let mut build = Self::default();
        if let Some(named) = connectivity {
            let read = read_connectivity(sources, named.file)
                .map_err(|error| ProjectError::at(sources, named.by.span, error.to_string()))?;
            build.connectivity = Some((named.file, read));
        }
        for named in reports {
            match read_report(sources, named.file) {
                Ok(report) => build.reports.push(report),
                Err(error) if named.by_pattern && is_no_report(&error) => {
                    let name = sources.name(named.file).to_owned();
                    let pattern = named.by.value.clone();
                    build.foreign.push(Foreign { name, pattern, reason: error.to_string() });
                }
                Err(error) => {
                    return Err(ProjectError::at(sources, named.by.span, error.to_string()));
                }
            }
        }
        Ok(build)
    }

    /// The same with the files that run the tools.
    #[must_use]
    pub fn with_scripts(self, sources: &Sources, scripts: &[Named]) -> Self {
        Self { scripts: read_scripts(sources, scripts), ..self }
    }

    /// The kernel clock that the bitstream reached, as `xclbin.info` says.
    pub fn achieved_clock(&self) -> Option<Figure<Hertz>> {
        self.reports.iter().find_map(derate_machine::bandwidth::kernel_clock)
    }

    /// The one clock that the v++ configuration asks for: the lowest that is for the whole design or its first clock. `None`
    /// where it names none, where derate cannot read it, or where units have clocks of their own.
    pub fn asked_clock(&self) -> Option<Hertz> {
        let (_, connectivity) = self.connectivity.as_ref()?;
        let is_number = |text: &str| text.bytes().all(|digit| digit.is_ascii_digit());
        let mut asked = None::<f64>;
        for option in &connectivity.frequencies {
            if option.targets.iter().any(|target| !is_number(&target.value)) {
                return None;
            }
            if option.targets.is_empty() || option.targets.iter().any(|t| t.value == "0") {
                let megahertz = option.megahertz.value.known().filter(|&mhz| mhz > 0.0)?;
                asked = Some(asked.map_or(megahertz, |least| least.min(megahertz)));
            }
        }
        asked.map(|megahertz| Hertz(megahertz * 1e6))
    }
}

/// The files that name parts. The name of a file says how it is read; another is read as Tcl.
fn read_scripts(sources: &Sources, named: &[Named]) -> Vec<Script> {
    let read = |one: &Named| {
        let kind = BuildFile::of_name(sources.name(one.file)).unwrap_or(BuildFile::Tcl);
        Script { file: one.file, parts: find_named_parts(kind, sources.text(one.file)) }
    };
    named.iter().map(read).collect()
}

/// Whether the text is something else, not a report that is broken.
fn is_no_report(error: &ReportError) -> bool {
    matches!(error, ReportError::NotAReport { .. } | ReportError::OtherXml { .. })
}
