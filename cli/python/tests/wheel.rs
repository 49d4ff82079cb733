//! The wheel is built, installed into an empty virtual environment, and tested there with Python.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "../../../reports/render/tests/page/harness.rs"]
mod harness;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::OnceLock;

use harness::{run_tests, tests};

fn main() -> ExitCode {
    let with_python = tests![
        the_wheel_holds_the_module_and_its_types_and_is_small,
        the_tests_in_python_pass,
        mypy_and_pyright_find_the_types_complete,
    ];
    run_tests(Vec::new(), vec![(missing_tools(), with_python)])
}

/// What `make setup` puts beside the build outputs.
fn missing_tools() -> Option<String> {
    let has = tools().join("requirements.txt").is_file() && python("pytest", &["--version"]);
    (!has).then(|| "Python with maturin and pytest (make setup)".to_owned())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The folder of the build outputs.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

fn tools() -> PathBuf {
    target().join("python/tools")
}

fn python(module: &str, args: &[&str]) -> bool {
    let mut command = Command::new(tools().join("bin/python"));
    command.args(["-m", module]).args(args).output().is_ok_and(|run| run.status.success())
}

/// Runs a command to its end; what it printed is shown where it fails.
fn run_command(command: &mut Command) {
    let run = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (out, said) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success(), "{command:?}\n{out}\n{said}");
}

/// A virtual environment with nothing but the wheel, made once.
fn environment() -> &'static (PathBuf, PathBuf) {
    static MADE: OnceLock<(PathBuf, PathBuf)> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = target().join("python/tested");
        let _ = fs::remove_dir_all(&folder);
        let wheels = folder.join("wheels");
        fs::create_dir_all(&wheels).unwrap();
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        run_command(Command::new(&cargo).current_dir(root()).args(["build", "-p", "derate"]));
        run_command(
            Command::new(tools().join("bin/maturin"))
                .current_dir(root().join("cli/python"))
                .env("CARGO", &cargo)
                .env("CARGO_TARGET_DIR", target())
                .args(["build", "--profile", "dev", "--out"])
                .arg(&wheels),
        );
        let wheel = fs::read_dir(&wheels).unwrap().next().unwrap().unwrap().path();
        run_command(Command::new("python3").args(["-m", "venv"]).arg(folder.join("venv")));
        run_command(
            Command::new(folder.join("venv/bin/python"))
                .args(["-m", "pip", "install", "--quiet", "--no-deps", "--no-index"])
                .arg("--disable-pip-version-check")
                .arg(&wheel),
        );
        (folder.join("venv"), wheel)
    })
}

/// The tools see the package that is installed in the empty environment.
fn with_package(command: &mut Command) -> &mut Command {
    let (venv, _) = environment();
    let libraries = fs::read_dir(venv.join("lib")).unwrap().next().unwrap().unwrap().path();
    command
        .env("PYTHONPATH", libraries.join("site-packages"))
        .env("DERATE_BINARY", target().join("debug/derate"))
        .env("DERATE_ENTRY", venv.join("bin/derate"))
        .env("NO_COLOR", "1")
        .env("COLUMNS", "120")
        .current_dir(root().join("cli/python"))
}

fn the_wheel_holds_the_module_and_its_types_and_is_small() {
    let (venv, wheel) = environment();
    let name = wheel.file_name().unwrap().to_string_lossy().into_owned();
    assert!(name.contains("-cp310-abi3-"), "{name}: one wheel is for all Pythons from 3.10");
    let listed = Command::new(venv.join("bin/python"))
        .args(["-m", "zipfile", "-l"])
        .arg(wheel)
        .output()
        .unwrap();
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    for file in
        ["derate/__init__.py", "derate/_derate.abi3.so", "derate/_derate.pyi", "derate/py.typed"]
    {
        assert!(listed.contains(file), "{file} is not in\n{listed}");
    }
    assert!(!listed.contains("__pycache__"), "{listed}");
    // The wheel of a release is smaller still.
    assert!(fs::metadata(wheel).unwrap().len() < 30_000_000, "{name} is large");
}

fn the_tests_in_python_pass() {
    run_command(with_package(&mut Command::new(tools().join("bin/python"))).args([
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "tests",
    ]));
}

fn mypy_and_pyright_find_the_types_complete() {
    let (venv, _) = environment();
    let cache = target().join("python/mypy");
    run_command(
        with_package(&mut Command::new(tools().join("bin/mypy")))
            .args(["--strict", "--cache-dir"])
            .arg(cache)
            .args(["python/derate", "tests"]),
    );
    run_command(
        with_package(&mut Command::new(tools().join("bin/pyright")))
            .arg("--pythonpath")
            .arg(venv.join("bin/python"))
            .arg("python/derate"),
    );
    run_command(with_package(&mut Command::new(tools().join("bin/python"))).args([
        "-m",
        "mypy.stubtest",
        "derate._derate",
        "--mypy-config-file",
        "pyproject.toml",
    ]));
}
