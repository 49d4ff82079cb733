//! The library that XRT loads for software emulation, and the fault of the one that Debian 12 ships.
//!
//! In `libxrt_swemu.so.2` of Debian's 202210.2.13.466+dfsg-8, `alloc_void()` drops the result of `realloc()`: each call
//! longer than the longest before it writes into memory that was given back. One byte sets the jump right.

use std::fs;
use std::io;
use std::path::Path;

use crate::sha256::{hex, sha256};

/// The digest of the library with the fault.
const BROKEN: &str = "7d6303a40e3f97ce410793734790859eed2b9aed61c3de5c3d86a6bf1e73b153";
/// Where the jump over the store is, what stands there, and what sends it to the store.
const AT: usize = 0x9_2730;
const JUMP: u8 = 0xe6;
const MENDED: u8 = 0xdf;

/// What a library is.
#[derive(Debug)]
pub(crate) enum Shim {
    /// The one with the fault; here is a corrected copy.
    Broken(Vec<u8>),
    /// Any other: nothing to correct.
    Other,
}

/// Looks at a library. It is corrected only where it is, byte for byte, the one whose fault is known.
pub(crate) fn shim(path: &Path) -> io::Result<Shim> {
    let mut bytes = fs::read(path)?;
    if hex(&sha256(&bytes)) != BROKEN {
        return Ok(Shim::Other);
    }
    match bytes.get_mut(AT) {
        Some(jump) if *jump == JUMP => *jump = MENDED,
        _ => return Ok(Shim::Other),
    }
    Ok(Shim::Broken(bytes))
}
