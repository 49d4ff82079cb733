//! `emconfig.json`: the card that software emulation shows to the program.

use std::fs;
use std::path::Path;

use derate_model::Platform;
use serde_json::{Value, json};

use super::SwemuError;
use crate::emulator::{Bases, list_banks};

/// The sizes that XRT knows, by their exponents of two: anything else counts as nothing.
const UNITS: [(u32, &str); 4] = [(40, "T"), (30, "G"), (20, "M"), (10, "K")];

/// Its name, and the variable of the folder that it is in.
pub(super) const EMCONFIG: &str = "emconfig.json";
pub(super) const EMCONFIG_PATH: &str = "EMCONFIG_PATH";

/// How many cards XRT shows, by the file in a folder. Of more it opens any number all the same, with a memory of its own
/// invention. `None` where there is no such file: XRT then looks for one beside the program.
pub fn count_cards(folder: &str) -> Option<u64> {
    let config = fs::read(Path::new(folder).join(EMCONFIG)).ok()?;
    let config: Value = serde_json::from_slice(&config).ok()?;
    let count = |value: &Value| match value {
        Value::String(text) => text.parse().ok(),
        number => number.as_u64(),
    };
    let boards = config.pointer("/Platform/Boards")?.as_array()?.iter();
    let devices = boards.filter_map(|board| board.get("Devices")?.as_array()).flatten();
    Some(devices.filter_map(|device| count(device.get("NumDevices")?)).fold(0, u64::saturating_add))
}

/// So many cards, with every bank of each in the order of its indices. XRT puts each where the one before ends.
pub fn render_emconfig(platform: &Platform, cards: u32) -> Result<String, SwemuError> {
    let lacks = SwemuError::Setup;
    let banks = list_banks(platform, Bases::RunningSum)
        .map_err(|error| lacks(error.to_string()))?
        .into_iter()
        .map(|bank| {
            let size = spell_size(bank.bytes).ok_or_else(|| {
                lacks(format!(
                    "{} of {} has {} bytes: XRT knows powers of two",
                    bank.name, platform.name, bank.bytes
                ))
            })?;
            Ok(json!({ "Name": bank.name, "Size": size }))
        });
    let banks: Vec<Value> = banks.collect::<Result<_, _>>()?;
    let shell = platform.shells.first().map_or("", |shell| &shell.name);
    let device = json!({
        "Name": format!("xilinx_{}_{shell}", platform.name),
        "HalMajorVersion": "2",
        "HalMinorVersion": "1",
        "VendorId": "4334",
        "SubsystemVendorId": "4334",
        "DeviceVersion": "0",
        "DataAlignment": "4096",
        // XRT spells it so.
        "OclFreqency": format!("{:.0}", platform.clock.value.0 / 1e6),
        "NumDevices": cards.to_string(),
        "DdrBanks": banks,
        // Copies between buffers stay on the card.
        "PlatformData": { "plp": { "m2m": "enabled" } },
    });
    let config = json!({
        "Version": { "FileVersion": "2.0", "ToolVersion": "2022.1" },
        "Platform": {
            "UnifiedPlatform": "true",
            "ExpandedPR": "true",
            "Boards": [{ "NumBoards": "1", "Devices": [device] }],
        },
    });
    Ok(format!("{config:#}\n"))
}

/// `256M`, `16G`.
fn spell_size(bytes: u64) -> Option<String> {
    if !bytes.is_power_of_two() {
        return None;
    }
    let fits = |(power, unit): &(u32, &'static str)| {
        let count = bytes >> power;
        // XRT's list has no 2K.
        (1..1024).contains(&count).then(|| format!("{count}{unit}")).filter(|text| text != "2K")
    };
    UNITS.iter().find_map(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_u280_has_its_banks_and_sizes_that_xrt_knows() {
        let platform = Platform::named("u280").unwrap();
        let config: Value = serde_json::from_str(&render_emconfig(&platform, 1).unwrap()).unwrap();
        let device = &config["Platform"]["Boards"][0]["Devices"][0];
        let banks = device["DdrBanks"].as_array().unwrap();
        assert_eq!(banks.len(), 41);
        assert_eq!(banks[31], json!({ "Name": "HBM[31]", "Size": "256M" }));
        assert_eq!(banks[32], json!({ "Name": "DDR[0]", "Size": "16G" }));
        assert_eq!(banks[34], json!({ "Name": "PLRAM[0]", "Size": "4M" }));
        assert_eq!(banks[40], json!({ "Name": "HOST[0]", "Size": "16G" }));
        assert_eq!(device["Name"], "xilinx_u280_gen3x16_xdma_1_202211_1");
        assert_eq!(device["OclFreqency"], "300");
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().to_str().unwrap();
        assert_eq!(count_cards(at), None);
        fs::write(folder.path().join(EMCONFIG), config.to_string()).unwrap();
        assert_eq!(count_cards(at), Some(1));
        assert_eq!(
            (spell_size(1 << 9), spell_size(3 << 30), spell_size(2 << 10)),
            (None, None, None)
        );
        assert_eq!(
            (spell_size(1 << 10), spell_size(512 << 40)),
            (Some("1K".to_owned()), Some("512T".to_owned()))
        );
    }
}
