//! Kernels of one's own that take their process along, and runs that somebody ends.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::derate::{Run, alter_kernel, derate_in, in_the_foreground, root};

/// The copy of `hls/kernels`, with another statement in its loop.
fn kernel(folder: &Path, statement: &str) {
    alter_kernel(folder, "memcpy.cpp", "dst[i] = src[i];", statement);
    let path = folder.join("mine.cpp");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(path, format!("#include <cstdlib>\n#include <unistd.h>\n{text}")).unwrap();
}

const BENCH: [&str; 10] = [
    "bench",
    "memcpy",
    "--ports",
    "2",
    "--size",
    "4 KiB",
    "--repetitions",
    "1",
    "--source",
    "mine.cpp",
];

fn bench(statement: &str) -> Run {
    let folder = tempfile::tempdir().unwrap();
    kernel(folder.path(), statement);
    derate_in(folder.path(), &BENCH)
}

#[test]
fn a_kernel_that_ends_its_process_never_looks_like_success() {
    for (statement, how, what) in [
        ("std::exit(0);", "with status 0", "such as exit()"),
        ("_exit(0);", "with status 0", "such as exit()"),
        ("std::exit(1);", "with status 1", "such as exit()"),
        ("std::abort();", "by signal 6 (abort)", "a call of abort()"),
        (
            "*static_cast<volatile int *>(nullptr) = 1;",
            "by signal 11 (segmentation fault)",
            "an access beyond an array",
        ),
    ] {
        let run = bench(statement);
        run.assert_refused(&format!(
            "the bench ended {how} while compute unit krnl_memcpy_1 of kernel krnl_memcpy ran"
        ));
        run.assert_refused(what);
    }
    let sound = bench("dst[i] = src[i];");
    assert_eq!(sound.code, 0, "{}", sound.stderr);
    assert!(sound.stdout.contains("memcpy"), "{}", sound.stdout);
    bench("dst[i] = ").assert_refused_in_lines("the kernels do not compile; fix");
}

#[test]
fn a_kernel_without_an_end_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    for odd in ["0.5", "0", "-1", "5s"] {
        let run = derate_in(folder.path(), &[&BENCH[..], &[&format!("--limit={odd}")]].concat());
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains("give whole seconds, 1 or more"), "{}", run.stderr);
    }
    kernel(folder.path(), "for (volatile int i = 0; i == 0;) {}");
    let run = derate_in(folder.path(), &[&BENCH[..], &["--limit", "1"]].concat());
    run.assert_refused(
        "the bench was ended because compute unit krnl_memcpy_1 of kernel krnl_memcpy had run for 1 s",
    );
    kernel(folder.path(), "dst[i] = src[i];");
    let run = derate_in(folder.path(), &[&BENCH[..], &["--limit", "300"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
}

/// The processes that run in a folder, which nothing but a kernel's own do.
fn processes_in(folder: &Path) -> Vec<String> {
    let folder = folder.canonicalize().unwrap();
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let inside = entries
        .filter(|entry| fs::read_link(entry.path().join("cwd")).is_ok_and(|own| own == folder));
    inside
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|id| runs(id))
        .collect()
}

/// In whatever session, and however the kernel itself goes on.
#[test]
fn what_a_kernel_starts_ends_with_it() {
    let child = "if (i == 0 && fork() == 0) { setsid(); fork(); for (;;) { pause(); } }";
    for (rest, code) in [("dst[i] = src[i];", 0), ("std::abort();", 2), ("_exit(0);", 2)] {
        let folder = tempfile::tempdir().unwrap();
        kernel(folder.path(), &format!("{child} {rest}"));
        let run = derate_in(folder.path(), &BENCH);
        assert_eq!(run.code, code, "{rest} {}", run.stderr);
        assert_eq!(processes_in(folder.path()), [""; 0], "{rest}");
    }
}

/// Results are results, whatever a kernel prints.
#[test]
fn what_a_kernel_prints_is_no_result() {
    let folder = tempfile::tempdir().unwrap();
    kernel(folder.path(), "std::printf(\"said \\xff %d\\n+krnl\\n\", int(i)); dst[i] = src[i];");
    let text = fs::read_to_string(folder.path().join("mine.cpp")).unwrap();
    fs::write(folder.path().join("mine.cpp"), format!("#include <cstdio>\n{text}")).unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_derate"))
        .args(BENCH)
        .args(["--format", "json"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{said}");
    assert!(said.contains("said \u{fffd} 63"), "{said}");
    let json: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(json["schema"], "derate.measurement/1");
}

#[test]
fn a_plain_pointer_is_a_port_as_wide_as_its_elements() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(root().join("fixtures/xrt-host/plain.cpp"), folder.path().join("mine.cpp")).unwrap();
    let sentence = "krnl_memcpy takes src (elements of 32 bits, read)";
    derate_in(folder.path(), &BENCH).assert_refused(sentence);
}

#[test]
fn what_a_compiler_needs_is_said() {
    let folder = tempfile::tempdir().unwrap();
    kernel(folder.path(), "dst[i] = src[i];");
    let with = |name: &str, value: &str| {
        let run = Command::new(env!("CARGO_BIN_EXE_derate"))
            .args(BENCH)
            .current_dir(folder.path())
            .env(name, value)
            .output()
            .unwrap();
        assert_eq!(run.status.code(), Some(2));
        String::from_utf8(run.stderr).unwrap()
    };
    let none = with("CXX", "no-such-compiler");
    assert!(none.contains("and no-such-compiler cannot be started (No such file"), "{none}");
    assert_eq!(none.matches("No such file").count(), 1, "{none}");
    assert!(none.trim_end().ends_with("install g++, or set CXX to the compiler that you have"));
    let nowhere = with("TMPDIR", "/no/such/folder");
    assert!(nowhere.contains("no folder can be made in /no/such/folder"), "{nowhere}");
    assert_eq!(nowhere.matches("No such file").count(), 1, "{nowhere}");
    assert!(nowhere.trim_end().ends_with("set TMPDIR to a folder that can be written"));
}

/// A limit on what may be written does what a full disk does.
#[test]
fn a_full_temporary_folder_is_said_and_left_empty() {
    let temporary = tempfile::tempdir().unwrap();
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$@\"";
    let source = root().join("hls/kernels/memcpy.cpp");
    let run = Command::new("sh")
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_derate")])
        .args(["bench", "memcpy", "--size", "1 MiB", "--source"])
        .arg(source)
        .env("TMPDIR", temporary.path())
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(2));
    let said = String::from_utf8(run.stderr).unwrap();
    let place = temporary.path().to_str().unwrap();
    assert!(said.starts_with(&format!("error: {place}/derate-")), "{said}");
    let remedy = "what is compiled lies there; make room, or set TMPDIR to another folder";
    assert!(said.trim_end().ends_with(remedy), "{said}");
    assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0);
}

