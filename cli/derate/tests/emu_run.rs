//! `derate emu run`: programs on XRT's real library, with derate's device behind it.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod derate;
#[path = "../../../reports/render/tests/page/harness.rs"]
mod harness;
mod xrt;

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use derate::{derate, in_the_foreground, root};
use harness::{run_tests, tests};
use xrt::{
    Programs, assert_ended, assert_ran, design, missing_tool, no_folder_is_left, nothing_is_left,
};

fn main() -> ExitCode {
    let with_xrt = tests![
        programs_in_c_cpp_and_opencl_run_ten_times_in_a_row,
        what_goes_wrong_is_told_and_leaves_nothing,
        a_program_that_dies_has_its_own_status_ten_times_in_a_row,
        a_part_of_a_buffer_is_not_known_to_the_device,
        a_kernel_without_an_end_is_ended_where_there_is_a_limit,
        a_run_says_little,
        a_forgotten_sync_is_told,
        a_kernel_that_dies_is_named_ten_times_in_a_row,
        a_kernel_that_only_nk_names_runs,
        a_plain_kernel_runs_unchecked,
        an_interrupt_ends_the_program_and_all_that_it_started,
        a_program_in_another_session_is_waited_for,
        an_interrupt_in_any_moment_leaves_no_folder,
        what_a_killed_run_leaves_the_next_one_takes_away,
        what_the_card_has_not_is_refused,
        a_prepared_folder_serves_a_shell,
    ];
    run_tests(Vec::new(), vec![(missing_tool(), with_xrt)])
}

