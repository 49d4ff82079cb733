//! Everything that was read of a project, put together.

use std::collections::BTreeMap;

use derate_hls::{FileId, Sources};

use crate::project::ProjectError;
use crate::workload::WorkloadError;
use crate::{Code, ModelShape, Platform, Project, Workload};

/// A project with its sources: what both the audit and the estimate work on.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The text of all files.
    pub sources: Sources,
    /// `derate.toml`.
    pub project: Project,
    /// The model dump.
    pub shape: ModelShape,
    /// The code.
    pub code: Code,
    /// The card.
    pub platform: Platform,
    /// The operators.
    pub workload: Workload,
}

impl Analysis {
    /// Puts the parts together; `headers` are the code files among `sources`.
    pub fn new(
        sources: Sources,
        project: Project,
        shape: ModelShape,
        headers: &[FileId],
        platform: Platform,
    ) -> Result<Self, ProjectError> {
        let workload = Workload::new(&project, &shape).map_err(|error| {
            // The line to mend is the workload's name where it is unknown, else the dump's.
            let span = match (&error, &project.model.workload) {
                (WorkloadError::Unknown(_), Some(claim)) => claim.span,
                _ => project.model.shapes.span,
            };
            ProjectError::at(&sources, span, error.to_string())
        })?;
        let code = Code::new(&sources, headers, Some(&shape));
        Ok(Self { sources, project, shape, code, platform, workload })
    }

    /// The same project with other texts in some files; all else is as it was read. Places in files that did not
    /// change stay what they were.
    pub fn with_texts(&self, texts: &BTreeMap<FileId, String>) -> Result<Self, ProjectError> {
        let mut sources = Sources::default();
        for file in self.sources.files() {
            let text = texts.get(&file).map_or_else(|| self.sources.text(file), String::as_str);
            sources.add(self.sources.name(file), text);
        }
        let project = Project::parse(&sources, self.project.file)?;
        let headers: Vec<FileId> = self.code.headers.iter().map(|header| header.file).collect();
        Self::new(sources, project, self.shape.clone(), &headers, self.platform.clone())
    }
}
