//! Collects what the readers of the single forms find.

use std::collections::{BTreeMap, BTreeSet};

use derate_source::{FileId, Span};

use super::dims::{DimsError, clip_text};
use super::dtype::Dtype;
use super::entry_error::NoEntry;
use super::totals::Total;
use super::{
    DumpFormat, DumpNote, DumpProblem, ModelShape, NoteKind, ProblemKind, Tensor, blocks, cut,
    expand,
};

/// Problems beyond this many are counted, not kept.
const MOST_PROBLEMS: usize = 1000;
/// Longer than any real parameter name.
pub(super) const LONGEST_NAME: usize = 1024;

/// A byte range of the dump.
pub(super) type ByteRange = (usize, usize);

/// A tensor as a reader finds it.
#[derive(Debug)]
pub(super) struct FoundTensor<'a> {
    pub(super) name: &'a str,
    pub(super) dims: Vec<u64>,
    pub(super) dtype: Dtype<'a>,
    pub(super) shape_known: bool,
    pub(super) place: ByteRange,
}

/// The dump's contents so far.
#[derive(Debug)]
pub(super) struct DumpBuilder {
    file: FileId,
    tensors: Vec<Tensor>,
    index: BTreeMap<String, usize>,
    problems: Vec<DumpProblem>,
    further: u64,
    notes: Vec<DumpNote>,
    noted: BTreeSet<(NoteKind, String)>,
    totals: Vec<(Total, ByteRange)>,
    expanded: usize,
    expanded_bytes: usize,
    /// Dtypes that derate does not know: the first tensor, its place, and how many lines there are.
    dtypes: BTreeMap<String, (String, ByteRange, usize)>,
}

impl DumpBuilder {
    pub(super) fn new(file: FileId) -> Self {
        Self {
            file,
            tensors: Vec::new(),
            index: BTreeMap::new(),
            problems: Vec::new(),
            further: 0,
            notes: Vec::new(),
            noted: BTreeSet::new(),
            totals: Vec::new(),
            expanded: 0,
            expanded_bytes: 0,
            dtypes: BTreeMap::new(),
        }
    }

    fn to_span(&self, (start, end): ByteRange) -> Span {
        Span { file: self.file, start, end }
    }

