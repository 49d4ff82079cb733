//! What a device did, for `derate emu run --profile`: a line of JSON for each thing, in a file of each device's own.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::emulator::Counted;
use crate::xclbin::DesignSource;

/// More devices than one run of a program starts.
const MOST: u32 = 100_000;

/// One thing that a device did.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub enum Recorded {
    /// It loaded a design.
    Design(RecordedDesign),
    /// Data went between the host and the card.
    Transfer {
        /// Whether to the card.
        to_card: bool,
        /// Where the buffer starts.
        buffer: u64,
        /// Where in it the data start.
        address: u64,
        /// How many bytes.
        bytes: u64,
        /// The bank.
        bank: String,
    },
    /// Data went from one buffer of a card to another buffer, of this or another card.
    Copy {
        /// How many bytes.
        bytes: u64,
        /// Where on this card they are read.
        from: Option<RecordedPlace>,
        /// Where on this card they are written.
        to: Option<RecordedPlace>,
    },
    /// A compute unit was started.
    Start {
        /// Which.
        unit: String,
        /// What it was given.
        arguments: Vec<RecordedArgument>,
    },
    /// The run of a compute unit that began first came to its end, and its streams had moved so much.
    End(Counted, Vec<RecordedStream>),
    /// All that a unit moved that runs without a host.
    Free(Counted, Vec<RecordedStream>),
}

/// A design that a device loaded.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct RecordedDesign {
    /// MHz of its kernels' clock, where it says them.
    pub megahertz: Option<f64>,
    /// Its compute units.
    pub units: Vec<RecordedUnit>,
    /// What it was made of, where it says so.
    pub sources: Vec<DesignSource>,
}

/// A compute unit of a design.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct RecordedUnit {
    /// Its name.
    pub name: String,
    /// Its kernel.
    pub kernel: String,
    /// Whether it runs without a host.
    pub is_free: bool,
    /// Its pointers that nothing counts.
    pub plain: Vec<String>,
}

/// What went through a stream between two units.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct RecordedStream {
    /// The unit that writes it.
    pub from: String,
    /// The unit that reads it.
    pub to: String,
    /// The argument of the writer, counted from 0: two units may have several streams.
    pub at: u32,
    /// Whether these elements were written; else they were read.
    pub writes: bool,
    /// How many elements.
    pub elements: u64,
}

/// A place in a buffer of the card.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct RecordedPlace {
    /// Where the buffer starts.
    pub buffer: u64,
    /// The place.
    pub address: u64,
}

/// What one argument of a run was given.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct RecordedArgument {
    /// Its name.
    pub name: String,
    /// The register.
    pub value: u64,
    /// Of a pointer, where its buffer starts and the bank; `None` of a number.
    pub place: Option<(u64, String)>,
}

/// All that one device did, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeviceRecord {
    /// The card, counted from 0.
    pub card: u32,
    /// What it did.
    pub done: Vec<Recorded>,
}

/// The records of all devices that wrote into a folder, in the order in which they were started.
pub fn read_records(folder: &Path) -> io::Result<Vec<DeviceRecord>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    paths.iter().map(|path| read_record(path)).collect()
}

fn read_record(path: &Path) -> io::Result<DeviceRecord> {
    let text = fs::read_to_string(path)?;
    let (card, rest) = text.split_once('\n').unwrap_or_default();
    let card = card.parse().unwrap_or_default();
    // The last line of a device that was killed may be cut.
    let lines = rest.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    let done = lines.map(|line| serde_json::from_str(line).map_err(io::Error::from));
    Ok(DeviceRecord { card, done: done.collect::<io::Result<_>>()? })
}

/// Where a device writes what it does.
#[derive(Clone, Debug)]
pub(super) struct Recorder(Arc<File>);

impl Recorder {
    /// A file of its own in a folder, whose name is the next one.
    pub(super) fn new(folder: &Path) -> io::Result<Self> {
        for number in 0..MOST {
            let path = folder.join(format!("{number:06}"));
            match OpenOptions::new().append(true).create_new(true).open(path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
                Ok(mut file) => {
                    writeln!(file, "{}", own_card().unwrap_or_default())?;
                    return Ok(Self(Arc::new(file)));
                }
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    pub(super) fn write(&self, done: &Recorded) {
        if let Ok(line) = serde_json::to_string(done) {
            // In one write, so that no line of a device that is killed is mixed up; a full disk shows when it is read.
            let _ = (&*self.0).write_all(format!("{line}\n").as_bytes());
        }
    }
}

/// XRT names its socket `device0_1_4711` after the card.
fn own_card() -> Option<u32> {
    let id = std::env::var("EMULATION_SOCKETID").ok()?;
    id.strip_prefix("device")?.split('_').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written_up_to_where_it_was_cut() {
        let folder = tempfile::tempdir().unwrap();
        let copy = |bytes| Recorded::Copy { bytes, from: None, to: None };
        let done = [copy(7), copy(8)];
        for _ in 0..2 {
            let recorder = Recorder::new(folder.path()).unwrap();
            for one in &done {
                recorder.write(one);
            }
        }
        let both = read_records(folder.path()).unwrap();
        assert_eq!(both, vec![DeviceRecord { card: 0, done: done.to_vec() }; 2]);
        let path = folder.path().join("000000");
        let text = fs::read(&path).unwrap();
        fs::write(&path, &text[..text.len() - 3]).unwrap();
        assert_eq!(read_records(folder.path()).unwrap()[0].done, done[..1]);
    }
}
