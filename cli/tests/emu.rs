//! `derate emu`: designs, and XRT's real library on derate's device. What needs XRT says so where XRT is not installed.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod derate;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use ::derate_host::xrt::{Device, Direction, Mode, XrtName};
use derate::{Run, derate, derate_in, root};
use tempfile::TempDir;

const KERNELS: &str = "fixtures/xclbin/kernels.cpp";
const CFG: &str = "fixtures/xclbin/u280.cfg";

fn design(dir: &Path, args: &[&str]) -> PathBuf {
    fs::create_dir_all(dir).unwrap();
    let path = dir.join("design.xclbin");
    let mut all = vec!["emu", "xclbin", "--output", path.to_str().unwrap()];
    all.extend(args);
    let made = derate(&all);
    assert_eq!(made.code, 0, "{}", made.stderr);
    path
}

#[test]
fn a_design_is_shown() {
    let dir = tempfile::tempdir().unwrap();
    design(dir.path(), &["--without-code", KERNELS, "--config", CFG]);
    let shown = derate_in(dir.path(), &["emu", "inspect", "design.xclbin"]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    insta::assert_snapshot!("inspect", shown.stdout);
    let json =
        derate_in(dir.path(), &["emu", "inspect", "design.xclbin", "--format", "json"]).json();
    assert_eq!(json["schema"], "derate.xclbin/1");
    assert_eq!(json["memories"].as_array().unwrap().len(), 34);
    assert_eq!(json["kernels"][1]["arguments"][6]["offset"], "0x4c");
    assert_eq!(json["compute_units"][1]["connections"][1]["bank"], "HBM[3]");
    assert_eq!(json["problems"], serde_json::json!([]));
}

#[test]
fn a_damaged_design_is_shown_as_far_as_it_goes() {
    let dir = tempfile::tempdir().unwrap();
    let whole = fs::read(design(dir.path(), &["--without-code", KERNELS])).unwrap();
    fs::write(dir.path().join("cut.xclbin"), &whole[..2500]).unwrap();
    let shown = derate_in(dir.path(), &["emu", "inspect", "cut.xclbin"]);
    assert_eq!(shown.code, 1, "{}", shown.stderr);
    assert!(shown.stdout.contains("section 3 (EMBEDDED_METADATA) says"), "{}", shown.stdout);
    assert!(shown.stdout.contains("HBM[31]"), "{}", shown.stdout);
    fs::write(dir.path().join("short.xclbin"), &whole[..100]).unwrap();
    fs::write(dir.path().join("text.xclbin"), "no design").unwrap();
    derate_in(dir.path(), &["emu", "inspect", "short.xclbin"]).assert_refused("no whole xclbin");
    derate_in(dir.path(), &["emu", "inspect", "text.xclbin"]).assert_refused("does not begin with");
    derate_in(dir.path(), &["emu", "inspect", "none.xclbin"]).assert_refused("check the path");
}

#[test]
fn a_design_that_cannot_be_made_says_why() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("k.cpp"), "int main() { return 0; }\n").unwrap();
    fs::write(dir.path().join("u.cfg"), "[connectivity]\nnk=gem:1\n").unwrap();
    let make = |args: &[&str]| {
        derate_in(dir.path(), &[&["emu", "xclbin", "-o", "x", "--without-code"], args].concat())
    };
    make(&["k.cpp"]).assert_refused("no kernel was found");
    make(&["k.cpp", "--config", "u.cfg"]).assert_refused("u.cfg:2: there is no kernel `gem`");
    make(&["k.cpp", "--platform", "u999"]).assert_refused("u999");
    assert!(!dir.path().join("x").exists());
}

