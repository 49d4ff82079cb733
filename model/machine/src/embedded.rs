//! Files of the catalogue that the binary holds.

use crate::catalogue_error::PlatformError;

/// Names and texts, sorted by name.
pub(crate) struct Embedded(pub(crate) &'static [(&'static str, &'static str)]);

/// A name as it is compared: `PYNQ_Z2` is `pynq-z2`.
pub(crate) fn plain_name(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

impl Embedded {
    /// The names, sorted.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|(name, _)| *name)
    }

    /// The name as the catalogue has it, and the text.
    fn find(&self, name: &str) -> Option<(&'static str, &'static str)> {
        let name = plain_name(name);
        self.0.iter().find(|(known, _)| plain_name(known) == name).copied()
    }
}

/// Names that a sentence has at most.
const SHOWN: usize = 4;

/// `u50, u55c or others`.
fn list_names(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [all @ .., last] => format!("{} or {last}", all.join(", ")),
    }
}

/// Edits between two names: letters that are added, dropped or replaced.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, own) in one.chars().enumerate() {
        let mut before = row[0];
        row[0] = at + 1;
        for (column, &letter) in other.iter().enumerate() {
            let replaced = before + usize::from(letter != own);
            before = row[column + 1];
            row[column + 1] = replaced.min(before + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

/// The names of the catalogue that are near one, the nearest first: those that it begins or that begin it, and those that
/// a few letters make of it.
fn find_near(name: &str, of: &[&Embedded]) -> Vec<&'static str> {
    let asked: String = plain_name(name).chars().take(40).collect();
    if asked.is_empty() {
        return Vec::new();
    }
    let rank = |known: &'static str| {
        let plain = plain_name(known);
        let begins = asked.len() >= 2 && (plain.starts_with(&asked) || asked.starts_with(&plain));
        let edits = distance(&asked, &plain);
        let near = begins || edits <= 1 + asked.len() / 4;
        near.then_some((!begins, edits, known))
    };
    let mut found: Vec<_> = of.iter().flat_map(|all| all.names()).filter_map(rank).collect();
    found.sort_unstable();
    found.into_iter().take(SHOWN).map(|(.., known)| known).collect()
}

/// The error of a name that none of these has.
pub(crate) fn unknown_name(name: &str, of: &[&Embedded]) -> PlatformError {
    let near = find_near(name, of);
    let near =
        if near.is_empty() { String::new() } else { format!("write {}; ", list_names(&near)) };
    PlatformError::Unknown { name: name.to_owned(), near }
}

/// The name of a card as the catalogue has it, and the text of its file.
pub(crate) fn find_card(name: &str) -> Result<(&'static str, &'static str), PlatformError> {
    CARDS.find(name).ok_or_else(|| match PROCESSORS.find(name) {
        Some(_) => PlatformError::Processor { name: name.to_owned(), known: example_cards() },
        None => unknown_name(name, &[&CARDS]),
    })
}

/// Cards that people have in racks, for a sentence.
fn example_cards() -> String {
    "u280, u55c or zcu102".to_owned()
}

/// The name of a processor as the catalogue has it, and the text of its file.
pub(crate) fn find_processor(name: &str) -> Result<(&'static str, &'static str), PlatformError> {
    PROCESSORS.find(name).ok_or_else(|| match CARDS.find(name) {
        Some(_) => PlatformError::Card {
            name: name.to_owned(),
            known: PROCESSORS.names().collect::<Vec<_>>().join(", "),
        },
        None => unknown_name(name, &[&PROCESSORS]),
    })
}

