//! What is told first.

use super::FigureChange;
use super::gathered::Key;

/// What a reader looks for.
const HEADLINE: [&str; 3] = ["latency", "roofline time", "bound"];

/// Groups of figures that are no scenario.
const GROUPS: [&str; 3] = ["inputs", "measured", "points"];

const SENSITIVITY: &str = "sensitivity";

/// What came out, then what was put in, then the rest of a whole inference, then what it is made of.
pub(super) fn of_change(change: &FigureChange) -> u8 {
    let scenario = change.scenario.as_str();
    let is_whole = change.part.is_empty() && change.schedule.is_empty();
    match () {
        () if GROUPS.contains(&scenario) => 1,
        () if scenario == SENSITIVITY => 6,
        () if is_whole && HEADLINE.contains(&&*change.figure) => 0,
        () if is_whole && !is_term(&change.figure) => 2,
        () if is_whole => 3,
        () if change.part.is_empty() => 4,
        () => 5,
    }
}

/// Whether a figure is one of those that an answer is made of.
pub(super) fn is_detail(key: &Key) -> bool {
    let in_scenario = !GROUPS.contains(&&*key.scenario) && key.scenario != SENSITIVITY;
    let is_made_of = !key.part.is_empty() || !key.schedule.is_empty() || is_term(&key.figure);
    in_scenario && is_made_of
}

/// What an assumption is tried as.
pub(super) fn is_trial(key: &Key) -> bool {
    key.scenario == SENSITIVITY && key.figure == "tried instead"
}

fn is_term(figure: &str) -> bool {
    figure.starts_with("latency: ")
}
