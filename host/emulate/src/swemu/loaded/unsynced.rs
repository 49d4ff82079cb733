//! Buffers that a kernel read and that nobody had written: a sync that was forgotten.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::fs::{FileExt, MetadataExt};

use super::Loaded;
use crate::emulator::{Counted, KernelArgumentKind, START, Unit};
use crate::swemu::counts::host_process;

/// How the system names a buffer's file among those that are mapped.
const MAPPED: &str = "/memfd:derate";
/// Bytes that are compared at a time.
const PIECE: usize = 1 << 20;

/// Whether the program's process has mapped a file; it is taken to, where the system does not say.
fn is_mapped_by_host(file: &File) -> bool {
    let maps = host_process().and_then(|id| fs::read_to_string(format!("/proc/{id}/maps")).ok());
    let (Some(maps), Ok(about)) = (maps, file.metadata()) else { return true };
    let inode = about.ino().to_string();
    maps.lines()
        .any(|line| line.contains(MAPPED) && line.split_ascii_whitespace().nth(4) == Some(&inode))
}

/// Which buffers anybody has written on the card.
#[derive(Debug, Default)]
pub(super) struct Writers {
    written: BTreeSet<u64>,
    /// Units and arguments of which it was said: once is enough.
    said: BTreeSet<(String, String)>,
}

impl Writers {
    /// A buffer that is new is one that nobody has written.
    pub(super) fn forget(&mut self, buffer: u64) {
        self.written.remove(&buffer);
    }
}

impl Loaded {
    /// Notes that something wrote to an address from outside a kernel.
    pub(in crate::swemu) fn note_written(&mut self, address: u64) {
        if let Some(buffer) = self.memory.buffer_at(address) {
            self.writers.written.insert(buffer.address());
        }
    }

    /// Notes what a run wrote, and tells of a buffer that it read and that nobody had written before. What a run writes itself
    /// it may read back, and what another unit works on at the same time that one may write.
    pub(super) fn tell_unsynced(&mut self, unit: &Unit, run: &Counted, note: &mut dyn FnMut(&str)) {
        let busy = self.busy_buffers(unit);
        for moved in &run.moved {
            let Some(buffer) = self.memory.buffer_at(moved.address) else { continue };
            let start = buffer.address();
            if moved.written > 0 {
                self.writers.written.insert(start);
            }
            let is_own = |one: &&crate::emulator::Moved| {
                one.written > 0 && one.address >= start && one.address - start < buffer.bytes()
            };
            if moved.read == 0
                || self.writers.written.contains(&start)
                || busy.contains(&start)
                || run.moved.iter().any(|one| is_own(&one))
                || self.is_of_host(start)
            {
                continue;
            }
            let file = self.files.get(&start);
            // What the program or another card has mapped, these write without a word.
            if self.coherent && file.is_some_and(is_mapped_by_host)
                || !self.is_same(None, start, buffer.bytes())
            {
                self.writers.written.insert(start);
                continue;
            }
            let host = file.filter(|_| !self.coherent);
            if host.is_some_and(|file| self.is_same(Some(file), start, buffer.bytes())) {
                continue;
            }
            let said = (run.unit.clone(), moved.argument.clone());
            if self.writers.said.insert(said) {
                let differs = if host.is_some() { ", and the program's copy differs" } else { "" };
                note(&format!(
                    "compute unit {} read `{}`, a buffer of {} bytes at {start:#x}, and nothing had written it on the card: it read \
                     zeros, where a card has whatever was there before{differs}; sync it to the card before the run, with \
                     XCL_BO_SYNC_BO_TO_DEVICE or clEnqueueMigrateMemObjects",
                    run.unit,
                    moved.argument,
                    buffer.bytes()
                ));
            }
        }
        // What nothing counts may have been written.
        let arguments = unit.kernel().arguments.iter().zip(unit.read_arguments());
        for (argument, value) in arguments.filter(|(argument, _)| argument.is_plain) {
            if matches!(argument.kind, KernelArgumentKind::Port { .. }) {
                self.note_written(value);
            }
        }
    }

    /// The buffers of all other units that run.
    fn busy_buffers(&self, own: &Unit) -> BTreeSet<u64> {
        let others = self.units.iter().map(|placed| &placed.unit).filter(|unit| {
            unit.name() != own.name() && (unit.read_register(0) & START != 0 || self.is_free(unit))
        });
        let values = others.flat_map(|unit| unit.read_arguments());
        values.filter_map(|value| Some(self.memory.buffer_at(value)?.address())).collect()
    }

    /// Whether the card's copy of a buffer has the bytes of the program's, or zeros where there is no such file.
    fn is_same(&self, file: Option<&File>, address: u64, bytes: u64) -> bool {
        let (mut own, mut theirs) = (vec![0; PIECE], vec![0; PIECE]);
        let mut offset = 0;
        while offset < bytes {
            let length = usize::try_from(bytes - offset).unwrap_or(PIECE).min(PIECE);
            let (Some(own), Some(theirs)) = (own.get_mut(..length), theirs.get_mut(..length))
            else {
                return false;
            };
            let read = self.memory.read(address + offset, own).is_ok();
            let other = file.is_none_or(|file| file.read_exact_at(theirs, offset).is_ok());
            if !read || !other || own != theirs {
                return false;
            }
            offset += length as u64;
        }
        true
    }
}