/// Each program ten times in a row, on XRT's real library.
fn programs_in_c_cpp_and_opencl_run_ten_times_in_a_row() {
    let programs = Programs::get();
    for _ in 0..10 {
        let run = programs.run("memcpy", &[]);
        assert_ran(&run, &["groups 0 1, 2 runs of 4096 bytes: equal"]);
        let run = programs.run("gemm_c", &["37", "53", "71"]);
        assert_ran(&run, &["gemm in C, 37 x 53 x 71: equal"]);
        let run = programs.run("opencl", &[]);
        assert_ran(&run, &["OpenCL, 64000 bytes: equal", "OpenCL, gemm 37 x 53 x 71: equal"]);
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

fn what_goes_wrong_is_told_and_leaves_nothing() {
    let programs = Programs::get();
    // In the caller's group, which XRT is kept from.
    let mut bystander = Command::new("sleep").arg("1000").spawn().unwrap();
    let beyond = programs.run("faults", &["beyond"]);
    assert_ended(&beyond, "error: compute unit krnl_memcpy_1: krnl_memcpy reads 64 bytes at");
    assert!(bystander.try_wait().unwrap().is_none());
    bystander.kill().unwrap();
    bystander.wait().unwrap();
    for full in [programs.run("faults", &["full"]), programs.run_in_software("faults", &["full"])] {
        assert_ran(&full, &["first allocated, second refused"]);
    }
    // Freed before the kernel begins, or while it runs: both are reported. A busy machine may free it after the run's end.
    let mut freed = (0..20).map(|_| programs.run("faults", &["freed"]));
    let freed = freed.find(|run| run.code != 0).unwrap();
    assert_ended(&freed, "error: compute unit krnl_memcpy_1: ");
    let bank = programs.run("faults", &["bank"]);
    assert_ended(&bank, "`src`, in HBM[9], and the design connects that argument to HBM[0]: put");
    // XRT writes into a socket that the program itself has shut, or finds nothing in it.
    let cut = programs.run("faults", &["cut"]);
    assert!([125, 128 + 6, 128 + 13].contains(&cut.code), "{} {}", cut.code, cut.stderr);
    let die = programs.run("faults", &["die"]);
    assert_eq!(die.code, 128 + 9, "{}", die.stderr);
    assert_ran(&programs.run("faults", &["again"]), &["again: completed"]);
    for copy in [programs.run("faults", &["copy"]), programs.run_in_software("faults", &["copy"])] {
        assert_ran(&copy, &["copy: equal", "copy: completed"]);
    }
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
    // XRT hands on what there is of a file.
    let whole = fs::read(&programs.design).unwrap();
    let code = whole.windows(4).position(|four| four == b"\x7fELF").unwrap();
    for end in [code + 5000, whole.len() - 2000] {
        let cut = programs.dir.path().join("cut.xclbin");
        fs::write(&cut, &whole[..end]).unwrap();
        let run = programs.run_on(&cut, "memcpy", &[]);
        assert_ended(&run, "the design that the program loads is damaged");
        let early = format!("ends early, after {end} of its {} bytes", whole.len());
        assert!(run.stderr.contains(&early), "{}", run.stderr);
    }
    // XRT reads a file in the program's own process, and this one's table far beyond its end.
    let mut wild = whole.clone();
    wild[448..452].copy_from_slice(b"aWid");
    let path = programs.dir.path().join("wild.xclbin");
    fs::write(&path, wild).unwrap();
    let run = programs.run_on(&path, "memcpy", &[]);
    assert_ne!(run.code, 0);
    assert!(
        run.stderr.contains("is damaged: it says to have 1684625249 sections"),
        "{}",
        run.stderr
    );
    let none = programs.run_on(&root().join("fixtures/xclbin/u280.cfg"), "memcpy", &[]);
    assert_ne!(none.code, 0);
    let program = derate(&["emu", "run", "--", "./nosuchprog"]);
    assert_eq!(program.code, 2);
    assert!(program.stderr.contains("./nosuchprog cannot be started; check the path"));
}

/// XRT's handlers send the signal to the whole group, device included, and answer the device's death with another one: what
/// counts is what happened to the program.
fn a_program_that_dies_has_its_own_status_ten_times_in_a_row() {
    let programs = Programs::get();
    for (how, signal, said) in [
        ("abort", 6, "ended by signal 6 (abort): a failed assertion, an exception"),
        ("segv", 11, "ended by signal 11 (segmentation fault): an access beyond its memory"),
        ("group", 11, "ended by signal 11 (segmentation fault): an access beyond its memory"),
        ("fpe", 15, "ended by signal 15 (terminated): another process ended it, or it divided"),
        ("die", 9, "ended by signal 9 (killed)"),
    ] {
        for _ in 0..10 {
            let run = programs.run("faults", &[how]);
            assert_eq!(run.code, 128 + signal, "{how}: {}", run.stderr);
            assert!(run.stderr.contains(said), "{how}: {}", run.stderr);
            for wrong in ["device was gone", "the device ended", "constructors"] {
                assert!(!run.stderr.contains(wrong), "{how}: {}", run.stderr);
            }
        }
    }
}

/// XRT tells its device of whole buffers only, as the README says.
fn a_part_of_a_buffer_is_not_known_to_the_device() {
    assert_ran(&Programs::get().run("faults", &["sub"]), &["sub: completed"]);
}

/// The first process of the device tells of a kernel that does not return, and ends it.
fn a_kernel_without_an_end_is_ended_where_there_is_a_limit() {
    let programs = Programs::get();
    let text = fs::read_to_string(root().join("fixtures/xrt-host/crash.cpp")).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("endless.cpp");
    let text =
        text.replace("nowhere[i] = src[i];", "(void)nowhere; for (volatile int j = 0; j == 0;) {}");
    fs::write(&source, text).unwrap();
    let design = design(dir.path(), &[source.to_str().unwrap()]);
    let program = programs.dir.path().join("memcpy");
    let words = [program.to_str().unwrap(), design.to_str().unwrap()];
    let run = derate(&[&["emu", "run", "--limit", "1", "--"], &words[..]].concat());
    assert_ended(
        &run,
        "the device was ended because compute unit krnl_memcpy_1 of kernel krnl_memcpy had run for 1 s",
    );
    assert_eq!(derate(&["emu", "run", "--limit", "0", "--", "true"]).code, 2);
}

/// A line about the one library that is used, where that is Debian's.
fn a_run_says_little() {
    let run = Programs::get().run("memcpy", &[]);
    let said: Vec<&str> = run.stderr.lines().collect();
    let corrected = "note: Debian 12's libxrt_swemu.so.2 is faulty, a corrected copy is used";
    assert!(said.is_empty() || said == [corrected], "{}", run.stderr);
}

/// A program that never syncs what its kernel reads; one that does, or whose own copy is what the card has, hears nothing.
fn a_forgotten_sync_is_told() {
    let programs = Programs::get();
    let said = "note: compute unit krnl_memcpy_1 read `src`, a buffer of 1048576 bytes at";
    let forgotten = programs.run("faults", &["again"]);
    assert_ran(&forgotten, &["again: completed"]);
    assert_eq!(forgotten.stderr.matches(said).count(), 1, "{}", forgotten.stderr);
    for kept in [
        programs.run("faults", &["copy"]),
        programs.run_in_software("faults", &["copy"]),
        programs.run_in_software("faults", &["again"]),
        programs.run("opencl", &[]),
        programs.run("gemm_c", &["37", "53", "71"]),
    ] {
        assert_eq!(kept.code, 0, "{}", kept.stderr);
        assert!(!kept.stderr.contains("nothing had written it"), "{}", kept.stderr);
    }
}

fn a_kernel_that_dies_is_named_ten_times_in_a_row() {
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
            assert!(begin.elapsed() < Duration::from_secs(100), "{:?}", begin.elapsed());
        }
    }
}

