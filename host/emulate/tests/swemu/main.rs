//! The conversation of XRT's software emulation, spoken by a host that is not XRT: without XRT installed.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod host;

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::time::Duration;

use derate_emulate::emulator::{KernelSource, build_kernels};
use derate_emulate::swemu::SwemuError;
use host::{Host, framed, message};
use proptest::prelude::*;

/// Where the first unit's registers are, and what they say.
const UNIT: u64 = 0x140_0000;
const START: u32 = 1;
const DONE: u32 = 2;
const IDLE: u32 = 4;
const MIB: u64 = 1 << 20;

/// The compiled kernels of a source.
fn build_file(path: &Path) -> Vec<Vec<u8>> {
    let source = KernelSource { path: path.to_owned(), ..KernelSource::default() };
    build_kernels(&[source], false).unwrap().images
}

#[test]
fn a_copy_as_xrt_asks_for_it() {
    let mut host = Host::start();
    // XRT closes before it opens.
    host.yes(1, &[(3, 0)], &[]);
    host.yes(28, &[], &[]);
    host.load();
    let (src, dst) = (0x1000, 0x1000_2000);
    host.alloc(src, MIB);
    host.alloc(dst, MIB);
    let data: Vec<u8> = (0..MIB).map(|i| (i * 31 % 251).to_le_bytes()[0]).collect();
    let answer = host.call(6, &message(&[(3, src), (5, MIB)], &[(4, &data)])).unwrap();
    assert_eq!(answer, message(&[(1, MIB)], &[]));
    host.launch(src, dst, u32::try_from(MIB / 64).unwrap());
    let mut seen = host.control().unwrap();
    while seen != DONE | IDLE {
        // Never idle before it is done: XRT takes that for done.
        assert_eq!(seen, START);
        seen = host.control().unwrap();
    }
    let back = host.call(7, &message(&[(4, dst), (5, MIB)], &[])).unwrap();
    assert_eq!(back, message(&[(1, MIB)], &[(2, &data)]));
    host.yes(5, &[(1, src)], &[]);
    host.yes(1, &[(3, 1)], &[]);
    let (ended, notes) = host.end();
    assert_eq!((ended, notes), (Ok(()), Vec::new()));
}

/// One run of a copy on buffers that XRT placed; the notes.
fn notes_of(
    src_is_shared: bool,
    before: impl FnOnce(&mut Host, &str),
    launches: &[(u64, u64)],
) -> Vec<String> {
    let mut host = Host::start();
    host.load();
    let (src, dst) = (0x1000, 0x1000_2000);
    let path = if src_is_shared { host.alloc_shared(src, 4096) } else { String::new() };
    if !src_is_shared {
        host.alloc(src, 4096);
    }
    host.alloc(dst, 4096);
    before(&mut host, &path);
    for &(from, to) in launches {
        host.launch(from, to, 64);
        while host.control().unwrap() & DONE == 0 {}
    }
    host.yes(1, &[(3, 1)], &[]);
    let (ended, notes) = host.end();
    assert_eq!(ended, Ok(()));
    notes
}

/// A kernel that reads what nobody wrote: said once, and said of the host's copy where that is known.
#[test]
fn a_forgotten_sync_is_told() {
    let (src, dst) = (0x1000, 0x1000_2000);
    let forgotten = notes_of(false, |_, _| {}, &[(src, dst), (src, dst)]);
    let [one] = forgotten.as_slice() else { panic!("{forgotten:?}") };
    let said = "compute unit krnl_memcpy_1 read `src`, a buffer of 4096 bytes at 0x1000, and nothing had written it";
    assert!(one.starts_with(said) && one.contains("XCL_BO_SYNC_BO_TO_DEVICE"), "{one}");
    assert!(!one.contains("differs"), "{one}");
    let filled = notes_of(true, |_, path| fs::write(path, [7; 4096]).unwrap(), &[(src, dst)]);
    let [one] = filled.as_slice() else { panic!("{filled:?}") };
    assert!(one.contains("the program's copy differs"), "{one}");
}

#[test]
fn what_was_written_in_any_way_is_not_told() {
    let (src, dst) = (0x1000, 0x1000_2000);
    // Synced, also in part: XRT tells of whole buffers, and a program may need no more.
    let sync = |host: &mut Host, _: &str| {
        host.call(6, &message(&[(3, src), (5, 64)], &[(4, &[1; 64])])).unwrap();
    };
    assert_eq!(notes_of(false, sync, &[(src, dst)]), Vec::<String>::new());
    // The program's copy is what the card has.
    assert_eq!(notes_of(true, |_, _| {}, &[(src, dst)]), Vec::<String>::new());
    // Another buffer was copied to it.
    let copy = |host: &mut Host, path: &str| {
        let from = 0x8000;
        host.alloc(from, 4096);
        host.call(6, &message(&[(3, from), (5, 64)], &[(4, &[1; 64])])).unwrap();
        host.yes(22, &[(1, from), (3, 64), (4, 0), (5, 0)], &[(2, path.as_bytes())]);
    };
    assert_eq!(notes_of(true, copy, &[(src, dst)]), Vec::<String>::new());
}

