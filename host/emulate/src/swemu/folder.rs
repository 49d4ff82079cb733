//! The folder that XRT is pointed at: its own libraries, our device in the place of Vitis' one, the description of the card.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use derate_model::Platform;

use super::SwemuError;
use super::emconfig::{EMCONFIG, EMCONFIG_PATH, render_emconfig};
use super::shim::{Shim, answer_for_hardware, examine_library, keep_banks};

/// Where XRT is looked for, beside `XILINX_XRT`: AMD's packages, Debian, Fedora.
const PLACES: [&str; 6] = [
    "/opt/xilinx/xrt/lib",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/lib",
];
/// The library that this is about.
const SOFTWARE: &str = "libxrt_swemu.so.2";
/// The one that XRT loads where a program asks for hardware emulation.
const HARDWARE: &str = "libxrt_hwemu.so.2";
/// What XRT, or a program's linker, looks for beside them; each may be missing.
const LIBRARIES: [&str; 8] = [
    "libxrt_core.so.2",
    "libxrt_noop.so.2",
    "libxrt_coreutil.so.2",
    "libxrt_core.so",
    "libxrt_coreutil.so",
    "libxrt++.so",
    "libxrt++.so.2",
    "libxilinxopencl.so",
];
/// XRT's `OpenCL`, the folder of the file that names it to the loader, and that file.
const OPENCL: &str = "libxilinxopencl.so.2";
const VENDORS: &str = "vendors";
const VENDOR: &str = "derate.icd";
/// Where headers are, beside `XILINX_XRT`.
const HEADERS: [&str; 2] = ["/opt/xilinx/xrt/include", "/usr/include/xrt"];
/// Where XRT looks for the device: the older way and the newer.
const MODELS: [&str; 2] = ["cpu_em", "sw_emu"];
/// Bytes of one message of a sync: short ones, in memory that its allocator keeps, go ten times as fast as the default.
pub const PACKET_BYTES: u64 = 0x2_0000;
/// What it starts there, and what that says of who made it.
const DEVICE: &str = "genericpciemodel";
const LAUNCH: &str = " emu device";

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
    places.into_iter().find(|place| place.join(SOFTWARE).is_file()).ok_or_else(|| {
        SwemuError::Setup(format!(
            "XRT is not installed ({SOFTWARE} is in none of the usual folders): install AMD's XRT, or on Debian `apt install libxrt1`; `derate bench --device emu` needs neither"
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
        link_library(&libraries.join(name), &lib.join(name))?;
    }
    let installed = libraries.join(SOFTWARE);
    if link_library(&installed, &lib.join(SOFTWARE))? {
        corrected.push(installed);
    }
    let mode = if put_hardware(libraries, &lib)? { "hw_emu" } else { "sw_emu" };
    let has_opencl = put_opencl(folder, libraries, &lib)?;
    put_headers(libraries, &xrt)?;
    for name in MODELS {
        let place = model_folder(folder, name);
        fs::create_dir_all(&place).map_err(cannot_write(&place))?;
        launcher.write_script(&place.join(DEVICE))?;
    }
    let config = folder.join(EMCONFIG);
    fs::write(&config, render_emconfig(platform, launcher.cards)?)
        .map_err(cannot_write(&config))?;
    let run = folder.join("run");
    fs::create_dir_all(&run).map_err(cannot_write(&run))?;
    let text = |path: &Path| path.display().to_string();
    let mut variables = BTreeMap::from([
        ("XILINX_XRT", text(&xrt)),
        ("XILINX_VITIS", text(&vitis)),
        ("XCL_EMULATION_MODE", mode.to_owned()),
        // For derate's own bench, which looks at the mode.
        ("DERATE_EMULATION", "1".to_owned()),
        (EMCONFIG_PATH, text(folder)),
        ("SDACCEL_EM_RUN_DIR", text(&run)),
        // XRT copies what it syncs into messages.
        ("SW_EMU_PACKET_SIZE", format!("{PACKET_BYTES:#x}")),
        ("MALLOC_MMAP_THRESHOLD_", "4194304".to_owned()),
        ("MALLOC_TRIM_THRESHOLD_", "67108864".to_owned()),
        // From 2.14 on XRT maps one file of 16 GiB for all buffers, unless it is told not to.
        ("VITIS_SW_EMU_DISABLE_SINGLE_MMAP", "1".to_owned()),
    ]);
    variables.extend(user.map(|user| ("USER", user.to_owned())));
    variables.extend(has_opencl.then(|| ("OCL_ICD_VENDORS", text(&folder.join(VENDORS)))));
    let unset =
        vec!["XILINX_OPENCL", "XILINX_HLS", "XILINX_VIVADO", "VITIS_SW_EMU_ENABLE_SINGLE_MMAP"];
    Ok(Folder { variables, unset, corrected })
}

/// Software emulation in the place of the hardware's, and whether it is: XRT may be built otherwise. A program that asks for
/// the latter has its ordinary buffers in its own memory, and shares what it means to share.
fn put_hardware(libraries: &Path, lib: &Path) -> Result<bool, SwemuError> {
    let (from, to) = (lib.join(SOFTWARE), lib.join(HARDWARE));
    let software = fs::read(&from).map_err(cannot_write(&from))?;
    match answer_for_hardware(&software) {
        Some(changed) => put_file(&to, &changed).map(|()| true),
        None => link_library(&libraries.join(HARDWARE), &to).map(|_| false),
    }
}

/// XRT's `OpenCL` for the loader; whether there is one.
fn put_opencl(folder: &Path, libraries: &Path, lib: &Path) -> Result<bool, SwemuError> {
    let (from, to) = (libraries.join(OPENCL), lib.join(OPENCL));
    let Ok(library) = fs::read(&from) else { return Ok(false) };
    match keep_banks(&library) {
        Some(changed) => put_file(&to, &changed)?,
        None => {
            link_library(&from, &to)?;
        }
    }
    let vendors = folder.join(VENDORS);
    fs::create_dir_all(&vendors).map_err(cannot_write(&vendors))?;
    put_file(&vendors.join(VENDOR), format!("{}\n", to.display()).as_bytes())?;
    Ok(true)
}

/// XRT's headers, where they are installed.
fn put_headers(libraries: &Path, xrt: &Path) -> Result<(), SwemuError> {
    let own = libraries.parent().map(|root| root.join("include"));
    let places = own.into_iter().chain(HEADERS.map(PathBuf::from));
    let has_headers = |place: &PathBuf| place.join("xrt/xrt_device.h").is_file();
    let Some(place) = places.into_iter().find(has_headers) else { return Ok(()) };
    let to = xrt.join("include");
    remove_old(&to)?;
    symlink(place, &to).map_err(cannot_write(&to))
}

fn put_file(to: &Path, bytes: &[u8]) -> Result<(), SwemuError> {
    remove_old(to)?;
    fs::write(to, bytes).map_err(cannot_write(to))
}

fn remove_old(path: &Path) -> Result<(), SwemuError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(cannot_write(path)(error)),
        _ => Ok(()),
    }
}

