//! `derate bench`: what people and programs read, the exit status, and that nothing recognises a kernel's figures twice.

use crate::derate::{alter_kernel, derate, derate_in};
use serde_json::json;

const QUICK: [&str; 6] = ["--size", "256 KiB", "--repetitions", "3", "--warm-up", "0"];

/// What a short bench of these words prints.
fn said(words: &[&str]) -> String {
    let run = derate(&[&["bench"], words, &QUICK[2..]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.on_one_line()
}

#[test]
fn the_figures_of_a_u280() {
    for (arguments, gigabytes) in [
        (["read", "--port-bits", "256", "--clock", "300 MHz"], 307.2),
        (["read", "--port-bits", "512", "--clock", "300 MHz"], 419.8),
        (["read", "--port-bits", "256", "--clock", "250 MHz"], 256.0),
    ] {
        let mut words = vec!["bench", "--format", "json", "--size", "32 MiB", "--repetitions", "1"];
        words.extend(arguments);
        let run = derate(&words);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let json = run.json();
        assert_eq!(
            (&json["schema"], &json["provenance"]),
            (&json!("derate.measurement/1"), &json!("emulated"))
        );
        let of = |key: &str| json["runs"][0][key].as_f64().unwrap();
        let seconds = json["runs"][0]["seconds"][0].as_f64().unwrap();
        let rate = (of("bytes_read") + of("bytes_written")) / seconds / 1e9;
        assert!((rate / gigabytes - 1.0).abs() < 1e-3, "{arguments:?}: {rate}");
        assert_eq!(json["runs"][0]["check"]["passed"], true);
    }
}

#[test]
fn what_is_written_is_a_measurement_that_proves_nothing_about_a_card() {
    let folder = tempfile::tempdir().unwrap();
    let mut words = vec!["bench", "memcpy", "--ports", "4", "--out", "copy.json"];
    words.extend(QUICK);
    let run = derate_in(folder.path(), &words);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(run.stderr, "wrote copy.json\n");
    let run = derate_in(folder.path(), &["validate", "copy.json", "--expect", "not-evidence"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let text = std::fs::read_to_string(folder.path().join("copy.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["device"]["kind"], "emulator");
    assert_eq!(
        json["ports"],
        json!([
            {"direction": "read", "count": 2, "bits": 512, "banks": "HBM[0:3]"},
            {"direction": "write", "count": 2, "bits": 512, "banks": "HBM[0:3]"}
        ])
    );
    let command = "derate bench memcpy --ports 4 --out copy.json --size '256 KiB' --repetitions 3 --warm-up 0";
    assert_eq!(json["command"], command);
}

#[test]
fn every_type_of_product_is_right() {
    for element in ["fp32", "bf16", "int8"] {
        let words = [
            "bench",
            "gemm",
            "--shape",
            "70x33x129",
            "--precision",
            element,
            "--format",
            "json",
            "--repetitions",
            "2",
        ];
        let run = derate(&words);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let json = run.json();
        assert_eq!(json["runs"][0]["check"]["passed"], true, "{element}");
        assert_eq!(json["runs"][0]["gemm"], json!({"m": 70, "n": 33, "k": 129, "type": element}));
    }
}

#[test]
fn this_machine_is_measured() {
    let mut words = vec!["bench", "memcpy", "--device", "cpu", "--format", "json"];
    words.extend(QUICK);
    let run = derate(&words);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let json = run.json();
    assert_eq!((&json["provenance"], &json["device"]["kind"]), (&json!("measured"), &json!("cpu")));
    assert_eq!(json["runs"][0]["bytes_read"], 262_144);
    assert_eq!(json["runs"][0]["seconds"].as_array().unwrap().len(), 3);
}

/// Memory that a machine does not give is reported in a sentence.
#[cfg(target_os = "linux")]
#[test]
fn memory_that_is_not_there_is_refused() {
    let gemm = ["gemm", "--shape", "8000x8000x8000", "--repetitions", "1"];
    let cpu = ["memcpy", "--device", "cpu", "--size", "8 GiB"];
    for (words, said) in [
        (&gemm[..], "error: checking a product of 8000 x 8000 x 8000 takes "),
        (
            &[&gemm[..], &["--device", "cpu"]].concat(),
            "error: checking gemm of 8000 x 8000 x 8000 takes ",
        ),
        (&cpu, "error: this machine has not that much memory"),
    ] {
        let run = std::process::Command::new("sh")
            .args([
                "-c",
                "ulimit -v 2000000; exec \"$@\"",
                "sh",
                env!("CARGO_BIN_EXE_derate"),
                "bench",
            ])
            .args(words)
            .output()
            .unwrap();
        let error = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(2), "{error}");
        assert!(error.starts_with(said) && error.lines().count() == 1, "{error}");
    }
}

#[test]
fn a_kernel_that_reads_twice_is_a_finding() {
    let folder = tempfile::tempdir().unwrap();
    for (line, code) in [("dst[i] = src[i];", 0), ("dst[i] = src[i]; dst[i] = src[i];", 1)] {
        alter_kernel(folder.path(), "memcpy.cpp", "dst[i] = src[i];", line);
        let mut words = vec!["bench", "memcpy", "--ports", "2", "--source", "mine.cpp"];
        words.extend(QUICK);
        let run = derate_in(folder.path(), &words);
        assert_eq!(run.code, code, "{}{}", run.stdout, run.stderr);
        let text = run.on_one_line();
        let said = "Finding: krnl_memcpy as krnl_memcpy_1: `src` reads 524288 bytes, 2.000 times the 262144";
        assert_eq!(text.contains(said), code == 1, "{text}");
    }
}

/// A rate of wrong results is marked as one, and what moves nothing has none.
#[test]
fn a_kernel_that_does_something_else_has_no_rate_of_what_was_asked() {
    let folder = tempfile::tempdir().unwrap();
    let bench = |line: &str, more: &[&str]| {
        alter_kernel(folder.path(), "memcpy.cpp", "dst[i] = src[i];", line);
        let mut words = vec!["bench", "memcpy", "--ports", "2", "--source", "mine.cpp"];
        words.extend(QUICK);
        words.extend(more);
        let run = derate_in(folder.path(), &words);
        assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
        run
    };
    let marked =
        "The results are WRONG at 262.1 kB: what is shown there is not the rate of the work";
    let wrong = bench("dst[i] = src[i == 3 ? 0 : i];", &["--out", "wrong.json"]).on_one_line();
    assert!(wrong.contains(marked) && wrong.contains("262.1 kB ✗ at most 26.24 GB/s"), "{wrong}");
    assert_eq!(derate_in(folder.path(), &["validate", "wrong.json"]).code, 1);
    let json = bench("dst[i] = src[i == 3 ? 0 : i];", &["--format", "json"]);
    assert!(json.stderr.contains(marked), "{}", json.stderr);

    let idle = bench(";", &["--out", "idle.json"]).on_one_line();
    for said in ["moved nothing", "At 262.1 kB the kernel moved no byte of external memory"] {
        assert!(idle.contains(said), "{idle}");
    }
    assert!(!idle.contains("n/a") && !idle.contains("Take larger sizes"), "{idle}");
    derate_in(folder.path(), &["validate", "idle.json"])
        .assert_refused("idle.json: runs[0] moved no byte and took 0 s");
}

/// The cycles of a kernel of one's own are nobody's model: its time is a lower bound, and said to be.
#[test]
fn a_kernel_of_ones_own_has_a_lower_bound_of_its_time() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["gemm_f32.cpp", "gemm.h", "element.h", "port.h", "word.h"] {
        std::fs::copy(
            crate::derate::root().join("hls/kernels").join(name),
            folder.path().join(name),
        )
        .unwrap();
    }
    let gemm = ["bench", "gemm", "--shape", "64x64x64", "--repetitions", "1"];
    let bound = "the kernels' own cycles and the order of their accesses are not modelled, so that it is a lower bound";
    let ours = derate_in(folder.path(), &gemm).stdout;
    assert!(!ours.contains(bound), "{ours}");
    let own = derate_in(folder.path(), &[&gemm[..], &["--source", "gemm_f32.cpp"]].concat());
    assert_eq!(own.code, 0, "{}", own.stderr);
    assert!(own.on_one_line().contains(bound), "{}", own.stdout);
}

/// What a kernel of one's own does that the bound does not count is reported beside it, and nothing of one that streams.
#[test]
fn a_bound_says_what_it_does_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let notes = |bundle: &str, pragma: &str, at: &str| {
        let text = format!(
            "#include \"ap_int.h\"\n#include \"port.h\"\n\
             extern \"C\" void k(port<const ap_uint<512>> a, port<ap_uint<512>> b, unsigned n) {{\n\
             #pragma HLS interface m_axi port=a bundle=g0\n\
             #pragma HLS interface m_axi port=b bundle={bundle}\n\
             for (unsigned i = 0; i < n; i++) {{\n{pragma}\nb[{at}] = a[{at}]; }} }}\n"
        );
        std::fs::write(folder.path().join("k.cpp"), text).unwrap();
        let words = ["bench", "memcpy", "--ports", "2", "--source", "k.cpp", "--kernel", "k"];
        let run = derate_in(folder.path(), &[&words[..], &QUICK].concat());
        assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
        assert!(!run.stdout.contains("held down by"), "{}", run.stdout);
        run.on_one_line()
    };
    let (jumps, shares, slow) = ("do not go on where", "share the bundle g0", "`II=64`");
    let plain = notes("g1", "#pragma HLS pipeline II=1", "i");
    assert!(![jumps, shares, slow].iter().any(|said| plain.contains(said)), "{plain}");
    let reversed = notes("g1", "", "n - 1 - i");
    assert!(reversed.contains(jumps) && reversed.contains("at most 26.24 GB/s"), "{reversed}");
    let shared = notes("g0", "", "i");
    assert!(shared.contains(shares), "{shared}");
    let paced = notes("g1", "#pragma HLS pipeline II=64", "i");
    assert!(paced.contains(slow) && paced.contains("k.cpp:7"), "{paced}");
}

/// An earlier result may be replaced, and no other file.
#[test]
fn what_is_something_else_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.json");
    let words = ["bench", "memcpy", "--ports", "2", "--out", "out.json"];
    let bench = || derate_in(folder.path(), &[&words[..], &QUICK].concat());
    std::fs::write(&out, "{\"mine\": 1}").unwrap();
    bench().assert_refused("not a measurement that derate wrote");
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "{\"mine\": 1}");
    std::fs::write(&out, "").unwrap();
    assert_eq!((bench().code, bench().code), (0, 0));
    std::fs::write(folder.path().join("k.cpp"), "").unwrap();
    derate_in(folder.path(), &["emu", "xclbin", "k.cpp", "--output", "out.json"])
        .assert_refused("is not an xclbin");
}

/// The figures that the model has of a run, and the ones that it has not.
#[test]
fn what_a_figure_leaves_out_is_noted() {
    let notes = |words: &[&str]| {
        let run = derate(&[&["bench", "--format", "json", "--repetitions", "1"], words].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stderr
    };
    // A copy has half the units.
    for (kind, ran) in [("read", "2.048 kB"), ("write", "2.048 kB"), ("memcpy", "1.024 kB")] {
        let small = notes(&[kind, "--size", "64 B"]);
        let asked = format!("64 B were asked for, and {ran} were run");
        assert!(small.contains(&asked) && small.contains("without a start"), "{small}");
        assert_eq!(notes(&[kind, "--size", "16 MiB"]), "");
    }
    let machine = notes(&["read", "--device", "cpu", "--ports", "2", "--size", "24 B"]);
    assert!(machine.contains("24 B were asked for, and 32 B were run: the threads"), "{machine}");
    let exact = notes(&["read", "--device", "cpu", "--size", "24 B"]);
    assert!(!exact.contains("asked for"), "{exact}");
    // What is over before the clock has moved, and never leaves a cache, is not a bandwidth of a memory.
    assert!(exact.contains("the steps of the clock and the start of the threads"), "{exact}");
    if std::path::Path::new("/sys/devices/system/cpu/cpu0/cache/index0/size").exists() {
        assert!(exact.contains("so the bandwidth is the cache's, not the memory's"), "{exact}");
    }
    // 300 MHz and 775 MHz are clocks, 5 GHz is none.
    notes(&["read", "--size", "1 MiB", "--clock", "775 MHz"]);
}

/// Bursts are counted as HLS makes them by default: a kernel that asks for others is distinguished where that shows.
#[test]
fn bursts_that_the_model_does_not_count_are_noted() {
    let folder = tempfile::tempdir().unwrap();
    let ours = "max_read_burst_length = 64 num_read_outstanding = 16";
    for (pragma, said) in [
        (ours, None),
        ("max_read_burst_length = 16", None),
        (
            "max_read_burst_length = 4 num_read_outstanding = 2",
            Some(
                "`src` asks for max_read_burst_length = 4 and num_read_outstanding = 2. The model counts 16 bursts of 16 beats",
            ),
        ),
        ("max_read_burst_length = BEATS", Some("what a port gets by them is not known")),
    ] {
        alter_kernel(folder.path(), "read.cpp", ours, pragma);
        let words = ["bench", "read", "--ports", "2", "--source", "mine.cpp", "--repetitions", "1"];
        let run = derate_in(folder.path(), &words);
        assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
        let printed = run.on_one_line();
        assert_eq!(printed.contains("mine.cpp:"), said.is_some(), "{printed}");
        assert!(said.is_none_or(|said| printed.contains(said)), "{printed}");
    }
    // Ours ask for longer bursts than the default, which shows where 256 bit are written.
    let run = derate(&["bench", "write", "--port-bits", "256", "--size", "16 MiB"]);
    assert!(run.stdout.contains("would get 9.035 GB/s, not"), "{}", run.stdout);
}

#[test]
fn what_is_read_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("read.cpp");
    std::fs::copy(crate::derate::root().join("hls/kernels/read.cpp"), &source).unwrap();
    let before = std::fs::read(&source).unwrap();
    derate_in(folder.path(), &["bench", "read", "--source", "read.cpp", "--out", "read.cpp"])
        .assert_refused("is read, so it is not written");
    derate_in(folder.path(), &["emu", "xclbin", "read.cpp", "--output", "./read.cpp"])
        .assert_refused("is read, so it is not written");
    assert_eq!(std::fs::read(&source).unwrap(), before);
}

#[test]
fn our_own_kernels_and_designs_pass_the_audit() {
    let folder = tempfile::tempdir().unwrap();
    let root = crate::derate::root();
    for design in ["u280", "u280-read", "u280-read-256", "u280-write", "u280-memcpy"] {
        let text = format!(
            "[model]\nshapes = \"{0}/fixtures/smolvla-bf16/model_shape.txt\"\n[hls]\nsources = [\"{0}/hls/kernels/*.cpp\"]\n\
             connectivity = \"{0}/hls/{design}.cfg\"\ndefines = [\"__SYNTHESIS__\"]\n[platform]\nname = \"u280\"\n",
            root.display()
        );
        std::fs::write(folder.path().join("derate.toml"), text).unwrap();
        let run = derate_in(folder.path(), &["audit", "--format", "json"]);
        assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
        let json = run.json();
        let codes =
            json["findings"].as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap());
        let ours: Vec<_> = codes
            .filter(|code| code.starts_with("kernel/") || code.starts_with("connectivity/"))
            .collect();
        assert!(ours.is_empty(), "{design}: {ours:?}");
        let run = derate_in(folder.path(), &["estimate", "--detail"]);
        let own =
            run.stdout.lines().find(|line| line.starts_with("the project's own ports")).unwrap();
        let rate = match design {
            "u280-read" => "419.8",
            "u280-read-256" => "307.2",
            _ => continue,
        };
        assert!(own.contains(rate) && own.contains("Derived"), "{design}: {own}");
    }
}

