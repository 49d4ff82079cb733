//! The libraries that XRT loads for its emulations, and the faults of those that Debian 12 ships.
//!
//! In `libxrt_swemu.so.2` and `libxrt_hwemu.so.2` of Debian's 202210.2.13.466+dfsg-8, `alloc_void()` drops the result of
//! `realloc()`: each call longer than the longest before it writes into memory that was given back. One byte sets the jump
//! right.
//!
//! Two more faults show in `libxrt_swemu.so.2` where a program asks for `hw_emu`. `CpuemShim::xclCopyBO()` copies between two
//! buffers through an array on the stack, behind which it writes where an offset is not 0: it now refuses such a copy, and XRT
//! copies through the host. `SWScheduler::add_cmd()` keeps a command that it refuses, although the caller frees it: it now
//! drops it.
//!
//! One change is for speed alone: a sync from the card no longer sends what it overwrites to the device first.

use std::fs;
use std::io;
use std::path::Path;

use super::elf::find_function;
use crate::sha256::{sha256, to_hex};

/// Bytes of a library that are faulty, what they are to be, and where they are.
struct Correction {
    at: usize,
    faulty: &'static [u8],
    corrected: &'static [u8],
}

/// The jump of `alloc_void()` over the store, for where it is.
const fn correct_jump(at: usize) -> Correction {
    Correction { at, faulty: &[0xe6], corrected: &[0xdf] }
}

/// `xclCopyBO()` leaves with -1 where it would copy through its stack.
const REFUSE_COPY: Correction =
    Correction { at: 0xa_4355, faulty: &[0x48, 0x8b], corrected: &[0xeb, 0x85] };

/// `xclCopyBufferDevice2Host()` sends the bytes that it is about to overwrite, copied three times on their way, and no device
/// looks at them: it now sends none.
const SEND_NOTHING: Correction = Correction {
    at: 0xa_004c,
    faulty: &[0x4a, 0x8d, 0x54, 0x25, 0x00], // lea 0x0(%rbp,%r12,1),%rdx
    corrected: &[0x48, 0x89, 0xea, 0x66, 0x90], // mov %rbp,%rdx; a nop of two bytes
};

/// `add_cmd()` leaves with the error of `convert_execbuf()`, before it queues the command.
const DROP_COMMAND: Correction = Correction {
    at: 0xa_dd9a,
    faulty: &[
        0x48, 0x8b, 0x55, 0x20, // mov 0x20(%rbp),%rdx
        0x41, 0x89, 0xc4, // mov %eax,%r12d
        0xbf, 0x18, 0, 0, 0, // mov $24,%edi
        0x4c, 0x8d, 0x73, 0x50, // lea 0x50(%rbx),%r14
        0xc7, 0x45, 0x10, 1, 0, 0, 0, // movl $1,0x10(%rbp)
        0x0f, 0xb6, 0x02, // movzbl (%rdx),%eax
        0x83, 0xe0, 0xf0, // and $0xf0,%eax
        0x83, 0xc8, 0x01, // or $1,%eax
        0x88, 0x02, // mov %al,(%rdx)
    ],
    corrected: &[
        0x48, 0x8b, 0x55, 0x20, // mov 0x20(%rbp),%rdx
        0x41, 0x89, 0xc4, // mov %eax,%r12d
        0x85, 0xc0, // test %eax,%eax
        0x75, 0x3f, // jne to the unlocking of the queue
        0x6a, 0x18, 0x5f, // push $24; pop %rdi
        0x4c, 0x8d, 0x73, 0x50, // lea 0x50(%rbx),%r14
        0xc7, 0x45, 0x10, 1, 0, 0, 0, // movl $1,0x10(%rbp)
        0x0f, 0xb6, 0x02, // movzbl (%rdx),%eax
        0x24, 0xf0, // and $0xf0,%al
        0x0c, 0x01, // or $1,%al
        0x88, 0x02, // mov %al,(%rdx)
    ],
};

/// The digests of the libraries with faults, and what corrects each.
const BROKEN: [(&str, &[Correction]); 2] = [
    (
        "7d6303a40e3f97ce410793734790859eed2b9aed61c3de5c3d86a6bf1e73b153",
        &[correct_jump(0x9_2730), REFUSE_COPY, SEND_NOTHING, DROP_COMMAND],
    ),
    ("66e02777e1f2f770c63246a6c7aff9e6df58a36b42f014137b891abd3f5003f7", &[correct_jump(0xa_fc30)]),
];

/// What a library is.
#[derive(Debug)]
pub enum Shim {
    /// The one with faults; here is a corrected copy.
    Broken(Vec<u8>),
    /// Any other: nothing to correct.
    Other,
}

/// Looks at a library. It is corrected only where it is, byte for byte, the one whose faults are known.
pub fn examine_library(path: &Path) -> io::Result<Shim> {
    let mut bytes = fs::read(path)?;
    let digest = to_hex(&sha256(&bytes));
    let Some((_, corrections)) = BROKEN.iter().find(|(known, _)| *known == digest) else {
        return Ok(Shim::Other);
    };
    for Correction { at, faulty, corrected } in *corrections {
        match bytes.get_mut(*at..at + faulty.len()) {
            Some(place) if place == *faulty => place.copy_from_slice(corrected),
            _ => return Ok(Shim::Other),
        }
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
    fn only_the_known_libraries_are_corrected_and_only_where_they_are_faulty() {
        let folder = Path::new("/usr/lib/x86_64-linux-gnu");
        for name in ["libxrt_swemu.so.2", "libxrt_hwemu.so.2"] {
            let Ok(bytes) = fs::read(folder.join(name)) else { continue };
            let digest = to_hex(&sha256(&bytes));
            let known = BROKEN.iter().find(|(known, _)| *known == digest);
            let Shim::Broken(corrected) = examine_library(&folder.join(name)).unwrap() else {
                assert!(known.is_none(), "{name}");
                continue;
            };
            let places: Vec<_> =
                known.unwrap().1.iter().map(|one| one.at..one.at + one.faulty.len()).collect();
            assert_eq!(corrected.len(), bytes.len());
            let size = |one: &Correction| {
                one.faulty.iter().zip(one.corrected).filter(|(a, b)| a != b).count()
            };
            let changed = bytes.iter().zip(&corrected).filter(|(a, b)| a != b).count();
            assert_eq!(changed, known.unwrap().1.iter().map(size).sum::<usize>(), "{name}");
            assert!(changed == 1 || name == "libxrt_swemu.so.2");
            for (at, (was, is)) in bytes.iter().zip(&corrected).enumerate() {
                assert!(
                    was == is || places.iter().any(|place| place.contains(&at)),
                    "{name} {at:#x}"
                );
            }
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
