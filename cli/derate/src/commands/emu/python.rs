//! `derate emu python SCRIPT`: XRT's Python module, built where it is not installed.

use std::ffi::OsString;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Error, anyhow, bail};

use crate::args::{Python, Run};
use crate::output::{self, Outcome};

/// The module's source within XRT's.
const SOURCE: &str = "src/python/pybind11/src/pyxrt.cpp";
/// Where it is published, for the version that Debian 12 has.
const PUBLISHED: &str = "https://raw.githubusercontent.com/Xilinx/XRT/202210.2.13.466";
/// Names a folder of XRT's source.
const VARIABLE: &str = "XRT_SOURCE";

pub(super) fn run(args: &Python) -> Result<Outcome, Error> {
    let python = find_python(None)?;
    let mut program = vec![OsString::from("env")];
    program.extend(module_path(&python)?.map(|path| {
        let mut variable = OsString::from("PYTHONPATH=");
        variable.push(path);
        variable
    }));
    program.push(python.into());
    program.extend(args.script.iter().cloned());
    let device = args.device.clone();
    let profile = args.profile.clone();
    super::run::run(&Run { device, devices: args.devices, profile, program })
}

/// `python3` of a prepared shell: the real one, with the module, and with the card that a build describes beside it.
pub(super) fn become_python(words: &[String]) -> Result<Outcome, Error> {
    let own = std::env::current_dir()?;
    let tools = std::env::var_os("XILINX_VITIS").map(|vitis| Path::new(&vitis).join("../bin"));
    let python = find_python(tools.as_deref())?;
    let mut command = Command::new(&python);
    command.args(words);
    if let Some(path) = module_path(&python)? {
        command.env("PYTHONPATH", path);
    }
    if own.join("emconfig.json").is_file() {
        command.env("EMCONFIG_PATH", own);
    }
    let error = command.exec();
    Err(error).with_context(|| format!("{} cannot be started", python.display()))
}

/// The first `python3` on PATH that is not in a folder of ours.
fn find_python(tools: Option<&Path>) -> Result<PathBuf, Error> {
    let tools = tools.and_then(|tools| fs::canonicalize(tools).ok());
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_ours = |folder: &PathBuf| tools.is_some() && fs::canonicalize(folder).ok() == tools;
    let mut folders = std::env::split_paths(&path).filter(|folder| !is_ours(folder));
    folders
        .find_map(|folder| Some(folder.join("python3")).filter(|python| python.is_file()))
        .ok_or_else(|| anyhow!("there is no python3 on PATH: install it"))
}

/// What a Python says to a line of it.
fn ask(python: &Path, line: &str) -> Option<String> {
    let said = Command::new(python).args(["-c", line]).stderr(Stdio::null()).output().ok()?;
    said.status.success().then(|| String::from_utf8_lossy(&said.stdout).trim().to_owned())
}

/// A PYTHONPATH with XRT's module; `None` where Python finds it as it is.
fn module_path(python: &Path) -> Result<Option<OsString>, Error> {
    if ask(python, "import pyxrt").is_some() {
        return Ok(None);
    }
    let about = "import sys, sysconfig; print(sysconfig.get_path('include')); print(sysconfig.get_config_var('EXT_SUFFIX'))";
    let about = ask(python, about).ok_or_else(|| anyhow!("{} does not run", python.display()))?;
    let (include, suffix) = about.split_once('\n').unwrap_or((&about, ".so"));
    let home = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache")));
    let home = home.context("pyxrt is built in ~/.cache, and HOME is not set: set it")?;
    let folder = home.join("derate/python");
    let module = folder.join(format!("pyxrt{suffix}"));
    if !module.is_file() {
        build_module(python, include, &folder, &module)?;
    }
    let before = std::env::var_os("PYTHONPATH").unwrap_or_default();
    let paths = [folder].into_iter().chain(std::env::split_paths(&before));
    Ok(Some(std::env::join_paths(paths.filter(|path| !path.as_os_str().is_empty()))?))
}

fn build_module(python: &Path, include: &str, folder: &Path, module: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder)
        .with_context(|| format!("{} cannot be made: check the path", folder.display()))?;
    let source = find_source(folder)?;
    output::note("note: Python has no module pyxrt: it is built of XRT's source, once");
    let bindings = ask(python, "import pybind11; print(pybind11.get_include())");
    let mut command = Command::new(std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned()));
    command.args(["-std=c++17", "-O1", "-w", "-shared", "-fPIC", "-I", include]);
    if let Some(folder) = &bindings {
        command.arg("-I").arg(folder);
    }
    command.args(["-isystem", "/opt/xilinx/xrt/include", "-isystem", "/usr/include/xrt"]);
    command.arg(source).args(["-L/opt/xilinx/xrt/lib", "-lxrt_coreutil", "-luuid", "-o"]);
    let made = command.arg(module).output().context("there is no C++ compiler: install g++")?;
    if made.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&made.stderr);
    let line = said.lines().find(|line| line.contains("error: ")).unwrap_or_default();
    bail!(
        "pyxrt does not compile ({line}): it needs pybind11, Python's headers and XRT's (Debian: apt install pybind11-dev python3-dev libxrt-dev)"
    );
}

/// The module's source: of a folder that is named, else as it is published.
fn find_source(folder: &Path) -> Result<PathBuf, Error> {
    if let Some(root) = std::env::var_os(VARIABLE).filter(|root| !root.is_empty()) {
        let path = Path::new(&root).join(SOURCE);
        if path.is_file() {
            return Ok(path);
        }
        bail!(
            "{VARIABLE} is set, and {} is not there: name the folder of XRT's source",
            path.display()
        );
    }
    let path = folder.join("pyxrt.cpp");
    let address = format!("{PUBLISHED}/{SOURCE}");
    let fetched = Command::new("curl")
        .args(["-fsSL", "--max-time", "30", "-o"])
        .arg(&path)
        .arg(&address)
        .status();
    if fetched.is_ok_and(|status| status.success()) {
        return Ok(path);
    }
    bail!(
        "Python has no module pyxrt, and its source cannot be fetched ({address}): set {VARIABLE} to a clone of XRT, or install AMD's XRT, which has the module"
    )
}
