//! What published XRT programs do, in small ones of our own: kernels as they are, builds as they are, and each thing that such a
//! program expects of a card.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod derate;
#[path = "../../../reports/render/tests/page/harness.rs"]
mod harness;
mod xrt;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::OnceLock;

use derate::{derate, root};
use harness::{run_tests, tests};
use tempfile::TempDir;
use xrt::missing_tool;

fn main() -> ExitCode {
    let with_xrt = tests![
        what_examples_do_is_right,
        a_makefile_for_vitis_works,
        a_forgotten_sync_shows,
        a_profile_has_streams_and_units_without_a_host,
        a_deadlock_of_streams_ends,
        an_access_beyond_a_buffer_is_named,
        two_cards_are_two,
    ];
    let loader = Path::new("/usr/lib/x86_64-linux-gnu/libOpenCL.so").exists();
    let no_loader = missing_tool().or_else(|| (!loader).then(|| "ocl-icd-opencl-dev".to_owned()));
    let with_loader = tests![opencl_finds_the_card];
    let alone = tests![a_kernel_in_opencl_c_is_compiled, what_v_cannot_do_is_said];
    run_tests(alone, vec![(missing_tool(), with_xrt), (no_loader, with_loader)])
}

/// What the host of the fixture does.
const RIGHT: [&str; 6] = ["scale", "two", "host_only", "p2p", "copy", "chain"];

fn what_examples_do_is_right() {
    for what in RIGHT {
        passes(&run(&[], what), what);
    }
}

struct Built {
    dir: TempDir,
    design: PathBuf,
}

fn fixture(name: &str) -> PathBuf {
    root().join("fixtures/xrt-examples").join(name)
}

fn built() -> &'static Built {
    static BUILT: OnceLock<Built> = OnceLock::new();
    BUILT.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap();
        let made = Command::new("c++")
            .args(["-std=c++17", "-isystem", "/usr/include/xrt"])
            .arg(fixture("host.cpp"))
            .args(["-lxrt_coreutil", "-luuid", "-pthread", "-o"])
            .arg(dir.path().join("host"))
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let design = make_design(dir.path(), "kernels.xclbin", &[]);
        Built { dir, design }
    })
}

/// A design of the fixture's kernels, none of which stays plain unless that is asked for.
fn make_design(folder: &Path, name: &str, more: &[&str]) -> PathBuf {
    let design = folder.join(name);
    let (kernels, config) = (fixture("kernels.cpp"), fixture("kernels.cfg"));
    let mut args = vec!["emu", "xclbin", "-o", design.to_str().unwrap()];
    args.extend([kernels.to_str().unwrap(), "--config", config.to_str().unwrap()]);
    args.extend(more);
    let made = derate(&args);
    assert_eq!(made.code, 0, "{}", made.stderr);
    assert!(!made.stderr.contains("stay plain"), "{}", made.stderr);
    design
}

fn run(flags: &[&str], what: &str) -> derate::Run {
    run_design(&built().design, flags, what)
}

fn run_design(design: &Path, flags: &[&str], what: &str) -> derate::Run {
    let host = built().dir.path().join("host");
    let program = [host.to_str().unwrap(), design.to_str().unwrap(), what];
    derate(&[&["emu", "run"], flags, &["--"], &program].concat())
}

fn passes(run: &derate::Run, what: &str) {
    assert_eq!(run.code, 0, "{what}: {}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("TEST PASSED"), "{what}: {}{}", run.stdout, run.stderr);
}

fn a_makefile_for_vitis_works() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["Makefile", "host.cpp", "kernels.cpp", "kernels.cfg"] {
        fs::copy(fixture(name), dir.path().join(name)).unwrap();
    }
    let script =
        "eval \"$(\"$1\" emu toolchain tools)\" && exec make -s run TARGET=hw_emu WHAT=chain";
    let made = Command::new("setsid")
        .args(["--wait", "sh", "-c", script, "sh", env!("CARGO_BIN_EXE_derate")])
        .current_dir(dir.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&made.stderr);
    let out = String::from_utf8_lossy(&made.stdout);
    assert!(made.status.success() && out.contains("TEST PASSED"), "{out}{said}");
    assert!(said.contains("derate leaves out --profile.data"), "{said}");
    assert!(said.contains("hw_emu is answered as sw_emu is"), "{said}");
}

fn a_forgotten_sync_shows() {
    let forgot = run(&[], "forgotten");
    assert_eq!(forgot.code, 1, "{}{}", forgot.stdout, forgot.stderr);
    assert!(forgot.stdout.contains("TEST FAILED"), "{}", forgot.stdout);
}

