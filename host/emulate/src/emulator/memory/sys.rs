//! Memory maps: device memory that takes no room before it is used, and the copies to and from it.

#![allow(
    unsafe_code,
    reason = "device memory is shared with compiled kernels, which know no borrows"
)]

use std::ptr::NonNull;

use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};

/// Pages of zeros that the kernel of the system provides when they are first touched.
#[derive(Debug)]
pub(super) struct Mapping {
    start: NonNull<u8>,
    bytes: usize,
}

// SAFETY: a mapping is memory at a fixed address that no thread owns. Several compute units may reach it at once, as on a
// card; everything that touches it goes through raw pointers, never through references.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Memory of this process alone. `bytes` is not 0.
    pub(super) fn map_anonymous(bytes: usize) -> std::io::Result<Self> {
        let access = ProtFlags::READ | ProtFlags::WRITE;
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
        // SAFETY: no address is asked for, so no mapping that exists is touched.
        let start = unsafe { mmap_anonymous(std::ptr::null_mut(), bytes, access, flags) }?;
        let start = NonNull::new(start.cast()).ok_or(std::io::ErrorKind::OutOfMemory)?;
        Ok(Self { start, bytes })
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
        let _ = unsafe { munmap(self.start.as_ptr().cast(), self.bytes) };
    }
}
