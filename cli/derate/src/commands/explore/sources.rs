//! The sources and directives that make a design. They are predicted anew before they are shown.

use std::collections::BTreeMap;

use anyhow::{Error, anyhow, bail};
use derate_hls::TclDirective;
use derate_model::explore::Cost;
use derate_model::explore::kernel::{PragmaEdit, edit_pragma, kernel_cost, match_pragmas};
use derate_model::kernel::{Directives, Settings, estimate_kernel, read_program};
use derate_model::load::KernelTexts;

use super::diff::Change;
use super::kernel_change::KernelChange;
use super::variant::PlacedValues;

/// A kernel whose designs are written.
pub(super) struct WrittenKernel<'a> {
    pub(super) texts: &'a KernelTexts,
    pub(super) top: &'a str,
    /// The directives that all designs have.
    pub(super) given: &'a Directives,
    pub(super) settings: &'a Settings,
}

/// What makes a design.
pub(super) struct ChangedSources {
    /// The files that change, by their paths.
    pub(super) files: Vec<Change>,
    /// What no file defines.
    pub(super) macros: Vec<(String, String)>,
    /// What no pragma of the source says.
    pub(super) directives: Vec<TclDirective>,
}

impl WrittenKernel<'_> {
    /// The files that make a design. Where a pragma says what a directive of the design says, the pragma gets its value. If the
    /// kernel then is not what was promised, its pragmas stay, and all is in directives.
    ///
    /// # Errors
    ///
    /// The changed files do not make the design that was promised.
    pub(super) fn change_sources(
        &self,
        change: &KernelChange,
        edits_pragmas: bool,
    ) -> Result<ChangedSources, Error> {
        let promised = &change.promised;
        let values = PlacedValues::place(self.texts, &change.values);
        let unit = self.texts.parse(|path, text| values.change_text(path, text), &values.macros);
        let program = read_program(&unit, self.top)?;
        let (edits, left) = if edits_pragmas {
            match_pragmas(&program, self.given, change.directives.clone())
        } else {
            (Vec::new(), change.directives.clone())
        };
        let (texts, directives) = self.edit_pragmas(&values, edits, left);
        let mut found = self.predict(&values, &texts, &directives)?;
        if is_equal(&found, promised) {
            return Ok(self.collect(values, texts, directives));
        }
        if !texts.is_empty() {
            let (texts, directives) = (BTreeMap::new(), change.directives.clone());
            found = self.predict(&values, &texts, &directives)?;
            if is_equal(&found, promised) {
                return Ok(self.collect(values, texts, directives));
            }
        }
        bail!(
            "the changed files of `{}` would take {} cycles, and the design {}: write the best design with --write, and see its directives",
            self.top,
            found.objective,
            promised.objective
        )
    }

    /// The texts with other pragmas, and the directives that no pragma can say.
    fn edit_pragmas(
        &self,
        values: &PlacedValues,
        edits: Vec<PragmaEdit>,
        mut left: Vec<TclDirective>,
    ) -> (BTreeMap<String, String>, Vec<TclDirective>) {
        let headers = self.texts.headers();
        let find =
            |path: &str| self.texts.files().iter().chain(&headers).find(|one| one.path == path);
        let mut texts: BTreeMap<String, String> = BTreeMap::new();
        for edit in edits {
            let text = texts.get(&edit.file).cloned().or_else(|| {
                find(&edit.file).map(|file| values.change_text(&file.path, &file.text))
            });
            match text.and_then(|text| edit_pragma(&text, &edit)) {
                Some(text) => {
                    texts.insert(edit.file, text);
                }
                None => left.push(edit.directive),
            }
        }
        (texts, left)
    }

    /// What the changed files take.
    fn predict(
        &self,
        values: &PlacedValues,
        texts: &BTreeMap<String, String>,
        directives: &[TclDirective],
    ) -> Result<Cost, Error> {
        let edit = |path: &str, text: &str| {
            texts.get(path).cloned().unwrap_or_else(|| values.change_text(path, text))
        };
        let program = read_program(&self.texts.parse(edit, &values.macros), self.top)
            .map_err(|error| anyhow!("the changed files cannot be read: {error}"))?;
        let mut all = self.given.clone();
        all.list.extend(directives.iter().cloned());
        Ok(kernel_cost(&estimate_kernel(&program, &all, self.settings)))
    }

    fn collect(
        &self,
        values: PlacedValues,
        mut texts: BTreeMap<String, String>,
        directives: Vec<TclDirective>,
    ) -> ChangedSources {
        let headers = self.texts.headers();
        let files = self.texts.files().iter().chain(&headers).filter_map(|file| {
            let new = texts.remove(&file.path);
            let new = new.unwrap_or_else(|| values.change_text(&file.path, &file.text));
            let (name, old) = (file.path.clone(), Some(file.text.clone()));
            (new != file.text).then_some(Change { name, old, new })
        });
        ChangedSources { files: files.collect(), directives, macros: values.macros }
    }
}

/// Whether two designs take the same, but for the last digits of a sum.
fn is_equal(one: &Cost, other: &Cost) -> bool {
    let amounts = |of: &Cost| {
        let usage = of.usage;
        [of.objective, usage.dsp, usage.bram18, usage.uram, usage.lut, usage.ff]
    };
    let pairs = amounts(one).into_iter().zip(amounts(other));
    pairs.into_iter().all(|(a, b)| (a - b).abs() <= 1e-9 * a.abs().max(b.abs()))
}
