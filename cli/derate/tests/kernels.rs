//! Kernels of one's own, as `docs/book/src/kernels.md` says: what runs, and what is said of what does not.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod derate;

use std::fs;

use ::derate_model::measurement::Kind;
use derate::{Run, derate, derate_in, root};
use derate_host::bench::Contract;

const QUICK: [&str; 6] = ["--size", "64 KiB", "--repetitions", "1", "--warm-up", "0"];

fn fixture(bench: &str, file: &str, kernel: &str, ports: &str) -> Run {
    let file = format!("fixtures/kernels/{file}");
    let words = ["bench", bench, "--source", &file, "--kernel", kernel, "--ports", ports];
    derate(&[&words[..], &QUICK].concat())
}

/// What is printed, in one line.
fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn kernels_with_names_of_their_own_are_benched() {
    for (file, kernel) in [("dataflow.cpp", "vcopy"), ("bursts.cpp", "burst_copy")] {
        let run = fixture("memcpy", file, kernel, "4");
        assert_eq!(run.code, 0, "{kernel}: {}{}", run.stdout, run.stderr);
    }
}

/// It is right, and reads what it has written for every lane: in each unit alike, which is one finding.
#[test]
fn units_that_move_too_much_alike_are_one_finding() {
    let run = fixture("read", "accumulate.cpp", "accumulate", "32");
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    let said = line(&run.stdout);
    assert_eq!(said.matches("Finding:").count(), 1, "{said}");
    let first = "accumulate as accumulate_1 and each of 31 other units: `in` reads 32768 bytes, 16.000 times the 2048";
    assert!(said.contains(first), "{said}");
    assert!(said.contains("`sums` reads 65536 bytes, and the model says 0"), "{said}");
}

/// A bench of one source of these lines.
fn with(text: &str, more: &[&str]) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let head = "#include <ap_int.h>\n#include \"port.h\"\nusing word = ap_uint<512>;\n";
    fs::write(folder.path().join("mine.cpp"), format!("{head}{text}")).unwrap();
    let words = ["bench", "memcpy", "--source", "mine.cpp", "--ports", "2"];
    derate_in(folder.path(), &[&words[..], &QUICK, more].concat())
}

#[test]
fn arguments_that_a_bench_cannot_give_are_told_in_a_sentence() {
    let named = ["--kernel", "k"];
    for (arguments, found) in [
        (
            "port<word> dst, port<word> src, unsigned n",
            "dst (elements of 512 bits, read and written), src (elements of 512 bits, read and written), n (a number of 32 bits)",
        ),
        ("port<const word> a, port<const word> b, unsigned n", "b (elements of 512 bits, read)"),
        (
            "port<const float> a, port<float> b, unsigned n",
            "a (elements of 32 bits, read), b (elements of 32 bits, read and written)",
        ),
        ("port<const word> a, port<word> b", "k takes a (elements of 512 bits, read), b"),
        ("port<const word> a, unsigned n, port<word> b", "n (a number of 32 bits), b"),
        ("", "k takes nothing"),
    ] {
        let run = with(&format!("extern \"C\" void k({arguments}) {{}}\n"), &named);
        run.assert_refused(found);
        run.assert_refused(
            "bench memcpy calls a kernel as `void k(port<const ap_uint<512>> src, port<ap_uint<512>> dst, uint32_t words)`",
        );
    }
    let copy = "{ for (unsigned i = 0; i < n; ++i) { b[i] = a[i]; } }\n";
    let run = with(
        &format!("extern \"C\" void k(port<word> a, port<word> b, unsigned n) {copy}"),
        &named,
    );
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let narrow = "extern \"C\" void k(port<ap_uint<256>> a, port<ap_uint<256>> b, unsigned long n)";
    let run = with(&format!("{narrow} {copy}"), &[&named[..], &["--port-bits", "256"]].concat());
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
}

#[test]
fn what_a_source_lacks_is_told_with_what_to_do() {
    let kernel = "extern \"C\" void other(port<word> a, port<word> b, unsigned n) {\n#pragma HLS interface m_axi port = a\n}\n";
    with(kernel, &[]).assert_refused("there is no kernel krnl_memcpy in the sources, but other: give the name of the one to bench with --kernel");
    with("void f() {}\n", &[]).assert_refused("mine.cpp has no kernel: no function with a body");
    let run =
        with("#include <ap_fixed.h>\nvoid k(port<word> a) { (void)a; }\n", &["--kernel", "k"]);
    run.assert_refused("mine.cpp:4: ap_fixed.h is not here: derate brings ap_int.h, hls_math.h, hls_stream.h, hls_vector.h and port.h");
    run.assert_refused("give its folder with -I DIR");
    // What `emu xclbin` would help with is no help here.
    let run = with("void k(const word *a, word *b, unsigned n) {}\n", &["--kernel", "k"]);
    run.assert_refused("mine.cpp:4: `a` of k is a plain pointer");
    assert!(!run.stderr.contains("unchecked"), "{}", run.stderr);
}