/// The FPGA cards, sorted by name.
pub(crate) const CARDS: Embedded = Embedded(&[
    ("arty-a7-100", include_str!("../platforms/arty-a7-100.toml")),
    ("kc705", include_str!("../platforms/kc705.toml")),
    ("kv260", include_str!("../platforms/kv260.toml")),
    ("nexys-a7-100t", include_str!("../platforms/nexys-a7-100t.toml")),
    ("nexys-video", include_str!("../platforms/nexys-video.toml")),
    ("pynq-z1", include_str!("../platforms/pynq-z1.toml")),
    ("pynq-z2", include_str!("../platforms/pynq-z2.toml")),
    ("u200", include_str!("../platforms/u200.toml")),
    ("u250", include_str!("../platforms/u250.toml")),
    ("u280", include_str!("../platforms/u280.toml")),
    ("u50", include_str!("../platforms/u50.toml")),
    ("u55c", include_str!("../platforms/u55c.toml")),
    ("ultra96-v2", include_str!("../platforms/ultra96-v2.toml")),
    ("v80", include_str!("../platforms/v80.toml")),
    ("vc707", include_str!("../platforms/vc707.toml")),
    ("vck190", include_str!("../platforms/vck190.toml")),
    ("vck5000", include_str!("../platforms/vck5000.toml")),
    ("zcu102", include_str!("../platforms/zcu102.toml")),
    ("zcu104", include_str!("../platforms/zcu104.toml")),
    ("zedboard", include_str!("../platforms/zedboard.toml")),
    ("zybo-z7-20", include_str!("../platforms/zybo-z7-20.toml")),
]);

/// The processors, sorted by name.
pub(crate) const PROCESSORS: Embedded = Embedded(&[
    ("a100-40", include_str!("../platforms/a100-40.toml")),
    ("a100-80", include_str!("../platforms/a100-80.toml")),
    ("agx-orin-64", include_str!("../platforms/agx-orin-64.toml")),
    ("b200", include_str!("../platforms/b200.toml")),
    ("gb10", include_str!("../platforms/gb10.toml")),
    ("gb200", include_str!("../platforms/gb200.toml")),
    ("h100-pcie", include_str!("../platforms/h100-pcie.toml")),
    ("h100-sxm", include_str!("../platforms/h100-sxm.toml")),
    ("h200", include_str!("../platforms/h200.toml")),
    ("l4", include_str!("../platforms/l4.toml")),
    ("l40s", include_str!("../platforms/l40s.toml")),
    ("mi300x", include_str!("../platforms/mi300x.toml")),
    ("rtx-4090", include_str!("../platforms/rtx-4090.toml")),
    ("rtx-5060", include_str!("../platforms/rtx-5060.toml")),
    ("rtx-5060-laptop", include_str!("../platforms/rtx-5060-laptop.toml")),
    ("t4", include_str!("../platforms/t4.toml")),
    ("v100-sxm2", include_str!("../platforms/v100-sxm2.toml")),
]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_sorted_and_plain_ones_differ() {
        for all in [&CARDS, &PROCESSORS] {
            let names: Vec<&str> = all.names().collect();
            assert!(names.is_sorted(), "{names:?}");
            let mut plain: Vec<String> = names.iter().map(|name| plain_name(name)).collect();
            plain.sort();
            plain.dedup();
            assert_eq!(plain.len(), names.len());
        }
    }

    #[test]
    fn a_name_is_found_however_its_words_are_joined() {
        for name in ["pynq-z2", "PYNQ_Z2", "pynqz2", "Zybo Z7-20"] {
            assert!(find_card(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn a_wrong_name_gets_the_near_ones() {
        let near = |name| find_near(name, &[&CARDS, &PROCESSORS]);
        assert_eq!(near("zcu10")[..2], ["zcu102", "zcu104"]);
        assert_eq!(near("ultra96"), ["ultra96-v2"]);
        assert_eq!(near("zcu103")[..2], ["zcu102", "zcu104"]);
        assert_eq!(near("xilinx_nothing"), Vec::<&str>::new());
        assert_eq!(near(""), Vec::<&str>::new());
        assert_eq!(near("h101-pcie")[0], "h100-pcie");
    }
}
