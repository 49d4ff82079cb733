//! What the server knows while an editor is connected.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use derate_hls::{FileId, Language};
use gen_lsp_types::{CodeAction, Diagnostic, Position, Range, TextDocumentContentChangeEvent};

use crate::action::make_actions;
use crate::check::{Checked, OpenTexts, check_text};
use crate::diagnostic::make_diagnostic;
use crate::document::apply_changes;
use crate::hover::describe;
use crate::position::{Encoding, offset_at};

/// The open files, and what was found in them and in the whole folder.
pub(crate) struct Session {
    pub(crate) root: PathBuf,
    encoding: Encoding,
    open: OpenTexts,
    /// Open files whose text changed since it was checked.
    unchecked: BTreeSet<PathBuf>,
    /// The last audit of the folder.
    whole: Option<Checked>,
    /// Of files whose text is not the one that the folder's audit read.
    texts: BTreeMap<PathBuf, Checked>,
    /// Files for which the editor shows diagnostics.
    shown: BTreeSet<PathBuf>,
}

impl Session {
    pub(crate) fn new(root: PathBuf, encoding: Encoding) -> Self {
        Self {
            root,
            encoding,
            open: OpenTexts::new(),
            unchecked: BTreeSet::new(),
            whole: None,
            texts: BTreeMap::new(),
            shown: BTreeSet::new(),
        }
    }

    pub(crate) fn open_file(&mut self, path: PathBuf, text: String) {
        self.open.insert(path.clone(), text);
        self.unchecked.insert(path);
    }

    pub(crate) fn change_file(
        &mut self,
        path: &Path,
        changes: Vec<TextDocumentContentChangeEvent>,
    ) {
        apply_changes(&mut self.open, path, changes, self.encoding);
        self.unchecked.insert(path.to_owned());
    }

    pub(crate) fn close_file(&mut self, path: &Path) {
        self.open.remove(path);
        self.texts.remove(path);
        self.unchecked.remove(path);
    }

    /// Takes the audit of the folder.
    pub(crate) fn set_whole(&mut self, whole: Option<Checked>) {
        self.whole = whole;
    }

    /// Checks the files that changed, and gives their paths.
    pub(crate) fn check_changed(&mut self) -> Vec<PathBuf> {
        let changed: Vec<PathBuf> = std::mem::take(&mut self.unchecked).into_iter().collect();
        for path in &changed {
            if self.find_whole(path).is_some() || !is_code(path) {
                self.texts.remove(path);
            } else {
                self.texts.insert(path.clone(), check_text(&self.root, path, &self.open));
            }
        }
        changed
    }

    /// All files that have findings or had some, and those that are open.
    pub(crate) fn known_files(&self) -> Vec<PathBuf> {
        let whole = self.whole.iter().flat_map(|whole| {
            let places = whole.findings.iter().filter_map(derate_model::audit::Finding::place);
            places.map(|place| whole.path(place.file))
        });
        let all: BTreeSet<PathBuf> =
            whole.chain(self.open.keys().cloned()).chain(self.shown.iter().cloned()).collect();
        all.into_iter().collect()
    }

    /// What is to be shown of a file; `None` where nothing is and nothing was.
    pub(crate) fn take_diagnostics(&mut self, path: &Path) -> Option<Vec<Diagnostic>> {
        let found = self.find(path).map(|(checked, file)| {
            let findings = checked.findings_in(file);
            findings.filter_map(|one| make_diagnostic(checked, one, self.encoding)).collect()
        });
        let found: Vec<Diagnostic> = found.unwrap_or_default();
        let was_shown = self.shown.contains(path);
        if found.is_empty() {
            self.shown.remove(path)
        } else {
            self.shown.insert(path.to_owned())
        };
        (was_shown || !found.is_empty() || self.open.contains_key(path)).then_some(found)
    }

    /// What is known at a place of a file, in Markdown.
    pub(crate) fn describe_place(&self, path: &Path, place: Position) -> Option<String> {
        let (checked, file) = self.find(path)?;
        describe(checked, file, offset_at(checked.sources.text(file), place, self.encoding))
    }

    /// The edits that fix what was found in a range of a file.
    pub(crate) fn list_actions(&self, path: &Path, range: Range) -> Vec<CodeAction> {
        let Some((checked, file)) = self.find(path) else { return Vec::new() };
        let mut actions = Vec::new();
        for finding in checked.findings_in(file) {
            let Some(shown) = make_diagnostic(checked, finding, self.encoding) else { continue };
            if shown.range.start <= range.end && range.start <= shown.range.end {
                actions.extend(make_actions(checked, finding, &shown, self.encoding));
            }
        }
        actions
    }

    /// The check that has a file as it is now: that of the folder, which knows most, or that of its text.
    fn find(&self, path: &Path) -> Option<(&Checked, FileId)> {
        let own = || {
            let checked = self.texts.get(path)?;
            Some((checked, checked.find_file(path)?))
        };
        self.find_whole(path).or_else(own)
    }

    fn find_whole(&self, path: &Path) -> Option<(&Checked, FileId)> {
        let whole = self.whole.as_ref()?;
        let file = whole.find_file(path)?;
        let is_same = |text: &String| text.lines().eq(whole.sources.text(file).lines());
        self.open.get(path).is_none_or(is_same).then_some((whole, file))
    }
}

/// Whether a file is one that the C++ front end reads.
fn is_code(path: &Path) -> bool {
    Language::of(&path.to_string_lossy()) == Language::Cpp
}
