use std::path::PathBuf;
use std::sync::Arc;

use derate_model::bandwidth::{Channels, LimitedBy, Port, aggregate_bandwidth};
use derate_model::{Platform, Provenance};

use super::device::{Argument, Device, DeviceError, Launch};
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
        assert_eq!(banks.len(), 34);
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
fn an_access_past_the_buffer_says_where() {
    let card = with_units("krnl_memcpy", 1);
    let from = card.allocate(0, 640).unwrap();
    let to = card.allocate(1, 64 * 5).unwrap();
    let error = card.run(&[launch("krnl_memcpy_1", &[&from, &to], &[6])]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "krnl_memcpy writes 64 bytes at 0x10000140 through `dst`, which is a buffer of 320 bytes at 0x10000000"
    );
    // Ten words fit, an eleventh does not: the size as asked for counts, not the page.
    let large = card.allocate(1, 64 * 20).unwrap();
    assert!(card.run(&[launch("krnl_memcpy_1", &[&from, &large], &[10])]).is_ok());
    let error = card.run(&[launch("krnl_memcpy_1", &[&from, &large], &[11])]).unwrap_err();
    assert!(
        error.to_string().starts_with("krnl_memcpy reads 64 bytes at 0x280 through `src`"),
        "{error}"
    );
}

#[test]
fn a_misaligned_address_and_a_freed_buffer_are_told() {
    let card = with_units("krnl_memcpy", 1);
    let from = card.allocate(0, 4096).unwrap();
    let to = card.allocate(1, 4096).unwrap();
    let unit = &card.units()[0];
    unit.set_arguments(&[from.address() + 4, to.address(), 1]);
    assert_eq!(
        unit.run(card.memory()).unwrap_err().to_string(),
        "krnl_memcpy reads 64 bytes at 0x4 through `src`: the address that it was given is not a multiple of the 64 bytes of \
         its port"
    );
    let gone = from.address();
    drop(from);
    unit.set_arguments(&[gone, to.address(), 1]);
    assert_eq!(
        unit.run(card.memory()).unwrap_err().to_string(),
        "krnl_memcpy reads 64 bytes at 0x0 through `src`, which is no buffer: its register holds 0, where nothing is allocated; set the argument, and look whether its buffer was allocated"
    );
    // A buffer that is not touched does no harm.
    unit.set_arguments(&[gone, to.address(), 0]);
    assert!(unit.run(card.memory()).is_ok());
}

#[test]
fn a_bank_that_is_not_connected_is_refused() {
    let mut card = Emulator::new(&u280(), Bases::Card).unwrap();
    let mut unit = Unit::new("copy", kernel("krnl_memcpy"));
    assert!(
        unit.connect_bank(0, 0)
            && unit.connect_bank(1, 1)
            && unit.connect_bank(1, 2)
            && !unit.connect_bank(3, 0)
    );
    card.add_unit(unit);
    let [from, near, far] = [0, 2, 3].map(|bank| card.allocate(bank, 64).unwrap());
    assert!(card.run(&[launch("copy", &[&from, &near], &[1])]).is_ok());
    assert_eq!(
        card.run(&[launch("copy", &[&from, &far], &[1])]).unwrap_err().to_string(),
        "krnl_memcpy is given 0x30000000 for `dst`, in HBM[3], and the design connects that argument to HBM[1], HBM[2]: put the buffer there (its group is the bank's), or give it the bank with sp="
    );
}

