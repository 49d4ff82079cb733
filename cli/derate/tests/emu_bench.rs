//! Benches on XRT's real library, with derate's device behind it.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod derate;
#[path = "../../../reports/render/tests/page/harness.rs"]
mod harness;
mod xrt;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitCode, Output};
use std::time::Duration;

use ::derate_host::xrt::{Direction, RunMode, XrtDevice, XrtName};
use derate::{alter_kernel, derate};
use harness::{run_tests, tests};
use xrt::{Programs, design, missing_tool};

/// What is started again inside XRT, by a word of the command line.
const INSIDE: &str = "inside_xrt";

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some(INSIDE) {
        inside_xrt();
        return ExitCode::SUCCESS;
    }
    let with_xrt = tests![
        a_launch_takes_at_most_half_a_millisecond,
        benches_run_on_xrt_and_say_what_their_time_is_worth,
        buffers_lie_where_the_design_connects_them,
        a_kernel_that_reads_twice_on_xrt_is_a_finding,
        rust_runs_on_xrt,
    ];
    let in_namespace = tests![a_session_may_have_no_leader_that_is_seen];
    let lack = missing_tool();
    let no_namespace = lack.clone().or_else(missing_namespaces);
    run_tests(Vec::new(), vec![(lack, with_xrt), (no_namespace, in_namespace)])
}

/// `launch and wait 0.210 ms median`, as `gemm` prints it, in milliseconds.
fn launch_and_wait(said: &str) -> f64 {
    let (_, rest) = said.split_once("launch and wait ").unwrap();
    rest.split_once(" ms median").unwrap().0.parse().unwrap()
}

/// Through XRT's library, its socket and the device: what a bench of many launches pays for each. Of ten medians the least
/// counts: a busy machine only adds. `make bench` runs it in release.
fn a_launch_takes_at_most_half_a_millisecond() {
    let mut least = f64::INFINITY;
    for _ in 0..10 {
        least = least.min(launch_and_wait(&Programs::get().run("gemm", &[]).stdout));
        if least <= 0.5 {
            break;
        }
    }
    // Past what the harness captures.
    let _ = writeln!(std::io::stderr(), "launch and wait through XRT: {least:.3} ms median");
    assert!(least <= 0.5, "{least} ms");
}

