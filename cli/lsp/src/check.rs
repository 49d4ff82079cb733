//! What the audit says of a folder, or of one text.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use derate_hls::{FileId, Loaded, Sources, Wanted};
use derate_model::audit::{AuditInput, Finding, audit, audit_designs};
use derate_model::estimate::DesignFiles;
use derate_model::load::{
    Disk, LoadError, LoadedAudit, Preprocess, Selection, load_audit, plain_path,
};
use derate_model::{Build, Code, Includes};

/// The texts of files that the editor has, by their paths.
pub(crate) type OpenTexts = BTreeMap<PathBuf, String>;

/// An audit, the texts that its findings are in, and what the code declares.
pub(crate) struct Checked {
    /// The folder that the names of the texts begin at.
    root: PathBuf,
    pub(crate) sources: Sources,
    pub(crate) findings: Vec<Finding>,
    pub(crate) codes: Vec<Code>,
}

impl Checked {
    /// The path of a text.
    pub(crate) fn path(&self, file: FileId) -> PathBuf {
        plain_path(&self.root.join(self.sources.name(file)))
    }

    /// The text of a path, where the audit has read it.
    pub(crate) fn find_file(&self, path: &Path) -> Option<FileId> {
        self.sources.files().find(|&file| self.path(file) == path)
    }

    /// The findings whose place is in a file.
    pub(crate) fn findings_in(&self, file: FileId) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |one| one.place().is_some_and(|at| at.file == file))
    }
}

/// Audits a folder as it is on the disk, as `derate audit` does.
///
/// # Errors
///
/// The folder has nothing to audit, or its `derate.toml` is wrong.
pub(crate) fn check_folder(root: &Path) -> Result<Checked, LoadError> {
    let root = root.to_owned();
    Ok(match load_audit(&root, &Preprocess::default(), &Selection::default())? {
        LoadedAudit::Project(project) => {
            let findings = audit(&project.analysis).findings;
            let codes = vec![project.analysis.code.clone()];
            Checked { root, findings, codes, sources: project.analysis.sources.clone() }
        }
        LoadedAudit::Folder(folder) => {
            let input =
                |design| AuditInput::of_design(&folder.sources, folder.project.as_ref(), design);
            let inputs: Vec<AuditInput<'_>> = folder.designs.iter().map(input).collect();
            let findings = audit_designs(&inputs).findings;
            let codes = folder.designs.into_iter().map(|design| design.code).collect();
            Checked { root, findings, codes, sources: folder.sources }
        }
    })
}

/// Checks one text with what it includes, by the rules that need no more than files. Texts that the editor has are taken in place of the disk's.
pub(crate) fn check_text(root: &Path, path: &Path, open: &OpenTexts) -> Checked {
    let name = path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned();
    let text = open.get(path).cloned().unwrap_or_default();
    let mut sources = Sources::default();
    let file = sources.add(name.clone(), text);
    let mut disk = Disk::new(root, Some(root));
    disk.know(&name, path);
    let mut includes = Unsaved { disk, root, open };
    let code = Code::new(&mut sources, &[file], &[], &mut includes, None);
    let design = DesignFiles::new(".", code, Build::default());
    let findings = audit_designs(&[AuditInput::of_design(&sources, None, &design)]).findings;
    Checked { root: root.to_owned(), sources, findings, codes: vec![design.code] }
}

/// Includes from the disk, but for those that the editor has.
struct Unsaved<'a> {
    disk: Disk,
    root: &'a Path,
    open: &'a OpenTexts,
}

impl Includes for Unsaved<'_> {
    fn load(&mut self, wanted: &Wanted<'_>) -> Loaded {
        match self.disk.load(wanted) {
            // An empty text is that of a file that was read before.
            Loaded::Text { name, text } if !text.is_empty() => {
                let path = plain_path(&self.root.join(&name));
                let text = self.open.get(&path).cloned().unwrap_or(text);
                Loaded::Text { name, text }
            }
            other => other,
        }
    }

    fn is_own(&self, name: &str) -> bool {
        self.disk.is_own(name)
    }
}
