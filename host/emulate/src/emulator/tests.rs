mod compiled;
mod headers;
mod modelled;
mod refused;

use std::sync::Arc;

use derate_model::{Platform, Provenance};

use super::device::{Argument, Device, Launch};
use super::*;

fn u280() -> Platform {
    Platform::named("u280").unwrap()
}

fn kernel(name: &str) -> Arc<Kernel> {
    load_builtin_kernels().unwrap().into_iter().find(|kernel| kernel.name == name).unwrap()
}

fn with_units(name: &str, count: usize) -> Emulator {
    let mut card = Emulator::new(&u280(), Bases::Card).unwrap();
    card.add_units(&kernel(name), count);
    card
}

fn launch<'a>(
    unit: &'a str,
    buffers: &[&'a EmulatedBuffer],
    scalars: &[u64],
) -> Launch<'a, EmulatedBuffer> {
    let buffers = buffers.iter().map(|buffer| Argument::Buffer(*buffer));
    let scalars = scalars.iter().map(|&value| Argument::Scalar(value));
    Launch { unit, arguments: buffers.chain(scalars).collect(), cycles: None }
}

fn numbers(bytes: usize) -> Vec<u8> {
    (0..=250).cycle().take(bytes).collect()
}

#[test]
fn arguments_have_their_names_and_registers() {
    let gemm = kernel("krnl_gemm_f32");
    let arguments: Vec<_> = gemm
        .arguments
        .iter()
        .map(|one| (one.name.as_str(), one.offset, one.bundle.as_deref()))
        .collect();
    assert_eq!(
        arguments,
        [
            ("a", 0x10, Some("gmem0")),
            ("b", 0x1c, Some("gmem1")),
            ("c", 0x28, Some("gmem2")),
            ("m", 0x34, None),
            ("n", 0x3c, None),
            ("k", 0x44, None)
        ]
    );
    assert_eq!(gemm.arguments[0].kind, KernelArgumentKind::Port { bytes: 64, writes: false });
    assert_eq!(gemm.arguments[2].kind, KernelArgumentKind::Port { bytes: 64, writes: true });
}

#[test]
fn the_banks_are_those_of_the_card() {
    let of = |bases| {
        let banks = list_banks(&u280(), bases).unwrap();
        // Emulation adds six PLRAMs and the host's memory.
        assert_eq!(banks.len(), if bases == Bases::Card { 34 } else { 41 });
        [31, 32, 33]
            .map(|at: usize| (banks[at].name.clone(), banks[at].start(), banks[at].base.provenance))
    };
    let card = of(Bases::Card);
    assert_eq!(card[0], ("HBM[31]".to_owned(), 31 << 28, Provenance::Derived));
    assert_eq!(card[1], ("DDR[0]".to_owned(), 0x40_0000_0000, Provenance::Assumed));
    assert_eq!(card[2], ("DDR[1]".to_owned(), 0x50_0000_0000, Provenance::Assumed));
    // A card whose addresses nobody has shown: what is put in their place says so.
    let u200 = list_banks(&Platform::named("u200").unwrap(), Bases::Card).unwrap();
    assert_eq!((u200[0].start(), u200[1].start()), (0, u200[0].bytes));
    assert_eq!(u200[0].base.provenance, Provenance::Assumed);
    assert!(u200[0].base.source.contains("gives no first_address"), "{}", u200[0].base.source);
    let emulation = of(Bases::RunningSum);
    assert_eq!((emulation[1].1, emulation[2].1), (8 << 30, 24 << 30));
}

