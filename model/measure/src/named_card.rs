use super::{Measurement, VerdictReason};
use derate_machine::Platform;

/// The card of the catalogue that a name names: `u280` of `xilinx_u280_gen3x16_xdma_base_1` and of `Alveo U280`.
pub(super) fn find_card(name: &str) -> Option<String> {
    let mut words = name.split(|sign: char| !sign.is_ascii_alphanumeric());
    let known = |word: &&str| Platform::names().any(|name| name.eq_ignore_ascii_case(word));
    words.find(known).map(str::to_ascii_lowercase)
}

/// Makers and lines of what is not a card of the catalogue, and instances that have one of their own.
const OTHERS: [&str; 20] = [
    "nvidia", "geforce", "quadro", "tesla", "radeon", "instinct", "intel", "xeon", "epyc", "ryzen",
    "stratix", "agilex", "arria", "versal", "zynq", "kria", "aws", "v70", "v80", "nexys",
];

/// Beginnings of the names of boards, before a number.
const BOARDS: [&str; 8] = ["vcu", "vck", "vmk", "vpk", "vhk", "zcu", "kcu", "kv"];

/// A word of a name that names something else than a card of the catalogue.
fn find_foreign(name: &str) -> Option<String> {
    let mut words =
        name.split(|sign: char| !sign.is_ascii_alphanumeric()).map(str::to_ascii_lowercase);
    let digits = |rest: &str, least| rest.bytes().take_while(u8::is_ascii_digit).count() >= least;
    words.find(|word| {
        OTHERS.contains(&word.as_str())
            || BOARDS
                .iter()
                .any(|board| word.strip_prefix(board).is_some_and(|rest| digits(rest, 2)))
            || word.strip_prefix('u').is_some_and(|rest| digits(rest, 2))
    })
}

/// A device or a shell that is called after another card than the file is of.
pub(super) fn check_card_name(measurement: &Measurement) -> Option<VerdictReason> {
    let platform = measurement.device.platform.as_deref()?;
    let names = [
        ("device.name", Some(&measurement.device.name)),
        ("versions.shell", measurement.versions.shell.as_ref()),
    ];
    // A platform file of one's own may be of any card.
    let ours = Platform::names().any(|name| name.eq_ignore_ascii_case(platform));
    names.into_iter().find_map(|(key, name)| {
        let name = name?;
        let known = find_card(name).or_else(|| find_foreign(name).filter(|_| ours));
        let other = known.filter(|other| !other.eq_ignore_ascii_case(platform))?;
        Some(VerdictReason::new(
            "platform",
            format!(
                "`device.platform` is {}, and `{key}` names another device, {other}: give the one that it was measured on.",
                platform.escape_debug()
            ),
        ))
    })
}

/// A device whose name does not say that it is the card: possible, and worth a look.
pub(super) fn note_card_name(measurement: &Measurement) -> Option<String> {
    let platform = measurement.device.platform.as_deref()?;
    let name = &measurement.device.name;
    if name.trim().is_empty() {
        return Some(format!(
            "`device.name` is empty: that it ran on {} rests on `device.platform` alone.",
            platform.escape_debug()
        ));
    }
    let names = name.to_ascii_lowercase().contains(&platform.to_ascii_lowercase());
    (!names).then(|| {
        format!(
            "`device.name` is `{}`, which does not name {}: that it ran there rests on `device.platform` alone.",
            name.escape_debug(),
            platform.escape_debug()
        )
    })
}
