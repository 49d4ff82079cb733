//! What a configuration says that goes into no design.

use derate_hls::Connectivity;
use derate_model::Platform;

use super::linker::Linker;
use crate::xclbin::LinkError;
use crate::xclbin::kernel::DesignKernel;

/// The sections of v++, whose other entries a design for software emulation does without.
const SECTIONS: [&str; 12] = [
    "",
    "advanced",
    "aie",
    "clock",
    "connectivity",
    "debug",
    "hls",
    "linkhook",
    "optimization",
    "package",
    "profile",
    "vivado",
];
/// Keys of `[connectivity]`.
const KEYS: [&str; 8] =
    ["connect", "nk", "noc.connect", "sc", "slr", "sp", "sptag", "stream_connect"];

impl Linker<'_> {
    /// Notes entries that v++ would most likely refuse.
    pub(super) fn unknown_entries(&mut self) {
        let configurations: &[Connectivity] = self.configurations;
        for entry in configurations.iter().flat_map(|one| &one.entries) {
            let (section, key) = (entry.section.as_str(), entry.key.value.as_str());
            let place = || self.place_of(entry.key.span);
            let known = KEYS.contains(&key.to_ascii_lowercase().as_str());
            if !SECTIONS.contains(&section) {
                let place = place();
                self.add_note(format!(
                    "{place}: derate knows no section [{section}] of v++, and leaves its `{key}` out: check how it is spelt"
                ));
            } else if section == "connectivity" && !known && !key.contains('.') {
                let place = place();
                self.add_note(format!(
                    "{place}: derate knows no key `{key}` of [connectivity], and leaves it out: check how it is spelt"
                ));
            }
        }
    }

    /// Every `slr=` names a unit, and a die that the card has.
    pub(super) fn dies_are_known(
        &self,
        kernels: &[DesignKernel],
        platform: &Platform,
    ) -> Result<(), LinkError> {
        for pin in self.configurations.iter().flat_map(|one| &one.slr) {
            let fail = |reason| LinkError::Configuration { place: self.place_of(pin.span), reason };
            let mut units = kernels.iter().flat_map(|kernel| &kernel.instances);
            if !units.any(|unit| unit.name == pin.unit.value) {
                return Err(fail(format!("there is no compute unit `{}`", pin.unit.value)));
            }
            let Some(dies) = &platform.slr else { continue };
            let number =
                pin.slr.value.strip_prefix("SLR").and_then(|rest| rest.parse::<u32>().ok());
            if !number.is_some_and(|number| f64::from(number) < dies.value) {
                return Err(fail(format!(
                    "the platform has no {}: it has SLR0 to SLR{}",
                    pin.slr.value,
                    dies.value - 1.0
                )));
            }
        }
        Ok(())
    }
}
