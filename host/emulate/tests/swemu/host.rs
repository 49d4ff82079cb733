//! A host that is not XRT: it speaks as XRT does.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::OnceLock;
use std::thread::JoinHandle;

use derate_emulate::swemu::{Manner, SwemuError, serve_calls};
use derate_emulate::xclbin::{SectionKind, link_design, make_payload};
use derate_hls::{Sources, parse_all, read_connectivity};
use derate_model::Platform;

use super::{MIB, START, UNIT, build_file};

fn varint(mut value: u64, bytes: &mut Vec<u8>) {
    while value >= 0x80 {
        bytes.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    bytes.push(value.to_le_bytes()[0]);
}

/// A message of numbers and byte strings.
pub(super) fn message(numbers: &[(u64, u64)], strings: &[(u64, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (field, value) in numbers {
        varint(field << 3, &mut bytes);
        varint(*value, &mut bytes);
    }
    for (field, value) in strings {
        varint(field << 3 | 2, &mut bytes);
        varint(value.len() as u64, &mut bytes);
        bytes.extend_from_slice(value);
    }
    bytes
}

pub(super) fn framed(call: u32, body: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0x09];
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.push(0x15);
    bytes.extend(call.to_le_bytes());
    bytes.extend(body);
    bytes
}

pub(super) struct Host {
    pub(super) stream: UnixStream,
    device: JoinHandle<(Result<(), SwemuError>, Vec<String>)>,
    /// The design's files, as XRT would have written them.
    folder: tempfile::TempDir,
}

impl Host {
    pub(super) fn start() -> Self {
        let (stream, other) = UnixStream::pair().unwrap();
        let device = std::thread::spawn(move || {
            let platform = Some(Platform::named("u280").unwrap());
            let manner = Manner { platform, ..Manner::default() };
            let mut notes = Vec::new();
            let ended = serve_calls(other, &manner, |note| notes.push(note.to_owned()));
            (ended, notes)
        });
        Self { stream, device, folder: tempfile::tempdir().unwrap() }
    }

    /// One call and its answer; `None` where the device is gone.
    pub(super) fn call(&mut self, call: u32, body: &[u8]) -> Option<Vec<u8>> {
        self.stream.write_all(&framed(call, body)).ok()?;
        let mut head = [0; 9];
        self.stream.read_exact(&mut head).ok()?;
        assert_eq!(head[0], 0x09);
        let length = u64::from_le_bytes(head[1..].try_into().unwrap());
        let mut body = vec![0; usize::try_from(length).unwrap()];
        self.stream.read_exact(&mut body).unwrap();
        Some(body)
    }

    pub(super) fn answers_yes(&mut self, call: u32, body: &[u8]) {
        assert_eq!(self.call(call, body).unwrap()[..2], [0x08, 1]);
    }

    pub(super) fn yes(&mut self, call: u32, numbers: &[(u64, u64)], strings: &[(u64, &[u8])]) {
        self.answers_yes(call, &message(numbers, strings));
    }

    /// A buffer with a file for the host's copy, and that file's name.
    pub(super) fn alloc_shared(&mut self, address: u64, bytes: u64) -> String {
        let answer = self.call(4, &message(&[(1, address), (2, bytes), (3, 1)], &[])).unwrap();
        assert_eq!(answer[..3], [0x08, 1, 0x12]);
        std::str::from_utf8(&answer[4..]).unwrap().to_owned()
    }

    /// Loads a design with one unit of `krnl_memcpy`, with its code.
    pub(super) fn load(&mut self) {
        static CODE: OnceLock<Vec<u8>> = OnceLock::new();
        let code = CODE.get_or_init(|| {
            let kernels = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hls/kernels");
            make_payload(&build_file(&kernels.join("memcpy.cpp")))
        });
        let request = self.design(code);
        self.answers_yes(3, &request);
    }

    /// The call that loads the design, which carries this code.
    pub(super) fn design(&self, code: &[u8]) -> Vec<u8> {
        let mut sources = Sources::default();
        let files = [
            ("port.h", "template <class T> using port = T *;"),
            ("word.h", include_str!("../../../../hls/kernels/word.h")),
            ("memcpy.cpp", include_str!("../../../../hls/kernels/memcpy.cpp")),
        ];
        let files = files.map(|(name, text)| sources.add(name, text));
        let headers = parse_all(&sources, &files);
        let platform = Platform::named("u280").unwrap();
        let cfg = "[connectivity]\nsp=krnl_memcpy_1.src:HBM[0]\nsp=krnl_memcpy_1.dst:HBM[1]\n";
        let cfg = sources.add("u280.cfg", cfg);
        let cfg = read_connectivity(&sources, cfg).unwrap();
        let linked = link_design(&sources, &headers, &[cfg], &platform, None, &[], &[]).unwrap();
        let metadata = self.folder.path().join("xmltmp");
        fs::write(&metadata, linked.xclbin.section(SectionKind::EMBEDDED_METADATA).unwrap())
            .unwrap();
        let banks: Vec<Vec<u8>> = std::iter::repeat_n(256 * MIB, 32)
            .chain([16 << 30, 16 << 30])
            .map(|size| message(&[(7, size)], &[]))
            .collect();
        let path = metadata.to_str().unwrap();
        let bitstream = self.folder.path().join("dltmp");
        fs::write(&bitstream, code).unwrap();
        let bitstream = bitstream.to_str().unwrap();
        let mut strings: Vec<(u64, &[u8])> = vec![(1, path.as_bytes()), (2, bitstream.as_bytes())];
        strings.extend(banks.iter().map(|bank| (8, bank.as_slice())));
        message(&[(6, 0)], &strings)
    }

    pub(super) fn alloc(&mut self, address: u64, bytes: u64) {
        self.yes(4, &[(1, address), (2, bytes), (3, 0)], &[]);
    }

    /// Writes the whole map of registers, as XRT's scheduler does, first without and then with the start.
    pub(super) fn launch(&mut self, src: u64, dst: u64, words: u32) {
        for control in [0, START] {
            let mut map = vec![0; 0x2c];
            map[..4].copy_from_slice(&control.to_le_bytes());
            map[0x10..0x18].copy_from_slice(&src.to_le_bytes());
            map[0x1c..0x24].copy_from_slice(&dst.to_le_bytes());
            map[0x28..0x2c].copy_from_slice(&words.to_le_bytes());
            self.yes(9, &[(2, UNIT), (3, 0x2c)], &[(4, &map)]);
        }
    }

    /// The unit's control register; `None` where the device is gone.
    pub(super) fn control(&mut self) -> Option<u32> {
        let answer = self.call(11, &message(&[(2, UNIT), (3, 4)], &[]))?;
        assert_eq!(answer[..4], [0x08, 1, 0x12, 4]);
        Some(u32::from_le_bytes(answer[4..8].try_into().unwrap()))
    }

    /// Closes the socket, and tells how the device ended.
    pub(super) fn end(self) -> (Result<(), SwemuError>, Vec<String>) {
        drop(self.stream);
        self.device.join().unwrap()
    }
}
