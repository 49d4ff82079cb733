//! The edits of a finding as code actions.

use std::collections::HashMap;

use derate_model::audit::Finding;
use derate_model::fix::Fix;
use gen_lsp_types::{CodeAction, CodeActionKind, Diagnostic, TextEdit, Uri, WorkspaceEdit};

use crate::check::Checked;
use crate::diagnostic::find_range;
use crate::position::Encoding;
use crate::uri::uri_of;

/// The ways to fix a finding that have edits.
pub(crate) fn make_actions(
    checked: &Checked,
    finding: &Finding,
    shown: &Diagnostic,
    encoding: Encoding,
) -> Vec<CodeAction> {
    let fixes = finding.fixes.iter();
    fixes.filter_map(|fix| make_action(checked, fix, shown, encoding)).collect()
}

fn make_action(
    checked: &Checked,
    fix: &Fix,
    shown: &Diagnostic,
    encoding: Encoding,
) -> Option<CodeAction> {
    let edits = fix.edits.as_ref().ok().filter(|edits| !edits.is_empty())?;
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for edit in edits {
        let uri = uri_of(&checked.path(edit.span.file));
        let range = find_range(checked, edit.span, encoding);
        changes.entry(uri).or_default().push(TextEdit::new(range, edit.replacement.clone()));
    }
    Some(CodeAction::new(
        format!("derate: {}", fix.title),
        Some(CodeActionKind::QuickFix),
        Some(vec![shown.clone()]),
        None,
        None,
        Some(WorkspaceEdit::new(Some(changes), None, None)),
        None,
        None,
        None,
    ))
}
