//! The kernels of `hls/kernels`, compiled and run.
//!
//! `-Wno-unknown-pragmas` is the one warning that is off: no C++ compiler knows `#pragma HLS`.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

#[path = "../../../reports/render/tests/page/harness.rs"]
mod harness;
mod oracle;

use derate_hls::{Sources, read_connectivity};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};

use harness::{run_tests, tests};
use oracle::widths_are_what_the_compiler_says;

fn main() -> ExitCode {
    let plain = tests![
        kernels_are_right_under_the_sanitizers,
        tiles_are_runs_of_consecutive_words,
        a_plain_pointer_is_taken_as_it_is,
        designs_have_a_port_on_every_channel_and_no_other,
        what_a_card_needs_and_is_not_here_is_said_in_a_sentence,
        a_design_is_compiled_and_linked_with_the_clock_options_that_vpp_has,
    ];
    let with_headers = tests![
        kernels_are_right_with_the_vendors_headers,
        integers_give_what_the_vendors_give,
        widths_are_what_the_compiler_says,
    ];
    let lack = (!vendors().join("ap_int.h").is_file()).then(|| "the vendor's ap_types".to_owned());
    run_tests(plain, vec![(lack, with_headers)])
}

const STRICT: [&str; 5] = ["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Wno-unknown-pragmas"];

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// What a compiler says of a source; with `to`, it makes a program.
fn compile(flags: &[&str], source: &Path, to: Option<&Path>) -> Output {
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let mut command = Command::new(&compiler);
    command.args(flags).arg(source);
    match to {
        Some(to) => command.arg("-o").arg(to),
        None => command.arg("-fsyntax-only"),
    };
    command.output().unwrap_or_else(|error| {
        panic!("{compiler}: {error}: the kernels need a C++ compiler; install g++ or set CXX")
    })
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Compiles and runs a check, which ends with `right`; nothing else may be said of it. What it printed.
fn runs(flags: &[&str], check: &str, name: &str) -> String {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let compiled = compile(flags, &here("tests/compiled").join(check), Some(&program));
    assert!(compiled.status.success() && compiled.stderr.is_empty(), "{}", said(&compiled));
    let run = Command::new(&program).output().unwrap();
    let printed = String::from_utf8_lossy(&run.stdout).into_owned();
    assert_eq!(printed.lines().last(), Some("right"), "{printed}{}", said(&run));
    assert!(run.status.success());
    printed
}

/// Where the vendor's headers are; `make setup` fetches them.
fn vendors() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("../ap_types")
}

/// The headers themselves read what they have not set.
const VENDORS_OWN: [&str; 3] = ["-Wno-uninitialized", "-Wno-maybe-uninitialized", "-isystem"];

fn kernels_are_right_under_the_sanitizers() {
    let sim = format!("-I{}", here("sim").display());
    let mut flags = STRICT.to_vec();
    flags.extend(["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", &sim]);
    runs(&flags, "check.cpp", "check-sim");
    runs(&flags, "port.cpp", "port-sim");
    runs(&flags, "words.cpp", "words-sim");
    runs(&flags, "places.cpp", "places-sim");
}

fn tiles_are_runs_of_consecutive_words() {
    let [recorder, sim] =
        ["tests/compiled/recorder", "sim"].map(|folder| format!("-I{}", here(folder).display()));
    let flags = [&STRICT[..], &["-O1", &recorder, &sim]].concat();
    runs(&flags, "bursts.cpp", "bursts");
}

fn kernels_are_right_with_the_vendors_headers() {
    let headers = vendors().display().to_string();
    let flags = [&STRICT[..], &["-O1"], &VENDORS_OWN, &[&headers]].concat();
    runs(&flags, "check.cpp", "check-vendor");
    runs(&flags, "words.cpp", "words-vendor");
    runs(&flags, "places.cpp", "places-vendor");
}

/// The same text with both headers; each checks itself against the compiler's own integers, too.
fn integers_give_what_the_vendors_give() {
    let sim = format!("-I{}", here("sim").display());
    let sanitizers = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", &sim];
    let ours = runs(&[&STRICT[..], &sanitizers].concat(), "integers.cpp", "integers-sim");
    let headers = vendors().display().to_string();
    let flags = [&STRICT[..], &VENDORS_OWN, &[&headers]].concat();
    let theirs = runs(&flags, "integers.cpp", "integers-vendor");
    for (ours, theirs) in ours.lines().zip(theirs.lines()) {
        assert_eq!(ours, theirs);
    }
}

