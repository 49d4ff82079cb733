//! The designs of a folder with other texts than those of the disk.

use std::collections::BTreeMap;

use derate_estimate::DesignFiles;
use derate_hls::{FileId, Sources};
use derate_project::{Project, ProjectError};

use crate::LoadedFolder;

impl LoadedFolder {
    /// The same where some files have other texts; no file is read. Designs that do not have these files stay as they are.
    ///
    /// # Errors
    ///
    /// The new text of `derate.toml` is not one.
    pub fn with_texts(&self, texts: &BTreeMap<FileId, String>) -> Result<Self, ProjectError> {
        let mut sources = Sources::default();
        for file in self.sources.files() {
            let text = texts.get(&file).map_or_else(|| self.sources.text(file), String::as_str);
            sources.add(self.sources.name(file), text);
        }
        let parse = |project: &Project| Project::parse(&sources, project.file);
        let project = self.project.as_ref().map(parse).transpose()?;
        let has_changed = |design: &DesignFiles| {
            design.code.all_headers().iter().any(|header| texts.contains_key(&header.file))
        };
        let read = |design: &DesignFiles| {
            if has_changed(design) { design.again(&mut sources) } else { design.clone() }
        };
        let designs = self.designs.iter().map(read).collect();
        Ok(Self { sources, project, designs, ..self.clone() })
    }
}
