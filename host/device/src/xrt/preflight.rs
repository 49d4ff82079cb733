//! What has to be right before the first call: XRT ends the process, uncatchably, where its own set-up is not.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use super::library::finds_itself;
use super::socket::check_socket;
use super::{XrtError, XrtName};
use derate_emulate::swemu::count_cards;
use derate_emulate::swemu::no_card;
use derate_emulate::swemu::{Shim, examine_library};

/// What XRT runs on.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RunMode {
    /// A card.
    Card,
    /// Software emulation.
    SwEmu,
    /// Hardware emulation.
    HwEmu,
}

impl RunMode {
    fn shim(self) -> &'static str {
        match self {
            Self::Card => "core",
            Self::SwEmu => "swemu",
            Self::HwEmu => "hwemu",
        }
    }
}

impl fmt::Display for RunMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Card => "card",
            Self::SwEmu => "software emulation",
            Self::HwEmu => "hardware emulation",
        })
    }
}

/// The variables that XRT reads.
#[derive(Clone, Debug, Default)]
pub struct Environment(pub BTreeMap<String, String>);

impl Environment {
    /// Those of this process.
    pub fn current() -> Self {
        let vars = std::env::vars_os();
        let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        Self(vars.filter_map(text).collect())
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }
}

fn setup_error(text: String) -> XrtError {
    XrtError::Setup(text)
}

/// Checks everything that XRT would end the process for, and says what it will run on. `loaded` is the file of its library.
pub fn check_environment(
    environment: &Environment,
    loaded: Option<&Path>,
) -> Result<RunMode, XrtError> {
    let mode = match environment.get("XCL_EMULATION_MODE") {
        None => RunMode::Card,
        Some("sw_emu") => RunMode::SwEmu,
        // Under derate both modes are software emulation.
        Some("hw_emu") if environment.get("DERATE_EMULATION").is_some() => RunMode::SwEmu,
        Some("hw_emu") => RunMode::HwEmu,
        Some("noop") => return Err(XrtError::Noop),
        Some(other) => {
            return Err(setup_error(format!(
                "XCL_EMULATION_MODE={other} is not a mode of XRT: unset it for a card, or set sw_emu"
            )));
        }
    };
    let library = find_library(environment, loaded, mode)?;
    if mode != RunMode::Card {
        check_socket(environment.get("USER"))?;
        is_sound(&library, mode)?;
    }
    if mode == RunMode::SwEmu {
        check_device(environment)?;
    }
    Ok(mode)
}

/// Refuses a card that software emulation does not show: XRT opens it all the same, with a memory of its own invention.
pub(super) fn is_shown(environment: &Environment, name: XrtName) -> Result<(), XrtError> {
    let index = u64::from(name.0);
    match environment.get("EMCONFIG_PATH").and_then(count_cards).filter(|&cards| index >= cards) {
        Some(cards) => Err(setup_error(no_card(index, cards))),
        None => Ok(()),
    }
}

/// The library that XRT will load for a mode.
fn find_library(
    environment: &Environment,
    loaded: Option<&Path>,
    mode: RunMode,
) -> Result<PathBuf, XrtError> {
    let remedy = "source /opt/xilinx/xrt/setup.sh, or use `derate emu run`";
    let name = format!("libxrt_{}.so.2", mode.shim());
    let (folder, said) = match (environment.get("XILINX_XRT"), loaded) {
        (Some(root), _) => (Path::new(root).join("lib"), format!("XILINX_XRT={root}")),
        (None, Some(own)) if finds_itself(own) => {
            let folder = own.parent().unwrap_or(Path::new("/"));
            (folder.to_path_buf(), format!("XILINX_XRT is not set, and {}", folder.display()))
        }
        (None, _) => {
            return Err(setup_error(format!(
                "XILINX_XRT is not set, and XRT before 2.16 would end the process: {remedy}"
            )));
        }
    };
    let library = folder.join(&name);
    if library.is_file() {
        return Ok(library);
    }
    let place = if environment.get("XILINX_XRT").is_some() { "lib/" } else { "" };
    Err(setup_error(format!(
        "{said} has no {place}{name}, and XRT would end the process: {remedy}"
    )))
}