/// `nk=` makes a kernel of a function without a pragma, as the manual page says.
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
    let run = Programs::get().run_on(&design, "memcpy", &[]);
    assert_ran(&run, &["groups 0 1, 2 runs of 4096 bytes: equal"]);
}

/// Most kernels have plain pointers: they run where the user says that nothing need be checked.
fn a_plain_kernel_runs_unchecked() {
    let (dir, source) = (tempfile::tempdir().unwrap(), "fixtures/xrt-host/plain.cpp");
    let checked = design(dir.path(), &[source]);
    let run = Programs::get().run_on(&checked, "memcpy", &[]);
    assert_ran(&run, &["2 runs of 4096 bytes: equal"]);
    let design = design(dir.path(), &["--unchecked", source]);
    let run = Programs::get().run_on(&design, "memcpy", &[]);
    assert_ran(&run, &["2 runs of 4096 bytes: equal"]);
}

/// Whatever the program started, in whatever group and session; and nobody else.
fn an_interrupt_ends_the_program_and_all_that_it_started() {
    for (signal, number, script) in [
        ("INT", 2, "exec sleep 1000"),
        ("QUIT", 3, "exec sleep 1000"),
        ("HUP", 1, "timeout 1000 sleep 1000"),
        ("INT", 2, "timeout 1000 sleep 1000"),
        ("TERM", 15, "setsid sleep 1000 & sleep 1000"),
        ("INT", 2, "trap '' TERM; sleep 1000; sleep 1000"),
    ] {
        let script = format!("echo \"$USER\"; {script}");
        // In the group of the test, which has to live on.
        let mut run = in_the_foreground()
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
        assert!(begin.elapsed() < Duration::from_secs(100));
        nothing_is_left(line.trim_end());
    }
}