    /// Records what cannot be read or does not fit.
    pub(super) fn add_problem(
        &mut self,
        kind: ProblemKind,
        place: ByteRange,
        reason: impl Into<String>,
    ) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(DumpProblem {
                kind,
                span: self.to_span(place),
                reason: reason.into(),
            });
        } else {
            self.further += 1;
        }
    }

    /// Records a line that was meant as a tensor, or was not.
    pub(super) fn add_unread(&mut self, why: NoEntry, place: ByteRange, text: &str) {
        match why {
            NoEntry::Other => {
                self.add_problem(
                    ProblemKind::Unread,
                    place,
                    format!("`{}` is not a tensor in this form", clip_text(text.trim())),
                );
            }
            NoEntry::Damaged(error) => self.add_dims_problem(error, place),
        }
    }

    /// Records a shape that could not be read.
    pub(super) fn add_dims_problem(&mut self, error: DimsError, place: ByteRange) {
        match error {
            DimsError::Overflow(reason) => self.add_problem(ProblemKind::Overflow, place, reason),
            DimsError::Other(reason) => self.add_problem(ProblemKind::Unread, place, reason),
        }
    }

    /// Says something once: `key` tells apart what a second note of the kind would add.
    pub(super) fn add_note(
        &mut self,
        kind: NoteKind,
        key: &str,
        place: ByteRange,
        text: impl Into<String>,
    ) {
        if self.notes.len() < MOST_PROBLEMS && self.noted.insert((kind, key.to_owned())) {
            self.notes.push(DumpNote { kind, span: self.to_span(place), text: text.into() });
        }
    }

    /// Takes down a total that the dump states.
    pub(super) fn add_total(&mut self, total: Total, place: ByteRange) {
        self.totals.push((total, place));
    }

    /// Number of tensors so far.
    pub(super) fn len(&self) -> usize {
        self.tensors.len()
    }

    /// Adds a tensor, or all tensors that its name describes.
    pub(super) fn add_tensor(&mut self, found: &FoundTensor<'_>) {
        if found.name.len() > LONGEST_NAME {
            let reason =
                format!("the name `{}` is longer than {LONGEST_NAME} bytes", clip_text(found.name));
            return self.add_problem(ProblemKind::Unread, found.place, reason);
        }
        if let Dtype::Unknown(text) = found.dtype
            && !blocks::is_block_format(text)
        {
            let first = || (found.name.to_owned(), found.place, 0);
            self.dtypes.entry(text.to_owned()).or_insert_with(first).2 += 1;
        }
        self.check_dims(found);
        self.expand_name(found, found.name.to_owned());
    }

    fn check_dims(&mut self, found: &FoundTensor<'_>) {
        let product = found.dims.iter().try_fold(1_u64, |product, &dim| product.checked_mul(dim));
        if found.dims.contains(&0) {
            let reason =
                format!("`{}` has a dimension of 0, so no elements", clip_text(found.name));
            self.add_problem(ProblemKind::Empty, found.place, reason);
        } else if product.is_none() {
            let reason = format!(
                "the elements of `{}` do not fit 64 bits: it is left out of every sum",
                clip_text(found.name)
            );
            self.add_problem(ProblemKind::Overflow, found.place, reason);
        }
    }

    fn expand_name(&mut self, found: &FoundTensor<'_>, name: String) {
        let Some(range) = expand::find_range(&name) else {
            if let Some(holder) = expand::find_placeholder(&name) {
                let reason = format!(
                    "`{holder}` in `{}` stands for layers that the dump does not count",
                    clip_text(&name)
                );
                self.add_problem(ProblemKind::Incomplete, found.place, reason);
            }
            return self.push_tensor(found, name);
        };
        let count =
            usize::try_from(range.last - range.first).unwrap_or(usize::MAX).saturating_add(1);
        let bytes = self.expanded_bytes.saturating_add(count.saturating_mul(name.len()));
        if self.expanded.saturating_add(count) > expand::MOST || bytes > expand::MOST_BYTES {
            let reason = format!(
                "`{}` is more than the {} tensors, or {} MiB of names, that derate expands",
                clip_text(&name),
                expand::MOST,
                expand::MOST_BYTES >> 20
            );
            return self.add_problem(ProblemKind::Incomplete, found.place, reason);
        }
        self.expanded += count;
        self.expanded_bytes = bytes;
        self.add_note(
            NoteKind::Collapsed,
            &format!("{}{}", range.before, range.text),
            found.place,
            format!("`{}{}` is listed once and was taken as {count} equal layers: a layer that differs from the first is hidden", range.before, range.text),
        );
        for layer in range.first..=range.last {
            self.expand_name(found, format!("{}{layer}{}", range.before, range.after));
        }
    }

    fn push_tensor(&mut self, found: &FoundTensor<'_>, name: String) {
        if let Some(first) = self.index.get(&name).and_then(|&at| self.tensors.get(at)) {
            let reason = if first.dims == found.dims {
                format!("`{}` is listed twice: it counts once", clip_text(&name))
            } else {
                format!(
                    "`{}` is listed as {:?} and as {:?}: the first counts",
                    clip_text(&name),
                    first.dims,
                    found.dims
                )
            };
            return self.add_problem(ProblemKind::Duplicate, found.place, reason);
        }
        let (dtype, text) = match found.dtype {
            Dtype::Known(precision, text) => (Some(precision), Some(text)),
            Dtype::Unknown(text) => (None, Some(text)),
            Dtype::No => (None, None),
        };
        self.index.insert(name.clone(), self.tensors.len());
        self.tensors.push(Tensor {
            name,
            dims: found.dims.clone(),
            dtype,
            dtype_text: text.map(str::to_owned),
            shape_known: found.shape_known,
            span: self.to_span(found.place),
        });
    }

    /// Holds the stated totals against the tensors and hands everything over.
    pub(super) fn finish(mut self, format: DumpFormat) -> ModelShape {
        let tensors = self.tensors.len() as u64;
        let parameters =
            self.tensors.iter().filter_map(Tensor::elements).fold(0, u64::saturating_add);
        for (total, place) in std::mem::take(&mut self.totals) {
            let (stated, counted, what) = match total {
                Total::Tensors(stated) => (stated, tensors, "tensors"),
                Total::Parameters(stated) => (stated, parameters, "parameters"),
            };
            if stated != counted {
                let reason = format!("the dump says {stated} {what} and lists {counted}");
                self.add_problem(ProblemKind::Incomplete, place, reason);
            }
        }
        for (text, (name, place, lines)) in std::mem::take(&mut self.dtypes) {
            let others = match lines.saturating_sub(1) {
                0 => String::new(),
                1 => " and of 1 other tensor".to_owned(),
                more => format!(" and of {more} other tensors"),
            };
            let reason = format!(
                "`{}` is not a dtype that derate knows: the bytes of `{}`{others} stay unknown",
                clip_text(&text),
                clip_text(&name)
            );
            self.add_problem(ProblemKind::Dtype, place, reason);
        }
        if let (Some(reason), Some(last)) = (cut::find_cut(&self.tensors), self.tensors.last()) {
            self.add_problem(ProblemKind::Incomplete, (last.span.start, last.span.end), reason);
        }
        self.problems.sort_by_key(|problem| (problem.span.start, problem.kind));
        self.notes.sort_by_key(|note| (note.span.start, note.kind));
        ModelShape {
            format,
            tensors: self.tensors,
            problems: self.problems,
            further_problems: self.further,
            notes: self.notes,
            index: self.index,
        }
    }
}
