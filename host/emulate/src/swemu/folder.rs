//! The folder that XRT is pointed at: its own libraries, our device in the place of Vitis' one, the description of the card.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use derate_model::Platform;

use super::SwemuError;
use super::emconfig::{EMCONFIG, EMCONFIG_PATH, render_emconfig};
use super::shim::{Shim, examine_library};

/// Where XRT is looked for, beside `XILINX_XRT`: AMD's packages, Debian, Fedora.
const PLACES: [&str; 6] = [
    "/opt/xilinx/xrt/lib",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/lib",
];
/// The libraries that XRT loads by itself; all but the one for software emulation may be missing.
const LIBRARIES: [&str; 4] =
    ["libxrt_swemu.so.2", "libxrt_core.so.2", "libxrt_hwemu.so.2", "libxrt_noop.so.2"];
/// Where XRT looks for the device: the older way and the newer.
const MODELS: [&str; 2] = ["cpu_em", "sw_emu"];
/// What it starts there, and what that says of who made it.
const DEVICE: &str = "genericpciemodel";
const LAUNCH: &str = " emu device --platform ";

/// The folder as it was prepared.
#[derive(Debug)]
pub struct Folder {
    /// The variables that point XRT at it.
    pub variables: BTreeMap<&'static str, String>,
    /// Variables that have to be unset, because they come first.
    pub unset: Vec<&'static str>,
    /// Installed libraries with a known fault: a corrected copy is used instead.
    pub corrected: Vec<PathBuf>,
}

fn cannot_write(path: &Path) -> impl FnOnce(io::Error) -> SwemuError {
    let path = path.display().to_string();
    move |error| SwemuError::Setup(format!("{path} cannot be written: {error}"))
}

/// The folder of XRT's libraries: below `XILINX_XRT` where that has them, else where packages put them.
pub fn find_libraries(xilinx_xrt: Option<&str>) -> Result<PathBuf, SwemuError> {
    let own = xilinx_xrt.filter(|root| !root.is_empty()).map(|root| Path::new(root).join("lib"));
    let places = own.into_iter().chain(PLACES.map(PathBuf::from));
    places.into_iter().find(|place| place.join(LIBRARIES[0]).is_file()).ok_or_else(|| {
        SwemuError::Setup(format!(
            "XRT is not installed ({} is in none of the usual folders): install AMD's XRT, or on Debian `apt install libxrt1`; `derate bench --device emu` needs neither",
            LIBRARIES[0]
        ))
    })
}

/// Whether XRT can be given a folder: it hands names to a shell as they are (`chmod -R 777 NAME`), which would take them
/// apart, or for others. The error is a sentence.
pub fn is_plain(folder: &Path) -> Result<(), SwemuError> {
    let odd = |sign: &char| !sign.is_alphanumeric() && !"/._-+=,:@%~^#!".contains(*sign);
    let refuse = |what: String| {
        let folder = folder.display().to_string().replace(char::is_control, "?");
        SwemuError::Setup(format!(
            "{folder} has {what} in its name, which XRT hands to a shell as it is: choose a folder of letters, digits, `.`, `-` and `_`"
        ))
    };
    let Some(text) = folder.to_str() else {
        return Err(refuse("bytes that are not text".to_owned()));
    };
    match text.chars().find(odd) {
        None => Ok(()),
        Some(' ') => Err(refuse("a space".to_owned())),
        Some(sign) => Err(refuse(format!("`{}`", sign.escape_debug()))),
    }
}

/// Whether a folder may be filled: it is not there, is empty, or is one that was filled before. The error is a sentence.
pub fn is_free(folder: &Path) -> Result<(), SwemuError> {
    let mut entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => {
            let folder = folder.display();
            return Err(SwemuError::Setup(format!("{folder} cannot be read as a folder: {error}")));
        }
    };
    let launcher =
        fs::read_to_string(model_folder(folder, MODELS[0]).join(DEVICE)).unwrap_or_default();
    if entries.next().is_none() || launcher.contains(LAUNCH) {
        return Ok(());
    }
    Err(SwemuError::Setup(format!(
        "{} holds files that `derate emu env` did not put there, and some may be in its way: name a folder that is empty or not there yet",
        folder.display()
    )))
}

