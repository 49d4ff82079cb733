//! Which changes come first.

use super::FigureChange;
use super::gathered::FigureKey;

/// What a reader looks for.
const HEADLINE: [&str; 3] = ["latency", "roofline time", "bound"];

/// The inputs of a scenario.
const GIVEN: [&str; 4] = ["precision", "tokens", "bandwidth", "on-chip memory"];

const INPUTS: &str = "inputs";

/// Groups of figures that are not a scenario.
const GROUPS: [&str; 3] = [INPUTS, "measured", "points"];

const SENSITIVITY: &str = "sensitivity";

/// What was put in, then what came out, then what was measured, then the rest of a whole inference, then what it is made of.
pub(super) fn rank_change(change: &FigureChange) -> u8 {
    let scenario = change.scenario.as_str();
    let is_whole = change.part.is_empty() && change.schedule.is_empty();
    match () {
        () if scenario == INPUTS => 0,
        () if GROUPS.contains(&scenario) => 3,
        () if scenario == SENSITIVITY => 8,
        () if is_headline(change) => 2,
        () if is_whole && is_given(&change.figure) => 1,
        () if is_whole && !is_term(&change.figure) => 4,
        () if is_whole => 5,
        () if change.part.is_empty() => 6,
        () => 7,
    }
}

/// Whether it is what a reader looks for.
pub(super) fn is_headline(change: &FigureChange) -> bool {
    let is_whole = change.part.is_empty() && change.schedule.is_empty();
    is_whole && HEADLINE.contains(&&*change.figure)
}

/// Whether it is the answer with another assumption.
pub(super) fn is_answer(change: &FigureChange) -> bool {
    change.scenario == SENSITIVITY && change.figure == "answer then"
}

fn is_given(figure: &str) -> bool {
    GIVEN.contains(&figure) || figure.starts_with("peak, ") || is_of_array(figure)
}

fn is_of_array(figure: &str) -> bool {
    figure.starts_with("array: ")
}

/// Whether a figure is one of those that an answer is made of.
pub(super) fn is_detail(key: &FigureKey) -> bool {
    let in_scenario = !GROUPS.contains(&&*key.scenario) && key.scenario != SENSITIVITY;
    let is_made_of = !key.part.is_empty()
        || !key.schedule.is_empty()
        || is_term(&key.figure)
        || is_of_array(&key.figure);
    in_scenario && is_made_of
}

/// What an assumption is tried as.
pub(super) fn is_trial(key: &FigureKey) -> bool {
    key.scenario == SENSITIVITY && key.figure == "tried instead"
}

fn is_term(figure: &str) -> bool {
    figure.starts_with("latency: ")
}
