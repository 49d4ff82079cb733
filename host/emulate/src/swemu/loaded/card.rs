//! The card that a design is made for, and the one that is here.

use derate_model::{Figure, Platform, Provenance};

use crate::emulator::{Bank, Bases, list_banks};
use crate::swemu::SwemuError;
use crate::xclbin;

/// The banks that XRT tells of. Where they are those of the platform, they have its names.
pub(super) fn memory_banks(sizes: &[u64], platform: Option<&Platform>) -> Vec<Bank> {
    let known = platform.map(|one| list_banks(one, Bases::RunningSum).unwrap_or_default());
    let known = known.unwrap_or_default();
    // A description of the card may end with its memories.
    let same = known.iter().zip(sizes).all(|(bank, bytes)| bank.bytes == *bytes);
    if sizes.is_empty() || same && known.len() >= sizes.len() {
        let count = if sizes.is_empty() { known.len() } else { sizes.len() };
        return known.into_iter().take(count).collect();
    }
    let mut next = 0_u64;
    let bank = |(index, &bytes): (usize, &u64)| {
        let source = "XRT's software emulation lets each bank start where the one before ends";
        let base = Figure::new(next as f64, Provenance::Derived, source);
        next = next.saturating_add(bytes);
        Bank { name: format!("bank {index}"), base, bytes }
    };
    sizes.iter().enumerate().map(bank).collect()
}

/// Whether the card is the one that a design was made for, by its banks: those that the design names, else those of the
/// card of the catalogue that it names.
pub(super) fn check_card(
    design: &xclbin::Metadata,
    platform: &Platform,
    note: &mut dyn FnMut(&str),
) -> Result<(), SwemuError> {
    let named = |platform: &Platform| -> Option<Vec<(String, u64)>> {
        let banks = list_banks(platform, Bases::RunningSum).ok()?;
        Some(banks.into_iter().map(|bank| (bank.name, bank.bytes)).collect())
    };
    let board = design.board.as_deref();
    let wanted = Some(design.banks.clone()).filter(|banks| !banks.is_empty());
    let wanted = wanted.or_else(|| named(&Platform::named(board?).ok()?));
    let (Some(wanted), Some(own)) = (wanted, named(platform)) else {
        note(
            "the design does not say what card it is made for, so its banks are not held against this one's",
        );
        return Ok(());
    };
    let pairs = (0..wanted.len().max(own.len())).map(|at| (wanted.get(at), own.get(at)));
    let Some((wanted, own)) = pairs.into_iter().find(|(wanted, own)| wanted != own) else {
        return Ok(());
    };
    let spell = |bank: Option<&(String, u64)>| match bank {
        Some((name, bytes)) => format!("{name} of {} MiB", bytes >> 20),
        None => "no bank".to_owned(),
    };
    Err(SwemuError::OtherCard {
        board: board.unwrap_or("another card").to_owned(),
        wanted: spell(wanted),
        card: platform.name.clone(),
        own: spell(own),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xclbin::Metadata;

    fn held(design: &Metadata, card: &str) -> (Option<String>, usize) {
        let mut notes = 0;
        let platform = Platform::named(card).unwrap();
        let held = check_card(design, &platform, &mut |_| notes += 1);
        (held.err().map(|error| error.to_string()), notes)
    }

    #[test]
    fn a_design_names_its_banks_or_its_card() {
        let of_board =
            |board: &str| Metadata { board: Some(board.to_owned()), ..Metadata::default() };
        assert_eq!(held(&of_board("u280"), "u280"), (None, 0));
        assert_eq!(held(&of_board("someboard"), "u280"), (None, 1));
        assert_eq!(held(&Metadata::default(), "u280"), (None, 1));
        let (refused, _) = held(&of_board("u280"), "u50");
        let refused = refused.unwrap();
        assert!(
            refused.starts_with(
                "the design is made for u280, and the card here is u50: that has DDR[0]"
            ),
            "{refused}"
        );
        // A card of one's own that only has the name of another.
        let own = Metadata { banks: vec![("DDR[0]".to_owned(), 1 << 34)], ..of_board("u280") };
        assert!(
            held(&own, "u280")
                .0
                .unwrap()
                .contains("that has DDR[0] of 16384 MiB where this has HBM[0] of 256 MiB")
        );
    }
}
