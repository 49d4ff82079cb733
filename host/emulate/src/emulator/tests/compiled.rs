//! Kernels of a user's, compiled.

use std::path::PathBuf;

use super::*;

/// The text of a kernel that comes with derate, with one place changed.
fn altered(folder: &std::path::Path, from: &str, to: &str) -> PathBuf {
    let text = include_str!("../../../../../hls/kernels/memcpy.cpp");
    assert!(text.contains(from));
    let word = include_str!("../../../../../hls/kernels/word.h");
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
    // 0x10000000 is not a multiple of 12, and need not be.
    let p = card.allocate(1, 24).unwrap();
    let ran = card.run(&[launch("move_1", &[&p], &[])]).unwrap();
    assert_eq!((ran.counted[0].moved[0].read, ran.counted[0].moved[0].written), (12, 12));
    let mut back = [0; 4];
    card.read(&p, 12, &mut back).unwrap();
    assert_eq!(back, 1.0_f32.to_le_bytes());
    let error = with("p[1].x = 1;").unwrap_err().to_string();
    assert!(error.contains("copy it, change the copy and store that"), "{error}");
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
        let error = load_kernels(&[&std::fs::read(&object).unwrap()], &[]).unwrap_err().to_string();
        assert!(error.contains("cannot be loaded: kernel 0 of its list has"), "{error}");
        assert!(error.ends_with(lack), "{error}");
    }
}