#[test]
fn the_device_is_not_for_people() {
    let alone = Command::new(env!("CARGO_BIN_EXE_derate"))
        .args(["emu", "device"])
        .env_remove("EMULATION_SOCKETID")
        .output()
        .unwrap();
    assert_eq!(alone.status.code(), Some(2));
    let said = String::from_utf8(alone.stderr).unwrap();
    assert!(
        said.contains("EMULATION_SOCKETID is not set: this is the device that XRT starts"),
        "{said}"
    );
}

/// Whether XRT's libraries and headers are there. Where tests of XRT are asked for, that they are not is a failure.
fn xrt_is_installed() -> bool {
    let missing = [
        ("/usr/include/xrt/xrt/xrt_device.h", "libxrt-dev"),
        ("/usr/include/CL/cl.h", "opencl-c-headers"),
    ];
    let library = ["/usr/lib/x86_64-linux-gnu", "/opt/xilinx/xrt/lib"];
    let library = library.iter().any(|place| Path::new(place).join("libxrt_swemu.so.2").is_file());
    let header = missing.iter().find(|(path, _)| !Path::new(path).is_file());
    let lack = if library { header.map(|(_, package)| *package) } else { Some("libxrt1") };
    if let Some(lack) = lack {
        let wanted = std::env::var_os("DERATE_TEST_XRT").is_some();
        assert!(
            !wanted,
            "{lack} is not installed: apt install libxrt1 libxrt-dev opencl-c-headers"
        );
        // Past what the harness captures.
        let _ = writeln!(std::io::stderr(), "skipped: {lack} not installed");
    }
    lack.is_none()
}

/// The programs of `fixtures/xrt-host`, and a design of all kernels.
struct Programs {
    dir: TempDir,
    design: PathBuf,
}

impl Programs {
    fn get() -> &'static Self {
        static PROGRAMS: OnceLock<Programs> = OnceLock::new();
        PROGRAMS.get_or_init(|| {
            let dir = tempfile::tempdir().unwrap();
            let compile = |compiler: &str, source: &str, program: &str, more: &[&str]| {
                let source = root().join("fixtures/xrt-host").join(source);
                let made = Command::new(compiler)
                    .args(["-Wall", "-Wextra", "-Werror", "-O1", "-isystem", "/usr/include/xrt"])
                    .arg(source)
                    .args(more)
                    .arg("-o")
                    .arg(dir.path().join(program))
                    .output()
                    .unwrap();
                assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
            };
            let xrt = ["-lxrt_coreutil", "-luuid", "-pthread"];
            compile("cc", "memcpy.c", "memcpy", &xrt);
            compile("cc", "faults.c", "faults", &xrt);
            compile("c++", "gemm.cpp", "gemm", &[&["-std=c++17"], &xrt[..]].concat());
            compile("cc", "memcpy_cl.c", "memcpy_cl", &["-lxilinxopencl"]);
            let kernels = ["memcpy", "read", "write", "gemm_f32", "gemm_bf16", "gemm_i8"]
                .map(|name| format!("hls/kernels/{name}.cpp"));
            let mut args: Vec<&str> = kernels.iter().map(String::as_str).collect();
            args.extend(["--config", "hls/u280.cfg"]);
            let design = design(dir.path(), &args);
            Self { dir, design }
        })
    }

    /// `derate emu run`, with a time limit; the first line of its output names the user that XRT saw.
    fn run(&self, program: &str, args: &[&str]) -> Run {
        self.run_on(&self.design, program, args)
    }

    fn run_on(&self, design: &Path, program: &str, args: &[&str]) -> Run {
        let program = self.dir.path().join(program);
        let (program, design) = (program.to_str().unwrap(), design.to_str().unwrap());
        let script = "echo \"$USER\"; exec timeout --foreground --signal=KILL 100 \"$@\"";
        let shell = ["emu", "run", "--", "sh", "-c", script, "sh", program, design];
        let mut run = derate(&[&shell, args].concat());
        let (user, rest) = run.stdout.split_once('\n').unwrap();
        nothing_is_left(user);
        run.stdout = rest.to_owned();
        run
    }
}

