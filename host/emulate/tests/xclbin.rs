//! Laws of the reader and the writer, over a design that was linked and over damage to it.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use derate_emulate::xclbin::{
    ArgumentKind, Design, LinkError, Linked, SectionKind, Xclbin, inspect_design, link_design,
};
use derate_hls::{Sources, parse_all, read_connectivity};
use derate_model::Platform;
use proptest::prelude::*;

const KERNELS: &str = include_str!("../../../fixtures/xclbin/kernels.cpp");
const CFG: &str = include_str!("../../../fixtures/xclbin/u280.cfg");

fn linked(kernels: &str, cfg: &str, payload: Option<Vec<u8>>) -> Result<Linked, LinkError> {
    let mut sources = Sources::default();
    let file = sources.add("kernels.cpp", kernels);
    let cfg = sources.add("u280.cfg", cfg);
    let headers = parse_all(&sources, &[file]);
    let configuration = read_connectivity(&sources, cfg).unwrap();
    let platform = Platform::named("u280").unwrap();
    link_design(&sources, &headers, &[configuration], &platform, payload, &[], &[])
}

fn good() -> Vec<u8> {
    linked(KERNELS, CFG, Some(vec![7; 301])).unwrap().xclbin.write()
}

/// Everything that `derate emu inspect` does; gives the bytes that would be written again.
fn read(bytes: &[u8]) -> Option<Vec<u8>> {
    let xclbin = Xclbin::read("a.xclbin", bytes).ok()?;
    let report = inspect_design("a.xclbin", bytes.len() as u64, &xclbin);
    serde_json::to_string(&report).unwrap();
    xclbin.problems.is_empty().then(|| xclbin.write())
}

#[test]
fn a_linked_design_reads_as_it_was_asked_for() {
    let bytes = good();
    let xclbin = Xclbin::read("a.xclbin", &bytes).unwrap();
    assert_eq!(xclbin.problems, [""; 0]);
    assert_eq!(xclbin.header.platform(), "xilinx_u280_gen3x16_xdma_1_202211_1");
    assert_eq!(xclbin.section(SectionKind::BITSTREAM), Some(&[7; 301][..]));
    let design = Design::of(&xclbin);
    assert_eq!(design.problems, [""; 0]);
    let bank = |index: usize| (design.banks[index].tag.as_str(), design.banks[index].base);
    // Channels, two DIMMs, six PLRAMs, and the memory of the host.
    assert_eq!(design.banks.len(), 41);
    assert_eq!((bank(0), bank(31)), (("HBM[0]", 0), ("HBM[31]", 31 << 28)));
    // Behind the channels, as software emulation counts.
    assert_eq!((bank(32), design.banks[32].bytes()), (("DDR[0]", 0x2_0000_0000), Some(16 << 30)));
    let used: Vec<&str> =
        design.banks.iter().filter(|bank| bank.used).map(|bank| bank.tag.as_str()).collect();
    assert_eq!(used, ["HBM[0]", "HBM[1]", "HBM[2]", "HBM[3]", "HBM[4]"]);
    let units: Vec<(&str, u64)> = design.ips.iter().map(|ip| (ip.name.as_str(), ip.base)).collect();
    assert_eq!(
        units,
        [
            ("krnl_memcpy:krnl_memcpy_1", 0x140_0000),
            ("krnl_memcpy:krnl_memcpy_2", 0x141_0000),
            ("gemm:gemm_1", 0x142_0000)
        ]
    );
    let connections: Vec<(u32, u32, u32)> =
        design.connections.iter().map(|one| (one.ip, one.argument, one.bank)).collect();
    let expected = [(0, 0, 0), (0, 1, 1), (1, 0, 2), (1, 1, 3), (2, 0, 2), (2, 1, 3), (2, 2, 4)];
    assert_eq!(connections, expected);
    let gemm = design.kernels.iter().find(|kernel| kernel.name == "gemm").unwrap();
    let arguments: Vec<(&str, ArgumentKind, u64)> =
        gemm.arguments.iter().map(|one| (one.name.as_str(), one.kind, one.offset)).collect();
    let (global, scalar) = (ArgumentKind::Global, ArgumentKind::Scalar);
    assert_eq!(
        arguments,
        [
            ("a", global, 0x10),
            ("b", global, 0x1c),
            ("c", global, 0x28),
            ("m", scalar, 0x34),
            ("n", scalar, 0x3c),
            ("k", scalar, 0x44),
            ("alpha", scalar, 0x4c)
        ]
    );
    assert_eq!(gemm.instances[0].base, Some(0x142_0000));
}

#[test]
fn the_same_sources_give_the_same_bytes() {
    assert_eq!(good(), good());
    let other = linked(KERNELS, "[connectivity]\nnk=gemm:2\n", None).unwrap().xclbin;
    let bytes = good();
    assert_ne!(other.header.uuid, Xclbin::read("a", &bytes).unwrap().header.uuid);
}

