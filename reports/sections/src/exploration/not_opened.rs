//! What the search left as it is written.

use derate_explore::Exploration;
use derate_explore::kernel::NotOpened;
use derate_units::figures::{list_few, significant};

/// What is named for each reason.
const SHOWN: usize = 2;

/// What is not open, by the reason, with what opens it; `None` where all is open.
pub(super) fn describe_not_opened(found: &Exploration) -> Option<String> {
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for one in &found.not_opened {
        match reasons.iter_mut().find(|(reason, _)| *reason == one.reason) {
            Some((_, names)) => names.push(name(one)),
            None => reasons.push((&one.reason, vec![name(one)])),
        }
    }
    let words = reasons.iter();
    let words = words.map(|(reason, names)| format!("{}, as {reason}", list_few(names, SHOWN)));
    let words: Vec<String> = words.collect();
    let opens = found.not_opened.iter().find_map(|one| one.vary.as_ref());
    let opens = opens
        .map_or_else(String::new, |vary| format!(" Open more with --vary, such as --vary {vary}."));
    (!words.is_empty()).then(|| format!("Not opened: {}.{opens}", words.join("; ")))
}

fn name(one: &NotOpened) -> String {
    let share = one.share.filter(|share| *share >= 0.0005).map_or_else(String::new, |share| {
        format!(" ({} % of the cycles)", significant(100.0 * share, 2))
    });
    format!("{}{share}", one.what)
}