#[test]
fn units_run_side_by_side() {
    let card = with_units("krnl_read", 2);
    let bytes = 32 << 20;
    let sources = [0, 1].map(|bank| card.allocate(bank, bytes).unwrap());
    let sums = [2, 3].map(|bank| card.allocate(bank, 64).unwrap());
    let words = bytes / 64;
    let one = |at: usize, unit| launch(unit, &[&sources[at], &sums[at]], &[words]);
    let overlap = |first, second| {
        let ran = card.run(&[one(0, first), one(1, second)]).unwrap();
        let sum: f64 = ran.counted.iter().map(|run| run.wall.as_secs_f64()).sum();
        sum > ran.wall.as_secs_f64() * 1.02
    };
    // Whether two threads run at once is for the machine to say; in ten attempts they do.
    assert!((0..10).any(|_| overlap("krnl_read_1", "krnl_read_2")));
    assert!(!overlap("krnl_read_1", "krnl_read_1"));
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

/// The modelled bandwidth of `count` units that each read 64 KiB from a channel of their own.
fn read_from_all(name: &str, count: usize) -> Modelled {
    let card = with_units(name, count);
    let units: Vec<String> = (1..=count).map(|index| format!("{name}_{index}")).collect();
    let sources: Vec<_> = (0..count).map(|bank| card.allocate(bank, 1 << 16).unwrap()).collect();
    let sums: Vec<_> = (0..count).map(|bank| card.allocate(bank, 64).unwrap()).collect();
    let KernelArgumentKind::Port { bytes, .. } = card.units()[0].kernel().arguments[0].kind else {
        panic!()
    };
    let words = (1 << 16) / u64::from(bytes);
    let launches: Vec<_> =
        (0..count).map(|at| launch(&units[at], &[&sources[at], &sums[at]], &[words])).collect();
    card.run(&launches).unwrap().modelled.unwrap()
}

#[test]
fn reads_are_bound_by_ports_of_256_bit_and_by_channels_at_512() {
    let narrow = read_from_all("krnl_read_256", 32);
    assert!((narrow.bandwidth.value.0 / 307.2e9 - 1.0).abs() < 1e-3, "{narrow:?}");
    assert_eq!(narrow.held_by, HeldBy::Memory(LimitedBy::Port));
    let wide = read_from_all("krnl_read", 32);
    assert!((wide.bandwidth.value.0 / 419.8e9 - 1.0).abs() < 2e-3, "{wide:?}");
    assert_eq!(wide.held_by, HeldBy::Memory(LimitedBy::Channel));
}

#[test]
fn equal_ports_get_what_the_bandwidth_model_says() {
    let platform = u280();
    let channels = Channels::of(&platform.memory);
    for (name, bits) in [("krnl_read_256", 256.0), ("krnl_read", 512.0)] {
        for count in [1, 7, 32] {
            let port =
                |channel| Port::sequential(bits, platform.clock.value, channel, &platform.kernel);
            let ports: Vec<_> = (0..count).map(port).collect();
            let wanted = aggregate_bandwidth(&ports, &channels).unwrap().value;
            let got = read_from_all(name, count).bandwidth.value;
            // The sums, written to the channels that are read, are a thousandth of the bytes.
            assert!((got / wanted - 1.0).abs() < 2e-3, "{name} x {count}: {got:?} {wanted:?}");
        }
    }
}

#[test]
fn copies_within_a_channel_have_a_range() {
    let card = with_units("krnl_memcpy", 1);
    let bytes = 1 << 16;
    let [from, to] = [4, 4].map(|bank| card.allocate(bank, bytes).unwrap());
    let ran = card.run(&[launch("krnl_memcpy_1", &[&from, &to], &[bytes / 64])]).unwrap();
    let modelled = ran.modelled.unwrap();
    let share = |figure: f64| figure / 14.4e9;
    assert!((share(modelled.bandwidth.value.0) - 0.86).abs() < 1e-9, "{modelled:?}");
    assert!((share(modelled.at_best.unwrap().value.0) - 0.911).abs() < 1e-9);
    assert!(modelled.time.source.contains("a fit to DDR"), "{}", modelled.time.source);
    // Through channels of their own, a read one and a written one lose nothing.
    let to = card.allocate(5, bytes).unwrap();
    let ran = card.run(&[launch("krnl_memcpy_1", &[&from, &to], &[bytes / 64])]).unwrap();
    assert_eq!(ran.modelled.unwrap().at_best, None);
}

/// The text of a kernel that comes with derate, with one place changed.
fn altered(folder: &std::path::Path, from: &str, to: &str) -> PathBuf {
    let text = include_str!("../../../../hls/kernels/memcpy.cpp");
    assert!(text.contains(from));
    let word = include_str!("../../../../hls/kernels/word.h");
    std::fs::write(folder.join("word.h"), word).unwrap();
    let path = folder.join("altered.cpp");
    std::fs::write(&path, text.replace(from, to)).unwrap();
    path
}

#[test]
fn a_kernel_that_reads_a_buffer_twice_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let twice = "word_of<BITS> sum = src[i]; if (src[i] != sum) { sum = 0; } dst[i] = sum;";
    let expected = |bytes| {
        let one = |argument: &str, read, written| ExpectedTraffic {
            argument: argument.to_owned(),
            read,
            written,
        };
        [one("src", bytes, 0), one("dst", 0, bytes)]
    };
    for (text, wanted) in [
        ("dst[i] = src[i];", None),
        (
            twice,
            Some(
                "krnl_memcpy as krnl_memcpy_1: `src` reads 1280 bytes, 2.000 times the 640 that the model says",
            ),
        ),
    ] {
        let path = altered(folder.path(), "dst[i] = src[i];", text);
        let kernels = compile_kernels(&[path], &[], &[], &[]).unwrap();
        let mut card = Emulator::new(&u280(), Bases::Card).unwrap();
        card.add_units(kernels.iter().find(|one| one.name == "krnl_memcpy").unwrap(), 1);
        let [from, to] = [0, 1].map(|bank| card.allocate(bank, 640).unwrap());
        let ran = card.run(&[launch("krnl_memcpy_1", &[&from, &to], &[10])]).unwrap();
        let found = TrafficDifference::of(&ran.counted[0], &expected(640));
        assert_eq!(found.map(|one| one.sentence()).as_deref(), wanted);
    }
}

