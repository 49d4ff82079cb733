//! Whether a repetition should end.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::measure::Cancel;

/// Asked by all threads of a repetition between their blocks, until one hears yes: from then on all threads stop.
pub(super) struct Stop<'a> {
    cancel: Cancel<'a>,
    heard: AtomicBool,
}

impl<'a> Stop<'a> {
    pub(super) fn new(cancel: Cancel<'a>) -> Self {
        Self { cancel, heard: AtomicBool::new(false) }
    }

    /// Whether to end. What this costs is nothing beside a block, and much beside an element.
    pub(super) fn asked(&self) -> bool {
        if self.heard() {
            return true;
        }
        let yes = (self.cancel)();
        if yes {
            self.heard.store(true, Ordering::Relaxed);
        }
        yes
    }

    /// Whether a thread heard yes: the result is then incomplete.
    pub(super) fn heard(&self) -> bool {
        self.heard.load(Ordering::Relaxed)
    }
}
