//! The device's side of the conversation.

use derate_model::Platform;
use rustix::process::{Resource, getrlimit, setrlimit};
use std::io::{Read, Write};

use super::SwemuError;
use super::calls::{self, Call};
use super::frame;
use super::loaded::Loaded;

/// Answers the host until it closes the device or, with nothing loaded, the socket; `platform` is the card that this device
/// stands for. `note` hears what the user should know.
pub fn serve(
    mut stream: impl Read + Write,
    platform: &Platform,
    mut note: impl FnMut(&str),
) -> Result<(), SwemuError> {
    allow_files();
    let mut loaded = Loaded::empty(&[], platform);
    while let Some(request) = frame::read(&mut stream)? {
        let call = Call::of(&request)?;
        let last = call == Call::Close { all: true };
        let answer = answer(call, &mut loaded, platform, &mut note)?;
        match frame::write(&mut stream, &answer) {
            // A host that went away while its last call was answered misses nothing.
            _ if last => return Ok(()),
            Ok(()) => {}
            Err(error) => return Err(SwemuError::Socket(error.to_string())),
        }
    }
    if let Some(unit) = loaded.running() {
        return Err(SwemuError::Left(unit.to_owned()));
    }
    // An OpenCL program that keeps its device to its end never closes it.
    if loaded.has_units() {
        note(
            "the program's socket ended before it closed the device: it left, or it closed a file descriptor that is XRT's",
        );
    }
    Ok(())
}

/// Each buffer holds a file open; a program may have thousands.
fn allow_files() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    // Where that is refused, fewer buffers have to do, and the one too many is told.
    let _ = setrlimit(Resource::Nofile, limit);
}

fn answer(
    call: Call,
    loaded: &mut Loaded,
    platform: &Platform,
    note: &mut impl FnMut(&str),
) -> Result<Vec<u8>, SwemuError> {
    Ok(match call {
        Call::Close { .. } | Call::Acknowledge => calls::answer(true),
        Call::Nothing => Vec::new(),
        Call::Load { metadata, bitstream, banks } => {
            *loaded = Loaded::load(&metadata, &bitstream, &banks, platform, note)?;
            calls::answer(true)
        }
        Call::Alloc { address, bytes, shared } => match loaded.alloc(address, bytes, shared)? {
            Some(path) => calls::file(&path),
            None => calls::answer(true),
        },
        Call::Free { address } => calls::answer(loaded.free(address)?),
        Call::ToDevice { address, data } => {
            loaded.write(address, &data)?;
            calls::count(data.len() as u64)
        }
        Call::FromDevice { address, bytes } => calls::data(bytes, &loaded.read(address, bytes)?),
        Call::Copy { from, file, bytes, from_offset, to_offset } => {
            loaded.copy((from, from_offset), (&file, to_offset), bytes)?;
            calls::answer(true)
        }
        Call::WriteRegisters { address, data } => {
            calls::answer(loaded.write_registers(address, &data)?)
        }
        Call::ReadRegisters { address, bytes } => match loaded.read_registers(address, bytes)? {
            Some(data) => calls::data(1, &data),
            None => calls::data(0, &[]),
        },
    })
}
