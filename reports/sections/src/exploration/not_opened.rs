//! What the search left as it is written.

use derate_explore::Exploration;
use derate_explore::kernel::NotOpened;
use derate_units::figures::significant;

/// What is named.
const SHOWN: usize = 3;

/// What is not open, the part with most cycles first, with what opens it; `None` where all is open.
pub(super) fn describe_not_opened(found: &Exploration) -> Option<String> {
    let left = &found.not_opened;
    if left.is_empty() {
        return None;
    }
    let words: Vec<String> = left.iter().take(SHOWN).map(name).collect();
    let more = left.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    let opens = left.iter().find_map(|one| one.vary.as_ref());
    let opens = opens
        .map_or_else(String::new, |vary| format!(" --vary opens more, such as --vary {vary}."));
    Some(format!("Not opened: {}{more}.{opens}", words.join("; ")))
}

fn name(one: &NotOpened) -> String {
    let share = one.share.filter(|share| *share >= 0.0005).map_or_else(String::new, |share| {
        format!(" ({} % of the cycles)", significant(100.0 * share, 2))
    });
    format!("{}{share}, as {}", one.what, one.reason)
}