/// The host's copy is a file in no folder, and not the device's memory: what is not synced is not there.
#[test]
fn the_file_of_a_buffer_is_the_hosts_copy() {
    let mut host = Host::start();
    host.load();
    let path = host.alloc_shared(0, 4096);
    let file = fs::OpenOptions::new().read(true).write(true).open(&path).unwrap();
    assert_eq!(file.metadata().unwrap().len(), 4096);
    (&file).write_all(&[7; 4096]).unwrap();
    let back = host.call(7, &message(&[(4, 0), (5, 4096)], &[])).unwrap();
    assert_eq!(back, message(&[(1, 4096)], &[(2, &[0; 4096])]));
    assert_eq!(host.end().0, Ok(()));
}

/// XRT makes its next message ready while the device still takes the data of this one; what somebody else sees is there before the
/// answer.
#[test]
fn data_are_answered_before_they_are_all_there_where_nobody_sees_them() {
    let mut host = Host::start();
    host.load();
    let (own, shared) = (0, 256 * MIB);
    host.alloc(own, MIB);
    host.alloc_shared(shared, MIB);
    let data: Vec<u8> = (0..100_000_u32).map(|i| (i * 7 % 251).to_le_bytes()[0]).collect();
    for (address, is_early) in [(own, true), (shared, false)] {
        let request = framed(6, &message(&[(3, address + 4096)], &[(4, &data)]));
        host.stream.write_all(&request[..200]).unwrap();
        let waits = if is_early { None } else { Some(Duration::from_millis(200)) };
        host.stream.set_read_timeout(waits).unwrap();
        let mut answer = [0; 13];
        assert_eq!(host.stream.read_exact(&mut answer).is_ok(), is_early);
        host.stream.write_all(&request[200..]).unwrap();
        if !is_early {
            host.stream.set_read_timeout(None).unwrap();
            host.stream.read_exact(&mut answer).unwrap();
        }
        assert_eq!(answer[9..], message(&[(1, 100_000)], &[]));
        let back = host.call(7, &message(&[(4, address + 4096), (5, 100_000)], &[])).unwrap();
        assert_eq!(back, message(&[(1, 100_000)], &[(2, &data)]));
    }
    // More than the buffer has is not taken early, and is refused.
    let request = framed(6, &message(&[(3, own + MIB - 4096)], &[(4, &data)]));
    host.stream.write_all(&request).unwrap();
    assert_eq!(host.stream.read(&mut [0; 9]).unwrap(), 0);
    assert!(matches!(host.end().0, Err(SwemuError::Memory(_))));
}

/// What XRT makes of `xrt::bo::copy` into a buffer that was exported: bytes of a buffer, and the other one's file.
#[test]
fn a_buffer_is_copied_into_another() {
    let mut host = Host::start();
    host.load();
    let (from, to) = (0x2000, 256 * MIB);
    host.alloc(from, 4096);
    let path = host.alloc_shared(to, 4096);
    let data: Vec<u8> = (0..4096_u32).map(|i| (i * 13 % 251).to_le_bytes()[0]).collect();
    host.call(6, &message(&[(3, from), (5, 4096)], &[(4, &data)])).unwrap();
    host.yes(22, &[(1, from), (3, 1000), (4, 96), (5, 2048)], &[(2, path.as_bytes())]);
    let mut expected = vec![0; 4096];
    expected[2048..3048].copy_from_slice(&data[96..1096]);
    let back = host.call(7, &message(&[(4, to), (5, 4096)], &[])).unwrap();
    assert_eq!(back, message(&[(1, 4096)], &[(2, &expected)]));
    assert_eq!(fs::read(path).unwrap(), expected);
    assert_eq!(host.end().0, Ok(()));
}

/// A kernel is what its code does: a name brings none.
#[test]
fn a_design_without_code_is_refused() {
    for code in [&b""[..], b"some vendor's bitstream"] {
        let mut host = Host::start();
        let request = host.design(code);
        assert_eq!(host.call(3, &request), None);
        assert_eq!(host.end().0, Err(SwemuError::NoCode));
    }
}

#[test]
fn a_buffer_in_a_bank_that_is_not_connected_is_refused() {
    let mut host = Host::start();
    host.load();
    host.alloc(0, MIB);
    host.alloc(512 * MIB, MIB);
    host.launch(0, 512 * MIB, 16);
    while host.control().is_some() {}
    assert_eq!(
        host.end().0.unwrap_err().to_string(),
        "compute unit krnl_memcpy_1: krnl_memcpy is given 0x20000000 for `dst`, in HBM[2], and the design connects that argument to HBM[1]: put the buffer there (its group is the bank's), or give it the bank with sp="
    );
}