/// Where XRT looks for the device of a model.
fn model_folder(folder: &Path, name: &str) -> PathBuf {
    folder.join("vitis/data/emulation/unified").join(name).join("generic_pcie/model")
}

/// Fills a folder, which has to be there and may have been filled before. `launcher` is what XRT starts as the device.
pub fn prepare_folder(
    folder: &Path,
    launcher: &Launcher<'_>,
    libraries: &Path,
    platform: &Platform,
    user: Option<&str>,
) -> Result<Folder, SwemuError> {
    is_plain(folder)?;
    let mut corrected = Vec::new();
    let (xrt, vitis) = (folder.join("xrt"), folder.join("vitis"));
    let lib = xrt.join("lib");
    fs::create_dir_all(&lib).map_err(cannot_write(&lib))?;
    for name in LIBRARIES {
        let installed = libraries.join(name);
        if link_library(&installed, &lib.join(name))? {
            corrected.push(installed);
        }
    }
    for name in MODELS {
        let place = model_folder(folder, name);
        fs::create_dir_all(&place).map_err(cannot_write(&place))?;
        launcher.write_script(&place.join(DEVICE))?;
    }
    let config = folder.join(EMCONFIG);
    fs::write(&config, render_emconfig(platform)?).map_err(cannot_write(&config))?;
    let run = folder.join("run");
    fs::create_dir_all(&run).map_err(cannot_write(&run))?;
    let text = |path: &Path| path.display().to_string();
    let mut variables = BTreeMap::from([
        ("XILINX_XRT", text(&xrt)),
        ("XILINX_VITIS", text(&vitis)),
        ("XCL_EMULATION_MODE", "sw_emu".to_owned()),
        (EMCONFIG_PATH, text(folder)),
        ("SDACCEL_EM_RUN_DIR", text(&run)),
        // From 2.14 on XRT maps one file of 16 GiB for all buffers, unless it is told not to.
        ("VITIS_SW_EMU_DISABLE_SINGLE_MMAP", "1".to_owned()),
    ]);
    variables.extend(user.map(|user| ("USER", user.to_owned())));
    let unset =
        vec!["XILINX_OPENCL", "XILINX_HLS", "XILINX_VIVADO", "VITIS_SW_EMU_ENABLE_SINGLE_MMAP"];
    Ok(Folder { variables, unset, corrected })
}

/// A link to a library, or a corrected copy of it, and whether it is one; what was there before goes.
fn link_library(from: &Path, to: &Path) -> Result<bool, SwemuError> {
    match fs::remove_file(to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(cannot_write(to)(error));
        }
        _ => {}
    }
    if !from.is_file() {
        return Ok(false);
    }
    let look = examine_library(from).map_err(|error| {
        SwemuError::Setup(format!("{} cannot be read: {error}", from.display()))
    })?;
    match look {
        Shim::Other => {
            let real = fs::canonicalize(from).map_err(cannot_write(to))?;
            symlink(real, to).map_err(cannot_write(to))?;
            Ok(false)
        }
        Shim::Broken(corrected) => {
            fs::write(to, corrected).map_err(cannot_write(to))?;
            Ok(true)
        }
    }
}

/// The line that starts the device.
#[derive(Clone, Copy, Debug)]
pub struct Launcher<'a> {
    /// The program.
    pub derate: &'a Path,
    /// The card, as `--platform` takes it.
    pub platform: &'a str,
    /// Seconds that one run of a kernel may take, as `--limit` takes them.
    pub limit: Option<u32>,
}

impl Launcher<'_> {
    fn write_script(&self, path: &Path) -> Result<(), SwemuError> {
        let derate = self.derate.to_str().ok_or_else(|| {
            let derate = self.derate.display();
            SwemuError::Setup(format!("{derate} is not a path that a script can hold"))
        })?;
        let quoted = |word: &str| format!("'{}'", word.replace('\'', "'\\''"));
        let (derate, platform) = (quoted(derate), quoted(self.platform));
        let limit = self.limit.map(|limit| format!(" --limit {limit}")).unwrap_or_default();
        let line = format!("#!/bin/sh\nexec {derate}{LAUNCH}{platform}{limit}\n");
        fs::write(path, line).map_err(cannot_write(path))?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).map_err(cannot_write(path))
    }
}
