//! A stream between two compute units: a ring of elements. Kernels reach it from compiled code.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::sys::RawChannel;

/// A stream, bounded as on a card.
#[derive(Debug)]
pub struct Channel {
    raw: RawChannel,
    /// What `raw` points into.
    _room: Box<[u128]>,
}

impl Channel {
    /// An empty stream of so many elements of so many bytes.
    pub fn new(element: u32, capacity: u32) -> Self {
        let (element, capacity) = (u64::from(element).max(1), u64::from(capacity).max(1));
        let words = usize::try_from(element.saturating_mul(capacity).div_ceil(16)).unwrap_or(1);
        // One more, so that elements can be aligned to a cache's line.
        let mut room = vec![0_u128; words + 8].into_boxed_slice();
        let start = room.as_mut_ptr().cast::<u8>();
        let data = start.wrapping_add(start.align_offset(64));
        let raw = RawChannel {
            data,
            element,
            capacity,
            written: AtomicU64::new(0),
            read: AtomicU64::new(0),
            writer_waits: AtomicU32::new(0),
            reader_waits: AtomicU32::new(0),
            stop: AtomicU32::new(0),
        };
        Self { raw, _room: room }
    }

    /// As compiled code takes it.
    pub(super) fn raw(&self) -> *const RawChannel {
        &raw const self.raw
    }

    /// Elements that it holds at most.
    pub fn capacity(&self) -> u64 {
        self.raw.capacity
    }

    /// Elements that went in, and out.
    pub fn counts(&self) -> (u64, u64) {
        (self.raw.written.load(Ordering::Acquire), self.raw.read.load(Ordering::Acquire))
    }

    /// Whether the unit that reads it waits.
    pub fn reader_waits(&self) -> bool {
        self.raw.reader_waits.load(Ordering::Acquire) != 0
    }

    /// Whether the unit that writes it waits.
    pub fn writer_waits(&self) -> bool {
        self.raw.writer_waits.load(Ordering::Acquire) != 0
    }

    /// Whoever waits on it ends.
    pub fn stop(&self) {
        self.raw.stop.store(1, Ordering::Release);
    }
}