/// What goes through the streams of `chain`, and its lanes.
const CHAIN: [&str; 2] = ["produce_1,relay_1,1000,1000", "relay_1,consume_1,1000,1000"];
const LANES: [&str; 3] = ["relay_1", "produce_1 to relay_1", "relay_1 to consume_1"];

/// A unit that runs without a host, and its streams: elements are counted, and each has a lane.
fn a_profile_has_streams_and_units_without_a_host() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().to_str().unwrap();
    let ran = run(&["--profile", folder], "chain");
    passes(&ran, "chain");
    assert!(ran.stderr.contains("at least "), "{}", ran.stderr);
    let read = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap();
    let summary = read("summary.csv");
    assert!(summary.contains("Streams of card 0"), "{summary}");
    for link in CHAIN {
        assert!(summary.contains(link), "{link}\n{summary}");
    }
    let trace = read("trace.json");
    for lane in LANES {
        assert!(trace.contains(&format!("\"name\":\"{lane}\"")), "{lane}\n{trace}");
    }
    assert!(read("profile.html").contains("runs without a host: what it moved is counted"));
}

fn a_deadlock_of_streams_ends() {
    let ended = run(&[], "deadlock");
    assert_eq!(ended.code, 125, "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stderr.contains("a deadlock: polite_1 waits for polite_2"), "{}", ended.stderr);
}

fn an_access_beyond_a_buffer_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let plain = make_design(dir.path(), "plain.xclbin", &["--unchecked"]);
    for design in [&built().design, &plain] {
        let ended = run_design(design, &[], "beyond");
        assert_eq!(ended.code, 125, "{}{}", ended.stdout, ended.stderr);
        assert!(ended.stderr.contains("beyond writes "), "{}", ended.stderr);
        assert!(
            ended.stderr.contains(" through `out`, which is a buffer of 4096 bytes"),
            "{}",
            ended.stderr
        );
    }
}

fn two_cards_are_two() {
    passes(&run(&["--devices", "2"], "devices"), "devices");
    let one = run(&[], "devices");
    assert_ne!(one.code, 0, "{}{}", one.stdout, one.stderr);
}

fn opencl_finds_the_card() {
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("opencl");
    let made = Command::new("cc")
        .args(["-isystem", "/usr/include/xrt"])
        .arg(root().join("fixtures/xrt-host/opencl.c"))
        .args(["-lOpenCL", "-o"])
        .arg(&program)
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let kernels = ["hls/kernels/memcpy.cpp", "hls/kernels/gemm_f32.cpp"];
    let design = xrt::design(dir.path(), &kernels);
    let ran = derate(&["emu", "run", "--", program.to_str().unwrap(), design.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
}

fn a_kernel_in_opencl_c_is_compiled() {
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("add.cl");
    let text = "kernel __attribute__((reqd_work_group_size(1, 1, 1)))\nvoid add(global const int *a, global int *b, int n) {\n\
        __attribute__((xcl_pipeline_loop(1))) go: for (int i = 0; i < n; i++) b[i] += a[i];\n}\n";
    fs::write(&source, text).unwrap();
    let design = dir.path().join("add.xclbin");
    let build = |text: &str| {
        fs::write(&source, text).unwrap();
        derate(&[
            "emu",
            "xclbin",
            "-o",
            design.to_str().unwrap(),
            "-k",
            "add",
            source.to_str().unwrap(),
        ])
    };
    let made = build(text);
    assert_eq!(made.code, 0, "{}", made.stderr);
    assert!(!made.stderr.contains("stay plain"), "{}", made.stderr);
    let many = build(&text.replace("int i = 0", "int i = get_global_id(0)"));
    refuses(&many, "derate runs OpenCL C kernels of one work item");
}

/// Notes may come first.
fn refuses(run: &derate::Run, word: &str) {
    assert_eq!(run.code, 2, "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.contains("error: ") && run.stderr.contains(word), "{}", run.stderr);
}

fn what_v_cannot_do_is_said() {
    let tool = |words: &[&str]| derate(&[&["emu", "tool", "v++"], words].concat());
    refuses(&tool(&["-l", "-t", "hw", "a.xo"]), "-t hw asks for one for a card");
    refuses(&tool(&["-c", "-t", "hw_emu", "top.sv"]), "top.sv is RTL");
    refuses(
        &tool(&["-l", "-t", "hw_emu", "--platform", "xilinx_strange_1", "none.xo"]),
        "none.xo cannot be read",
    );
    let dir = tempfile::tempdir().unwrap();
    let object = dir.path().join("rtl.xo");
    fs::write(&object, "PK\x03\x04").unwrap();
    refuses(&tool(&["-l", "-t", "hw_emu", object.to_str().unwrap()]), "it runs no RTL");
}
