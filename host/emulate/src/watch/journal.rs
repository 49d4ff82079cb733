use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// What the second process says when it is through, and when whoever it worked for is gone before.
pub(super) const THROUGH: &str = ".";
pub(super) const LEFT: &str = "!";

/// What the second process has said so far.
#[derive(Default)]
pub(super) struct Journal {
    /// The units that run, and since when.
    pub(super) running: BTreeMap<String, Instant>,
    pub(super) through: bool,
    pub(super) left: bool,
    line: Vec<u8>,
}

impl Journal {
    /// The unit that has run longest, and how long.
    pub(super) fn longest_running(&self) -> Option<(&str, Duration)> {
        let first = self.running.iter().min_by_key(|(_, since)| **since);
        first.map(|(unit, since)| (unit.as_str(), since.elapsed()))
    }

    pub(super) fn hear_bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if byte != b'\n' {
                self.line.push(byte);
                continue;
            }
            let line = std::mem::take(&mut self.line);
            let line = String::from_utf8_lossy(&line);
            // A unit that still runs may end after that.
            self.through |= line == THROUGH;
            self.left |= line == LEFT;
            if let Some(unit) = line.strip_prefix('+') {
                self.running.insert(unit.to_owned(), Instant::now());
            } else if let Some(unit) = line.strip_prefix('-') {
                self.running.remove(unit);
            }
        }
    }
}
