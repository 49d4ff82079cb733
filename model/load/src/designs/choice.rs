//! Which chip a design is built for, of all that its files name.

use std::collections::{BTreeMap, BTreeSet};

use derate_kernel::{Part, find_part};
use derate_machine::{Family, NamedPart, PartName, Platform};
use derate_project::Build;
use thiserror::Error;

use crate::search::BuildScript;

/// Why no chip or clock is known.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub(crate) enum UnknownTarget {
    /// Nothing names a part.
    #[error("no script, configuration or report names a part")]
    NoPart,
    /// A part that is not in the table.
    #[error("derate does not know the part {0}")]
    UnknownPart(String),
    /// Files name different parts.
    #[error("several parts are named: {}", .0.join(", "))]
    SeveralParts(Vec<String>),
    /// A platform of the user's, without the amounts of its chip.
    #[error("the platform {0} does not say what its chip has")]
    UnknownChip(String),
}

impl UnknownTarget {
    /// The families of the parts that are named.
    pub(crate) fn families(&self) -> BTreeSet<Family> {
        let names = match self {
            Self::UnknownPart(name) => std::slice::from_ref(name),
            Self::SeveralParts(names) => names.as_slice(),
            Self::NoPart | Self::UnknownChip(_) => &[],
        };
        let parts = names.iter().filter_map(|name| PartName::parse(name));
        parts.map(|part| Family::of_part(&part)).collect()
    }
}

/// The one chip that scripts, reports or the card name; `None` where none of them names one.
pub(crate) fn choose_part(
    scripts: &[BuildScript],
    build: &Build,
    card: Option<&Platform>,
) -> Result<Option<Part>, UnknownTarget> {
    let reported = build.reports.iter().filter_map(|report| report.part.as_ref());
    let reported = reported.map(|part| part.value.as_str());
    let scripted = scripts.iter().flat_map(|script| script.parts.iter().map(String::as_str));
    let mut known: BTreeMap<String, Part> = BTreeMap::new();
    let mut unknown = BTreeSet::new();
    for name in scripted.chain(reported) {
        match find_part(name) {
            Some(part) => {
                known.insert(part.name.clone(), part);
            }
            None => {
                unknown.insert(name.to_ascii_lowercase());
            }
        }
    }
    // Older reports name the family, which is less than a part.
    if !known.is_empty() {
        unknown.retain(|name| name.starts_with("xc"));
    }
    let mut names: Vec<String> = known.keys().chain(&unknown).cloned().collect();
    match (known.len(), unknown.len()) {
        (1, 0) => Ok(known.into_values().next()),
        (0, 0) => Ok(card.and_then(derate_kernel::find_card_part)),
        (0, 1) => Err(UnknownTarget::UnknownPart(names.remove(0))),
        _ => Err(UnknownTarget::SeveralParts(names)),
    }
}

/// The one board, else the one chip, that files name which only run the tools.
pub(crate) fn choose_named(
    named: &[NamedPart],
) -> Result<(Part, Option<&'static str>), UnknownTarget> {
    let boards: BTreeSet<&'static str> = named.iter().filter_map(|one| one.board).collect();
    let is_asked = |one: &&NamedPart| boards.is_empty() || one.board.is_some();
    let devices: BTreeSet<&str> =
        named.iter().filter(is_asked).map(|one| one.part.device()).collect();
    match Vec::from_iter(devices).as_slice() {
        [] => Err(UnknownTarget::NoPart),
        [one] => match find_part(one) {
            Some(part) => Ok((part, boards.first().copied().filter(|_| boards.len() == 1))),
            None => Err(UnknownTarget::UnknownPart((*one).to_owned())),
        },
        several => {
            let names = several.iter().map(|name| (*name).to_owned()).collect();
            Err(UnknownTarget::SeveralParts(names))
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

    use derate_machine::{BuildFile, find_named_parts};

    use super::*;

    fn script(parts: &[&str]) -> BuildScript {
        let parts = parts.iter().map(|part| (*part).to_owned()).collect();
        BuildScript { parts, ..BuildScript::default() }
    }

    #[test]
    fn a_family_beside_its_part_is_no_second_part() {
        let choose = |parts: &[&str]| choose_part(&[script(parts)], &Build::default(), None);
        let known = choose(&["xc7vx485tffg1761-2", "virtex7"]);
        assert_eq!(known, choose(&["xc7vx485tffg1761-2"]));
        assert!(known.is_ok_and(|part| part.is_some()));
        assert_eq!(choose(&[]), Ok(None));
        assert!(choose(&["xc7vx485tffg1761-2", "xczu9eg-ffvb1156-2-i"]).is_err());
        assert!(choose(&["virtex7"]).is_err());
    }

    #[test]
    fn a_platform_goes_before_the_part_of_a_trial_synthesis() {
        let named = |text: &str| find_named_parts(BuildFile::Cmake, text);
        let both = "set(A_PART xcvu9p-flgb2104-2-i)\nset(A_PLATFORM xilinx_u250_xdma_201830_2)\n";
        let (part, board) = choose_named(&named(both)).unwrap();
        assert_eq!((part.name.as_str(), board), ("xcu250", Some("u250")));
        let two = "set(A_PLATFORM xilinx_u250_xdma)\nset(B_PLATFORM xilinx_u280_xdma)\n";
        assert!(choose_named(&named(two)).unwrap_err().to_string().contains("xcu250, xcu280"));
        assert!(choose_named(&[]).is_err());
    }
}
