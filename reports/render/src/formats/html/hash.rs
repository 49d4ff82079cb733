//! The hash by which a page allows its own script and style, and no other.

use base64::prelude::{BASE64_STANDARD, Engine};
use sha2::{Digest, Sha256};

/// The source expression of a content security policy: `'sha256-…'`.
pub(super) fn hash_source(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of NIST for the text `abc`.
    #[test]
    fn a_source_is_the_sha_256_in_base_64() {
        let expected = "'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='";
        assert_eq!(hash_source("abc"), expected);
    }
}
