//! The clock of a bitstream.

use derate_hls::{Decimal, Located, Report, Span};
use derate_units::Hertz;
use derate_units::figures::{quantity, significant};
use serde_json::json;

use crate::{AuditInput, Finding, Level};

/// A clock of at least this share of the one that is asked for is nearly met.
const NEARLY: f64 = 0.98;

/// The clock that a bitstream reached, against the claimed one, else against the one that it was linked for.
pub(super) fn report_reached(input: &AuditInput<'_>, report: &Report) -> Option<Finding> {
    let claim = input.project.and_then(|project| project.claims.clock.as_ref());
    let linked = report.target_frequency.as_ref().filter(|_| !report.clocks.is_empty());
    let asked = claim.map(|claim| Asked { clock: claim.value, place: claim.span, is_claim: true });
    let asked = asked.or_else(|| {
        let megahertz = linked?.value.known()?;
        Some(Asked { clock: Hertz(megahertz * 1e6), place: linked?.span, is_claim: false })
    })?;
    let clock = report.clocks.iter().find(|clock| clock.name.value == "DATA_CLK")?;
    let (reached, place) = match clock.frequency.as_ref().map(|whole| find_exact(report, whole)) {
        Some(frequency) => {
            (frequency.value.known().map(|megahertz| Hertz(megahertz * 1e6)), frequency.span)
        }
        None => (None, clock.name.span),
    };
    if reached.is_some_and(|reached| reached.0 >= asked.clock.0 * (1.0 - 1e-9)) {
        return None;
    }
    let (wanted, verb) =
        (quantity(asked.clock), if asked.is_claim { "claimed" } else { "asked for" });
    let (level, message, here, notes) = match reached {
        Some(reached) => (
            match asked.is_claim {
                true => Level::Error,
                false if reached.0 >= asked.clock.0 * NEARLY => Level::Note,
                false => Level::Warning,
            },
            format!("the clock that was reached is {}, {wanted} is {verb}", quantity(reached)),
            format!("the bitstream runs its kernels at {}", quantity(reached)),
            vec![format!(
                "what takes a time t at the clock that is {verb} takes {} t at the one that was reached",
                significant(asked.clock.0 / reached.0, 4)
            )],
        ),
        None => (
            Level::Note,
            format!("the clock that was reached is unknown, {wanted} is {verb}"),
            "no number of megahertz here".to_owned(),
            Vec::new(),
        ),
    };
    let subject = if asked.is_claim { "claims.clock" } else { "DATA_CLK" };
    let finding =
        Finding::new("report/timing", level, subject).with_message(message).with_label(place, here);
    // The command that links a bitstream is a line of thousands of letters.
    let finding = if asked.is_claim {
        finding.with_label(asked.place, "the claim")
    } else {
        let line = input.sources.line(asked.place);
        finding.with_note(format!("the command with `--kernel_frequency` is on line {line}"))
    };
    Some(
        finding
            .with_notes(notes)
            .with_help(
                "count times with the clock that was reached, or build for the one that is wanted",
            )
            .with_evidence(json!({
                "missed": clock.name.value,
                "claimed_hertz": asked.is_claim.then_some(asked.clock.0),
                "asked_hertz": (!asked.is_claim).then_some(asked.clock.0),
                "reached_hertz": reached.map(|reached| reached.0),
            })),
    )
}

/// The frequency of `DATA_CLK` is cut to whole MHz; the same clock is among the system's, with its decimals.
fn find_exact<'a>(report: &'a Report, whole: &'a Located<Decimal>) -> &'a Located<Decimal> {
    let system = report.clocks.iter().filter(|one| {
        one.kind.as_ref().is_some_and(|kind| kind.value == "SCALABLE")
            && one.name.value.contains("kernel")
    });
    let mut exact = system.filter_map(|one| one.frequency.as_ref()).filter(|one| {
        one.value
            .known()
            .zip(whole.value.known())
            .is_some_and(|(one, whole)| (one - whole).abs() < 1.0)
    });
    exact.next().unwrap_or(whole)
}

/// The clock that a bitstream should reach.
struct Asked {
    clock: Hertz,
    place: Span,
    is_claim: bool,
}
