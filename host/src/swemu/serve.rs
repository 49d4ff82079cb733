//! The device's side of the conversation.

use std::io::{Read, Write};
use std::sync::Arc;

use derate_model::Platform;
use rustix::process::{Resource, getrlimit, setrlimit};

use super::SwemuError;
use super::calls::{self, Call};
use super::frame;
use super::machine::Loaded;
use crate::emulator::Kernel;

/// What the device is made of.
#[derive(Debug)]
pub struct Machine {
    /// The card that it stands for.
    pub platform: Platform,
    /// The kernels that it has code for.
    pub kernels: Vec<Arc<Kernel>>,
}

/// Answers the host until it closes the device or the socket. `note` hears what the user should know.
pub fn serve(
    mut stream: impl Read + Write,
    machine: &Machine,
    mut note: impl FnMut(&str),
) -> Result<(), SwemuError> {
    allow_files();
    let mut loaded = Loaded::empty(&[], &machine.platform);
    while let Some(request) = frame::read(&mut stream)? {
        let call = Call::of(&request)?;
        let last = call == Call::Close { all: true };
        let answer = answer(call, &mut loaded, machine, &mut note)?;
        match frame::write(&mut stream, &answer) {
            Ok(()) => {}
            // A host that went away while its last call was answered misses nothing.
            Err(_) if last => {}
            Err(error) => return Err(SwemuError::Socket(error.to_string())),
        }
        if last {
            break;
        }
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
    machine: &Machine,
    note: &mut impl FnMut(&str),
) -> Result<Vec<u8>, SwemuError> {
    Ok(match call {
        Call::Close { .. } | Call::Acknowledge => calls::answer(true),
        Call::Nothing => Vec::new(),
        Call::Load { metadata, bitstream, banks } => {
            let Machine { platform, kernels } = machine;
            *loaded = Loaded::load(&metadata, &bitstream, &banks, platform, kernels, note)?;
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
        Call::WriteRegisters { address, data } => {
            calls::answer(loaded.write_registers(address, &data)?)
        }
        Call::ReadRegisters { address, bytes } => match loaded.read_registers(address, bytes)? {
            Some(data) => calls::data(1, &data),
            None => calls::data(0, &[]),
        },
    })
}
