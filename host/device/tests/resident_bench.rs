//! A bench takes the memory of its buffers and little else, of its own and not only of a loop written for the purpose.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use derate_device::bench::{Emulated, Streams, banks_named, emulated_streams};
use derate_device::measure::Repeat;
use derate_model::Platform;
use derate_model::measurement::KernelKind;

/// A line of `/proc/self/status`, in bytes.
fn status(key: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(key)).unwrap();
    let kib = line.trim_matches(|sign: char| !sign.is_ascii_digit());
    kib.parse::<u64>().unwrap() * 1024
}

#[test]
fn a_bench_holds_its_buffers_and_little_else() {
    let platform = Platform::named("u280").unwrap();
    let banks = banks_named(&platform, "DDR").unwrap();
    let card = Emulated {
        platform,
        clock: None,
        sources: Vec::new(),
        include: Vec::new(),
        defines: Vec::new(),
    };
    let each = 192 << 20;
    let setup = Streams {
        kernel: None,
        kind: KernelKind::Memcpy,
        sizes: vec![each],
        ports: 2,
        port_bits: 512,
        banks: banks.collect(),
        repeat: Repeat { repetitions: 1, warm_up: 0 },
    };
    let outcome = emulated_streams(&card, &setup, &mut |_| {}).unwrap();
    assert!(outcome.measurement.runs[0].check.as_ref().unwrap().passed);
    let (held, most) = (2 * each, status("VmHWM:"));
    assert!(most >= held && most < held + held / 10, "{most} bytes for buffers of {held}");
}