/// Debian 12 built both emulations with a fault.
fn is_sound(library: &Path, mode: RunMode) -> Result<(), XrtError> {
    let Ok(Shim::Broken(_)) = examine_library(library) else { return Ok(()) };
    let remedy = match mode {
        RunMode::HwEmu => "use software emulation, for which `derate emu run` has a corrected copy",
        _ => "`derate emu run` uses a corrected copy",
    };
    Err(setup_error(format!(
        "{} loses memory at its second call, as Debian 12 built it: {remedy}",
        library.display()
    )))
}

/// The device that software emulation starts.
fn check_device(environment: &Environment) -> Result<(), XrtError> {
    // XRT's order: XILINX_OPENCL overrides, the older names follow.
    let roots = ["XILINX_OPENCL", "XILINX_VITIS", "XILINX_SCOUT", "XILINX_SDX"];
    let Some(root) = roots.iter().find_map(|name| environment.get(name)) else {
        return Err(setup_error(
            "XILINX_VITIS is not set, and XRT looks for its device there: use `derate emu run`"
                .to_owned(),
        ));
    };
    let places = ["cpu_em", "sw_emu"].map(|kind| {
        Path::new(root)
            .join("data/emulation/unified")
            .join(kind)
            .join("generic_pcie/model/genericpciemodel")
    });
    if !places.iter().any(|place| fs::metadata(place).is_ok_and(|meta| meta.is_file())) {
        return Err(setup_error(format!(
            "{root} has no {}: use `derate emu run`, which brings a device",
            places[0].strip_prefix(root).unwrap_or(&places[0]).display()
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(vars: &[(&str, &str)]) -> String {
        let vars = vars.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        check_environment(&Environment(vars.collect()), None).unwrap_err().to_string()
    }

    #[test]
    fn each_lack_is_one_sentence() {
        let root = tempfile::tempdir().unwrap();
        let at = root.path().to_str().unwrap();
        fs::create_dir(root.path().join("lib")).unwrap();
        let base = [("XCL_EMULATION_MODE", "sw_emu"), ("XILINX_XRT", at)];
        assert!(refused(&[("XCL_EMULATION_MODE", "noop")]).contains("runs no kernel"));
        assert!(refused(&[("XCL_EMULATION_MODE", "SW")]).contains("is not a mode of XRT"));
        assert!(refused(&[]).contains("XILINX_XRT is not set"));
        assert!(refused(&[("XILINX_XRT", at)]).contains("has no lib/libxrt_core.so.2"));
        assert!(refused(&base).contains("has no lib/libxrt_swemu.so.2"));
        fs::write(root.path().join("lib/libxrt_swemu.so.2"), "").unwrap();
        assert!(refused(&base).contains("USER is not set"));
        let user = [base[0], base[1], ("USER", "derate-test-user")];
        assert!(refused(&user).contains("XILINX_VITIS is not set"));
        let vitis = [user[0], user[1], user[2], ("XILINX_VITIS", at)];
        assert!(refused(&vitis).contains("has no data/emulation/unified/cpu_em"));
        fs::write(root.path().join("lib/libxrt_core.so.2"), "").unwrap();
        let card = Environment([("XILINX_XRT".to_owned(), at.to_owned())].into());
        assert_eq!(check_environment(&card, None), Ok(RunMode::Card));
        // From 2.16 on XRT finds its own folder.
        let at = |name: &str| root.path().join("lib").join(name);
        let unset = |library: &str| check_environment(&Environment::default(), Some(&at(library)));
        assert_eq!(unset("libxrt_coreutil.so.2.16.204"), Ok(RunMode::Card));
        assert!(unset("libxrt_coreutil.so.2.13.0").is_err());
        fs::remove_file(at("libxrt_core.so.2")).unwrap();
        let error = unset("libxrt_coreutil.so.2.16.204").unwrap_err().to_string();
        assert!(error.contains("has no libxrt_core.so.2"), "{error}");
    }
}
