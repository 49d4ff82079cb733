//! Little-endian fields of a byte string of unknown length.

/// `N` bytes at `at`; `None` where the text ends before them.
pub(crate) fn array_at<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

/// A 32-bit number.
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    array_at(bytes, at).map(u32::from_le_bytes)
}

/// A 64-bit number.
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    array_at(bytes, at).map(u64::from_le_bytes)
}

/// A text of a file on one line: what is shown of a damaged one neither breaks a sentence nor reaches the terminal as a command.
pub(crate) fn without_controls(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// A text in a field of fixed length, up to its first zero byte.
pub(crate) fn text_in(field: &[u8]) -> String {
    let end = field.iter().position(|&byte| byte == 0).unwrap_or(field.len());
    without_controls(&String::from_utf8_lossy(field.get(..end).unwrap_or_default()))
}

/// A text as a field of fixed length, zero bytes behind it; `None` where it does not fit with one of them.
pub(crate) fn field_of<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut field = [0; N];
    if text.len() >= N {
        return None;
    }
    field.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
    Some(field)
}

/// The records of a table: a count in front, then records of `size` bytes from `first` on. The flag says whether the
/// table ends before its last record.
pub(crate) fn split_records(
    data: &[u8],
    count: u64,
    first: usize,
    size: usize,
) -> (impl Iterator<Item = &[u8]>, bool) {
    let body = data.get(first..).unwrap_or_default();
    let whole = (body.len() / size.max(1)) as u64;
    let taken = usize::try_from(count.min(whole)).unwrap_or(usize::MAX);
    (body.chunks_exact(size.max(1)).take(taken), count > whole)
}