/// A compiler that takes its time and starts another process, as g++ does.
fn slow(folder: &Path, args: &[&str]) -> Child {
    let compiler = folder.join("slow");
    let script = "#!/bin/sh\nsleep 1000 &\necho $! > \"$PIDS\"\ntouch \"$TMPDIR/made\"\nwait\n";
    fs::write(&compiler, script).unwrap();
    assert!(Command::new("chmod").arg("755").arg(&compiler).status().unwrap().success());
    let temporary = folder.join("tmp");
    fs::create_dir_all(&temporary).unwrap();
    in_the_foreground()
        .args(args)
        .current_dir(folder)
        .env("CXX", &compiler)
        .env("PIDS", folder.join("pids"))
        .env("TMPDIR", &temporary)
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn until_the_compiler_runs(temporary: &Path) {
    let made = || {
        let mut entries = fs::read_dir(temporary).unwrap().flatten();
        entries.any(|entry| entry.path().join("made").exists())
    };
    let mut beats = 0;
    while !made() {
        assert!(beats < 10_000, "the compiler was not started");
        beats += 1;
        sleep(Duration::from_millis(20));
    }
}

fn runs(id: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    status.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(" Z"))
}

#[test]
fn an_interrupted_compiler_leaves_nothing() {
    for (args, signal) in [
        (&BENCH[..], "INT"),
        (&BENCH[..], "TERM"),
        (&["emu", "xclbin", "-o", "x.xclbin", "mine.cpp"], "INT"),
        (&["emu", "xclbin", "-o", "x.xclbin", "mine.cpp"], "TERM"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        kernel(folder.path(), "dst[i] = src[i];");
        let mut run = slow(folder.path(), args);
        let temporary = folder.path().join("tmp");
        until_the_compiler_runs(&temporary);
        let asked =
            Command::new("kill").args([format!("-{signal}"), run.id().to_string()]).status();
        assert!(asked.unwrap().success());
        assert!(!run.wait().unwrap().success());
        let left: Vec<_> = fs::read_dir(&temporary).unwrap().flatten().collect();
        assert!(left.is_empty(), "{args:?} {signal}: {left:?}");
        let started = fs::read_to_string(folder.path().join("pids")).unwrap();
        assert!(!runs(started.trim()), "{args:?} {signal}: the compiler's own process is left");
    }
}

/// Nobody can put anything in order after that but the next one, which does it at once.
#[test]
fn what_a_killed_run_leaves_the_next_one_takes_away() {
    let folder = tempfile::tempdir().unwrap();
    kernel(folder.path(), "dst[i] = src[i];");
    let make = ["emu", "xclbin", "-o", "x.xclbin", "mine.cpp"];
    let mut run = slow(folder.path(), &make);
    let temporary = folder.path().join("tmp");
    until_the_compiler_runs(&temporary);
    run.kill().unwrap();
    run.wait().unwrap();
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 1);
    let started = fs::read_to_string(folder.path().join("pids")).unwrap();
    assert!(Command::new("kill").arg(started.trim()).status().unwrap().success());
    let next = Command::new(env!("CARGO_BIN_EXE_derate"))
        .args(make)
        .current_dir(folder.path())
        .env("TMPDIR", &temporary)
        .status();
    assert!(next.unwrap().success());
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
}
