//! Two gigabytes through the emulator take two gigabytes of memory, and nothing before they are used.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use derate_emulate::emulator::{Bases, Emulator, load_builtin_kernels};
use derate_emulate::{Argument, Device, Launch};
use derate_model::Platform;

/// A line of `/proc/self/status`, in bytes.
fn status(key: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(key)).unwrap();
    let kib = line.trim_matches(|sign: char| !sign.is_ascii_digit());
    kib.parse::<u64>().unwrap() * 1024
}

#[test]
fn memory_holds_the_buffers_and_little_else() {
    let mut card = Emulator::new(&Platform::named("u280").unwrap(), Bases::Card).unwrap();
    let kernels = load_builtin_kernels().unwrap();
    card.add_units(kernels.iter().find(|kernel| kernel.name == "krnl_memcpy").unwrap(), 4);
    let before = status("VmRSS:");
    let each = 256 << 20;
    let buffers: Vec<_> = (0..8).map(|bank| card.allocate(bank, each).unwrap()).collect();
    assert!(status("VmRSS:") < before + (16 << 20), "nothing is there before it is used");
    let chunk = vec![7; 1 << 20];
    for offset in (0..each).step_by(chunk.len()) {
        for source in buffers.iter().step_by(2) {
            card.write(source, offset, &chunk).unwrap();
        }
    }
    let names: Vec<String> = (1..=4).map(|index| format!("krnl_memcpy_{index}")).collect();
    let launches: Vec<_> = buffers
        .chunks(2)
        .zip(&names)
        .map(|(pair, unit)| Launch {
            unit,
            arguments: vec![
                Argument::Buffer(&pair[0]),
                Argument::Buffer(&pair[1]),
                Argument::Scalar(each / 64),
            ],
            cycles: None,
        })
        .collect();
    card.run(&launches).unwrap();
    let mut back = vec![0; chunk.len()];
    card.read(&buffers[7], each - (1 << 20), &mut back).unwrap();
    assert_eq!(back, chunk);
    let held = 8 * each;
    let most = status("VmHWM:");
    assert!(most >= held && most < held + held / 10, "{most} bytes for buffers of {held}");
    drop(buffers);
    assert!(status("VmRSS:") < before + (32 << 20), "what is freed is given back");
}