/// A pseudo channel has one port to the fabric.
#[test]
fn more_ports_than_a_card_has_are_told() {
    let note = "has only 32 ports to its HBM";
    let read = said(&["read", "--ports", "33", "--size", "256 KiB"]);
    assert!(read.contains("33 ports are used") && read.contains(note), "{read}");
    assert!(!said(&["read", "--ports", "32", "--size", "256 KiB"]).contains(note));
    let small = ["--shape", "16x16x16", "--ports"];
    assert!(said(&[&["gemm"], &small[..], &["33"]].concat()).contains(note));
    // Ports of DDR share what there is.
    assert!(
        !said(&["read", "--banks", "DDR", "--ports", "33", "--size", "256 KiB"]).contains(note)
    );
}

#[test]
fn what_a_figure_leaves_out_is_told_where_it_is_so() {
    // 32 sums of 64 bytes beside 8 KiB, and beside 4 MiB.
    let sums = "The sums, a word of each unit, are not a small part of it.";
    assert!(said(&["read", "--size", "8 KiB"]).contains(sums));
    let read = said(&["read", "--size", "4 MiB"]);
    assert!(!read.contains(sums) && read.contains("without a start"), "{read}");
    // One way is not a copy, whatever the sums write.
    let copies = "by what is published of copies";
    assert!(!said(&["read", "--banks", "HBM", "--size", "1 MiB"]).contains(copies));
    assert!(
        said(&["memcpy", "--banks", "HBM[0]", "--ports", "2", "--size", "1 MiB"]).contains(copies)
    );
}
