//! Damage to compiled designs, and what derate's reader and its device make of it.
#![allow(dead_code, reason = "a test and an example use it, each its own part")]
#![allow(clippy::unwrap_used, reason = "what cannot write its own files fails loudly")]

use std::fs;
use std::io::{self, Cursor, Read, Write};
use std::path::Path;

use derate_emulate::swemu::{Manner, serve_calls};
use derate_emulate::xclbin::{Design, SectionKind, Xclbin, inspect_design};

/// What a byte of the metadata's text becomes.
const MARKS: &[u8] = b"<>/\"'&;0123456789abcdefx-=[] \0\xff";

/// Bytes before the table of sections, and of each entry of it.
const HEADER: usize = 456;
const ENTRY: usize = 40;

/// Numbers that look random and are the same each time.
struct Numbers(u64);

impl Numbers {
    /// splitmix64
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Below a bound that is not 0.
    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound.max(1) as u64).unwrap_or(0)
    }

    /// A length or an offset that nobody meant.
    fn odd_number(&mut self, around: usize) -> u64 {
        let around = around as u64;
        match self.below(8) {
            0 => 0,
            1 => u64::MAX,
            2 => u64::from(u32::MAX),
            3 => i64::MAX.unsigned_abs(),
            4 => around + 1,
            5 => around.saturating_sub(1),
            6 => 1 << self.below(63),
            _ => self.next(),
        }
    }
}

/// The parts of a file that damage is aimed at.
struct Parts {
    head: usize,
    metadata: (usize, usize),
    entries: usize,
}

fn parts_of(whole: &[u8]) -> Parts {
    let xclbin = Xclbin::read("whole.xclbin", whole).ok();
    let sections = xclbin.map(|one| one.sections).unwrap_or_default();
    let xml = sections.iter().find(|one| one.kind == SectionKind::EMBEDDED_METADATA);
    let number = |value: u64| usize::try_from(value).unwrap_or(0);
    let metadata = xml.map_or((0, whole.len()), |one| (number(one.offset), number(one.size)));
    Parts { head: HEADER + ENTRY * sections.len(), metadata, entries: sections.len() }
}

/// The file with damage that is chosen by a number: flipped bits, cuts, lengths, swapped sections, pieces in the wrong place.
pub(crate) fn damage_file(whole: &[u8], number: u64) -> Vec<u8> {
    let mut numbers = Numbers(number.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let parts = parts_of(whole);
    let mut bytes = whole.to_vec();
    for _ in 0..=numbers.below(3) {
        damage_once(&mut bytes, &parts, &mut numbers);
    }
    bytes
}

fn damage_once(bytes: &mut Vec<u8>, parts: &Parts, numbers: &mut Numbers) {
    if bytes.is_empty() {
        return;
    }
    let place = |numbers: &mut Numbers, length: usize| match numbers.below(3) {
        0 => numbers.below(parts.head.min(length)),
        1 => (parts.metadata.0 + numbers.below(parts.metadata.1)).min(length - 1),
        _ => numbers.below(length),
    };
    let length = bytes.len();
    match numbers.below(9) {
        0 => {
            for _ in 0..=numbers.below(8) {
                let at = place(numbers, length);
                bytes[at] ^= 1 << numbers.below(8);
            }
        }
        1 => {
            let end = place(numbers, length);
            bytes.truncate(end);
        }
        // A number of the header or the table.
        2 | 3 => {
            let wide = if numbers.below(2) == 0 { 4 } else { 8 };
            let at = numbers.below(parts.head.min(length)) / 4 * 4;
            let value = numbers.odd_number(length).to_le_bytes();
            bytes.iter_mut().skip(at).take(wide).zip(value).for_each(|(to, from)| *to = from);
        }
        // Two entries of the table, or the kinds of them alone.
        4 | 5 if parts.entries > 1 => {
            let wide = if numbers.below(2) == 0 { ENTRY } else { 4 };
            let entry = |numbers: &mut Numbers| HEADER + ENTRY * numbers.below(parts.entries);
            let (one, other) = (entry(numbers), entry(numbers));
            if one.max(other) + wide <= length && one.abs_diff(other) >= wide {
                (0..wide).for_each(|at| bytes.swap(one + at, other + at));
            }
        }
        6 => {
            let (from, to) = (place(numbers, length), place(numbers, length));
            let count = numbers.below(256).min(length - from.max(to));
            bytes.copy_within(from..from + count, to);
        }
        7 => {
            let at = place(numbers, length);
            let piece: Vec<u8> =
                (0..numbers.below(64)).map(|_| numbers.next().to_le_bytes()[0]).collect();
            bytes.splice(at..at, piece);
        }
        // Another digit or mark within the metadata's text.
        _ => {
            let at = (parts.metadata.0 + numbers.below(parts.metadata.1)).min(length - 1);
            let mark = MARKS[numbers.below(MARKS.len())];
            let count = 1 + numbers.below(12);
            bytes.iter_mut().skip(at).take(count).for_each(|byte| *byte = mark);
        }
    }
}

/// What became of a file.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Tally {
    /// Files that are no design: a sentence.
    pub(crate) refused: u64,
    /// Designs with problems, each a sentence.
    pub(crate) with_problems: u64,
    /// Designs whose load a sentence refused.
    pub(crate) not_loaded: u64,
    /// Designs that loaded: the damage is where nobody looks, or makes another sound design.
    pub(crate) loaded: u64,
}

