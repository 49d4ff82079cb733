//! Which chip a design is built for, of all that its files name.

use std::collections::{BTreeMap, BTreeSet};

use derate_kernel::{Part, find_part};
use derate_machine::{Family, NamedPart, PartName, Platform};
use derate_project::Build;
use thiserror::Error;

use crate::paths::folder_of;
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
    /// Only a README names a card, and the configuration is for another one.
    #[error("only {readme} names a card, and {card} does not have `{absent}` of the configuration")]
    OtherCard {
        /// The README.
        readme: String,
        /// Its card.
        card: String,
        /// A bank or an SLR.
        absent: String,
    },
    /// A platform of the user's, without the amounts of its chip.
    #[error("the platform {0} does not say what its chip has")]
    UnknownChip(String),
}

/// A chip, and others that the design is built for too.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ChosenPart {
    /// The chip that is taken.
    pub(crate) part: Part,
    /// The names of the others.
    pub(crate) others: Vec<String>,
}

impl UnknownTarget {
    /// The families of the parts that are named.
    pub(crate) fn families(&self) -> BTreeSet<Family> {
        let names = match self {
            Self::UnknownPart(name) => std::slice::from_ref(name),
            Self::SeveralParts(names) => names.as_slice(),
            Self::NoPart | Self::UnknownChip(_) | Self::OtherCard { .. } => &[],
        };
        let parts = names.iter().filter_map(|name| PartName::parse(name));
        parts.map(|part| Family::of_part(&part)).collect()
    }
}

/// The chip that scripts, reports or the card name; `None` where none of them names one. Of several that scripts build for, it is
/// the one that the reports name, else the first. Where reports are for several, some are of earlier runs.
pub(crate) fn choose_part(
    scripts: &[BuildScript],
    build: &Build,
    card: Option<&Platform>,
) -> Result<Option<ChosenPart>, UnknownTarget> {
    let reported = build.reports.iter().filter_map(|report| report.part.as_ref());
    let reported: Vec<&str> = reported.map(|part| part.value.as_str()).collect();
    let first = choose_first(scripts, &reported);
    let scripted = scripts.iter().flat_map(|script| script.parts.iter().map(String::as_str));
    let mut known: BTreeMap<String, Part> = BTreeMap::new();
    let mut unknown = BTreeSet::new();
    for name in scripted.chain(reported.iter().copied()) {
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
        (1, 0) => Ok(known.into_values().next().map(ChosenPart::alone)),
        (0, 0) => Ok(card.and_then(derate_kernel::find_card_part).map(ChosenPart::alone)),
        (0, 1) => find_family(&names.remove(0)).map(|part| Some(ChosenPart::alone(part))),
        _ => match first {
            Some(part) => {
                names.retain(|name| *name != part.name);
                Ok(Some(ChosenPart { part, others: names }))
            }
            None => Err(UnknownTarget::SeveralParts(names)),
        },
    }
}

/// A part that is not in the table, with the operators of its family.
fn find_family(name: &str) -> Result<Part, UnknownTarget> {
    let part = PartName::parse(name).map(|part| Part::of_family(&part));
    part.ok_or_else(|| UnknownTarget::UnknownPart(name.to_owned()))
}

impl ChosenPart {
    fn alone(part: Part) -> Self {
        Self { part, others: Vec::new() }
    }
}

/// Of several chips, the one of the reports, else the one of the first script that names one chip; where the reports name
/// several, that one has to be among them.
fn choose_first(scripts: &[BuildScript], reported: &[&str]) -> Option<Part> {
    let sole = |names: &[&str]| {
        let found: Option<Vec<Part>> = names.iter().map(|name| find_part(name)).collect();
        let found = found.unwrap_or_default();
        let first = found.first()?.clone();
        found.iter().all(|one| one.name == first.name).then_some(first)
    };
    if let Some(part) = sole(reported) {
        return Some(part);
    }
    let is_reported = |part: &Part| {
        reported.is_empty()
            || reported.iter().any(|name| sole(&[name]).is_some_and(|one| one.name == part.name))
    };
    let mut named = scripts.iter().filter(|script| !script.parts.is_empty());
    let names =
        |script: &BuildScript| sole(&script.parts.iter().map(String::as_str).collect::<Vec<_>>());
    named.find_map(names).filter(is_reported)
}

/// The one board, else the one chip, that files name which only run the tools. Where the files of several folders each name one
/// chip, as those of `boards/NAME` do, it is the first.
pub(crate) fn choose_named(
    named: &[(String, Vec<NamedPart>)],
) -> Result<(ChosenPart, Option<&'static str>), UnknownTarget> {
    let all = || named.iter().flat_map(|(_, parts)| parts);
    let boards: BTreeSet<&'static str> = all().filter_map(|one| one.board).collect();
    let is_asked = |one: &&NamedPart| boards.is_empty() || one.board.is_some();
    let devices: BTreeSet<&str> = all().filter(is_asked).map(|one| one.part.device()).collect();
    if let Some(chosen) = choose_first_folder(named, &devices) {
        return Ok((chosen, None));
    }
    match Vec::from_iter(devices).as_slice() {
        [] => Err(UnknownTarget::NoPart),
        [one] => match find_part(one) {
            Some(part) => {
                let board = boards.first().copied().filter(|_| boards.len() == 1);
                Ok((ChosenPart::alone(part), board))
            }
            None => Ok((ChosenPart::alone(find_family(one)?), None)),
        },
        several => {
            let names = several.iter().map(|name| (*name).to_owned()).collect();
            Err(UnknownTarget::SeveralParts(names))
        }
    }
}

