//! Why a file or a project could not be loaded: one sentence each.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use derate_dump::ShapeError;
use derate_hls::{FilePlace, Sources};
use derate_measure::MeasurementError;
use derate_measure::points::PointsError;
use derate_project::{Claim, ProjectError};

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{place} {reason}{}", .cause.as_ref().map(|error| format!(": {error}")).unwrap_or_default())]
pub struct ReadError {
    /// The file, and its line where one is at fault.
    pub place: FilePlace,
    reason: String,
    cause: Option<io::Error>,
}

impl ReadError {
    pub(crate) fn new(path: &Path, reason: impl Into<String>) -> Self {
        let place = FilePlace::of_file(path.display().to_string());
        Self { place, reason: reason.into(), cause: None }
    }

    pub(crate) fn caused(path: &Path, reason: &str, cause: io::Error) -> Self {
        Self { cause: Some(cause), ..Self::new(path, reason) }
    }

    pub(crate) fn at_line(self, line: usize) -> Self {
        Self { place: FilePlace { line: Some(line), ..self.place }, ..self }
    }
}

/// Why a project could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// There is no project file.
    #[error(
        "there is no {}: run `derate init` in the project's folder, or name the folder that has one",
        .0.display()
    )]
    NoProject(PathBuf),
    /// A file is given for a project, and is not one.
    #[error("{} is not a derate.toml: name the folder of a design, or its derate.toml", .0.display())]
    NotAProject(PathBuf),
    /// The project names no dump of the model.
    #[error(
        "{0}: no dump of the model is named: add `[model] shapes = \"model_shape.txt\"`, or `workload = \"workload.json\"` as derate.trace records it; `derate audit`, `kernel`, `hls`, `explore` and `validate` need none"
    )]
    NoDump(String),
    /// A folder has no source, report or v++ configuration.
    #[error(
        "{} has no C++ source, no report and no v++ configuration below it: name the folder of a design",
        .0.display()
    )]
    NothingToAudit(PathBuf),
    /// A folder has C and C++, and none of it is a kernel's.
    #[error("{} has no kernel, report or v++ configuration below it: {first} {}: name the folder of a design", .path.display(), explain_others(*.others))]
    OnlyPassedOver {
        /// The folder.
        path: PathBuf,
        /// The first of its sources, and why it is passed over.
        first: String,
        /// How many more there are.
        others: usize,
    },
    /// A folder has kernels of `OpenCL` C and no others.
    #[error("{} is OpenCL C, which derate does not read, and its folder has no C++ source, report or v++ configuration: name C++ kernels", .0.display())]
    OnlyOpenCl(PathBuf),
    /// A folder is too large to be searched.
    #[error("{}: holds more than {most} files: name the folder of the accelerator itself", .path.display())]
    TooManyFiles {
        /// The folder.
        path: PathBuf,
        /// How many files are searched.
        most: usize,
    },
    /// Files are left out of a search, and none is made.
    #[error("{}: names its sources or its reports itself, so --exclude leaves nothing out and --solution chooses nothing: change [hls] there", .0.display())]
    NamesFiles(PathBuf),
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A line of the project names something that cannot be had.
    #[error("{place}: {reason}")]
    Named {
        /// The file and the line.
        place: FilePlace,
        /// What is wrong and what to do.
        reason: String,
    },
    /// An option is wrong.
    #[error("{option}: {reason}")]
    Option {
        /// The option.
        option: &'static str,
        /// What is wrong and what to do.
        reason: String,
    },
    /// The project file is wrong.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// The dump is not one.
    #[error(transparent)]
    Dump(#[from] ShapeError),
    /// A measurement is not one.
    #[error(transparent)]
    Measurement(#[from] MeasurementError),
    /// A file of points is not one.
    #[error(transparent)]
    Points(#[from] PointsError),
}

impl LoadError {
    /// `file:line: reason`, where the line is the one that names the file.
    pub(crate) fn at<T>(sources: &Sources, claim: &Claim<T>, reason: &impl Display) -> Self {
        let line = sources.position(claim.span).line;
        let place = FilePlace::at_line(sources.name(claim.span.file), line);
        Self::Named { place, reason: reason.to_string() }
    }

    /// The file that is at fault, and its line where one is.
    pub fn place(&self) -> Option<FilePlace> {
        match self {
            Self::NotAProject(path)
            | Self::NoProject(path)
            | Self::NothingToAudit(path)
            | Self::OnlyPassedOver { path, .. }
            | Self::OnlyOpenCl(path)
            | Self::NamesFiles(path)
            | Self::TooManyFiles { path, .. } => {
                Some(FilePlace::of_file(path.display().to_string()))
            }
            Self::NoDump(file) => Some(FilePlace::of_file(file)),
            Self::Read(error) => Some(error.place.clone()),
            Self::Named { place, .. } => Some(place.clone()),
            Self::Option { .. } => None,
            Self::Project(error) => Some(error.place.clone()),
            Self::Dump(error) => Some(error.place()),
            Self::Measurement(error) => Some(error.place.clone()),
            Self::Points(error) => Some(error.place.clone()),
        }
    }
}

fn explain_others(others: usize) -> String {
    match others {
        0 => "is passed over".to_owned(),
        1 => "and 1 more file are passed over".to_owned(),
        more => format!("and {more} more files are passed over"),
    }
}
