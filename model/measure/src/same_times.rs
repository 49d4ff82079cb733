use super::Run;
use derate_units::figures::{quantity, significant};

/// Two of a few hundred readings may be equal by chance; three of three are not.
const SEVERAL: usize = 3;

/// Times that differ by less are one: a clock that resolves a billionth of what it times is not a host's.
const RESOLUTION: f64 = 1e-9;

/// Repetitions that all took the same time: a clock that resolves them tells each apart.
pub(super) fn check_equal_times(run: &Run) -> Option<String> {
    let (least, most) = run.extremes()?;
    let same = most.0 - least.0 <= RESOLUTION * most.0;
    (same && run.seconds.len() >= SEVERAL).then(|| {
        let apart = if least == most {
            format!("exactly {} s", least.0)
        } else {
            format!("{} s, to a billionth", significant(least.0, 9))
        };
        format!(
            "All {} repetitions took {apart} ({}): no clock shows that, so one time was copied, rounded or modelled. Give \
             `seconds` as each repetition's clock showed it, with all digits.",
            run.seconds.len(),
            quantity(least)
        )
    })
}
