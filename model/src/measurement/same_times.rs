use super::Run;
use crate::figures::quantity;

/// From so many equal times on they are no clock's.
const MANY: usize = 5;

/// Repetitions that took the same time to the last digit: a clock that resolves them tells each apart.
pub(super) fn copied(run: &Run) -> Option<String> {
    let first = run.seconds.first()?;
    let same = run.seconds.iter().all(|time| time.0.to_bits() == first.0.to_bits());
    (same && run.seconds.len() >= MANY).then(|| {
        format!(
            "All {} repetitions took exactly {} s ({}): no clock shows that, so one time was copied, rounded or modelled. Give \
             `seconds` as each repetition's clock showed it, with all digits.",
            run.seconds.len(),
            first.0,
            quantity(*first)
        )
    })
}
