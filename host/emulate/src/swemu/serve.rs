//! The device's side of the conversation.

use std::io::{self, Read, Write};
use std::path::PathBuf;

use derate_model::Platform;
use rustix::process::{Resource, getrlimit, setrlimit};

use super::SwemuError;
use super::calls::{self, Call};
use super::frame;
use super::loaded::Loaded;
use super::record::{Recorded, Recorder};

/// Bytes that are copied to the socket at a time.
const PIECE: usize = 32 << 10;

/// How a device behaves.
#[derive(Clone, Debug, Default)]
pub struct Manner {
    /// The card that it emulates; without one it is that of the design.
    pub platform: Option<Platform>,
    /// Whether the program and the device see the same bytes of what the program maps.
    pub coherent: bool,
    /// The folder into which it writes what it does.
    pub record: Option<PathBuf>,
}

/// Answers the host until it closes the device or, with nothing loaded, the socket. `note` receives what the user should know.
pub fn serve_calls(
    mut stream: impl Read + Write,
    manner: &Manner,
    mut note: impl FnMut(&str),
) -> Result<(), SwemuError> {
    allow_files();
    let platform = manner.platform.as_ref();
    let recorder = manner.record.as_deref().map(Recorder::new).transpose();
    let recorder = recorder.map_err(|error| {
        SwemuError::Setup(format!("what the device does cannot be written for --profile: {error}"))
    })?;
    let mut loaded = Loaded::without_design(&[], platform, manner.coherent, recorder);
    let (mut room, mut piece) = (Vec::new(), vec![0; PIECE]);
    while let Some(mut coming) = frame::begin_request(&mut stream, room)? {
        // XRT makes its next message ready while the data of this one are still read.
        let upload = calls::announce_upload(&mut coming, &mut stream)?;
        let early = upload.filter(|(address, bytes)| loaded.takes_unseen(*address, *bytes));
        if let Some((_, bytes)) = early {
            send(frame::write_answer(&mut stream, &calls::encode_count(bytes)))?;
        }
        let request = coming.finish(&mut stream)?;
        let call = Call::of(&request)?;
        let last = call == Call::Close { all: true };
        let answer = answer_call(call, &mut loaded, platform, &mut note)?;
        room = request.body;
        let sent = match answer {
            _ if early.is_some() => Ok(()),
            Answer::Message(message) => send(frame::write_answer(&mut stream, &message)),
            Answer::Data { address, bytes } => {
                send_data(&mut stream, &loaded, (address, bytes), &mut piece)
            }
        };
        // A host that went away while its last call was answered misses nothing.
        if last {
            return Ok(());
        }
        sent?;
    }
    if let Some(unit) = loaded.running_unit() {
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

fn send(sent: io::Result<()>) -> Result<(), SwemuError> {
    sent.map_err(|error| SwemuError::Socket(error.to_string()))
}

/// Sends bytes of a buffer, which has them. The host reads one piece while the next one is copied.
fn send_data(
    stream: &mut impl Write,
    loaded: &Loaded,
    (address, bytes): (u64, usize),
    piece: &mut [u8],
) -> Result<(), SwemuError> {
    let head = calls::encode_data_head(bytes);
    send(frame::begin_answer(stream, head.len() + bytes, &head))?;
    let mut sent = 0;
    while sent < bytes {
        let length = piece.len().min(bytes - sent);
        let part = piece.get_mut(..length).unwrap_or_default();
        loaded.read_into(address + sent as u64, part)?;
        send(stream.write_all(part))?;
        sent += length;
    }
    Ok(())
}

/// Each buffer holds a file open; a program may have thousands.
fn allow_files() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    // Where that is refused, fewer buffers have to do, and the one too many is reported.
    let _ = setrlimit(Resource::Nofile, limit);
}

/// What is sent back.
enum Answer {
    Message(Vec<u8>),
    /// Bytes of a buffer that has them.
    Data {
        address: u64,
        bytes: usize,
    },
}

fn answer_call(
    call: Call<'_>,
    loaded: &mut Loaded,
    platform: Option<&Platform>,
    note: &mut impl FnMut(&str),
) -> Result<Answer, SwemuError> {
    Ok(Answer::Message(match call {
        Call::Close { all } => {
            if all {
                loaded.end_free_units();
            }
            calls::encode_answer(true)
        }
        Call::Acknowledge => calls::encode_answer(true),
        Call::Nothing => Vec::new(),
        Call::Load { metadata, bitstream, banks } => {
            loaded.end_free_units();
            *loaded = loaded.load_design((&metadata, &bitstream), &banks, platform, note)?;
            calls::encode_answer(true)
        }
        Call::Alloc { address, bytes, shared } => {
            match loaded.allocate_buffer(address, bytes, shared)? {
                Some(path) => calls::encode_file(&path),
                None => calls::encode_answer(true),
            }
        }
        Call::Free { address } => calls::encode_answer(loaded.free_buffer(address)?),
        Call::ToDevice { address, data } => {
            loaded.write_buffer(address, data)?;
            loaded.record_transfer(true, address, data.len() as u64);
            calls::encode_count(data.len() as u64)
        }
        Call::FromDevice { address, bytes } => {
            let count = loaded.reach_of(address, bytes)?;
            loaded.record_transfer(false, address, bytes);
            return Ok(Answer::Data { address, bytes: count });
        }
        Call::Copy { from, file, bytes, from_offset, to_offset } => {
            loaded.record(|| Recorded::Copy {
                bytes,
                from: loaded.describe_place(from.saturating_add(from_offset)),
                to: loaded
                    .buffer_of(&file)
                    .and_then(|to| loaded.describe_place(to.saturating_add(to_offset))),
            });
            loaded.copy_buffer((from, from_offset), (&file, to_offset), bytes)?;
            calls::encode_answer(true)
        }
        Call::CopyFrom { to, file, bytes, from_offset, to_offset } => {
            loaded.record(|| Recorded::Copy {
                bytes,
                from: loaded
                    .buffer_of(&file)
                    .and_then(|from| loaded.describe_place(from.saturating_add(from_offset))),
                to: loaded.describe_place(to.saturating_add(to_offset)),
            });
            loaded.copy_file((&file, from_offset), (to, to_offset), bytes)?;
            calls::encode_answer(true)
        }
        Call::Import { address, file, bytes } => {
            loaded.import_buffer(address, &file, bytes)?;
            calls::encode_answer(true)
        }
        Call::WriteRegisters { address, data } => {
            calls::encode_answer(loaded.write_registers(address, data, note)?)
        }
        Call::ReadRegisters { address, bytes } => {
            match loaded.read_registers(address, bytes, note)? {
                Some(data) => calls::encode_data(1, &data),
                None => calls::encode_data(0, &[]),
            }
        }
    }))
}
