//! The libraries that XRT loads for its emulations, and the fault of those that Debian 12 ships.
//!
//! In `libxrt_swemu.so.2` and `libxrt_hwemu.so.2` of Debian's 202210.2.13.466+dfsg-8, `alloc_void()` drops the result of
//! `realloc()`: each call longer than the longest before it writes into memory that was given back. One byte sets the jump
//! right.

use std::fs;
use std::io;
use std::path::Path;

use crate::sha256::{sha256, to_hex};

/// The digests of the libraries with the fault, and where the jump over the store is.
const BROKEN: [(&str, usize); 2] = [
    ("7d6303a40e3f97ce410793734790859eed2b9aed61c3de5c3d86a6bf1e73b153", 0x9_2730),
    ("66e02777e1f2f770c63246a6c7aff9e6df58a36b42f014137b891abd3f5003f7", 0xa_fc30),
];
/// The byte of the faulty jump, and of the corrected one.
const JUMP: u8 = 0xe6;
const CORRECTED: u8 = 0xdf;

/// What a library is.
#[derive(Debug)]
pub enum Shim {
    /// The one with the fault; here is a corrected copy.
    Broken(Vec<u8>),
    /// Any other: nothing to correct.
    Other,
}

/// Looks at a library. It is corrected only where it is, byte for byte, the one whose fault is known.
pub fn examine_library(path: &Path) -> io::Result<Shim> {
    let mut bytes = fs::read(path)?;
    let digest = to_hex(&sha256(&bytes));
    let Some((_, at)) = BROKEN.iter().find(|(known, _)| *known == digest) else {
        return Ok(Shim::Other);
    };
    match bytes.get_mut(*at) {
        Some(jump) if *jump == JUMP => *jump = CORRECTED,
        _ => return Ok(Shim::Other),
    }
    Ok(Shim::Broken(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where Debian 12's are installed.
    #[test]
    fn one_byte_is_corrected_in_the_known_libraries_alone() {
        let folder = Path::new("/usr/lib/x86_64-linux-gnu");
        for name in ["libxrt_swemu.so.2", "libxrt_hwemu.so.2"] {
            let Ok(bytes) = fs::read(folder.join(name)) else { continue };
            let known = BROKEN.iter().any(|(digest, _)| to_hex(&sha256(&bytes)) == *digest);
            let Shim::Broken(corrected) = examine_library(&folder.join(name)).unwrap() else {
                assert!(!known, "{name}");
                continue;
            };
            assert!(known && corrected.len() == bytes.len());
            assert_eq!(bytes.iter().zip(&corrected).filter(|(a, b)| a != b).count(), 1, "{name}");
        }
        let other = tempfile::NamedTempFile::new().unwrap();
        assert!(matches!(examine_library(other.path()).unwrap(), Shim::Other));
    }
}
