//! `derate emu toolchain FOLDER`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::{Context, Error};
use derate_hls::kernels::HEADERS;

use super::prepared::{fill_folder, put_lines};
use super::tool::TOOLS;
use crate::args::Toolchain;
use crate::commands::platform::find_card;
use crate::output::Outcome;

/// Variables that a build sets for itself.
const OF_THE_BUILD: [&str; 2] = ["EMCONFIG_PATH", "XCL_EMULATION_MODE"];

pub(crate) fn run(args: &Toolchain) -> Result<Outcome, Error> {
    let platform = find_card(&args.device.platform)?;
    // A build may name another card: the design says which.
    let (folder, prepared) = fill_folder(&args.folder, &platform, None, &args.device)?;
    let bin = folder.join("bin");
    let write = |name: &str| {
        let derate = crate::session::program()?.display().to_string().replace('\'', "'\\''");
        let path = bin.join(name);
        fs::write(&path, format!("#!/bin/sh\nexec '{derate}' emu tool {name} \"$@\"\n"))?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))
    };
    let made = fs::create_dir_all(&bin).and_then(|()| TOOLS.iter().try_for_each(|one| write(one)));
    made.and_then(|()| write_headers(&folder.join("vitis/include")))
        .with_context(|| format!("{} cannot be filled: check the path", bin.display()))?;
    let shell = platform.shells.first().map_or("", |shell| &shell.name);
    let name = format!("xilinx_{}_{shell}", platform.name);
    let vitis = prepared.variables.get("XILINX_VITIS").cloned().unwrap_or_default();
    let python = bin.display().to_string();
    let own = [
        ("PLATFORM", name.as_str()),
        ("PYTHON_INSTALL", python.as_str()),
        ("XILINX_VIVADO", vitis.as_str()),
    ];
    let variables = prepared.variables.iter().map(|(name, value)| (*name, value.as_str()));
    let variables = variables.filter(|(name, _)| !OF_THE_BUILD.contains(name));
    let unset = prepared.unset.iter().copied().filter(|one| *one != "XILINX_VIVADO");
    let unset: Vec<&str> = unset.chain(OF_THE_BUILD).collect();
    let path = format!("export PATH='{}':\"$PATH\"\n", bin.display());
    put_lines(&unset, variables.chain(own), &path)?;
    Ok(Outcome::Clean)
}

/// The headers of kernels, which hosts may include, too.
fn write_headers(folder: &Path) -> std::io::Result<()> {
    HEADERS.iter().try_for_each(|(name, text)| {
        let path = folder.join(name);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, text)
    })
}