#[test]
fn a_run_that_goes_wrong_ends_the_device_with_a_sentence() {
    for (words, freed, sentence) in [
        (
            u32::try_from(MIB / 64).unwrap() + 1,
            false,
            "compute unit krnl_memcpy_1: krnl_memcpy reads 64 bytes at 0x100000 through `src`, which is a buffer of 1048576 bytes at 0x0 (XRT rounds a buffer up to whole pages of 4096 bytes before it tells the device, so the program may have asked for less)",
        ),
        (
            u32::try_from(128 * MIB / 64).unwrap(),
            true,
            "compute unit krnl_memcpy_1: the program frees the buffer of 134217728 bytes at 0x0 while the unit runs on it as `src`: wait for the run first",
        ),
    ] {
        let mut host = Host::start();
        host.load();
        let bytes = if freed { 128 * MIB } else { MIB };
        host.alloc(0, bytes);
        host.alloc(256 * MIB, bytes);
        host.launch(0, 256 * MIB, words);
        if freed {
            assert_eq!(host.call(5, &message(&[(1, 0)], &[])), None);
        } else {
            while host.control().is_some() {}
        }
        assert_eq!(host.end().0.unwrap_err().to_string(), sentence);
    }
}

#[test]
fn what_the_device_cannot_do_is_a_sentence() {
    type Step = fn(&mut Host);
    let steps: [(Step, &str); 9] = [
        (|host| assert_eq!(host.call(4711, &[]), None), "XRT makes call 4711"),
        (
            |host| {
                host.load();
                host.call(4, &message(&[(1, 1 << 50), (2, 4096)], &[]));
            },
            "no bank of this device is there",
        ),
        (
            |host| {
                let _ = host.call(7, &message(&[(4, 0), (5, 1 << 60)], &[]));
            },
            "nothing of 1152921504606846976 bytes is allocated at 0x0",
        ),
        (
            |host| {
                let _ = host.call(3, &message(&[], &[(1, b"nowhere/xmltmp")]));
            },
            "nowhere/xmltmp, which XRT wrote, cannot be used",
        ),
        (|host| assert_eq!(host.call(27, &[]), None), "shares a buffer between two devices"),
        (
            |host| assert_eq!(host.call(50, &[]), None),
            "the buffer of another device, , cannot be opened",
        ),
        (
            |host| {
                let file = (2, &b"/proc/1/fd/1"[..]);
                assert_eq!(host.call(22, &message(&[(3, 64)], &[file])), None);
            },
            "nothing of 64 bytes is allocated at 0x0",
        ),
        (|host| host.stream.write_all(&framed(1, &[0; 40])[..20]).unwrap(), "within a message"),
        (
            |host| {
                host.load();
                host.alloc(0, 128 * MIB);
                host.alloc(256 * MIB, 128 * MIB);
                host.launch(0, 256 * MIB, u32::try_from(128 * MIB / 64).unwrap());
            },
            "the program's socket ended while compute unit krnl_memcpy_1 ran",
        ),
    ];
    for (step, sentence) in steps {
        let mut host = Host::start();
        step(&mut host);
        let error = host.end().0.unwrap_err().to_string();
        assert!(error.contains(sentence), "{error}");
        assert!(!error.contains('\n'), "{error}");
    }
}

#[test]
fn a_host_that_leaves_is_an_end_and_is_told() {
    let mut host = Host::start();
    host.load();
    host.alloc(0, MIB);
    host.alloc(256 * MIB, MIB);
    host.call(6, &message(&[(3, 0), (5, 64)], &[(4, &[1; 64])])).unwrap();
    host.launch(0, 256 * MIB, 16);
    while host.control() != Some(DONE | IDLE) {}
    let (ended, notes) = host.end();
    assert_eq!(ended, Ok(()));
    let [note] = notes.as_slice() else { panic!("{notes:?}") };
    assert!(note.starts_with("the program's socket ended before it closed the device: "), "{note}");
    assert_eq!(Host::start().end(), (Ok(()), Vec::new()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Whatever comes through the socket.
    #[test]
    fn no_conversation_panics(
        calls in proptest::collection::vec((0_u32..60, proptest::collection::vec(any::<u8>(), 0..60)), 1..12),
    ) {
        let mut host = Host::start();
        for (call, body) in &calls {
            // Nobody allocates so much in a test; the sizes of random messages would.
            let call = if matches!(call, 3 | 4) { 19 } else { *call };
            if host.call(call, body).is_none() {
                break;
            }
        }
        let (ended, _) = host.end();
        if let Err(error) = ended {
            prop_assert!(!error.to_string().contains('\n'));
        }
    }
}
