//! Memory maps: device memory that takes no room before it is used, and the copies to and from it.

#![allow(
    unsafe_code,
    reason = "device memory is shared with compiled kernels, which know no borrows"
)]

use std::fs::File;
use std::ptr::NonNull;

use rustix::mm::{
    Advice, MapFlags, MprotectFlags, ProtFlags, madvise, mmap, mmap_anonymous, mprotect, munmap,
};

/// What the system protects at least.
const PAGE: usize = 4096;
/// What a huge page has.
const HUGE: usize = 2 << 20;

/// Pages of zeros that the kernel of the system provides when they are first touched.
#[derive(Debug)]
pub(super) struct Mapping {
    start: NonNull<u8>,
    bytes: usize,
    /// All of it, with what is around.
    whole: (NonNull<u8>, usize),
}

// SAFETY: a mapping is memory at a fixed address that no thread owns. Several compute units may reach it at once, as on a
// card; everything that touches it goes through raw pointers, never through references.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Memory of this process alone, with so many bytes before and behind it that nobody may touch. `bytes` is not 0.
    pub(super) fn map_guarded(bytes: usize, guard: usize) -> std::io::Result<Self> {
        let full = || std::io::Error::from(std::io::ErrorKind::OutOfMemory);
        let pages = bytes.checked_next_multiple_of(PAGE).ok_or_else(full)?;
        let all =
            pages.checked_add(guard).and_then(|all| all.checked_add(guard)).ok_or_else(full)?;
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
        // SAFETY: no address is asked for, so no mapping that exists is touched.
        let base = unsafe { mmap_anonymous(std::ptr::null_mut(), all, ProtFlags::empty(), flags) }?;
        let base = NonNull::new(base.cast::<u8>()).ok_or_else(full)?;
        // SAFETY: the place lies within what was just mapped.
        let start = unsafe { base.add(guard) };
        let whole = Self { start, bytes, whole: (base, all) };
        // SAFETY: these pages are this mapping's own, and nobody knows them yet.
        unsafe {
            mprotect(start.as_ptr().cast(), pages, MprotectFlags::READ | MprotectFlags::WRITE)
        }?;
        if pages >= HUGE {
            // The first sync of a buffer goes three times as fast; a system without them has small pages.
            // SAFETY: as above, and the advice changes no byte.
            let _ = unsafe { madvise(start.as_ptr().cast(), pages, Advice::LinuxHugepage) };
        }
        Ok(whole)
    }

    /// The same, with the bytes of a file that another process may map, too. It has at least so many.
    pub(super) fn map_file(file: &File, bytes: usize, guard: usize) -> std::io::Result<Self> {
        let own = Self::map_guarded(bytes, guard)?;
        let access = ProtFlags::READ | ProtFlags::WRITE;
        let flags = MapFlags::SHARED | MapFlags::FIXED | MapFlags::NORESERVE;
        // SAFETY: these pages are this mapping's own, and nobody knows them yet.
        unsafe { mmap(own.start.as_ptr().cast(), bytes, access, flags, file, 0) }?;
        Ok(own)
    }

    /// The first byte.
    pub(super) fn start(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// Copies into it; the caller has checked that the bytes fit.
    pub(super) fn write(&self, offset: usize, bytes: &[u8]) {
        assert!(offset.checked_add(bytes.len()).is_some_and(|end| end <= self.bytes));
        // SAFETY: the target lies within the mapping, as was just checked, and `bytes` is memory of Rust, which never
        // overlaps with it. Kernels that run meanwhile may see either value, as on a card.
        unsafe {
            std::ptr::copy_nonoverlapping(
                bytes.as_ptr(),
                self.start.as_ptr().add(offset),
                bytes.len(),
            );
        }
    }

    /// Copies out of it.
    pub(super) fn read(&self, offset: usize, bytes: &mut [u8]) {
        assert!(offset.checked_add(bytes.len()).is_some_and(|end| end <= self.bytes));
        // SAFETY: as in `write`.
        unsafe {
            std::ptr::copy_nonoverlapping(
                self.start.as_ptr().add(offset),
                bytes.as_mut_ptr(),
                bytes.len(),
            );
        }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the mapping is this one's own, and nobody holds a pointer into it: runs hold the allocation.
        // An error would mean that it was never mapped; there is nobody to tell.
        let _ = unsafe { munmap(self.whole.0.as_ptr().cast(), self.whole.1) };
    }
}
