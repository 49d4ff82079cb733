//! For which chip, card and clock a design is built, and which functions are its tops.

use std::collections::BTreeMap;

use derate_estimate::{DesignClock, DesignFiles};
use derate_hls::Sources;
use derate_kernel::{Part, find_card_part};
use derate_machine::{FlowTarget, NamedPart, Platform};
use derate_units::Hertz;

use super::choice::{ChosenPart, UnknownTarget, choose_part};
use super::clock::choose_clock;
use super::design::DesignPlan;
use super::directives::choose_directives;
use super::readme_part::{NamedChip, choose_named_or_readme};
use crate::given::Given;
use crate::search::{BuildScript, list_own};

/// Sets tops, chip, card and clock.
///
/// What names the chip, the first that does: the tool's own files, its reports and the v++ configuration; the card of
/// `derate.toml`; Makefiles, `CMake` and shell scripts; the READMEs. Where the tool's files name several chips,
/// `derate.toml` decides. The clock of `derate.toml` is that of its card: a design for another chip has a clock of its own.
pub(crate) fn set_target(
    design: &mut DesignFiles,
    plan: &DesignPlan,
    (card, readme): (Option<Platform>, Option<&(String, NamedPart)>),
    given: &Given,
    cards: &BTreeMap<String, Platform>,
    sources: &Sources,
) {
    let of_part =
        |part: &Part| cards.get(&derate_estimate::starter::find_card(&part.name)?).cloned();
    let scripts = list_own(&plan.scripts, &design.code);
    design.tops = scripts.iter().flat_map(|script| script.tops.iter().cloned()).collect();
    let own = choose_part(&scripts, &design.build, card.as_ref());
    let is_open = |chosen: &ChosenPart| given.platform.is_none() || chosen.others.is_empty();
    let own = own.map(|chosen| chosen.filter(is_open));
    let (mut clock, mut is_given) = (None, true);
    let part = match (own, &given.platform) {
        (Ok(Some(ChosenPart { part, others })), platform) => {
            design.other_parts = others;
            let is_it = |platform: &&Platform| {
                find_card_part(platform).is_some_and(|own| own.name == part.name)
            };
            let named = platform.as_ref().filter(is_it).cloned();
            is_given = named.is_some() || platform.is_none();
            clock = card.as_ref().and_then(find_card_clock);
            design.platform = card.or(named).or_else(|| of_part(&part));
            Ok(part)
        }
        (_, Some(platform)) => {
            design.platform = card.or_else(|| Some(platform.clone()));
            clock = Some(platform.clock.value);
            let unknown = || UnknownTarget::UnknownChip(platform.name.clone());
            find_card_part(platform).ok_or_else(unknown)
        }
        (Ok(None), None) => {
            let find = |part: &Part, board: Option<&str>| {
                board.and_then(|board| cards.get(board).cloned()).or_else(|| of_part(part))
            };
            let named = choose_named_or_readme(&plan.named, readme, &design.build, find);
            named.map(|NamedChip { chosen, board, readme }| {
                let ChosenPart { part, others } = chosen;
                (design.other_parts, design.part_from) = (others, readme);
                let named = board.and_then(|board| cards.get(board).cloned());
                clock = card.as_ref().or(named.as_ref()).and_then(find_card_clock);
                design.platform = card.or(named).or_else(|| of_part(&part));
                part
            })
        }
        (Err(reason), None) => {
            design.platform = card;
            Err(reason)
        }
    };
    let given_clock = given.clock.filter(|_| is_given);
    let named = given_clock
        .map_or_else(|| choose_clock(&scripts, &design.build, sources), DesignClock::named);
    design.clock = match clock {
        Some(clock) if named.is_assumed() => DesignClock::named(clock),
        _ => named,
    };
    let choose_own = |own: &[BuildScript]| {
        given_clock.is_none().then(|| choose_clock(own, &design.build, sources))
    };
    let asked = choose_directives(&scripts, &design.clock, choose_own);
    design.asked = asked;
    match part {
        Ok(part) => design.part = Some(part),
        Err(reason) => {
            design.families = reason.families();
            design.unknown_part = Some(reason.to_string());
        }
    }
}

/// The clock at which v++ links kernels for a card where no file asks for another; none of a board that it does not build for.
fn find_card_clock(card: &Platform) -> Option<Hertz> {
    (card.flow.value == FlowTarget::Vitis).then_some(card.clock.value)
}