/// Reads a file as `derate emu inspect` does, and loads it as XRT has its device load it.
pub(crate) fn try_file(bytes: &[u8], folder: &Path, tally: &mut Tally) {
    let is_sentence = |text: &str| {
        assert!(!text.is_empty() && !text.contains('\n'), "not one sentence: {text}");
    };
    let xclbin = match Xclbin::read("design.xclbin", bytes) {
        Ok(xclbin) => xclbin,
        Err(error) => {
            is_sentence(&error.to_string());
            tally.refused += 1;
            return;
        }
    };
    let report = inspect_design("design.xclbin", bytes.len() as u64, &xclbin);
    report.problems.iter().for_each(|problem| is_sentence(problem));
    tally.with_problems += u64::from(!report.problems.is_empty());
    if xclbin.problems.is_empty() {
        assert!(xclbin.write() == bytes, "what was read is not what is written");
    }
    let (metadata, bitstream) = (folder.join("metadata"), folder.join("bitstream"));
    let section = |kind| xclbin.section(kind).unwrap_or_default();
    fs::write(&metadata, section(SectionKind::EMBEDDED_METADATA)).unwrap();
    fs::write(&bitstream, section(SectionKind::BITSTREAM)).unwrap();
    let banks = Design::of(&xclbin).banks;
    let sizes: Vec<u64> = banks.iter().map(|bank| bank.bytes().unwrap_or(0)).collect();
    let mut socket = Socket { calls: Cursor::new(load_call(&metadata, &bitstream, &sizes)) };
    match serve_calls(&mut socket, &Manner::default(), |note| is_sentence(note)) {
        Ok(()) => tally.loaded += 1,
        Err(error) => {
            is_sentence(&error.to_string());
            tally.not_loaded += 1;
        }
    }
}

/// A host that loads a design and leaves.
struct Socket {
    calls: Cursor<Vec<u8>>,
}

impl Read for Socket {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.calls.read(bytes)
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// XRT's call, in its frame.
fn load_call(metadata: &Path, bitstream: &Path, sizes: &[u64]) -> Vec<u8> {
    let mut body = Vec::new();
    let text = |field: u8, bytes: &[u8], body: &mut Vec<u8>| {
        body.push(field << 3 | 2);
        push_number(bytes.len() as u64, body);
        body.extend_from_slice(bytes);
    };
    text(1, metadata.to_str().unwrap().as_bytes(), &mut body);
    text(2, bitstream.to_str().unwrap().as_bytes(), &mut body);
    for size in sizes {
        let mut bank = vec![7 << 3];
        push_number(*size, &mut bank);
        text(8, &bank, &mut body);
    }
    let mut framed = vec![0x09];
    framed.extend((body.len() as u64).to_le_bytes());
    framed.push(0x15);
    framed.extend(3_u32.to_le_bytes());
    framed.extend(body);
    framed
}

fn push_number(mut value: u64, bytes: &mut Vec<u8>) {
    while value >= 0x80 {
        bytes.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    bytes.push(value.to_le_bytes()[0]);
}