#[test]
fn a_users_kernel_runs_as_ours_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("axpy.cpp");
    let text = "#include \"port.h\"\n#include <hls_stream.h>\nextern \"C\" void axpy(port<const float> x, port<float> y, \
                float a, short n) {\n#pragma HLS interface m_axi port=x\n#pragma HLS interface m_axi port=y bundle=out\n\
                hls::stream<float> s;\nfor (int i = 0; i < n; ++i) { s << x[i]; }\n\
                for (int i = 0; i < n; ++i) { y[i] += a * s.read(); }\nif (n < 0) { s.read(); }\n}\n";
    std::fs::write(&path, text).unwrap();
    let kernels = compile_kernels(std::slice::from_ref(&path), &[], &[], &[]).unwrap();
    let mut card = Emulator::new(&u280(), Bases::RunningSum).unwrap();
    card.add_units(&kernels[0], 1);
    let bundles: Vec<_> = kernels[0].arguments.iter().map(|one| one.bundle.as_deref()).collect();
    assert_eq!(bundles, [Some("gmem"), Some("out"), None, None]);
    let [x, y] = [0, 33].map(|bank| card.allocate(bank, 12).unwrap());
    let floats = |values: [f32; 3]| values.map(f32::to_le_bytes).concat();
    card.write(&x, 0, &floats([1.0, 2.0, 3.0])).unwrap();
    card.write(&y, 0, &floats([0.5, 0.5, 0.5])).unwrap();
    let ran = card.run(&[launch("axpy_1", &[&x, &y], &[u64::from(2.0_f32.to_bits()), 3])]).unwrap();
    let mut back = [0; 12];
    card.read(&y, 0, &mut back).unwrap();
    assert_eq!(back.to_vec(), floats([2.5, 4.5, 6.5]));
    let moved: Vec<_> = ran.counted[0].moved.iter().map(|m| (m.read, m.written)).collect();
    assert_eq!(moved, [(12, 0), (12, 12)]);
    let error = card.run(&[launch("axpy_1", &[&x, &y], &[0, 0xffff])]).unwrap_err().to_string();
    assert!(
        error.starts_with("axpy ended with an exception: a stream is read that is empty"),
        "{error}"
    );
    std::fs::write(&path, "int f() { return 0; }").unwrap();
    let error = compile_kernels(std::slice::from_ref(&path), &[], &[], &[]).unwrap_err();
    assert!(error.to_string().contains("has no kernel"), "{error}");
}

/// One source, in a folder.
fn source(folder: &std::path::Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, format!("#include \"port.h\"\n{text}")).unwrap();
    path
}

#[test]
fn each_source_is_a_translation_unit_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let one = |name: &str, by: &str| {
        let text = format!(
            "#define BY {by}\nstatic int helper(int x) {{ return x * BY; }}\n\
             extern \"C\" void {name}(port<int> x) {{\n#pragma HLS interface m_axi port=x\nx[0] = helper(x[0]);\n}}\n"
        );
        source(folder.path(), &format!("{name}.cpp"), &text)
    };
    let kernels = compile_kernels(&[one("twice", "2"), one("thrice", "3")], &[], &[], &[]).unwrap();
    let mut card = Emulator::new(&u280(), Bases::Card).unwrap();
    for kernel in &kernels {
        card.add_units(kernel, 1);
    }
    let x = card.allocate(0, 4).unwrap();
    card.write(&x, 0, &5_i32.to_le_bytes()).unwrap();
    card.run(&[launch("twice_1", &[&x], &[])]).unwrap();
    card.run(&[launch("thrice_1", &[&x], &[])]).unwrap();
    let mut back = [0; 4];
    card.read(&x, 0, &mut back).unwrap();
    assert_eq!(i32::from_le_bytes(back), 30);
}