/// A link to a library, or a corrected copy of it, and whether it is one; what was there before goes.
fn link_library(from: &Path, to: &Path) -> Result<bool, SwemuError> {
    remove_old(to)?;
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
    /// The card, as `--platform` takes it. Without one it is the design's.
    pub platform: Option<&'a str>,
    /// How many cards the program sees.
    pub cards: u32,
    /// Whether the program and the device see the same bytes of all that the program maps.
    pub coherent: bool,
    /// Seconds that one run of a kernel may take, as `--limit` takes them.
    pub limit: Option<u32>,
    /// The folder into which each device writes what it does.
    pub record: Option<&'a Path>,
}

impl Launcher<'_> {
    fn write_script(&self, path: &Path) -> Result<(), SwemuError> {
        let derate = self.derate.to_str().ok_or_else(|| {
            let derate = self.derate.display();
            SwemuError::Setup(format!("{derate} is not a path that a script can hold"))
        })?;
        let quoted = |word: &str| format!("'{}'", word.replace('\'', "'\\''"));
        let derate = quoted(derate);
        let platform = self.platform.map(|platform| format!(" --platform {}", quoted(platform)));
        let platform = platform.unwrap_or_default();
        let limit = self.limit.map(|limit| format!(" --limit {limit}")).unwrap_or_default();
        let coherent = if self.coherent { " --coherent" } else { "" };
        let record = self.record.map(|folder| {
            let folder = quoted(&folder.display().to_string());
            format!(" --record {folder}")
        });
        let record = record.unwrap_or_default();
        let line = format!("#!/bin/sh\nexec {derate}{LAUNCH}{platform}{limit}{coherent}{record}\n");
        fs::write(path, line).map_err(cannot_write(path))?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).map_err(cannot_write(path))
    }
}