/// `setsid` may leave its program behind and return: that is not the end of it.
fn a_program_in_another_session_is_waited_for() {
    let begin = Instant::now();
    let script = "echo \"$USER\"; sleep 4; test -d \"/tmp/$USER\" && echo there";
    let run = derate(&["emu", "run", "--", "setsid", "--fork", "sh", "-c", script]);
    assert!(begin.elapsed() >= Duration::from_secs(4));
    let (user, rest) = run.stdout.split_once('\n').unwrap();
    assert_eq!((run.code, rest), (0, "there\n"), "{}", run.stderr);
    // Not in silence.
    let said = "what it started in another session still runs: waiting for process ";
    assert_eq!(run.stderr.matches(said).count(), 1, "{}", run.stderr);
    assert!(run.stderr.contains(" (sh), ") && run.stderr.contains("`kill "), "{}", run.stderr);
    nothing_is_left(user);
    // What stays in the program's own session ends with it.
    let begin = Instant::now();
    let run = derate(&["emu", "run", "--", "sh", "-c", "echo \"$USER\"; sleep 1000 &"]);
    assert!(begin.elapsed() < Duration::from_secs(100));
    nothing_is_left(run.stdout.trim_end());
}

/// Until `env` has taken back what whoever runs the tests has set aside; a signal before that is lost.
fn until_it_can_be_interrupted(run: u32) {
    let is_deaf = || {
        let status = fs::read_to_string(format!("/proc/{run}/status")).unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        ignored
            .is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() & 1 << (2 - 1) != 0)
    };
    let begin = Instant::now();
    while is_deaf() {
        assert!(begin.elapsed() < Duration::from_secs(100), "SIGINT stays ignored");
        std::thread::yield_now();
    }
}

/// An end in the moment before the program starts, and one in any other.
fn an_interrupt_in_any_moment_leaves_no_folder() {
    for wait in 0..20 {
        let mut run = in_the_foreground()
            .args(["emu", "run", "--", "sleep", "1000"])
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        until_it_can_be_interrupted(run.id());
        std::thread::sleep(Duration::from_millis(wait));
        let asked = Command::new("kill").args(["-INT", &run.id().to_string()]).status();
        assert!(asked.unwrap().success());
        let id = run.id();
        assert_eq!(run.wait().unwrap().signal(), Some(2));
        no_folder_is_left(id);
    }
}

/// Nobody can put anything in order after that but the next one, which does it at once.
fn what_a_killed_run_leaves_the_next_one_takes_away() {
    let mut run = Command::new(env!("CARGO_BIN_EXE_derate"))
        .args(["emu", "run", "--", "sh", "-c", "echo \"$USER\"; exec sleep 1000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(run.stdout.take().unwrap()).read_line(&mut line).unwrap();
    run.kill().unwrap();
    run.wait().unwrap();
    let run = derate(&["emu", "run", "--", "true"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    nothing_is_left(line.trim_end());
}

/// XRT opens any number, with a memory that it makes up, and takes any design.
fn what_the_card_has_not_is_refused() {
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
        ("u50", "that has DDR[0] of 16384 MiB where this has HOST[0] of 16384 MiB"),
        ("u200", "that has HBM[0] of 256 MiB where this has DDR[0] of 16384 MiB"),
    ] {
        let run =
            derate(&["emu", "run", "--platform", card, "--", memcpy.to_str().unwrap(), design]);
        let made = "the design is made for u280, and the card here is";
        assert_ended(&run, &format!("{made} {card}: {difference}"));
    }
}

/// What `derate emu env` prints is enough for a shell, beside an old socket and without a user.
fn a_prepared_folder_serves_a_shell() {
    let (programs, dir) = (Programs::get(), tempfile::tempdir().unwrap());
    let shell = |script: &str| {
        let run = Command::new("setsid")
            .args(["--wait", "timeout", "600", "sh", "-c", script, "sh"])
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
    assert!(good && said.contains("alive after 125"), "{said}");
    // What would make XRT signal its group, or end, is a sentence.
    let taken = "export USER=$(printf %0110d 1);".to_owned();
    let (good, said) = shell(&format!(
        "{taken} {prepare}; \"$1\" bench read --device xrt:0 --xclbin \"$4\" 2>&1; echo \"alive after $?\""
    ));
    assert!(
        good && said.contains("set a shorter USER") && said.contains("alive after 2"),
        "{said}"
    );
}
