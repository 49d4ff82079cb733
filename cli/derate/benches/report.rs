//! The whole `derate report` of `fixtures/smolvla`, from the program's start to the last of its files.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench says what it saw; one that cannot be set up has failed"
)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often it is run.
const RUNS: usize = 11;

fn main() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/smolvla");
    let out = tempfile::tempdir().unwrap();
    let run = || {
        let began = Instant::now();
        let status = Command::new(env!("CARGO_BIN_EXE_derate"))
            .args([
                "report".as_ref(),
                project.as_os_str(),
                "--out".as_ref(),
                out.path().as_os_str(),
            ])
            .stdout(Stdio::null())
            .status()
            .unwrap();
        assert!(status.success());
        began.elapsed()
    };
    let mut times: Vec<Duration> = (0..RUNS).map(|_| run()).collect();
    times.sort();
    let ms = |at: usize| times[at].as_secs_f64() * 1e3;
    println!(
        "derate report of fixtures/smolvla, every file: {:.0} ms ({:.0} to {:.0} ms in {RUNS} runs)",
        ms(RUNS / 2),
        ms(0),
        ms(RUNS - 1)
    );
}
