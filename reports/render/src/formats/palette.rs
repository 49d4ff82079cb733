//! The colours of charts, the same in every format: the set of Okabe and Ito, which colour-blind readers can distinguish.

use crate::{LineStyle, Marker};

/// The lines at decades.
pub(super) const GRID: &str = "#d9dee4";
/// The lines between them.
pub(super) const FINE_GRID: &str = "#eff2f5";

/// A colour, and the darker colour of its text.
type Tint = (&'static str, &'static str);

const VERMILION: Tint = ("#d55e00", "#9c4500");
const BLUE: Tint = ("#0072b2", "#00568a");
const GREEN: Tint = ("#009e73", "#006b4e");
const PURPLE: Tint = ("#cc79a7", "#97446f");

pub(super) fn line_tint(style: LineStyle) -> Tint {
    match style {
        LineStyle::Claimed => VERMILION,
        LineStyle::Corrected => BLUE,
        LineStyle::Design => PURPLE,
        LineStyle::Reference => ("#8a94a0", "#5f6b76"),
    }
}

/// The colour of the first, second, … series with a marker.
pub(super) fn mark_tint(marker: Marker, rank: usize) -> Tint {
    let tints = match marker {
        Marker::Hollow => [VERMILION, ("#e69f00", "#8a5f00"), PURPLE],
        Marker::Solid => [BLUE, GREEN, ("#56b4e9", "#1b6fa3")],
        Marker::Diamond => [("#1f2933", "#1f2933"), PURPLE, GREEN],
        Marker::Measured => [GREEN, ("#56b4e9", "#1b6fa3"), PURPLE],
        // It is a diamond too, so its colours differ from those of `Diamond`.
        Marker::WhatIf => [("#e69f00", "#8a5f00"), ("#56b4e9", "#1b6fa3"), VERMILION],
    };
    tints[rank % tints.len()]
}

/// The fill of the first, second, … series of bars, and the colour of a figure on it.
pub(super) fn bar_tint(rank: usize) -> Tint {
    const DARK: &str = "#1f2933";
    const LIGHT: &str = "#ffffff";
    let fills = [
        ("#0072b2", LIGHT),
        ("#e69f00", DARK),
        ("#009e73", LIGHT),
        ("#cc79a7", DARK),
        ("#56b4e9", DARK),
        ("#d55e00", LIGHT),
        ("#8a94a0", DARK),
        ("#f0e442", DARK),
    ];
    fills[rank % fills.len()]
}

/// The colours of precisions and encodings by name; the first is the default.
pub(super) const PRECISIONS: [(&str, Tint); 22] = [
    ("other", ("#8a94a0", "#5f6b76")),
    ("fp32", ("#1f2933", "#1f2933")),
    ("tf32", ("#8c6d00", "#705700")),
    ("fp16", ("#e67e00", "#914f00")),
    ("bf16", ("#c2185b", "#a3124b")),
    ("fp8_e4m3", GREEN),
    ("fp8_e5m2", ("#5fb800", "#3f7a00")),
    ("mxfp8", ("#00695c", "#00534a")),
    ("mxfp8-e5m2", ("#33691e", "#2a5518")),
    ("mxfp6", ("#795548", "#5d4037")),
    ("mxfp6-e2m3", ("#b3702f", "#7a4a1d")),
    ("mxfp4", ("#512da8", "#45248f")),
    ("nvfp4", ("#8a3ffc", "#6929c4")),
    ("nf4", PURPLE),
    ("nf4-double", ("#ef5fa7", "#a3306d")),
    ("int8", ("#00a3bf", "#006878")),
    ("int8-row", ("#4dc3d9", "#006f80")),
    ("mxint8", ("#0b4f6c", "#0b4f6c")),
    ("int4", BLUE),
    ("int4-g128", ("#5c9ded", "#2a62ad")),
    ("int4-g128-zp", ("#3949ab", "#2f3c8f")),
    ("int4-g32", ("#8c9eff", "#4053b5")),
];

/// The colour on a dark ground: mixed with white until it is light enough to be read there.
pub(super) fn on_dark(color: &str) -> String {
    const ENOUGH: u32 = 450;
    let parts = parse_rgb(color).to_be_bytes().map(u32::from);
    let mixed = |share: u32| parts.map(|part| part + (255 - part) * share / 20);
    let light = (0..=20).map(mixed).find(|mixed| mixed[1..].iter().sum::<u32>() >= ENOUGH);
    let [_, red, green, blue] = light.unwrap_or([255; 4]);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// A colour as a number, 0xRRGGBB.
pub(super) fn parse_rgb(color: &str) -> u32 {
    u32::from_str_radix(color.trim_start_matches('#'), 16).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_is_a_number_and_its_text_is_no_lighter() {
        let lines = LineStyle::BACK_TO_FRONT.map(line_tint);
        let marks =
            [Marker::Hollow, Marker::Solid, Marker::Diamond, Marker::Measured, Marker::WhatIf];
        let marks =
            marks.into_iter().flat_map(|marker| (0..3).map(move |rank| mark_tint(marker, rank)));
        let light =
            |color: &str| parse_rgb(color).to_be_bytes().into_iter().map(u32::from).sum::<u32>();
        let precisions = PRECISIONS.map(|(_, tint)| tint);
        for (color, ink) in lines.into_iter().chain(marks).chain(precisions) {
            assert_eq!(format!("#{:06x}", parse_rgb(color)), color);
            assert_eq!(format!("#{:06x}", parse_rgb(ink)), ink);
            assert!(light(ink) <= light(color), "{color} {ink}");
            assert!(light(&on_dark(ink)) >= 450, "{ink}");
        }
    }

    #[test]
    fn no_two_diamonds_look_alike() {
        let of = |marker| (0..3).map(move |rank| mark_tint(marker, rank).0);
        let mut colors: Vec<_> = of(Marker::Diamond).chain(of(Marker::WhatIf)).collect();
        colors.sort_unstable();
        assert!(colors.windows(2).all(|pair| pair[0] != pair[1]), "{colors:?}");
    }

    #[test]
    fn no_two_precisions_look_alike() {
        for ground in [str::to_owned, on_dark] {
            let mut colors = PRECISIONS.map(|(_, (color, _))| ground(color));
            colors.sort();
            assert!(colors.windows(2).all(|pair| pair[0] != pair[1]), "{colors:?}");
        }
    }
}
