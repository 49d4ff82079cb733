//! Files of the catalogue that the binary holds.

use crate::catalogue_error::PlatformError;

/// Names and texts, sorted by name.
pub(crate) struct Embedded(pub(crate) &'static [(&'static str, &'static str)]);

impl Embedded {
    /// The names, sorted.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|(name, _)| *name)
    }

    /// The name as the catalogue has it, and the text.
    fn find(&self, name: &str) -> Option<(&'static str, &'static str)> {
        self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).copied()
    }

    /// Why there is none of that name.
    fn unknown_name(&self, name: &str) -> (String, String) {
        (name.to_owned(), self.names().collect::<Vec<_>>().join(", "))
    }
}

/// The name of a card as the catalogue has it, and the text of its file.
pub(crate) fn find_card(name: &str) -> Result<(&'static str, &'static str), PlatformError> {
    CARDS.find(name).ok_or_else(|| match (PROCESSORS.find(name), CARDS.unknown_name(name)) {
        (Some(_), (name, known)) => PlatformError::Processor { name, known },
        (None, (name, known)) => PlatformError::Unknown { name, known },
    })
}

/// The name of a processor as the catalogue has it, and the text of its file.
pub(crate) fn find_processor(name: &str) -> Result<(&'static str, &'static str), PlatformError> {
    PROCESSORS.find(name).ok_or_else(|| match (CARDS.find(name), PROCESSORS.unknown_name(name)) {
        (Some(_), (name, known)) => PlatformError::Card { name, known },
        (None, (name, known)) => PlatformError::Unknown { name, known },
    })
}

/// The FPGA cards, sorted by name.
pub(crate) const CARDS: Embedded = Embedded(&[
    ("u200", include_str!("../platforms/u200.toml")),
    ("u250", include_str!("../platforms/u250.toml")),
    ("u280", include_str!("../platforms/u280.toml")),
    ("u50", include_str!("../platforms/u50.toml")),
    ("u55c", include_str!("../platforms/u55c.toml")),
]);

/// The processors, sorted by name.
pub(crate) const PROCESSORS: Embedded = Embedded(&[
    ("a100-40", include_str!("../platforms/a100-40.toml")),
    ("a100-80", include_str!("../platforms/a100-80.toml")),
    ("gb10", include_str!("../platforms/gb10.toml")),
    ("h100-pcie", include_str!("../platforms/h100-pcie.toml")),
    ("h100-sxm", include_str!("../platforms/h100-sxm.toml")),
    ("h200", include_str!("../platforms/h200.toml")),
    ("l4", include_str!("../platforms/l4.toml")),
    ("l40s", include_str!("../platforms/l40s.toml")),
    ("rtx-5060-laptop", include_str!("../platforms/rtx-5060-laptop.toml")),
    ("t4", include_str!("../platforms/t4.toml")),
    ("v100-sxm2", include_str!("../platforms/v100-sxm2.toml")),
]);
