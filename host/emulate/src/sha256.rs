//! SHA-256 (FIPS 180-4), which tells one file from another.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// The digest of some bytes.
pub(crate) fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// The digest as people write it.
pub(crate) fn to_hex(digest: &[u8]) -> String {
    digest.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
