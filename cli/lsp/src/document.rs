//! The texts of the files that are open in the editor.

use std::path::Path;

use gen_lsp_types::TextDocumentContentChangeEvent as Change;

use crate::check::OpenTexts;
use crate::position::{Encoding, offset_at};

/// Changes the text of an open file as the editor did, one change after the other.
pub(crate) fn apply_changes(
    open: &mut OpenTexts,
    path: &Path,
    changes: Vec<Change>,
    encoding: Encoding,
) {
    let Some(text) = open.get_mut(path) else { return };
    for change in changes {
        match change {
            Change::TextDocumentContentChangePartial(part) => {
                let start = offset_at(text, part.range.start, encoding);
                let end = offset_at(text, part.range.end, encoding).max(start);
                text.replace_range(start..end, &part.text);
            }
            Change::TextDocumentContentChangeWholeDocument(whole) => *text = whole.text,
        }
    }
}
