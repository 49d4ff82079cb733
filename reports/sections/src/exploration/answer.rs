//! What a search found, in sentences.

use derate_explore::kernel::AS_WRITTEN;
use derate_explore::{Certificate, Exploration, FoundDesign, Objective};
use derate_units::Seconds;
use derate_units::figures::{grouped, quantity, significant};

use super::cells::is_in_cycles;

/// An objective as it is shown: cycles with their time at the clock that is asked for, or time.
pub(super) fn show(found: &Exploration, value: f64) -> String {
    match found.objective {
        Objective::Cycles | Objective::Latency(_) => show_time(found, value),
        Objective::Interval => {
            format!(
                "{} ({} results per second)",
                quantity(Seconds(value)),
                significant(1.0 / value, 4)
            )
        }
        Objective::Resource(resource) => {
            format!("{} {}", grouped(value.round()), resource.name())
        }
    }
}

/// A time as it is shown: cycles with the time that they take, or seconds.
fn show_time(found: &Exploration, time: f64) -> String {
    if !is_in_cycles(found) {
        return quantity(Seconds(time));
    }
    let seconds = quantity(Seconds(time * found.clock_ns * 1e-9));
    format!("{} cycles ({seconds})", grouped(time.round()))
}

/// How long a design may take, and takes.
fn describe_time(found: &Exploration, design: Option<&FoundDesign>) -> String {
    let Some(limit) = found.time_limit else { return String::new() };
    let most = show_time(found, limit.value());
    match design.and_then(|one| one.time) {
        Some(time) => format!(" and {}; it may take {most}", show_time(found, time)),
        None => format!(" within {most}"),
    }
}

/// What the source as it is written takes too much of, with a space before it.
fn describe_excess(found: &Exploration) -> String {
    let most = found.start.as_ref().and_then(|start| found.limits.largest_share(&start.usage));
    most.filter(|(_, share)| *share > 1.0).map_or_else(String::new, |(resource, share)| {
        let percent = significant(100.0 * share, 3);
        format!(
            " As it is written it takes {percent} % of the {} that it may take.",
            resource.name()
        )
    })
}

const NO_GAIN: &str = "no design that was looked at beats the source as it is written";

/// Whether the best design of a kernel is the source as it is written.
fn is_unchanged(found: &Exploration, best: &FoundDesign) -> bool {
    let written = found.written.iter();
    let mut pairs = written.zip(&best.values);
    !found.written.is_empty() && pairs.all(|(own, value)| own.as_ref() == Some(value))
}

/// Why a diff changes nothing, in a sentence. `file` is the one that has the directives of the best design.
#[must_use]
pub fn describe_no_change(found: &Exploration, file: Option<&str>) -> String {
    let Some(best) = &found.best else {
        return "no design that was looked at fits, so the diff is empty".to_owned();
    };
    // The values of a project are those of its file, or what changes in each kernel.
    if found.written.is_empty() && best.values.iter().any(|own| own != AS_WRITTEN) {
        return "the project has the best design, so the diff is empty".to_owned();
    }
    if found.written.is_empty() || is_unchanged(found, best) {
        return format!("{NO_GAIN}, so the diff is empty");
    }
    match file {
        Some(file) => format!("the changes are in {file}, so the diff is empty"),
        None => "the best design changes no file: its values are for -D, so the diff is empty"
            .to_owned(),
    }
}

pub(super) fn write_answer(found: &Exploration) -> String {
    let looked = format!(
        "{} of {} designs were {}",
        grouped(found.evaluated as f64),
        significant(found.designs, 4),
        if found.best_of.is_empty() { "scheduled" } else { "estimated one by one" }
    );
    let Some(best) = &found.best else {
        return match found.certificate {
            Certificate::Infeasible => {
                format!("No design fits{}: {looked}.", describe_time(found, None))
            }
            Certificate::Unknown { designs } => {
                format!(
                    "The cycles of {designs} designs are not known, and no design with known cycles fits: {looked}. derate kernel says why, line by line."
                )
            }
            _ => format!(
                "No design that fits was found{} yet: {looked}.{} Give more --seconds.",
                describe_time(found, None),
                describe_excess(found)
            ),
        };
    };
    let proof = match found.certificate {
        Certificate::Unknown { designs } => {
            format!("The cycles of {designs} designs are not known; one of them may be better")
        }
        _ if !found.ranking.is_empty() => "It is the best row of the table".to_owned(),
        Certificate::Optimal if found.designs <= 1.0 => "Nothing else is open".to_owned(),
        Certificate::Optimal => {
            format!(
                "It is optimal within the model among these {} designs",
                significant(found.designs, 4)
            )
        }
        Certificate::Gap { bound } if bound > 0.0 => {
            let least = match found.objective {
                Objective::Cycles => format!("has fewer than {} cycles", grouped(bound.floor())),
                Objective::Resource(_) => format!("takes fewer than {}", show(found, bound.ceil())),
                _ => format!("takes less than {}", show(found, bound)),
            };
            format!("A better design is not excluded; none {least}")
        }
        _ => "A better design is not excluded".to_owned(),
    };
    if found.ranking.is_empty() && is_unchanged(found, best) {
        return format!(
            "Change nothing: {}, {}. {proof}: {looked}.",
            NO_GAIN,
            show(found, best.objective)
        );
    }
    let compared =
        found.start.as_ref().map_or_else(String::new, |start| compare(found, start, best));
    let claimed = found.claimed.as_ref().map_or_else(String::new, |claim| {
        format!(
            " The claim is {}, {} times that ({}).",
            quantity(claim.value),
            significant(claim.value.0 / best.objective, 3),
            claim.source
        )
    });
    format!(
        "The best design takes {}{}{compared}.{claimed} {proof}: {looked}.",
        show(found, best.objective),
        describe_time(found, Some(best))
    )
}

/// Below this the times as fast are shown as a share.
const LEAST_TIMES: f64 = 1.05;

/// The best design beside the source as it is written.
fn compare(found: &Exploration, start: &FoundDesign, best: &FoundDesign) -> String {
    let fits = if start.share > 1.0 { ", which does not fit" } else { "" };
    let written = match found.objective {
        Objective::Cycles => format!("{} cycles", grouped(start.objective.round())),
        _ => show(found, start.objective),
    };
    if let (Objective::Resource(_), Some(time)) = (&found.objective, start.time) {
        let time = show_time(found, time);
        return format!(". The source as it is written takes {written} and {time}{fits}");
    }
    let times = start.objective / best.objective;
    if times < LEAST_TIMES {
        let less = 100.0 * (1.0 - best.objective / start.objective);
        let less = if less > 0.0 {
            format!("only {} % less than", significant(less, 2))
        } else {
            "no less than".to_owned()
        };
        return format!(", {less} the source as it is written ({written}{fits})");
    }
    format!(
        ", {} times as fast as the source as it is written ({written}{fits})",
        significant(times, 3)
    )
}

pub(super) fn describe_refusals(found: &Exploration) -> Option<String> {
    let refused: Vec<String> = found
        .refused
        .iter()
        .map(|one| format!("{} refuses {}", one.resource.name(), grouped(one.designs)))
        .collect();
    (!refused.is_empty()).then(|| format!("Designs that do not fit: {}.", refused.join(", ")))
}
