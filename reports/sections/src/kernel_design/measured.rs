//! Measured times beside the predicted ones.

use derate_design::{ComparedTime, Doubt, ExplainingTerm, KernelDesign, TermKind, TimeVerdict};
use derate_project::Timer;
use derate_render::{Cell, Column, NumberFormat, Table};
use derate_units::figures::{quantity, significant};
use derate_units::{BytesPerSecond, Hertz, Seconds};

/// Each measured time; `None` where there is none.
pub(super) fn tabulate_measured(design: &KernelDesign) -> Option<Table> {
    let row = |one: &ComparedTime| {
        let four = NumberFormat::Significant(4);
        let verdict = match one.verdict {
            TimeVerdict::Agrees => "agrees",
            TimeVerdict::Slower => "slower",
            TimeVerdict::Faster => "below the model's minimum",
            TimeVerdict::NotEvidence => "not evidence: an emulation",
        };
        let timer = match one.timer {
            Timer::Card => "card",
            Timer::Host => "host",
        };
        vec![
            Cell::text(one.kernel.as_deref().unwrap_or("inference")),
            Cell::number(1e3 * one.measured.value.0, four),
            Cell::number(1e3 * one.predicted.value.0, four),
            Cell::number(1e3 * one.range[0].0, four),
            Cell::number(1e3 * one.range[1].0, four),
            Cell::number(100.0 * one.error, NumberFormat::Significant(3)),
            one.at_clock.map_or(Cell::Empty, |time| Cell::number(1e3 * time.0, four)),
            Cell::text(verdict),
            Cell::text(timer),
            Cell::text(one.measured.provenance.to_string()),
            Cell::text(&one.measured.source),
        ]
    };
    (!design.measured.is_empty()).then(|| Table {
        name: "design-measured".to_owned(),
        caption: "Measured beside predicted, of one call or one inference".to_owned(),
        columns: vec![
            Column::text("subject", "Of"),
            Column::number("measured", "Measured", "ms"),
            Column::number("predicted", "Predicted", "ms"),
            Column::number("low", "At least", "ms"),
            Column::number("high", "At most", "ms"),
            Column::number("error", "Error", "%"),
            Column::number("at_clock", "At the card's clock", "ms"),
            Column::text("verdict", "Verdict"),
            Column::text("timer", "Timed by"),
            Column::text("provenance", "Known as"),
            Column::text("source", "Source"),
        ],
        rows: design.measured.iter().map(row).collect(),
    })
}

/// The measured time of an inference, if there is evidence of one.
pub(super) fn describe_measured(design: &KernelDesign) -> Option<String> {
    let whole = design.measured.iter().find(|one| one.kernel.is_none())?;
    let said = match whole.verdict {
        TimeVerdict::NotEvidence => return None,
        TimeVerdict::Agrees => ", which agrees",
        TimeVerdict::Slower => ", which is slower than modelled",
        TimeVerdict::Faster => ", which is below the model's minimum",
    };
    Some(format!("An inference was measured at {}{said}.", quantity(whole.measured.value)))
}

/// A sentence or two about each time that the model does not give.
pub(super) fn explain_times(design: &KernelDesign) -> Vec<String> {
    design.measured.iter().filter_map(explain_time).collect()
}

fn explain_time(one: &ComparedTime) -> Option<String> {
    let subject = one
        .kernel
        .as_ref()
        .map_or_else(|| "The inference".to_owned(), |kernel| format!("`{kernel}`"));
    let lead = match one.verdict {
        TimeVerdict::Slower => {
            format!("{subject} is slower than the model gives.")
        }
        TimeVerdict::Faster => {
            let roof = one.roof.filter(|roof| one.measured.value < *roof).map_or_else(
                String::new,
                |roof| {
                    format!(
                        " It is below the {} that the whole card needs for this work, so not all of the work was timed.",
                        quantity(roof)
                    )
                },
            );
            format!("{subject} was measured below the model's minimum.{roof}")
        }
        TimeVerdict::Agrees | TimeVerdict::NotEvidence => return None,
    };
    let mut possible = one.terms.iter().filter(|term| term.doubt.is_none());
    let likely = possible.next().map_or_else(
        || " No term of the prediction alone gives the measured time.".to_owned(),
        |term| format!(" {}", write_term(term)),
    );
    let other = possible
        .next()
        .map_or_else(String::new, |term| format!(" Else: {}", lower_first(&write_term(term))));
    let ruled_out: Vec<String> = one
        .terms
        .iter()
        .filter_map(|term| Some(format!("{} ({})", name_term(term.term), write_doubt(term.doubt?))))
        .collect();
    let ruled_out = if ruled_out.is_empty() {
        String::new()
    } else {
        format!(" Ruled out: {}.", ruled_out.join("; "))
    };
    Some(format!("{lead}{likely}{other}{ruled_out}"))
}

fn name_term(term: TermKind) -> &'static str {
    match term {
        TermKind::Clock => "the clock",
        TermKind::Launch => "the host's calls",
        TermKind::Transfers => "the transfers",
        TermKind::Bandwidth => "the bandwidth",
        TermKind::MemoryStall => "waits for memory",
        TermKind::Loops => "the loops",
        TermKind::OtherWork => "work that no kernel serves",
        TermKind::Sequence => "the order of the kernels",
    }
}

fn write_doubt(doubt: Doubt) -> &'static str {
    match doubt {
        Doubt::ClockKnown => "it is known",
        Doubt::ClockAbove => "it would be faster than the design's",
        Doubt::ClockFarBelow => "it would be less than half of the design's",
        Doubt::NotEnough => "even none of it is not enough",
    }
}

/// What a term would have to be.
fn write_term(term: &ExplainingTerm) -> String {
    let needed = term.needed.unwrap_or(0.0);
    let times =
        term.factor.map_or_else(String::new, |factor| format!("{} times", significant(factor, 3)));
    let text = match term.term {
        TermKind::Clock => format!(
            "A clock of {} instead of {} gives the measured time.",
            quantity(Hertz(needed)),
            quantity(Hertz(term.predicted))
        ),
        TermKind::Launch => format!(
            "{} for each call of the host instead of {} give the measured time.",
            quantity(Seconds(needed)),
            quantity(Seconds(term.predicted))
        ),
        TermKind::Transfers => format!(
            "Transfers at {} instead of {} give the measured time.",
            quantity(BytesPerSecond(needed)),
            quantity(BytesPerSecond(term.predicted))
        ),
        TermKind::Bandwidth => {
            format!("Stages that ports hold would have to take {times} as long.")
        }
        TermKind::MemoryStall => {
            format!("{} of waiting for memory give the measured time.", quantity(Seconds(needed)))
        }
        TermKind::Loops => {
            format!("The loops would have to take {times} as long: other intervals, or iterations.")
        }
        TermKind::OtherWork => {
            format!("{} are left for the work that no kernel serves.", quantity(Seconds(needed)))
        }
        TermKind::Sequence => {
            "Kernels that run side by side, not one after another, can take that long.".to_owned()
        }
    };
    let seen = term.observed.map_or_else(String::new, |observed| match term.term {
        TermKind::Clock => format!(" The card ran at {}.", quantity(Hertz(observed))),
        _ => format!(" The card counted {}.", quantity(Seconds(observed))),
    });
    format!("{text}{seen}")
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or_else(String::new, |first| format!("{}{}", first.to_lowercase(), chars.as_str()))
}
