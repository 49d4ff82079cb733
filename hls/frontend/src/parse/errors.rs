//! The places where the grammar gave up.

use super::reader::Reader;
use tree_sitter::Node;

/// A text with more errors than this is not C++; the rest are not listed.
const ERRORS: usize = 100;

pub(super) fn collect_errors(root: Node<'_>, reader: &mut Reader<'_>) {
    if !root.has_error() {
        return;
    }
    let mut cursor = root.walk();
    let mut count = 0;
    loop {
        let node = cursor.node();
        let whole = node.is_error() || node.is_missing();
        if whole {
            count += 1;
            if count > ERRORS {
                reader.note_unread(reader.span_of(node), "further syntax errors are not listed");
                return;
            }
            let reason = if node.is_missing() {
                format!("derate cannot read this: it expects {} here", describe(node.kind()))
            } else {
                "derate cannot read this".to_owned()
            };
            reader.note_unread(reader.span_of(node), &reason);
        }
        if !whole && node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

/// What the grammar lacks, in words: a mark or a keyword as it is.
fn describe(kind: &str) -> String {
    if kind.ends_with("identifier") { "a name".to_owned() } else { format!("`{kind}`") }
}
