//! Kernels of one's own, as `docs/book/src/kernels.md` says: what runs, and what is said of what does not.

use std::fs;

use crate::derate::{Run, derate, derate_in, root};
use ::derate_model::measurement::KernelKind;
use derate_host::bench::Contract;

const QUICK: [&str; 6] = ["--size", "64 KiB", "--repetitions", "1", "--warm-up", "0"];

fn fixture(bench: &str, file: &str, kernel: &str, ports: &str) -> Run {
    let file = format!("fixtures/kernels/{file}");
    let words = ["bench", bench, "--source", &file, "--kernel", kernel, "--ports", ports];
    derate(&[&words[..], &QUICK].concat())
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
    let said = run.on_one_line();
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

/// The page and the help say how a bench calls a kernel, in the words of the code that does.
#[test]
fn the_page_and_the_help_show_how_a_kernel_is_called() {
    let page = fs::read_to_string(root().join("docs/book/src/kernels.md")).unwrap();
    let help = derate(&["bench", "--help"]).on_one_line();
    for kind in [KernelKind::Memcpy, KernelKind::Read, KernelKind::Write, KernelKind::Gemm] {
        let signature = Contract::of(kind, 512).signature("NAME");
        assert!(page.contains(&signature), "{signature}");
        assert!(help.contains(&format!("{kind} {signature}")), "{signature}: {help}");
    }
}

/// As the page's table has them; `cmd/kernels.md` has the kernels that are refused.
#[test]
fn elements_and_whole_buffers_are_copied() {
    let head = "extern \"C\" void k(port<const word> a, port<word> b, unsigned n)";
    let narrow = "extern \"C\" void k(port<ap_uint<256>> a, port<ap_uint<256>> b, unsigned long n)";
    let each = "for (unsigned i = 0; i < n; ++i) { b[i] = a[i]; }";
    let whole = "port<const word> end = a + n; memcpy(b, a, (end - a) * sizeof(word));";
    for (head, body, bits) in [(head, each, "512"), (narrow, each, "256"), (head, whole, "512")] {
        let text = format!("{head} {{ {body} }}\n");
        let run = with(&text, &["--kernel", "k", "--port-bits", bits]);
        assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    }
}
