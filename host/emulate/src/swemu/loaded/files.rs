//! Files that two processes share, and those that XRT wrote.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::fd::AsRawFd;

use rustix::fs::{MemfdFlags, ftruncate, memfd_create};

use super::LARGEST;
use crate::swemu::SwemuError;

/// A file that XRT wrote.
pub(super) fn read_file(path: &str) -> Result<Vec<u8>, SwemuError> {
    let refuse = |error: std::io::Error| SwemuError::Design {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    let mut data = Vec::new();
    File::open(path).and_then(|file| file.take(LARGEST).read_to_end(&mut data)).map_err(refuse)?;
    Ok(data)
}

/// A file for a buffer.
pub(super) fn make_file(bytes: u64) -> Result<File, SwemuError> {
    let system = |error: rustix::io::Errno| {
        SwemuError::Memory(format!("this machine gives no {bytes} bytes for a buffer: {error}"))
    };
    let file = memfd_create("derate", MemfdFlags::CLOEXEC).map_err(system)?;
    ftruncate(&file, bytes).map_err(system)?;
    Ok(File::from(file))
}

/// The file of a buffer of another device.
pub(super) fn open_shared(name: &str) -> Result<File, SwemuError> {
    let open = OpenOptions::new().read(true).write(true).open(name);
    open.map_err(|error| {
        SwemuError::Memory(format!(
            "the buffer of another device, {name}, cannot be opened: {error}"
        ))
    })
}

/// The path under which another process reaches a file that is in no folder.
pub(super) fn shared_path(file: &File) -> String {
    format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd())
}
