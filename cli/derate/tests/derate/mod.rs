//! Runs the real binary.
#![allow(dead_code, reason = "each test binary uses its own part of this")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// The repository's folder.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A run's exit status, stdout and stderr.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// Stdout as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|e| panic!("{e}: {}{}", self.stdout, self.stderr))
    }

    /// Stdout without its line breaks.
    pub(crate) fn on_one_line(&self) -> String {
        self.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The run could do nothing, and said so in one sentence that contains `word`.
    pub(crate) fn assert_refused(&self, word: &str) {
        assert_eq!(self.code, 2, "{}{}", self.stdout, self.stderr);
        assert_eq!(self.stdout, "");
        assert!(self.stderr.starts_with("error: "), "{}", self.stderr);
        assert_eq!(self.stderr.trim_end().lines().count(), 1, "{}", self.stderr);
        assert!(self.stderr.contains(word), "no `{word}` in: {}", self.stderr);
    }
}

/// derate, with the signals that ask it to end as a terminal gives them: whoever runs tests in the background, or under
/// `nohup`, has some of them ignored, and what is ignored is so in every child.
pub(crate) fn in_the_foreground() -> Command {
    let mut command = Command::new("env");
    command.args(["--default-signal=INT,QUIT,HUP,TERM", env!("CARGO_BIN_EXE_derate")]);
    command
}

impl Run {
    /// The run could do nothing, and said so in a sentence that contains `word` and in indented lines of another program.
    pub(crate) fn assert_refused_in_lines(&self, word: &str) {
        assert_eq!((self.code, self.stdout.as_str()), (2, ""), "{}", self.stderr);
        let (first, rest) = self.stderr.split_once('\n').unwrap();
        assert!(first.starts_with("error: ") && first.contains(word), "{}", self.stderr);
        assert!(!rest.is_empty() && rest.lines().all(|line| line.starts_with("    ")), "{rest}");
    }
}

/// Puts a kernel of derate's into `folder` as `mine.cpp`, with another text in place of `from`.
pub(crate) fn alter_kernel(folder: &Path, kernel: &str, from: &str, to: &str) {
    let kernels = root().join("hls/kernels");
    let text = std::fs::read_to_string(kernels.join(kernel)).unwrap();
    assert!(text.contains(from), "{kernel}: {from}");
    std::fs::copy(kernels.join("word.h"), folder.join("word.h")).unwrap();
    std::fs::write(folder.join("mine.cpp"), text.replace(from, to)).unwrap();
}

/// `derate ARGS` in the folder `dir`, without a terminal.
pub(crate) fn derate_in(dir: &Path, args: &[&str]) -> Run {
    let output: Output = Command::new(env!("CARGO_BIN_EXE_derate"))
        .args(args)
        .current_dir(dir)
        .env("NO_COLOR", "1")
        .env_remove("CLICOLOR_FORCE")
        .env("COLUMNS", "120")
        .output()
        .unwrap();
    Run {
        code: output.status.code().expect("ended by a signal"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// `derate ARGS` in the repository's folder.
pub(crate) fn derate(args: &[&str]) -> Run {
    derate_in(&root(), args)
}

/// Runs git as somebody whom no setting of this machine names.
pub(crate) fn git(folder: &Path, args: &[&str]) {
    git_answer(folder, args);
}

/// What git prints, without the end of its line.
pub(crate) fn git_answer(folder: &Path, args: &[&str]) -> String {
    let identity =
        ["-c", "user.name=t", "-c", "user.email=t@localhost", "-c", "commit.gpgsign=false"];
    let output = Command::new("git").current_dir(folder).args(identity).args(args).output();
    let output = output.unwrap();
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

/// A copy of `fixtures/<name>` that may be changed.
pub(crate) fn copy(name: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    copy_into(&root().join("fixtures").join(name), dir.path());
    dir
}

pub(crate) fn copy_into(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            std::fs::create_dir(&target).unwrap();
            copy_into(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
