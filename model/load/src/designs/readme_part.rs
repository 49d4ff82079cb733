//! The chip that build files name, else the one that a README alone names, unless the design's configuration is for another card.

use derate_hls::Connectivity;
use derate_kernel::Part;
use derate_machine::{NamedPart, Platform};
use derate_project::Build;

use super::choice::{ChosenPart, UnknownTarget, choose_named};

/// A chip with its board.
pub(super) struct NamedChip {
    pub(super) chosen: ChosenPart,
    pub(super) board: Option<&'static str>,
    /// The README that alone names it.
    pub(super) readme: Option<String>,
}

/// Chooses what build files name, else what the README does; `find_card` gives the card of a chip and its board.
pub(super) fn choose_named_or_readme(
    named: &[(String, Vec<NamedPart>)],
    readme: Option<&(String, NamedPart)>,
    build: &Build,
    find_card: impl Fn(&Part, Option<&str>) -> Option<Platform>,
) -> Result<NamedChip, UnknownTarget> {
    match (choose_named(named), readme) {
        (Err(UnknownTarget::NoPart), Some((file, one))) => {
            let of_file = (file.clone(), vec![one.clone()]);
            let (chosen, board) = choose_named(&[of_file])?;
            let connectivity = build.connectivity.as_ref().map(|(_, connectivity)| connectivity);
            let card = find_card(&chosen.part, board);
            let absent = card
                .zip(connectivity)
                .and_then(|(card, own)| Some((find_absent(&card, own)?, card.name)));
            match absent {
                Some((absent, card)) => {
                    Err(UnknownTarget::OtherCard { readme: file.clone(), card, absent })
                }
                None => Ok(NamedChip { chosen, board, readme: Some(file.clone()) }),
            }
        }
        (chosen, _) => chosen.map(|(chosen, board)| NamedChip { chosen, board, readme: None }),
    }
}

/// The first bank or SLR of a configuration that a card does not have.
fn find_absent(card: &Platform, connectivity: &Connectivity) -> Option<String> {
    let lacks = |memory: &str| {
        let has = |known: &str| card.banks.iter().any(|one| one.memory == known);
        matches!(memory, "HBM" | "DDR") && !has(memory) && (has("HBM") || has("DDR"))
    };
    let bank = connectivity.memory.iter().find_map(|pin| {
        let banks = &pin.banks.value;
        let is_beyond =
            banks.last.is_some_and(|last| card.find_banks_below(&banks.memory, last).is_some());
        (is_beyond || lacks(&banks.memory)).then(|| banks.to_string())
    });
    bank.or_else(|| {
        let slr = connectivity.slr.iter();
        slr.filter(|pin| card.find_slrs_below(pin.number()).is_some())
            .map(|pin| pin.slr.value.clone())
            .next()
    })
}
