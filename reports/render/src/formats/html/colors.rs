//! The colours of charts as style rules: the same as in every other format, and lighter ones for a dark background.

use std::fmt::Write;

use super::super::palette;
use crate::{LineStyle, Marker};

/// The classes of lines, marks and bars.
pub(super) fn color_rules() -> String {
    let mut out = String::new();
    for style in LineStyle::BACK_TO_FRONT {
        let name = match style {
            LineStyle::Claimed => "claimed",
            LineStyle::Corrected => "corrected",
            LineStyle::Design => "design",
            LineStyle::Reference => "reference",
        };
        let (color, ink) = palette::line_tint(style);
        push_rule(&mut out, &format!("line-{name}"), color, ink, &palette::on_dark(ink));
    }
    for (marker, name) in [
        (Marker::Hollow, "hollow"),
        (Marker::Solid, "solid"),
        (Marker::Diamond, "diamond"),
        (Marker::Measured, "measured"),
        (Marker::WhatIf, "what-if"),
    ] {
        for rank in 0..3 {
            let (color, ink) = palette::mark_tint(marker, rank);
            push_rule(&mut out, &format!("{name}-{rank}"), color, ink, &palette::on_dark(ink));
        }
    }
    for rank in 0..8 {
        let (color, on_it) = palette::bar_tint(rank);
        push_rule(&mut out, &format!("bar-{rank}"), color, on_it, on_it);
    }
    out
}

/// The classes of the served page, whose points have the colour of their precision.
pub(super) fn precision_rules() -> String {
    let mut out = String::new();
    for (name, (color, ink)) in palette::PRECISIONS {
        push_rule(&mut out, &format!("precision-{name}"), color, ink, &palette::on_dark(ink));
    }
    out
}

fn push_rule(out: &mut String, class: &str, color: &str, ink: &str, dark_ink: &str) {
    let dark = palette::on_dark(color);
    let dark = if class.starts_with("bar") { color } else { &dark };
    let _ = writeln!(
        out,
        ".{class}{{--color:light-dark({color},{dark});--ink:light-dark({ink},{dark_ink})}}"
    );
}
