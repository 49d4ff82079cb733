//! An open device.

use std::sync::{Mutex, PoisonError};

use super::sys::{Api, Handle};

/// What is open, and what went wrong where no caller can receive it.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) api: &'static Api,
    pub(super) handle: Handle,
    failures: Mutex<Vec<String>>,
}

impl Open {
    pub(super) fn new(api: &'static Api, handle: Handle) -> Self {
        Self { api, handle, failures: Mutex::new(Vec::new()) }
    }

    /// What could not be closed so far.
    pub(super) fn failures(&self) -> Vec<String> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps what a destructor could not do.
    pub(super) fn keep_failure(&self, done: bool, what: &str) {
        if !done {
            self.failures.lock().unwrap_or_else(PoisonError::into_inner).push(what.to_owned());
        }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        // Nobody is left who could ask.
        let _ = self.api.close_device(&self.handle);
    }
}
