//! What the device counted, on its way to the bench that is the host: XRT's own calls have no room for it.
//!
//! The bench keeps a file of this name that lies in no folder, and the device, which XRT tells the host's process, finds it
//! there and adds a line for each run. Without that file nothing is reported.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::PathBuf;

use rustix::fs::{MemfdFlags, memfd_create};

use crate::emulator::Counted;

/// The file's name, as the system shows it among those that a process has open.
const NAME: &str = "derate-counts";
const SHOWN: &str = "/memfd:derate-counts";

/// The bench's side.
#[derive(Debug)]
pub struct Counts(File);

impl Counts {
    /// Kept from before the design is loaded, which starts the device.
    pub fn new() -> io::Result<Self> {
        Ok(Self(memfd_create(NAME, MemfdFlags::CLOEXEC)?.into()))
    }

    /// The runs since the last time; none where the device behind XRT is not derate's. A device reports a run before
    /// XRT learns that it is over.
    pub fn take_runs(&self) -> io::Result<Vec<Counted>> {
        let mut text = String::new();
        let mut file = &self.0;
        file.rewind()?;
        file.read_to_string(&mut text)?;
        file.set_len(0)?;
        let runs = text.lines().map(|line| serde_json::from_str(line).map_err(io::Error::from));
        runs.collect()
    }
}

/// The device's side; without a bench that listens it does nothing.
#[derive(Debug, Default)]
pub(super) struct Teller(Option<File>);

impl Teller {
    /// Looks for the file of the host.
    pub(super) fn to_the_host() -> Self {
        Self(file_of_the_host())
    }

    /// Tells of a run.
    pub(super) fn send_run(&self, run: &Counted) {
        if let (Some(mut file), Ok(line)) = (self.0.as_ref(), serde_json::to_string(run)) {
            // In one write. A host that is gone misses nothing.
            let _ = file.write_all(format!("{line}\n").as_bytes());
        }
    }
}

/// The process that XRT names in the socket's name, `device0_1_4711`.
pub(super) fn host_process() -> Option<u32> {
    let id = std::env::var("EMULATION_SOCKETID").ok()?;
    id.rsplit('_').next()?.parse().ok()
}

/// The file among those that the host has open.
fn file_of_the_host() -> Option<File> {
    let host = host_process()?;
    let mut open = fs::read_dir(format!("/proc/{host}/fd")).ok()?.flatten();
    let path: PathBuf = open.find_map(|entry| {
        let shown = fs::read_link(entry.path()).ok()?;
        shown.to_str()?.starts_with(SHOWN).then(|| entry.path())
    })?;
    OpenOptions::new().append(true).open(path).ok()
}