/// No folder of a process that is gone, where XRT has its sockets or where temporary files are; what was left there before
/// these tests began is not theirs.
fn no_folder_is_left() {
    let begin = fs::metadata("/proc/self").and_then(|own| own.modified()).unwrap();
    for place in [PathBuf::from("/tmp"), std::env::temp_dir()] {
        for entry in fs::read_dir(place).unwrap().flatten() {
            let named = entry.file_name().to_string_lossy().starts_with("derate-run-");
            let owner = fs::read_to_string(entry.path().join(".derate-lock")).unwrap_or_default();
            let is_new =
                entry.metadata().and_then(|own| own.modified()).is_ok_and(|made| made >= begin);
            if named && is_new && !owner.is_empty() && !Path::new("/proc").join(&owner).exists() {
                // Another test's may have gone meanwhile, and its process with it.
                assert!(!entry.path().exists(), "{} of process {owner}", entry.path().display());
            }
        }
    }
}

/// No file of a run, and no process of it.
fn nothing_is_left(user: &str) {
    assert!(user.starts_with("derate-"), "{user}");
    assert!(!Path::new("/tmp").join(user).exists());
    no_folder_is_left();
    let variable = format!("USER={user}\0");
    let left = fs::read_dir("/proc").unwrap().flatten().filter(|entry| {
        let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
        environment.windows(variable.len()).any(|part| part == variable.as_bytes())
    });
    let left: Vec<PathBuf> = left.map(|entry| entry.path()).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// XRT ended the program, or its next word to the device did: which comes first is chance.
fn assert_ended(run: &Run, sentence: &str) {
    let signals = [6, 13, 15].map(|signal| 128 + signal);
    assert!(signals.contains(&run.code), "{}: {}{}", run.code, run.stdout, run.stderr);
    assert!(run.stderr.contains(sentence), "no `{sentence}` in: {}", run.stderr);
    assert!(run.stderr.contains("ended by signal"), "{}", run.stderr);
}

fn assert_ran(run: &Run, lines: &[&str]) {
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    for line in lines {
        assert!(run.stdout.contains(line), "no `{line}` in: {}{}", run.stdout, run.stderr);
    }
}

/// Each program ten times in a row, on XRT's real library.
#[test]
fn programs_in_c_cpp_and_opencl_run_ten_times_in_a_row() {
    if !xrt_is_installed() {
        return;
    }
    let programs = Programs::get();
    for _ in 0..10 {
        let run = programs.run("memcpy", &[]);
        assert_ran(&run, &["groups 0 1, 2 runs of 4096 bytes: equal"]);
        let run = programs.run("memcpy_cl", &[]);
        assert_ran(&run, &["OpenCL, 64000 bytes: equal"]);
    }
    for _ in 0..10 {
        let run = programs.run("gemm", &[]);
        assert_ran(
            &run,
            &[
                "gemm 64 x 48 x 32: equal",
                "gemm 37 x 53 x 71: equal",
                "64 MiB, sub-buffers and partial syncs: equal",
                "200 runs: equal",
                "two compute units: side by side",
            ],
        );
    }
}

/// `launch and wait 0.210 ms median`, as `gemm` prints it, in milliseconds.
fn launch_and_wait(said: &str) -> f64 {
    let (_, rest) = said.split_once("launch and wait ").unwrap();
    rest.split_once(" ms median").unwrap().0.parse().unwrap()
}

/// Through XRT's library, its socket and the device: what a bench of many launches pays for each. Of ten medians the least
/// counts: a busy machine only adds. `make bench` runs it in release.
#[test]
fn a_launch_takes_at_most_half_a_millisecond() {
    if !xrt_is_installed() {
        return;
    }
    let medians = (0..10).map(|_| launch_and_wait(&Programs::get().run("gemm", &[]).stdout));
    let least = medians.fold(f64::INFINITY, f64::min);
    // Past what the harness captures.
    let _ = writeln!(std::io::stderr(), "launch and wait through XRT: {least:.3} ms median");
    assert!(least <= 0.5, "{least} ms");
}

#[test]
fn what_goes_wrong_is_told_and_leaves_nothing() {
    if !xrt_is_installed() {
        return;
    }
    let programs = Programs::get();
    // In the caller's group, which XRT is kept from.
    let mut bystander = Command::new("sleep").arg("100").spawn().unwrap();
    let beyond = programs.run("faults", &["beyond"]);
    assert_ended(&beyond, "error: compute unit krnl_memcpy_1: krnl_memcpy reads 64 bytes at");
    assert!(bystander.try_wait().unwrap().is_none());
    bystander.kill().unwrap();
    bystander.wait().unwrap();
    let full = programs.run("faults", &["full"]);
    assert_ran(&full, &["first allocated, second refused"]);
    // Freed before the kernel begins, or while it runs: both are told.
    let freed = programs.run("faults", &["freed"]);
    assert_ended(&freed, "error: compute unit krnl_memcpy_1: ");
    assert_ended(&programs.run("faults", &["cut"]), "");
    let die = programs.run("faults", &["die"]);
    assert_eq!(die.code, 128 + 9, "{}", die.stderr);
    assert_ran(&programs.run("faults", &["again"]), &["again: completed"]);
    assert_ran(&programs.run("faults", &["copy"]), &["copy: equal", "copy: completed"]);
    let leave = programs.run("faults", &["leave"]);
    assert_ran(&leave, &["leave: completed"]);
    assert!(leave.stderr.contains("ended before it closed the device"), "{}", leave.stderr);
    // A name brings no code: what the source does would not be what runs.
    let empty = design(
        programs.dir.path().join("empty").as_path(),
        &["--without-code", "hls/kernels/memcpy.cpp"],
    );
    let empty = programs.run_on(&empty, "memcpy", &[]);
    assert_ended(&empty, "error: the design carries no code for its kernels: make it of their");
    let none = programs.run_on(&root().join(CFG), "memcpy", &[]);
    assert_ne!(none.code, 0);
    let program = derate(&["emu", "run", "--", "./nosuchprog"]);
    assert_eq!(program.code, 2);
    assert!(program.stderr.contains("./nosuchprog cannot be started; check the path"));
}

#[test]
fn a_kernel_that_dies_is_named_ten_times_in_a_row() {
    if !xrt_is_installed() {
        return;
    }
    // What they share is made before a run is timed.
    let programs = Programs::get();
    let text = fs::read_to_string(root().join("fixtures/xrt-host/crash.cpp")).unwrap();
    for (statement, how) in [
        ("nowhere[i] = src[i];", "by signal 11 (segmentation fault)"),
        ("std::abort();", "by signal 6 (abort)"),
        ("std::exit(0);", "with status 0"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let source = dir.path().join("dies.cpp");
        let text = text.replace("nowhere[i] = src[i];", &format!("(void)nowhere; {statement}"));
        fs::write(&source, format!("#include <cstdlib>\n{text}")).unwrap();
        let design = design(dir.path(), &[source.to_str().unwrap()]);
        for _ in 0..10 {
            let begin = Instant::now();
            let run = programs.run_on(&design, "memcpy", &[]);
            let unit = "compute unit krnl_memcpy_1 of kernel krnl_memcpy";
            assert_ended(&run, &format!("the device ended {how} while {unit} ran"));
            assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
        }
    }
}

/// `nk=` makes a kernel of a function without a pragma, as the manual page says.
#[test]
fn a_kernel_that_only_nk_names_runs() {
    let dir = tempfile::tempdir().unwrap();
    let (source, cfg) = (dir.path().join("bare.cpp"), dir.path().join("u.cfg"));
    let text = fs::read_to_string(root().join("hls/kernels/memcpy.cpp")).unwrap();
    fs::copy(root().join("hls/kernels/word.h"), dir.path().join("word.h")).unwrap();
    let bare: Vec<&str> =
        text.lines().filter(|line| !line.contains("#pragma HLS interface")).collect();
    assert!(bare.len() < text.lines().count());
    fs::write(&source, bare.join("\n")).unwrap();
    let source = source.to_str().unwrap();
    let out = dir.path().join("refused").to_str().unwrap().to_owned();
    derate(&["emu", "xclbin", "-o", &out, source])
        .assert_refused("neither nk= nor --kernel names one");
    let pins = "sp=krnl_memcpy_1.src:HBM[0]\nsp=krnl_memcpy_1.dst:HBM[1]\n";
    fs::write(&cfg, format!("[connectivity]\nnk=krnl_memcpy:1\n{pins}")).unwrap();
    let design = design(dir.path(), &[source, "--config", cfg.to_str().unwrap()]);
    if !xrt_is_installed() {
        return;
    }
    let run = Programs::get().run_on(&design, "memcpy", &[]);
    assert_ran(&run, &["groups 0 1, 2 runs of 4096 bytes: equal"]);
}

/// Most kernels have plain pointers: they run where the user says that nothing need be checked.
#[test]
fn a_plain_kernel_runs_unchecked() {
    let (dir, source) = (tempfile::tempdir().unwrap(), "fixtures/xrt-host/plain.cpp");
    let out = dir.path().join("refused").to_str().unwrap().to_owned();
    derate(&["emu", "xclbin", "-o", &out, source])
        .assert_refused("fixtures/xrt-host/plain.cpp:3: `src` of krnl_memcpy is a plain pointer");
    let design = design(dir.path(), &["--unchecked", source]);
    if !xrt_is_installed() {
        return;
    }
    let run = Programs::get().run_on(&design, "memcpy", &[]);
    assert_ran(&run, &["2 runs of 4096 bytes: equal"]);
}

/// Whatever the program started, in whatever group and session; and nobody else.
#[test]
fn an_interrupt_ends_the_program_and_all_that_it_started() {
    if !xrt_is_installed() {
        return;
    }
    for (signal, number, script) in [
        ("INT", 2, "exec sleep 100"),
        ("QUIT", 3, "exec sleep 100"),
        ("HUP", 1, "timeout 40 sleep 30"),
        ("INT", 2, "timeout 40 sleep 30"),
        ("TERM", 15, "setsid sleep 100 & sleep 100"),
        ("INT", 2, "trap '' TERM; sleep 100; sleep 100"),
    ] {
        let script = format!("echo \"$USER\"; {script}");
        // In the group of the test, which has to live on.
        let mut run = Command::new(env!("CARGO_BIN_EXE_derate"))
            .args(["emu", "run", "--", "sh", "-c", &script])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(run.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let begin = Instant::now();
        let asked =
            Command::new("kill").args([&format!("-{signal}"), &run.id().to_string()]).status();
        assert!(asked.unwrap().success());
        assert_eq!(run.wait().unwrap().signal(), Some(number), "{signal} {script}");
        assert!(begin.elapsed() < Duration::from_secs(10));
        nothing_is_left(line.trim_end());
    }
}

/// `setsid` may leave its program behind and return: that is not the end of it.
#[test]
fn a_program_in_another_session_is_waited_for() {
    if !xrt_is_installed() {
        return;
    }
    let begin = Instant::now();
    let script = "echo \"$USER\"; sleep 3; test -d \"/tmp/$USER\" && echo there";
    let run = derate(&["emu", "run", "--", "setsid", "--fork", "sh", "-c", script]);
    assert!(begin.elapsed() >= Duration::from_secs(3));
    let (user, rest) = run.stdout.split_once('\n').unwrap();
    assert_eq!((run.code, rest), (0, "there\n"), "{}", run.stderr);
    nothing_is_left(user);
    // What stays in the program's own session ends with it.
    let begin = Instant::now();
    let run = derate(&["emu", "run", "--", "sh", "-c", "echo \"$USER\"; sleep 100 &"]);
    assert!(begin.elapsed() < Duration::from_secs(20));
    nothing_is_left(run.stdout.trim_end());
}

/// An end in the moment before the program starts, and one in any other.
#[test]
fn an_interrupt_in_any_moment_leaves_no_folder() {
    if !xrt_is_installed() {
        return;
    }
    for wait in 0..20 {
        let mut run = Command::new(env!("CARGO_BIN_EXE_derate"))
            .args(["emu", "run", "--", "sleep", "100"])
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        let asked = Command::new("kill").args(["-INT", &run.id().to_string()]).status();
        assert!(asked.unwrap().success());
        assert_eq!(run.wait().unwrap().signal(), Some(2));
        no_folder_is_left();
    }
}

/// XRT opens any number, with a memory that it makes up, and takes any design.
#[test]
fn what_the_card_has_not_is_refused() {
    if !xrt_is_installed() {
        return;
    }
    let programs = Programs::get();
    let design = programs.design.to_str().unwrap();
    for index in ["1", "5"] {
        let sentence =
            format!("there is no card {index}: software emulation has 1, counted from 0");
        assert_ended(&programs.run("faults", &["card", index]), &sentence);
        let (this, device) = (env!("CARGO_BIN_EXE_derate"), format!("xrt:{index}"));
        let bench = [this, "bench", "memcpy", "--device", &device, "--xclbin", design];
        let run = derate(&[&["emu", "run", "--"], &bench[..]].concat());
        assert_eq!(run.code, 2, "{}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains(&sentence), "{}", run.stderr);
    }
    assert_ran(&programs.run("faults", &["card", "0"]), &["card: completed"]);
    let memcpy = programs.dir.path().join("memcpy");
    for (card, difference) in [
        ("u50", "that has DDR[0] of 16384 MiB where this has no bank"),
        ("u200", "that has HBM[0] of 256 MiB where this has DDR[0] of 16384 MiB"),
    ] {
        let run =
            derate(&["emu", "run", "--platform", card, "--", memcpy.to_str().unwrap(), design]);
        let made = "the design is made for u280, and the card here is";
        assert_ended(&run, &format!("{made} {card}: {difference}"));
    }
}

/// XRT hands the folder's name to a shell as it is.
#[test]
fn a_folder_that_a_shell_would_take_apart_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    for (name, sign) in [
        ("a b", "a space"),
        ("it's", "`\\'`"),
        ("a\"b", "`\\\"`"),
        ("a;b", "`;`"),
        ("$HOME", "`$`"),
        ("a*", "`*`"),
        ("a\nb", "`\\n`"),
    ] {
        let run = derate_in(dir.path(), &["emu", "env", name]);
        run.assert_refused(&format!("has {sign} in its name, which XRT hands to a shell"));
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    if xrt_is_installed() {
        for name in ["a.b-c_d", "größe", "50%"] {
            let run = derate_in(dir.path(), &["emu", "env", name]);
            assert_eq!(run.code, 0, "{}", run.stderr);
        }
    }
}

/// What `derate emu env` prints is enough for a shell, beside an old socket and without a user.
#[test]
fn a_prepared_folder_serves_a_shell() {
    if !xrt_is_installed() {
        return;
    }
    let (programs, dir) = (Programs::get(), tempfile::tempdir().unwrap());
    let shell = |script: &str| {
        let run = Command::new("setsid")
            .args(["--wait", "timeout", "100", "sh", "-c", script, "sh"])
            .args([env!("CARGO_BIN_EXE_derate").as_ref(), dir.path().as_os_str()])
            .args([programs.dir.path().join("memcpy"), programs.design.clone()])
            // Of two programs at once, XRT lets one put its files here.
            .current_dir(dir.path())
            .env_remove("USER")
            .env("XILINX_XRT", "/nowhere")
            .output()
            .unwrap();
        (run.status.success(), String::from_utf8_lossy(&run.stdout).into_owned())
    };
    let user = "x=$(mktemp -d /tmp/derate-test-XXXXXX); export USER=${x#/tmp/}; trap 'rm -rf \"$x\"' EXIT;";
    let prepare = "eval \"$(\"$1\" emu env \"$2/folder\")\"";
    for _ in 0..2 {
        let (good, said) = shell(&format!("{user} {prepare} && \"$3\" \"$4\""));
        assert!(good && said.contains("equal"), "{said}");
    }
    // Something old where XRT wants its socket, which it names after the process.
    let old = "sh -c 'touch \"/tmp/$USER/device0_1_$$\"; exec \"$0\" \"$1\"' \"$3\" \"$4\"";
    let (good, said) = shell(&format!("{user} {prepare}; {old}"));
    assert!(good && said.contains("equal"), "{said}");
    // Two programs at once on one folder.
    let two =
        format!("{user} {prepare}; \"$3\" \"$4\" 1048576 20 & \"$3\" \"$4\" 1048576 20 && wait $!");
    let (good, said) = shell(&two);
    assert!(good && said.matches("20 runs of 1048576 bytes: equal").count() == 2, "{said}");
    // A bench whose device dies takes nobody along, though nobody gave it a session.
    let folder = tempfile::tempdir().unwrap();
    let cfg = folder.path().join("u.cfg");
    fs::write(&cfg, "[connectivity]\nsp=krnl_memcpy_1.src:HBM[0]\nsp=krnl_memcpy_1.dst:HBM[1]\n")
        .unwrap();
    let cfg = cfg.to_str().unwrap();
    let crash = design(folder.path(), &["fixtures/xrt-host/crash.cpp", "--config", cfg]);
    let crash = crash.display();
    let bench = format!(
        "{user} {prepare}; \"$1\" bench memcpy --device xrt:0 --xclbin {crash} --size '64 KiB' 2>&1; echo \"alive after $?\""
    );
    let (good, said) = shell(&bench);
    assert!(good && said.contains("alive after 1"), "{said}");
    // What would make XRT signal its group, or end, is a sentence.
    let taken = "export USER=$(printf %0110d 1);".to_owned();
    let (good, said) = shell(&format!(
        "{taken} {prepare}; \"$1\" bench read --device xrt:0 2>&1; echo \"alive after $?\""
    ));
    assert!(
        good && said.contains("set a shorter USER") && said.contains("alive after 2"),
        "{said}"
    );
}

#[test]
fn without_xrt_there_is_one_sentence() {
    if xrt_is_installed() {
        return;
    }
    derate(&["emu", "run", "--", "true"]).assert_refused("XRT is not installed");
}

/// A machine without XRT, or with one that cannot be loaded, needs no design to be told so.
#[test]
fn a_bench_without_xrt_is_one_sentence() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("libxrt_coreutil.so.2"), "no library").unwrap();
    let bench = |device: &[&str]| {
        let run = Command::new(env!("CARGO_BIN_EXE_derate"))
            .args(["bench", "read", "--device"])
            .args(device)
            .env("LD_LIBRARY_PATH", dir.path())
            .env("XILINX_XRT", "/nowhere")
            .output()
            .unwrap();
        assert_eq!(run.status.code(), Some(2));
        String::from_utf8(run.stderr).unwrap()
    };
    for device in [&["xrt:0"][..], &["xrt:0", "--xclbin", "no such file"]] {
        let said = bench(device);
        assert!(
            said.starts_with("error: XRT cannot be loaded (") && said.lines().count() == 1,
            "{said}"
        );
        for part in [
            "libxrt_coreutil.so.2: ",
            "/nowhere/lib/libxrt_coreutil.so.2: ",
            "apt install libxrt1",
            "`--device emu` needs neither",
        ] {
            assert!(said.contains(part), "no `{part}` in {said}");
        }
    }
}

/// A bench through XRT: its bytes and results are real, its time is no evidence of hardware.
#[test]
fn benches_run_on_xrt_and_say_what_their_time_is_worth() {
    if !xrt_is_installed() {
        return;
    }
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
    // A run of one card's design is no measurement of another card.
    let start = ["emu", "run", "--", env!("CARGO_BIN_EXE_derate"), "bench", "read"];
    let other = ["--device", "xrt:0", "--xclbin", design, "--platform", "u50"];
    let other = derate(&[&start[..], &other].concat());
    assert_eq!(other.code, 2, "{}", other.stderr);
    let said = "is linked for xilinx_u280_gen3x16_xdma_1_202211_1, which is no u50";
    assert!(other.stderr.contains(said), "{}", other.stderr);
    let device = |mode: &str| {
        Command::new(env!("CARGO_BIN_EXE_derate"))
            .args(["bench", "read", "--device", "xrt:0", "--xclbin", design])
            .env("XCL_EMULATION_MODE", mode)
            .output()
            .unwrap()
    };
    if Path::new("/usr/lib/x86_64-linux-gnu/libxrt_hwemu.so.2").is_file() {
        // Debian's own, whose fault is known, or another without a simulator behind it.
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
        assert_eq!(simulated.code, 2, "{}", simulated.stderr);
        assert!(simulated.stderr.contains("runs the simulator that v++"), "{}", simulated.stderr);
    }
    let only = self::design(programs.dir.path().join("only").as_path(), &["hls/kernels/read.cpp"]);
    let bench = ["bench", "memcpy", "--device", "xrt:0", "--xclbin", only.to_str().unwrap()];
    let lacks = derate(&[&["emu", "run", "--", env!("CARGO_BIN_EXE_derate")], &bench[..]].concat());
    assert!(
        lacks.stderr.contains("the design has no compute unit krnl_memcpy_1"),
        "{}",
        lacks.stderr
    );
    let noop = device("noop");
    assert_eq!(noop.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&noop.stderr).contains("runs no kernel and moves no data"));
}

/// The design for a card, whose sums lie in two banks: each buffer where its argument is connected.
#[test]
fn buffers_lie_where_the_design_connects_them() {
    if !xrt_is_installed() {
        return;
    }
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

/// The device counts, and the bench hears of it: what a kernel is told to move is no proof of what it moves.
#[test]
fn a_kernel_that_reads_twice_on_xrt_is_a_finding() {
    if !xrt_is_installed() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let kernels = root().join("hls/kernels");
    let text = fs::read_to_string(kernels.join("memcpy.cpp")).unwrap();
    fs::copy(kernels.join("word.h"), dir.path().join("word.h")).unwrap();
    let twice =
        text.replace("dst[i] = src[i];", "auto again = src[i];\n(void)again;\ndst[i] = src[i];");
    assert_ne!(twice, text);
    let (source, cfg) = (dir.path().join("twice.cpp"), dir.path().join("u.cfg"));
    fs::write(&source, twice).unwrap();
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
#[test]
fn rust_runs_on_xrt() {
    if !xrt_is_installed() {
        return;
    }
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
        "100",
        this.to_str().unwrap(),
        "--ignored",
        "--exact",
        "inside_xrt",
        "--nocapture",
        "--test-threads=1",
    ]);
    assert_ran(&run, &["test inside_xrt ... ok"]);
}

#[test]
#[ignore = "rust_runs_on_xrt starts it with XRT around it"]
fn inside_xrt() {
    let design = std::env::var("DESIGN").unwrap();
    let device = Device::open(XrtName(0)).unwrap();
    assert_eq!(device.mode(), Mode::SwEmu);
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
        run.wait(Duration::from_secs(60)).unwrap();
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
