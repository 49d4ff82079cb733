//! Hashes that tell one search from another.

/// FNV-1a of a text, in hexadecimal digits.
pub(crate) fn hash_text(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