/// The chip of the first of several folders, where the files of each name one chip, and these are not all the same.
fn choose_first_folder(
    named: &[(String, Vec<NamedPart>)],
    devices: &BTreeSet<&str>,
) -> Option<ChosenPart> {
    let mut folders: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, parts) in named {
        let own = parts.iter().map(|one| one.part.device()).filter(|one| devices.contains(one));
        folders.entry(folder_of(name)).or_default().extend(own);
    }
    folders.retain(|_, own| !own.is_empty());
    let is_open = folders.len() > 1 && devices.len() > 1;
    let is_each = is_open && folders.values().all(|own| own.len() == 1);
    let first = folders.values().next().filter(|_| is_each)?.first()?;
    let others = devices.iter().filter(|one| *one != first).map(|one| (*one).to_owned());
    Some(ChosenPart { part: find_part(first)?, others: others.collect() })
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
        // Two scripts build it for two boards.
        let two = [script(&["xc7z020clg400-1"]), script(&["xck26-sfvc784-2LV-c"])];
        let chosen = choose_part(&two, &Build::default(), None).unwrap().unwrap();
        assert_eq!(
            (chosen.part.name.as_str(), chosen.others),
            ("xc7z020", vec!["xck26".to_owned()])
        );
        // The first one that is known is taken.
        let odd = [script(&["xc9z999clg400-1"]), script(&["xck26-sfvc784-2LV-c"])];
        let chosen = choose_part(&odd, &Build::default(), None).unwrap().unwrap();
        assert_eq!((chosen.part.name.as_str(), chosen.others.len()), ("xck26", 1));
        assert!(choose(&["virtex7"]).is_err());
        // Of a part that is not in the table the family is known.
        let edge = choose(&["xcve2302-sfva784-1LP-e-S"]).unwrap().unwrap().part;
        assert_eq!(
            (edge.name.as_str(), edge.family, edge.lacks_counts),
            ("xcve2302", Family::Versal, true)
        );
    }

    #[test]
    fn of_reports_for_two_parts_the_one_of_the_script_counts() {
        let report = |part: &str| {
            let text = format!(
                "== Vitis HLS Report for 'top'\n================\n* Target device:  {part}\n"
            );
            let mut sources = derate_hls::Sources::default();
            let file = sources.add("top_csynth.rpt", text);
            derate_hls::read_report(&sources, file).unwrap()
        };
        let (old, new) = ("xczu3eg-sfvc784-2-i", "xck26-sfvc784-2LVI-i");
        let build = Build { reports: vec![report(old), report(new)], ..Build::default() };
        let chosen =
            choose_part(&[script(&["xck26-sfvc784-2LV-c"])], &build, None).unwrap().unwrap();
        assert_eq!((chosen.part.name.as_str(), chosen.others.len()), ("xck26", 1));
        assert!(choose_part(&[script(&["xc7z020clg400-1"])], &build, None).is_err());
        assert!(choose_part(&[], &build, None).is_err());
    }

    #[test]
    fn a_platform_goes_before_the_part_of_a_trial_synthesis() {
        let named =
            |text: &str| [("CMakeLists.txt".to_owned(), find_named_parts(BuildFile::Cmake, text))];
        let both = "set(A_PART xcvu9p-flgb2104-2-i)\nset(A_PLATFORM xilinx_u250_xdma_201830_2)\n";
        let (part, board) = choose_named(&named(both)).unwrap();
        assert_eq!((part.part.name.as_str(), board), ("xcu250", Some("u250")));
        let two = "set(A_PLATFORM xilinx_u250_xdma)\nset(B_PLATFORM xilinx_u280_xdma)\n";
        assert!(choose_named(&named(two)).unwrap_err().to_string().contains("xcu250, xcu280"));
        assert!(choose_named(&[]).is_err());
    }

    #[test]
    fn of_the_folders_of_boards_the_first_is_taken() {
        let of = |name: &str, parts: &[&str]| {
            let lines: Vec<String> =
                parts.iter().map(|part| format!("set_part {part}\n")).collect();
            (name.to_owned(), find_named_parts(BuildFile::Tcl, &lines.concat()))
        };
        let (kria, zynq) = ("xck26-sfvc784-2LV-c", "xc7z020clg400-1");
        let boards = [of("boards/KV260/bd.tcl", &[kria]), of("boards/Pynq-Z2/bd.tcl", &[zynq])];
        let (chosen, board) = choose_named(&boards).unwrap();
        assert_eq!((chosen.part.name.as_str(), board), ("xck26", None));
        assert_eq!(chosen.others, ["xc7z020"]);
        // One folder has a choice, or a file does.
        assert!(choose_named(&[of("a/x.tcl", &[kria]), of("a/y.tcl", &[zynq])]).is_err());
        assert!(choose_named(&[boards[0].clone(), of("b/x.tcl", &[zynq, kria])]).is_err());
    }
}
