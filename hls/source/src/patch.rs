//! Edits of one text's bytes, as the file has them.

use std::ops::Range;

/// One run of bytes in place of another.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Patch {
    /// What goes.
    pub range: Range<usize>,
    /// What comes.
    pub replacement: String,
    /// Which rules ask for it and what it does, in a few words; may be empty.
    pub reason: String,
}

/// The bytes with all patches made; they are sorted, do not overlap and end within the bytes. Every other byte is kept.
pub fn apply_patches(original: &[u8], patches: &[Patch]) -> Vec<u8> {
    let mut out = Vec::with_capacity(original.len());
    let mut at = 0;
    for patch in patches {
        out.extend_from_slice(original.get(at..patch.range.start).unwrap_or_default());
        out.extend_from_slice(patch.replacement.as_bytes());
        at = patch.range.end;
    }
    out.extend_from_slice(original.get(at..).unwrap_or_default());
    out
}