/// A bench through XRT: its bytes and results are real, its time is not evidence of hardware.
fn benches_run_on_xrt_and_say_what_their_time_is_worth() {
    let programs = Programs::get();
    let design = programs.design.to_str().unwrap();
    let bench = |kind: &[&str]| {
        let start = ["emu", "run", "--", env!("CARGO_BIN_EXE_derate"), "bench"];
        let rest =
            ["--device", "xrt:0", "--xclbin", design, "--format", "json", "--repetitions", "1"];
        let run = derate(&[&start, kind, &rest].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.json()
    };
    for (kind, units) in [
        (["memcpy", "--size", "1 MiB"], 4),
        (["read", "--size", "1 MiB"], 6),
        (["write", "--size", "1 MiB"], 6),
        (["gemm", "--shape", "37x53x71"], 2),
    ] {
        let json = bench(&kind);
        assert_eq!(json["device"]["kind"], "sw_emu");
        assert_eq!(json["provenance"], "emulated");
        assert_eq!(json["compute_units"], units);
        assert_eq!(json["runs"][0]["check"]["passed"], true);
        // The design says how wide its ports are, and no clock that it reached.
        assert_eq!(json["ports"][0]["bits"], 512);
        assert_eq!((json.get("kernel_clock"), json.get("memory_clock")), (None, None));
        assert_eq!(json["runs"][0]["bytes_from"], "counted");
    }
    // A run of one card's design is not a measurement of another card.
    let start = ["emu", "run", "--", env!("CARGO_BIN_EXE_derate"), "bench", "read"];
    let other = ["--device", "xrt:0", "--xclbin", design, "--platform", "u50"];
    let other = derate(&[&start[..], &other].concat());
    assert_eq!(other.code, 2, "{}", other.stderr);
    let said = "is linked for xilinx_u280_gen3x16_xdma_1_202211_1, which is not a u50";
    assert!(other.stderr.contains(said), "{}", other.stderr);
    let device = |mode: &str| {
        Command::new(env!("CARGO_BIN_EXE_derate"))
            .args(["bench", "read", "--device", "xrt:0", "--xclbin", design])
            .env("XCL_EMULATION_MODE", mode)
            .output()
            .unwrap()
    };
    if Path::new("/usr/lib/x86_64-linux-gnu/libxrt_hwemu.so.2").is_file() {
        // A program may ask for hw_emu itself: the same device answers.
        let simulated = derate(&[
            "emu",
            "run",
            "--",
            "env",
            "XCL_EMULATION_MODE=hw_emu",
            env!("CARGO_BIN_EXE_derate"),
            "bench",
            "read",
            "--device",
            "xrt:0",
            "--xclbin",
            design,
        ]);
        assert_eq!(simulated.code, 0, "{}", simulated.stderr);
        assert!(simulated.stdout.contains("Emulated"), "{}", simulated.stdout);
    }
    let only = self::design(programs.dir.path().join("only").as_path(), &["hls/kernels/read.cpp"]);
    let bench = ["bench", "memcpy", "--device", "xrt:0", "--xclbin", only.to_str().unwrap()];
    let lacks = derate(&[&["emu", "run", "--", env!("CARGO_BIN_EXE_derate")], &bench[..]].concat());
    assert!(
        lacks.stderr.contains("the design has no compute unit krnl_memcpy_1"),
        "{}",
        lacks.stderr
    );
    // What the command lacks comes before what is around it, which the user sets up next.
    derate(&["bench", "read", "--device", "xrt:0"])
        .assert_refused("--device xrt:0 needs --xclbin FILE");
    let noop = device("noop");
    assert_eq!(noop.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&noop.stderr).contains("runs no kernel and moves no data"));
}

/// A command in a process namespace of its own.
fn in_new_namespace(program: &[&str]) -> std::io::Result<Output> {
    let start = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc"];
    Command::new("unshare").args(start).args(program).env("XCL_EMULATION_MODE", "noop").output()
}

/// What is missing where the machine makes no process namespaces.
fn missing_namespaces() -> Option<String> {
    let made = in_new_namespace(&["true"]).is_ok_and(|done| done.status.success());
    (!made).then(|| "unshare with process namespaces".to_owned())
}

/// In a container that was entered from outside no process can be seen that leads the session: its number is 0.
fn a_session_may_have_no_leader_that_is_seen() {
    let design = Programs::get().design.to_str().unwrap();
    let bench = ["bench", "read", "--device", "xrt:0", "--xclbin", design];
    let done = in_new_namespace(&[&[env!("CARGO_BIN_EXE_derate")], &bench[..]].concat()).unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(2), "{said}");
    assert!(said.contains("runs no kernel and moves no data"), "{said}");
}

