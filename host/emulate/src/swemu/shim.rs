//! The libraries that XRT loads for its emulations, and the fault of those that Debian 12 ships.
//!
//! In `libxrt_swemu.so.2` and `libxrt_hwemu.so.2` of Debian's 202210.2.13.466+dfsg-8, `alloc_void()` drops the result of
//! `realloc()`: each call longer than the longest before it writes into memory that was given back. One byte sets the jump
//! right.

use std::fs;
use std::io;
use std::path::Path;

use super::elf::find_function;
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

/// The question that the library for software emulation asks about its mode, and code that answers it with yes.
const ASKS: &str = "_ZN12xclemulation15is_sw_emulationEv";
const YES: [u8; 6] = [0xb8, 1, 0, 0, 0, 0xc3];

/// The library for software emulation as one for hardware emulation: it does the same where a program asks for `hw_emu`.
pub(super) fn answer_for_hardware(library: &[u8]) -> Option<Vec<u8>> {
    let at = find_function(library, ASKS)?;
    let mut changed = library.to_vec();
    changed.get_mut(at..at + YES.len())?.copy_from_slice(&YES);
    Some(changed)
}

/// The word by which XRT's `OpenCL` library knows software emulation, where it puts every buffer into the first bank, and one
/// that no program has as its mode.
const MODE: &[u8] = b"\0sw_emu\0";
const NO_MODE: &[u8] = b"\0derate\0";

/// XRT's `OpenCL` library, with each buffer in the bank that the program asks for.
pub(super) fn keep_banks(library: &[u8]) -> Option<Vec<u8>> {
    let mut places = library.windows(MODE.len()).enumerate().filter(|(_, part)| *part == MODE);
    let ((at, _), None) = (places.next()?, places.next()) else { return None };
    let mut changed = library.to_vec();
    changed.get_mut(at..at + NO_MODE.len())?.copy_from_slice(NO_MODE);
    Some(changed)
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
        if let Ok(bytes) = fs::read(folder.join("libxrt_swemu.so.2")) {
            let changed = answer_for_hardware(&bytes).unwrap();
            assert!(changed.iter().zip(&bytes).filter(|(a, b)| a != b).count() <= YES.len());
        }
        if let Ok(bytes) = fs::read(folder.join("libxilinxopencl.so.2")) {
            assert!(keep_banks(&bytes).is_some_and(|changed| keep_banks(&changed).is_none()));
        }
        let other = tempfile::NamedTempFile::new().unwrap();
        assert!(matches!(examine_library(other.path()).unwrap(), Shim::Other));
    }
}