#[test]
fn what_the_link_decides_is_told_and_what_is_wrong_has_its_line() {
    let unpinned = linked(KERNELS, "[connectivity]\nnk=gemm:1\n", None).unwrap();
    let notes: Vec<&str> = unpinned.notes.iter().map(|note| note.0.as_str()).collect();
    let note = "krnl_memcpy_1.dst and 4 more without an sp= entry: connected to HBM[0]";
    assert_eq!(notes, [note]);
    for (cfg, sentence) in [
        (
            "[connectivity]\nnk=gem:1",
            "u280.cfg:2: there is no kernel `gem` in the sources; there are: krnl_memcpy, gemm",
        ),
        (
            "[connectivity]\nsp=gemm_2.a:HBM[0]",
            "u280.cfg:2: there is no compute unit `gemm_2`; there are: gemm_1, krnl_memcpy_1",
        ),
        (
            "[connectivity]\nsp=gemm_1.m:HBM[0]",
            "u280.cfg:2: `m` is neither a buffer nor an m_axi port of kernel `gemm`",
        ),
        ("[connectivity]\nsp=gemm_1.a:HBM[32]", "u280.cfg:2: the platform has no bank HBM[32]"),
    ] {
        assert_eq!(linked(KERNELS, cfg, None).unwrap_err().to_string(), sentence);
    }
    assert_eq!(linked("int x;", "", None).unwrap_err(), LinkError::NoKernel);
    let strange = "void f(strange_t a, float *b) {\n#pragma HLS interface m_axi port=b\n}";
    let error = linked(strange, "", None).unwrap_err().to_string();
    assert!(
        error.starts_with("kernels.cpp:1: kernel `f` has no layout: the type of `a` is unknown")
    );
}

#[test]
fn bank_ranges_connect_to_each_bank() {
    let cfg = "[connectivity]\nsp=gemm_1.a:HBM[2:4]\nsp=gemm_1.b:DDR\n";
    let ranged = linked(KERNELS, cfg, None).unwrap();
    let bytes = ranged.xclbin.write();
    let design = Design::of(&Xclbin::read("a", &bytes).unwrap());
    let of = |argument| -> Vec<u32> {
        let of_gemm = design.connections.iter().filter(|one| one.ip == 1);
        of_gemm.filter(|one| one.argument == argument).map(|one| one.bank).collect()
    };
    assert_eq!((of(0), of(1), of(2)), (vec![2, 3, 4], vec![32, 33], vec![0]));
}

/// A file as the vendor's tools leave it: unknown kinds, gaps that are not empty, a signature behind the end.
#[test]
fn what_derate_does_not_know_is_kept() {
    let bytes = good();
    let mut xclbin = Xclbin::read("a", &bytes).unwrap();
    xclbin.sections[0].kind = SectionKind(4711);
    let mut other = xclbin.write();
    other.extend(b"XCLBIN_MIRROR_DATA_START{}XCLBIN_MIRROR_DATA_END");
    let length = other.len() as u64;
    other[304..312].copy_from_slice(&length.to_le_bytes());
    other[8..12].copy_from_slice(&16_i32.to_le_bytes());
    other.extend([0xaa; 16]);
    let again = Xclbin::read("b", &other).unwrap();
    assert_eq!(again.problems, [""; 0]);
    assert_eq!(again.sections[0].kind.to_string(), "kind 4711");
    assert_eq!(again.write(), other);
}

#[test]
fn every_truncation_is_told() {
    let bytes = good();
    for length in 0..bytes.len() {
        let Ok(xclbin) = Xclbin::read("a", &bytes[..length]) else {
            assert!(length < 456, "{length} bytes have a whole header");
            continue;
        };
        Design::of(&xclbin);
        let problems = xclbin.problems;
        assert!(!problems.is_empty(), "{length} bytes of {} look whole", bytes.len());
        assert!(problems.iter().all(|one| !one.contains('\n')), "{problems:?}");
    }
}

/// Every bit of the header and of the table of sections, and one of every byte behind them.
#[test]
fn every_flipped_bit_is_read_or_told() {
    let bytes = good();
    let table = 456 + 40 * 5;
    let bits = (0..table * 8).chain((table..bytes.len()).map(|byte| byte * 8 + byte % 8));
    for at in bits {
        let mut flipped = bytes.clone();
        flipped[at / 8] ^= 1 << (at % 8);
        let Ok(xclbin) = Xclbin::read("a.xclbin", &flipped) else { continue };
        Design::of(&xclbin);
        assert!(!xclbin.problems.is_empty() || xclbin.write() == flipped, "bit {at} is lost");
    }
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        read(&bytes);
        let mut whole = b"xclbin2\0".to_vec();
        whole.extend(bytes);
        prop_assert!(read(&whole).is_none_or(|written| written == whole));
    }

    /// Damage in the table and in the sections, where every number is a length or an offset.
    #[test]
    fn no_damage_panics(changes in proptest::collection::vec((0_usize..6000, any::<u64>()), 1..8)) {
        let mut bytes = good();
        for (at, value) in changes {
            let at = (300 + at).min(bytes.len() - 8);
            bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
        }
        if let Some(written) = read(&bytes) {
            prop_assert_eq!(written, bytes);
        }
    }
}