/// The design for a card, whose sums lie in two banks: each buffer where its argument is connected.
fn buffers_lie_where_the_design_connects_them() {
    let dir = tempfile::tempdir().unwrap();
    let design = design(dir.path(), &["hls/kernels/read.cpp", "--config", "hls/u280-read.cfg"]);
    let run = derate(
        &[
            &["emu", "run", "--", env!("CARGO_BIN_EXE_derate"), "bench", "read", "--size", "1 MiB"]
                [..],
            &["--device", "xrt:0", "--xclbin", design.to_str().unwrap(), "--format", "json"],
            &["--repetitions", "1"],
        ]
        .concat(),
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    let json = run.json();
    assert_eq!(json["compute_units"], 32);
    assert_eq!(json["runs"][0]["check"]["passed"], true);
}

/// The device counts, and the bench reads the counts: what a kernel is asked to move does not prove what it moves.
fn a_kernel_that_reads_twice_on_xrt_is_a_finding() {
    let dir = tempfile::tempdir().unwrap();
    let twice = "auto again = src[i];\n(void)again;\ndst[i] = src[i];";
    alter_kernel(dir.path(), "memcpy.cpp", "dst[i] = src[i];", twice);
    let (source, cfg) = (dir.path().join("mine.cpp"), dir.path().join("u.cfg"));
    let pins = "[connectivity]\nsp=krnl_memcpy_1.src:HBM[0]\nsp=krnl_memcpy_1.dst:HBM[1]\n";
    fs::write(&cfg, pins).unwrap();
    let design = design(dir.path(), &[source.to_str().unwrap(), "--config", cfg.to_str().unwrap()]);
    let bench = ["bench", "memcpy", "--device", "xrt:0", "--size", "1 MiB", "--repetitions", "2"];
    let start = ["emu", "run", "--", env!("CARGO_BIN_EXE_derate")];
    let rest = ["--xclbin", design.to_str().unwrap()];
    let run = derate(&[&start[..], &bench, &rest].concat());
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    let said = "krnl_memcpy as krnl_memcpy_1: `src` reads 2097152 bytes, 2.000 times the 1048576";
    assert!(run.stdout.replace('\n', " ").contains(said), "{}", run.stdout);
}

/// The table of functions and its handles, in a process that XRT may end.
fn rust_runs_on_xrt() {
    let programs = Programs::get();
    let this = std::env::current_exe().unwrap();
    let run = derate(&[
        "emu",
        "run",
        "--",
        "env",
        &format!("DESIGN={}", programs.design.display()),
        "timeout",
        "--foreground",
        "600",
        this.to_str().unwrap(),
        INSIDE,
    ]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
}

/// `rust_runs_on_xrt` starts it with XRT around it.
fn inside_xrt() {
    let design = std::env::var("DESIGN").unwrap();
    let device = XrtDevice::open(XrtName(0)).unwrap();
    assert_eq!(device.mode(), RunMode::SwEmu);
    assert!(device.load(Path::new("/nowhere")).is_err());
    device.load(Path::new(&design)).unwrap();
    assert!(device.kernel("no_such_kernel").is_err());
    let kernel = device.kernel("krnl_memcpy:{krnl_memcpy_2}").unwrap();
    let buffer = |argument| device.alloc(8192, kernel.group(argument).unwrap()).unwrap();
    let (src, dst) = (buffer(0), buffer(1));
    // HBM[2] and HBM[3], of 256 MiB each.
    assert_eq!((src.address() >> 28, dst.address() >> 28), (2, 3));
    let data: Vec<u8> = (0..8192_u32).map(|i| (i * 7 % 251).to_le_bytes()[0]).collect();
    src.write(&data, 0).unwrap();
    let mut run = kernel.run().unwrap();
    run.set_buffer(0, &src).unwrap();
    run.set_buffer(1, &dst).unwrap();
    run.set_value(2, &128_u32.to_le_bytes()).unwrap();
    // The run keeps its buffers.
    drop(src);
    for _ in 0..3 {
        run.start().unwrap();
        run.wait(Duration::from_secs(600)).unwrap();
    }
    let mut back = vec![0; 8192];
    dst.read(&mut back, 0).unwrap();
    assert_eq!(back, data);
    let error = dst.sync(Direction::ToDevice, 8192, 1).unwrap_err().to_string();
    assert!(error.contains("send 8192 bytes from 1 of a buffer of 8192"), "{error}");
    // A run that nobody waits for keeps what it works on until it is done: the device ends where a buffer is freed in use.
    let large = |argument| device.alloc(32 << 20, kernel.group(argument).unwrap()).unwrap();
    let (from, to) = (large(0), large(1));
    run.set_buffer(0, &from).unwrap();
    run.set_buffer(1, &to).unwrap();
    run.set_value(2, &((32_u32 << 20) / 64).to_le_bytes()).unwrap();
    run.start().unwrap();
    drop((from, to, run));
    drop((dst, kernel));
    assert_eq!(device.failures(), [""; 0]);
}
