//! For which chip, card and clock a design is built, and which functions are its tops.

use std::collections::{BTreeMap, BTreeSet};

use derate_estimate::{DesignClock, DesignFiles};
use derate_hls::Sources;
use derate_kernel::{Part, find_card_part, find_part};
use derate_machine::{FlowTarget, NamedPart, PartName, Platform};
use derate_project::Build;
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
    let scripts = keep_own_clocks(scripts, part.as_ref().ok(), &plan.named);
    let of_part = |own: &[BuildScript]| keep_clocks_of_part(own, part.as_ref().ok(), &design.build);
    let named = given_clock.map_or_else(
        || choose_clock(&of_part(&scripts), &design.build, sources),
        DesignClock::named,
    );
    let is_open = named.is_assumed();
    // v++ and TAPA build for the clock of the card where no option asks for another.
    let built: BTreeSet<String> = scripts
        .iter()
        .filter(|one| one.is_of_commands())
        .flat_map(|one| one.tops.clone())
        .collect();
    let of_card = part.as_ref().ok().and_then(|part| {
        let card = find_named_card(&plan.named, part, cards)?;
        find_card_clock(card).filter(|_| is_open && clock.is_none() && !built.is_empty())
    });
    clock = clock.or(of_card.filter(|_| design.tops.is_subset(&built)));
    design.clock = match clock {
        Some(clock) if is_open => DesignClock::named(clock),
        _ => named,
    };
    let choose_own = |own: &[BuildScript]| {
        given_clock.is_none().then(|| choose_clock(&of_part(own), &design.build, sources))
    };
    let asked = choose_directives(&scripts, &design.clock, choose_own);
    design.asked = asked;
    if let Some(clock) = of_card {
        let own = design.asked.own.iter_mut().filter(|(top, _)| built.contains(*top));
        own.for_each(|(_, asked)| asked.clock = asked.clock.or(Some(clock)));
    }
    match part {
        Ok(part) => design.part = Some(part),
        Err(reason) => {
            design.families = reason.families();
            design.unknown_part = Some(reason.to_string());
        }
    }
}

/// The scripts without the clocks of commands that build for another chip.
fn keep_own_clocks(
    mut scripts: Vec<BuildScript>,
    part: Option<&Part>,
    named: &[(String, Vec<NamedPart>)],
) -> Vec<BuildScript> {
    let Some(part) = part else { return scripts };
    for script in scripts.iter_mut().filter(|script| script.is_of_commands()) {
        let mut parts =
            named.iter().filter(|(file, _)| *file == script.name).flat_map(|one| &one.1).peekable();
        if parts.peek().is_some() && parts.all(|one| one.part.device() != part.name) {
            script.solutions.iter_mut().for_each(|solution| solution.clocks.clear());
        }
    }
    scripts
}

/// The scripts without the clocks of those for another chip, where a report or a script names both the one that is taken and its
/// clock: chip and clock are of one run.
fn keep_clocks_of_part(
    scripts: &[BuildScript],
    part: Option<&Part>,
    build: &Build,
) -> Vec<BuildScript> {
    let mut scripts = scripts.to_vec();
    let Some(part) = part else { return scripts };
    let is_it = |name: &str| {
        find_part(name).is_some_and(|one| one.name == part.name)
            || PartName::parse(name).is_some_and(|one| one.device() == part.name)
    };
    let has_run = build.reports.iter().any(|one| {
        one.part.as_ref().is_some_and(|own| is_it(&own.value)) && one.clock.target.is_some()
    });
    let is_for_it = |one: &BuildScript| one.parts.iter().any(|name| is_it(name));
    let has_both = |one: &BuildScript| is_for_it(one) && one.names_clock();
    if !has_run && !scripts.iter().any(has_both) {
        return scripts;
    }
    // A family, as `virtex7`, is another chip, too.
    let is_other = |one: &&mut BuildScript| !one.parts.is_empty() && !is_for_it(one);
    for script in scripts.iter_mut().filter(is_other) {
        script.solutions.iter_mut().for_each(|solution| solution.clocks.clear());
    }
    scripts
}

/// The card with this chip that files name which run the tools.
fn find_named_card<'c>(
    named: &[(String, Vec<NamedPart>)],
    part: &Part,
    cards: &'c BTreeMap<String, Platform>,
) -> Option<&'c Platform> {
    let boards = named.iter().flat_map(|(_, parts)| parts).filter_map(|one| cards.get(one.board?));
    let mut fitting =
        boards.filter(|card| find_card_part(card).is_some_and(|own| own.name == part.name));
    let first = fitting.next()?;
    fitting.all(|other| other.name == first.name).then_some(first)
}

/// The clock at which v++ links kernels for a card where no file asks for another; none of a board that it does not build for.
fn find_card_clock(card: &Platform) -> Option<Hertz> {
    (card.flow.value == FlowTarget::Vitis).then_some(card.clock.value)
}

#[cfg(test)]
mod tests {
    use derate_kernel::find_part;

    use super::*;
    use crate::search::Solution;

    fn script(part: &str, ns: Option<f64>) -> BuildScript {
        let solution = Solution { clocks: ns.into_iter().collect(), ..Solution::default() };
        BuildScript {
            parts: vec![part.to_owned()],
            solutions: vec![solution],
            ..BuildScript::default()
        }
    }

    /// The clocks in ns that are left for xc7z020.
    fn keep(scripts: &[BuildScript]) -> Vec<f64> {
        let part = find_part("xc7z020");
        let kept = keep_clocks_of_part(scripts, part.as_ref(), &Build::default());
        kept.iter().flat_map(|one| &one.solutions).flat_map(|one| one.clocks.clone()).collect()
    }

    #[test]
    fn the_clock_is_of_the_script_that_names_the_chip() {
        let own = script("xc7z020-clg484-1", Some(10.0));
        assert_eq!(keep(&[script("virtex7", Some(5.0)), own.clone()]), [10.0]);
        assert_eq!(keep(&[own.clone(), script("xck26-sfvc784-2LV-c", Some(4.0))]), [10.0]);
        // A script that names no chip, and a chip without a clock.
        let open = BuildScript { parts: Vec::new(), ..script("", Some(8.0)) };
        assert_eq!(keep(&[open, own]), [8.0, 10.0]);
        assert_eq!(keep(&[script("virtex7", Some(5.0)), script("xc7z020-clg484-1", None)]), [5.0]);
    }
}