#[test]
fn a_header_of_ones_own_and_a_macro_are_given() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("size.h"), "#define STEP STEP_OF_MINE\n").unwrap();
    let text = "#include <size.h>\nvoid k(port<const word> a, port<word> b, unsigned n) {\n\
                for (unsigned i = 0; i < n; i += STEP) { b[i] = a[i]; }\n}\n";
    let include = folder.path().to_str().unwrap();
    let run = with(text, &["--kernel", "k", "-I", include, "-D", "STEP_OF_MINE=1"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
}

#[test]
fn what_a_compiler_says_of_a_port_is_explained() {
    let head = "#include <cstring>\nvoid take(const word *p) { (void)p; }\nextern \"C\" void k(port<const word> a, port<word> b, unsigned n) {\n(void)n; word c[2]; (void)c; (void)a; (void)b;\n";
    for (line, hint) in [
        ("take(b);", "a function that is given one takes it as port<T> for T *"),
        ("memcpy(c, &a[1], 64);", "`&p[i]` of a port<const T> is written `p + i`"),
        ("std::memcpy(c, b, 64);", "is written memcpy, without std::"),
        ("b[0][3] = 1;", "`T one = p[i]; one[l] = x; p[i] = one;`"),
    ] {
        let run = with(&format!("{head}{line}\n}}\n"), &["--kernel", "k"]);
        assert_eq!(run.code, 2, "{}", run.stdout);
        assert!(run.stderr.contains(hint), "{line}: {}", run.stderr);
    }
}

/// As the page's table has them.
#[test]
fn pointers_are_subtracted_and_copied_from_one_to_the_other() {
    let kernel = |body: &str| {
        let head = "extern \"C\" void k(port<const word> a, port<word> b, unsigned n) {";
        with(&format!("{head} {body} }}\n"), &["--kernel", "k"])
    };
    // The bench holds the results against its own, and the bytes that are counted against those that are due.
    let run = kernel("port<const word> end = a + n; memcpy(b, a, (end - a) * sizeof(word));");
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let beyond = kernel("memcpy(b, a, (n + 1) * sizeof(word));");
    beyond.assert_refused("k reads 65600 bytes at");
    let apart = kernel("memcpy(b, a, (a - port<const word>(b)) * sizeof(word)); (void)n;");
    apart.assert_refused("two pointers are subtracted that come from different arguments");
}

#[test]
fn what_no_kernel_can_have_is_told_at_once() {
    let make = |kernel: &str, more: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let head = "#include <hls_stream.h>\n#include \"port.h\"\nextern \"C\"\n";
        let path = folder.path().join("mine.cpp");
        fs::write(path, format!("{head}{kernel} {{\n#pragma HLS interface m_axi port = a\n}}\n"))
            .unwrap();
        derate_in(folder.path(), &[&["emu", "xclbin", "-o", "x", "mine.cpp"], more].concat())
    };
    for returns in ["int", "unsigned int", "ap_uint<8>", "float *"] {
        let run = make(&format!("{returns} k(port<int> a)"), &[]);
        let said = format!("mine.cpp:4: k returns `{}`, and a kernel", returns.replace(" *", "*"));
        run.assert_refused(&said);
    }
    for stream in ["hls::stream<int> &in", "hls::stream<int, 8> &in"] {
        for more in [&[][..], &["--unchecked"]] {
            let run = make(&format!("void k(int *a, {stream})"), more);
            run.assert_refused("mine.cpp:4: `in` of k is a stream, and streams between kernels");
            assert!(!run.stderr.contains("unchecked"), "{}", run.stderr);
        }
    }
    assert_eq!(make("void k(port<int> a, int stream)", &[]).code, 0);
}

/// The page and the help say how a bench calls a kernel, in the words of the code that does.
#[test]
fn the_page_and_the_help_show_how_a_kernel_is_called() {
    let page = fs::read_to_string(root().join("docs/book/src/kernels.md")).unwrap();
    let help = line(&derate(&["bench", "--help"]).stdout);
    for kind in [Kind::Memcpy, Kind::Read, Kind::Write, Kind::Gemm] {
        let signature = Contract::of(kind, 512).signature("NAME");
        assert!(page.contains(&signature), "{signature}");
        assert!(help.contains(&format!("{kind} {signature}")), "{signature}: {help}");
    }
}
