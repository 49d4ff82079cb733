//! XRT programs under `derate emu run`, and what they may leave. What needs XRT says so where XRT is not installed.
#![allow(dead_code, reason = "each test binary uses its own part of this")]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::derate::{Run, derate, root};

/// Where XRT has its sockets, whatever TMPDIR says.
const SOCKETS: &str = "/tmp";

pub(crate) fn design(dir: &Path, args: &[&str]) -> PathBuf {
    fs::create_dir_all(dir).unwrap();
    let path = dir.join("design.xclbin");
    let mut all = vec!["emu", "xclbin", "--output", path.to_str().unwrap()];
    all.extend(args);
    let made = derate(&all);
    assert_eq!(made.code, 0, "{}", made.stderr);
    path
}

/// What is missing of XRT's libraries and headers.
pub(crate) fn lack() -> Option<&'static str> {
    let headers = [
        ("/usr/include/xrt/xrt/xrt_device.h", "libxrt-dev"),
        ("/usr/include/CL/cl.h", "opencl-c-headers"),
    ];
    let library = ["/usr/lib/x86_64-linux-gnu", "/opt/xilinx/xrt/lib"];
    if !library.iter().any(|place| Path::new(place).join("libxrt_swemu.so.2").is_file()) {
        return Some("libxrt1");
    }
    headers.iter().find(|(path, _)| !Path::new(path).is_file()).map(|(_, package)| *package)
}

/// What the tests of XRT need and what is not installed. Where these tests are asked for, that is a failure.
pub(crate) fn missing_tool() -> Option<String> {
    let lack = lack()?;
    let wanted = std::env::var_os("DERATE_TEST_XRT").is_some();
    assert!(!wanted, "{lack} is not installed: apt install libxrt1 libxrt-dev opencl-c-headers");
    Some(lack.to_owned())
}

/// The programs of `fixtures/xrt-host`, and a design of all kernels.
pub(crate) struct Programs {
    pub(crate) dir: TempDir,
    pub(crate) design: PathBuf,
}

impl Programs {
    pub(crate) fn get() -> &'static Self {
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
            compile("cc", "gemm.c", "gemm_c", &xrt);
            compile("cc", "opencl.c", "opencl", &["-lxilinxopencl"]);
            let kernels = ["memcpy", "read", "write", "gemm_f32", "gemm_bf16", "gemm_i8"]
                .map(|name| format!("hls/kernels/{name}.cpp"));
            let mut args: Vec<&str> = kernels.iter().map(String::as_str).collect();
            args.extend(["--config", "hls/u280.cfg"]);
            let design = design(dir.path(), &args);
            Self { dir, design }
        })
    }

    /// `derate emu run`, with a time limit that a busy machine keeps, and a temporary folder of its own, in which nothing may
    /// be left; the first line of its output names the user that XRT saw.
    pub(crate) fn run(&self, program: &str, args: &[&str]) -> Run {
        self.run_on(&self.design, program, args)
    }

    /// In the mode of software emulation, which a program may ask for.
    pub(crate) fn run_in_software(&self, program: &str, args: &[&str]) -> Run {
        self.run_with(&["env", "XCL_EMULATION_MODE=sw_emu"], &self.design, program, args)
    }

    pub(crate) fn run_on(&self, design: &Path, program: &str, args: &[&str]) -> Run {
        self.run_with(&[], design, program, args)
    }

    fn run_with(&self, before: &[&str], design: &Path, program: &str, args: &[&str]) -> Run {
        let program = self.dir.path().join(program);
        let (program, design) = (program.to_str().unwrap(), design.to_str().unwrap());
        let temporary = tempfile::tempdir().unwrap();
        let script = "echo \"$USER\"; export TMPDIR=\"$1\"; shift; exec timeout --foreground --signal=KILL 600 \"$@\"";
        let place = temporary.path().to_str().unwrap();
        let shell = ["emu", "run", "--", "sh", "-c", script, "sh", place];
        let mut run = derate(&[&shell, before, &[program, design], args].concat());
        let (user, rest) = run.stdout.split_once('\n').unwrap();
        nothing_is_left(user);
        let left: Vec<_> = fs::read_dir(temporary.path()).unwrap().flatten().collect();
        assert!(left.is_empty(), "{left:?}");
        let rest = rest.to_owned();
        run.stdout = rest;
        run
    }
}

/// No folder of a run that is gone, where XRT has its sockets. What others left there, in whatever container that shares the
/// folder, is not looked at.
pub(crate) fn no_folder_is_left(run: u32) {
    let begin = fs::metadata("/proc/self").and_then(|own| own.modified()).unwrap();
    for entry in fs::read_dir(SOCKETS).unwrap().flatten() {
        let lock = entry.path().join(".derate-lock");
        let is_its = fs::read_to_string(&lock).is_ok_and(|owner| owner == run.to_string());
        let is_new =
            entry.metadata().and_then(|own| own.modified()).is_ok_and(|made| made >= begin);
        // A namesake of another container holds its own.
        let is_free = || File::open(&lock).is_ok_and(|lock| lock.try_lock_shared().is_ok());
        assert!(!(is_its && is_new && is_free()), "{}", entry.path().display());
    }
}

/// No socket of a run, and no process of it.
pub(crate) fn nothing_is_left(user: &str) {
    assert!(user.starts_with("derate-"), "{user}");
    assert!(!Path::new(SOCKETS).join(user).exists());
    let variable = format!("USER={user}\0");
    let processes = || -> Vec<PathBuf> {
        let left = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
        left.filter(|process| {
            let environment = fs::read(process.join("environ")).unwrap_or_default();
            environment.windows(variable.len()).any(|part| part == variable.as_bytes())
        })
        .collect()
    };
    // A busy machine may take its time over what was killed.
    let begin = Instant::now();
    while !processes().is_empty() && begin.elapsed() < Duration::from_secs(5) {
        sleep(Duration::from_millis(50));
    }
    let left = processes();
    assert!(left.is_empty(), "{left:?}");
}

/// The device ended, and said why.
pub(crate) fn assert_ended(run: &Run, sentence: &str) {
    assert_eq!(run.code, 125, "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.contains(sentence), "no `{sentence}` in: {}", run.stderr);
    let end = "was ended by XRT because its device was gone";
    assert!(run.stderr.lines().last().is_some_and(|line| line.contains(end)), "{}", run.stderr);
}

pub(crate) fn assert_ran(run: &Run, lines: &[&str]) {
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    for line in lines {
        assert!(run.stdout.contains(line), "no `{line}` in: {}{}", run.stdout, run.stderr);
    }
}
