//! The calls of XRT's software emulation, by their numbers.

use std::io::Read;

use super::SwemuError;
use super::frame::{Coming, Request};
use super::wire::{Message, Writer, read_before};

/// What the host asks for.
#[derive(Debug, Eq, PartialEq)]
pub(super) enum Call<'r> {
    /// The design is closed; with `all`, the device too.
    Close {
        /// Whether nothing follows.
        all: bool,
    },
    /// A design is loaded.
    Load {
        /// The file of its metadata.
        metadata: String,
        /// The file of its bitstream.
        bitstream: String,
        /// The sizes of the memory banks, in bytes.
        banks: Vec<u64>,
    },
    /// A buffer; XRT has chosen its place.
    Alloc {
        /// Where.
        address: u64,
        /// Bytes.
        bytes: u64,
        /// Whether the host wants to see it, through a file.
        shared: bool,
    },
    /// A buffer is given back.
    Free {
        /// Where.
        address: u64,
    },
    /// Data for the device.
    ToDevice {
        /// Where.
        address: u64,
        /// The data.
        data: &'r [u8],
    },
    /// Data of the device.
    FromDevice {
        /// Where.
        address: u64,
        /// Bytes.
        bytes: u64,
    },
    /// Registers are written.
    WriteRegisters {
        /// The first, as the host sees it.
        address: u64,
        /// What for.
        data: &'r [u8],
    },
    /// Registers are read.
    ReadRegisters {
        /// The first, as the host sees it.
        address: u64,
        /// Bytes.
        bytes: u64,
    },
    /// Data of the device for the file of another buffer.
    Copy {
        /// The buffer that is copied.
        from: u64,
        /// The file that the other buffer was given.
        file: String,
        /// Bytes.
        bytes: u64,
        /// How far into the one.
        from_offset: u64,
        /// How far into the other.
        to_offset: u64,
    },
    /// Data of the file of another buffer, which may be another device's.
    CopyFrom {
        /// The buffer that is written.
        to: u64,
        /// The file.
        file: String,
        /// Bytes.
        bytes: u64,
        /// How far into the file.
        from_offset: u64,
        /// How far into the buffer.
        to_offset: u64,
    },
    /// A buffer is that of a file, which another device gave out.
    Import {
        /// Where.
        address: u64,
        /// The file.
        file: String,
        /// Bytes.
        bytes: u64,
    },
    /// Something that needs no more than an answer.
    Acknowledge,
    /// The host asks for what the device has to say, and for the time: nothing.
    Nothing,
}

impl<'r> Call<'r> {
    /// What a request asks for.
    pub(super) fn of(request: &'r Request) -> Result<Self, SwemuError> {
        let message = Message::read(&request.body).ok_or(SwemuError::Frame)?;
        let number = |field| message.number(field);
        // A register call names the unit's base and the offset in two fields.
        let register = || number(1).saturating_add(number(2));
        Ok(match request.call {
            1 => Self::Close { all: number(3) != 0 },
            3 => Self::Load {
                metadata: message.text(1),
                bitstream: message.text(2),
                banks: message
                    .all(8)
                    .map(|bank| Message::read(bank).map(|bank| bank.number(7)))
                    .collect::<Option<_>>()
                    .ok_or(SwemuError::Frame)?,
            },
            4 => Self::Alloc { address: number(1), bytes: number(2), shared: number(3) != 0 },
            5 => Self::Free { address: number(1) },
            TO_DEVICE => Self::ToDevice { address: number(3), data: message.bytes(4) },
            7 => Self::FromDevice { address: number(4), bytes: number(5) },
            9 => Self::WriteRegisters { address: number(2), data: message.bytes(4) },
            11 => Self::ReadRegisters { address: number(2), bytes: number(3) },
            51 => Self::WriteRegisters { address: register(), data: message.bytes(3) },
            52 => Self::ReadRegisters { address: register(), bytes: number(3) },
            22 => Self::Copy {
                from: number(1),
                file: message.text(2),
                bytes: number(3),
                from_offset: number(4),
                to_offset: number(5),
            },
            // Environment, streams, version: all of them want a yes.
            20 | 28 | 53 => Self::Acknowledge,
            27 => Self::Import { file: message.text(1), address: number(2), bytes: number(3) },
            50 => Self::CopyFrom {
                to: number(1),
                file: message.text(2),
                bytes: number(3),
                from_offset: number(4),
                to_offset: number(5),
            },
            17 | 19 => Self::Nothing,
            other => return Err(SwemuError::Call(other)),
        })
    }
}

/// Yes or no.
pub(super) fn encode_answer(yes: bool) -> Vec<u8> {
    Writer::default().number(1, u64::from(yes)).into_bytes()
}

/// Yes, and a file that the host maps.
pub(super) fn encode_file(path: &str) -> Vec<u8> {
    Writer::default().number(1, 1).bytes(2, path.as_bytes()).into_bytes()
}

/// A count of bytes.
pub(super) fn encode_count(bytes: u64) -> Vec<u8> {
    Writer::default().number(1, bytes).into_bytes()
}

/// A count of bytes, or a yes, and the bytes.
pub(super) fn encode_data(first: u64, bytes: &[u8]) -> Vec<u8> {
    Writer::default().number(1, first).bytes(2, bytes).into_bytes()
}

/// What comes before bytes that are sent after it: their count, and that they follow.
pub(super) fn encode_data_head(bytes: usize) -> Vec<u8> {
    Writer::default().number(1, bytes as u64).length(2, bytes).into_bytes()
}

/// The number of [`Call::ToDevice`].
const TO_DEVICE: u32 = 6;
/// XRT sends the handle of the device, the address and the length of the data before the data.
const UPLOAD_HEAD: usize = 64;

/// Where data will go of which only the beginning is here, and how many bytes: `None` for other calls.
pub(super) fn announce_upload(
    coming: &mut Coming,
    stream: &mut impl Read,
) -> Result<Option<(u64, u64)>, SwemuError> {
    if coming.call() != TO_DEVICE {
        return Ok(None);
    }
    let head = coming.peek(stream, UPLOAD_HEAD)?;
    Ok(read_before(head, 4).map(|(before, bytes)| (before.number(3), bytes)))
}
