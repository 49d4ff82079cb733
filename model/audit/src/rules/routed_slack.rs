//! The slack of a routed design, of the timing summary that Vivado writes: what was implemented.

use derate_hls::{Report, RoutedClock};
use derate_units::figures::{list_few, significant};
use serde_json::json;

use crate::AuditInput;
use crate::{Finding, Level};

/// Clocks that are named of many.
const NAMED: usize = 4;

/// The clock of a routed design that misses most. v++ lowers the clock of a kernel to the one that is reached; other flows do not.
pub(super) fn report_slack(input: &AuditInput<'_>, report: &Report) -> Option<Finding> {
    let timing = report.timing.as_ref()?;
    let late: Vec<&RoutedClock> =
        timing.clocks.iter().filter(|clock| clock.slack.value < 0.0).collect();
    let worst = late.iter().min_by(|a, b| a.slack.value.total_cmp(&b.slack.value))?;
    let others = late.iter().filter(|one| one.name.span != worst.name.span);
    let others: Vec<String> = others
        .map(|one| format!("`{}` ({} ns)", one.name.value, significant(one.slack.value, 4)))
        .collect();
    let is_linked = input.sources.name(worst.slack.span.file).contains("/vpl/");
    let megahertz = |period: f64| significant(1e3 / period, 4);
    let (asked, reached) = (worst.period, worst.period - worst.slack.value);
    let clock = &worst.name.value;
    let lacks_kernel = timing.lacks_kernel.then_some(
        "no path in it names a kernel of this folder: whether one is in the design is not known",
    );
    let (level, help) = if lacks_kernel.is_some() {
        (
            Level::Warning,
            "lower the clock, or shorten the worst path, if a kernel of this folder is in it",
        )
    } else if is_linked {
        (Level::Warning, "count times with the clock that was reached: v++ lowers the clock to it")
    } else {
        (Level::Error, "lower the clock, or shorten the worst path, which the report lists")
    };
    let finding = Finding::new("report/timing", level, clock)
        .with_message(format!(
            "timing is not met once routed: `{clock}` has a slack of {} ns, {} MHz of {} MHz are reached",
            significant(worst.slack.value, 4),
            megahertz(reached),
            megahertz(asked)
        ))
        .with_label(worst.slack.span, format!("the worst slack of a period of {} ns", significant(asked, 4)))
        .with_note(format!("the routed design is `{}`", timing.design))
        .with_help(help)
        .with_evidence(json!({
            "missed": clock,
            "claimed_hertz": null,
            "reached_hertz": 1e9 / reached,
        }));
    let also = (!others.is_empty()).then(|| format!("late, too: {}", list_few(&others, NAMED)));
    Some(finding.with_notes(also).with_notes(lacks_kernel))
}