#[test]
fn structs_lie_in_words_and_are_stored_whole() {
    let folder = tempfile::tempdir().unwrap();
    let with = |body: &str| {
        let text = format!(
            "struct point {{ float x, y, z; }};\nextern \"C\" void move(port<point> p) {{\n\
             #pragma HLS interface m_axi port=p\n{body}\n}}\n"
        );
        compile_kernels(&[source(folder.path(), "move.cpp", &text)], &[], &[], &[])
    };
    let kernels = with("point one = p[1]; one.x += 1; p[1] = one;").unwrap();
    let mut card = Emulator::new(&u280(), Bases::Card).unwrap();
    card.add_units(&kernels[0], 1);
    // 0x10000000 is no multiple of 12, and need not be.
    let p = card.allocate(1, 24).unwrap();
    let ran = card.run(&[launch("move_1", &[&p], &[])]).unwrap();
    assert_eq!((ran.counted[0].moved[0].read, ran.counted[0].moved[0].written), (12, 12));
    let mut back = [0; 4];
    card.read(&p, 12, &mut back).unwrap();
    assert_eq!(back, 1.0_f32.to_le_bytes());
    let error = with("p[1].x = 1;").unwrap_err().to_string();
    assert!(error.contains("copy it, change the copy and store that"), "{error}");
}

#[test]
fn arguments_that_do_not_fit_are_refused() {
    let card = with_units("krnl_memcpy", 1);
    let one = card.allocate(0, 64).unwrap();
    let said = |launch: Launch<'_, EmulatedBuffer>| match card.run(&[launch]) {
        Err(DeviceError::Launch(said)) => said,
        other => panic!("{other:?}"),
    };
    assert_eq!(said(launch("krnl_memcpy_2", &[], &[])), "there is no compute unit krnl_memcpy_2");
    assert_eq!(
        said(launch("krnl_memcpy_1", &[&one], &[])),
        "krnl_memcpy takes 3 arguments and is given 1"
    );
    assert_eq!(
        said(launch("krnl_memcpy_1", &[&one, &one], &[1 << 32])),
        "`words` of krnl_memcpy has 4 bytes, and 4294967296 does not fit"
    );
    assert_eq!(
        said(launch("krnl_memcpy_1", &[&one], &[1, 1])),
        "`dst` of krnl_memcpy is a pointer and is given a number"
    );
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

/// Whoever wrote the file: what it lists is looked at before it is followed.
#[test]
fn a_list_of_kernels_that_is_not_sound_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (source, object) = (folder.path().join("list.c"), folder.path().join("list.so"));
    for (kernel, lack) in [
        ("{0, 0, 0, run}", "no name"),
        ("{\"k\", 0, 0, 0}", "no code"),
        ("{\"k\", 2, 0, run}", "no sound list of arguments"),
        ("{\"k\", 0xffffffff, &list, run}", "no sound list of arguments"),
    ] {
        let text = format!(
            "static void run(void *frame) {{ (void)frame; }}\nstatic int list;\n\
             struct kernel {{ const char *name; unsigned count; void *arguments; void (*run)(void *); }};\n\
             static struct kernel only = {kernel};\n\
             void *const unused[] = {{(void *)run, &list}};\n\
             struct kernel *derate_kernel(unsigned index) {{ return index ? 0 : &only; }}\n"
        );
        std::fs::write(&source, text).unwrap();
        let made = std::process::Command::new("cc")
            .args(["-shared", "-fPIC", "-o"])
            .args([&object, &source])
            .status();
        assert!(made.unwrap().success());
        let error = load_kernels(&std::fs::read(&object).unwrap(), &[]).unwrap_err().to_string();
        assert!(error.contains("cannot be loaded: kernel 0 of its list has"), "{error}");
        assert!(error.ends_with(lack), "{error}");
    }
}

#[test]
fn buffers_are_placed_where_xrt_says() {
    let memory = Memory::new(list_banks(&u280(), Bases::RunningSum).unwrap());
    assert_eq!(memory.place_buffer(0x1000, 8192).unwrap().bytes(), 8192);
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
        let error = memory.place_buffer(address, bytes).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    assert!(memory.place_buffer(0x3000, 1).is_ok());
    let error = memory.read(0x2fff, &mut [0; 2]).unwrap_err().to_string();
    assert_eq!(error, "2 bytes at 0x2fff are not all in one buffer of the device");
}
