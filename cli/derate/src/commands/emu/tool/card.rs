//! The card that the name of a platform means.

use std::path::Path;

use anyhow::{Error, anyhow};
use derate_model::Platform;

use crate::commands::platform::find_card;

/// `xilinx_u280_gen3x16_xdma_1_202211_1`, or the path of its .xpfm, or a card of the catalogue, or a path to one's own .toml.
pub(super) fn find_platform(name: &str) -> Result<Platform, Error> {
    if Path::new(name).extension().is_some_and(|end| end == "toml") {
        return find_card(name);
    }
    let file = Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name);
    let is_file = Path::new(name).extension().is_some_and(|end| end == "xpfm");
    let file = if is_file { file } else { name.rsplit('/').next().unwrap_or(name) };
    let mut words = file.split('_').filter(|word| !word.is_empty());
    words.find_map(|word| Platform::named(word).ok()).ok_or_else(|| {
        anyhow!(
            "derate knows no card of platform {name}: its name has none of the boards that `derate platform` lists; set PLATFORM, for instance to xilinx_u280_gen3x16_xdma_1_202211_1"
        )
    })
}