#[test]
fn a_copy_is_right_and_counted() {
    let card = with_units("krnl_memcpy", 1);
    let data = numbers(64 * 1000);
    let from = card.allocate(0, data.len() as u64).unwrap();
    let to = card.allocate(1, data.len() as u64).unwrap();
    card.write(&from, 0, &data).unwrap();
    let ran = card.run(&[launch("krnl_memcpy_1", &[&from, &to], &[999])]).unwrap();
    let mut back = vec![0; data.len()];
    card.read(&to, 0, &mut back).unwrap();
    assert_eq!(back[..64 * 999], data[..64 * 999]);
    assert_eq!(back[64 * 999..], [0; 64]);
    let moved: Vec<_> = ran.counted[0]
        .moved
        .iter()
        .map(|m| (m.argument.as_str(), m.read, m.written, m.width_bits))
        .collect();
    assert_eq!(moved, [("src", 64 * 999, 0, 512), ("dst", 0, 64 * 999, 512)]);
    let modelled = ran.modelled.unwrap();
    assert_eq!(modelled.time.provenance, Provenance::Emulated);
    assert_eq!(modelled.bandwidth.provenance, Provenance::Emulated);
    assert!(modelled.time.source.contains("lower bound"), "{}", modelled.time.source);
}

#[test]
fn the_control_register_starts_a_unit_and_says_when_it_is_done() {
    let card = with_units("krnl_write", 1);
    let to = card.allocate(5, 640).unwrap();
    let unit = &card.units()[0];
    assert_eq!(unit.read_register(0), IDLE);
    assert!(!unit.write_registers(0, &[0; 4]));
    let mut registers = vec![0_u8; 0x10];
    registers[0] = 1;
    registers.extend(to.address().to_le_bytes());
    registers.extend([0; 4]);
    registers.extend(10_u64.to_le_bytes());
    registers.extend(7_u64.to_le_bytes());
    assert!(unit.write_registers(0, &registers));
    assert_eq!(unit.read_arguments(), [5 << 28, 10, 7]);
    unit.start_run(card.memory()).unwrap().unwrap().join().unwrap();
    assert_eq!(unit.read_register(0), DONE | IDLE);
    assert_eq!(unit.take_last().unwrap().unwrap().moved[0].written, 640);
    let mut word = [0; 4];
    card.read(&to, 636, &mut word).unwrap();
    assert_eq!(u32::from_le_bytes(word), 7 + 159);
}

#[test]
fn a_bank_fills_and_empties() {
    let memory = Memory::new(list_banks(&u280(), Bases::Card).unwrap());
    let half = 128 << 20;
    let first = memory.allocate(7, half).unwrap();
    let second = memory.allocate(7, half).unwrap();
    assert_eq!((first.address(), second.address()), (7 << 28, (7 << 28) + half));
    assert_eq!(
        memory.allocate(7, 1).unwrap_err().to_string(),
        "HBM[7] is full: it holds 268435456 bytes, 268435456 of them are in use, and no 1 follow each other"
    );
    assert!(memory.free_buffer(first.address()) && !memory.free_buffer(first.address()));
    assert_eq!(memory.allocate(7, 5).unwrap().address(), 7 << 28);
    assert_eq!(memory.allocate(7, 5).unwrap().address(), (7 << 28) + 4096);
    assert!(memory.allocate(34, 1).unwrap_err().to_string().contains("no bank 34"));
    assert!(memory.allocate(7, u64::MAX).is_err() && memory.allocate(7, 0).is_err());
}

#[test]
fn buffers_are_placed_where_xrt_says() {
    let memory = Memory::new(list_banks(&u280(), Bases::RunningSum).unwrap());
    assert_eq!(memory.place_buffer(0x1000, 8192, None, false).unwrap().bytes(), 8192);
    memory.write(0x1004, &[1, 2, 3]).unwrap();
    let mut seen = [9; 4];
    memory.read(0x1003, &mut seen).unwrap();
    assert_eq!(seen, [0, 1, 2, 3]);
    for (address, bytes, reason) in [
        (0x2000, 1, "is in the way"),
        (0, 0x1001, "is in the way"),
        (0x10, 1, "multiples of 4096"),
        (1 << 60, 1, "no bank"),
        ((1 << 28) - 4096, 4097, "HBM[0] ends before"),
    ] {
        let error = memory.place_buffer(address, bytes, None, false).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    assert!(memory.place_buffer(0x3000, 1, None, false).is_ok());
    let error = memory.read(0x2fff, &mut [0; 2]).unwrap_err().to_string();
    assert_eq!(error, "2 bytes at 0x2fff are not all in one buffer of the device");
}