fn a_plain_pointer_is_taken_as_it_is() {
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("plain.cpp");
    let text = "#include <derate/kernel.h>\nvoid k(float *p) { *p = 1; }\nDERATE_EXPORT\nDERATE_KERNEL(k)\n";
    std::fs::write(&source, text).unwrap();
    let sim = format!("-I{}", here("sim").display());
    let taken = compile(&["-std=c++17", &sim], &source, None);
    assert!(taken.status.success(), "{}", said(&taken));
}

/// The compute units of a design, and the banks of its ports, with repetitions.
fn design(name: &str) -> (u64, Vec<String>) {
    let mut sources = Sources::default();
    let file = sources.add(name, std::fs::read_to_string(here(name)).unwrap());
    let connectivity = read_connectivity(&sources, file).unwrap();
    assert_eq!(connectivity.unread.len(), 0);
    let units = connectivity.kernels.iter().map(|kernels| kernels.count.value).sum();
    let placed: BTreeSet<_> = connectivity.slr.iter().map(|pin| pin.unit.value.as_str()).collect();
    assert_eq!(placed.len() as u64, units, "{name}");
    assert!(connectivity.slr.iter().all(|pin| pin.slr.value == "SLR0"), "{name}");
    (units, connectivity.memory.iter().map(|pin| pin.banks.value.to_string()).collect())
}

fn designs_have_a_port_on_every_channel_and_no_other() {
    let designs = [
        ("u280.cfg", 20),
        ("u280-read.cfg", 32),
        ("u280-read-256.cfg", 32),
        ("u280-write.cfg", 32),
        ("u280-memcpy.cfg", 16),
    ];
    let channels: BTreeSet<_> = (0..32).map(|channel| format!("HBM[{channel}]")).collect();
    for (name, units) in designs {
        let (count, banks) = design(name);
        assert_eq!(count, units, "{name}");
        assert_eq!(banks.len(), 32, "{name}");
        assert_eq!(banks.into_iter().collect::<BTreeSet<_>>(), channels, "{name}");
    }
}

/// `make hw` with these settings, and what it says: on its output, and as errors.
fn make(settings: &[&str]) -> (bool, String, String) {
    let make = Command::new("make")
        .args(["-C", &here("").display().to_string(), "hw"])
        .args(settings)
        .env_remove("MAKEFLAGS")
        .env_remove("PLATFORM_REPO_PATHS")
        .env_remove("XILINX_VITIS")
        .output()
        .unwrap();
    (make.status.success(), String::from_utf8_lossy(&make.stdout).into_owned(), said(&make))
}

fn what_a_card_needs_and_is_not_here_is_said_in_a_sentence() {
    for (settings, wanted) in [
        (&["VPP=no-such-v++"][..], "no-such-v++ is not on the PATH"),
        (&["VPP=true", "DESIGN=mine"], "there is no mine.cfg in"),
        (
            &["VPP=true", "PLATFORM=mine", "PLATFORM_REPO_PATHS=/a:/b"],
            "there is no platform mine in /a /b /opt/xilinx/platforms: install its development files",
        ),
        (&["VPP=true", "PLATFORM=/a/mine.xpfm"], "there is no platform /a/mine.xpfm: install"),
    ] {
        let (passed, _, errors) = make(settings);
        assert!(!passed && errors.contains(wanted), "{settings:?}: {errors}");
        let lines: Vec<&str> = errors.lines().filter(|line| !line.starts_with("make")).collect();
        assert!(lines.len() == 1 && lines[0].starts_with("error: "), "{errors}");
    }
}

fn a_design_is_compiled_and_linked_with_the_clock_options_that_vpp_has() {
    let places = Path::new(env!("CARGO_TARGET_TMPDIR")).join("platforms");
    std::fs::create_dir_all(places.join("mine")).unwrap();
    std::fs::write(places.join("mine/mine.xpfm"), "").unwrap();
    let places = format!("PLATFORM_REPO_PATHS={}", places.display());
    let with = |tool| {
        let (passed, commands, errors) =
            make(&["-n", "PLATFORM=mine", "DESIGN=u280-read-256", tool, &places]);
        assert!(passed, "{errors}");
        let kept = commands.lines().filter(|line| line.contains("--target hw"));
        kept.map(str::to_owned).collect::<Vec<_>>()
    };
    for (tool, compile, link) in [
        ("VPP=true", "--hls.clock 300000000:krnl_read_256 ", "--kernel_frequency 300 "),
        ("VPP=echo --freqhz", "--freqhz=300000000:krnl_read_256 ", "--freqhz=300000000 "),
    ] {
        let commands = with(tool);
        assert_eq!(commands.len(), 2, "{commands:?}");
        assert!(commands[0].contains(compile) && commands[0].ends_with("kernels/read.cpp"));
        assert!(commands[1].contains(link) && commands[1].contains("--config u280-read-256.cfg"));
    }
}
