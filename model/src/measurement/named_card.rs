use super::{Measurement, Reason};
use crate::Platform;

/// The card of the catalogue that a name names: `u280` of `xilinx_u280_gen3x16_xdma_base_1` and of `Alveo U280`.
pub(super) fn in_name(name: &str) -> Option<String> {
    let mut words = name.split(|sign: char| !sign.is_ascii_alphanumeric());
    let known = |word: &&str| Platform::names().any(|name| name.eq_ignore_ascii_case(word));
    words.find(known).map(str::to_ascii_lowercase)
}

/// A device or a shell that is called after another card than the file is of.
pub(super) fn another(measurement: &Measurement) -> Option<Reason> {
    let platform = measurement.device.platform.as_deref()?;
    let names = [
        ("device.name", Some(&measurement.device.name)),
        ("versions.shell", measurement.versions.shell.as_ref()),
    ];
    names.into_iter().find_map(|(key, name)| {
        let other = in_name(name?).filter(|other| !other.eq_ignore_ascii_case(platform))?;
        Some(Reason::new(
            "platform",
            format!(
                "`device.platform` is {}, and `{key}` names another card, {other}: give the one that it was measured on.",
                platform.escape_debug()
            ),
        ))
    })
}
