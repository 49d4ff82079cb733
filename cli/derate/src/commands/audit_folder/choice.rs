//! What kernels are scheduled for where files of a design name several clocks or solutions, or none.

use std::fmt::Write;

use derate_model::estimate::{Asked, ClockOrigin, DesignFiles, NamedClock, SolutionName};
use derate_model::load::LoadedFolder;
use derate_model::units::figures::{count, list_few, quantity};

use super::NAMED;

/// The clocks that kernels are scheduled for although no file names them, or several do.
pub(super) fn clock_lines(folder: &LoadedFolder) -> String {
    let has_kernels = |design: &&DesignFiles| {
        design.kernel_models(&folder.sources).is_some_and(|models| !models.kernels.is_empty())
    };
    let scheduled: Vec<&DesignFiles> = folder.designs.iter().filter(has_kernels).collect();
    let mut lines = String::new();
    let assumed: Vec<&&DesignFiles> =
        scheduled.iter().filter(|design| design.clock.is_assumed()).collect();
    if let Some(first) = assumed.first() {
        let names =
            list_few(&assumed.iter().map(|design| design.name.as_str()).collect::<Vec<_>>(), NAMED);
        let clock = quantity(first.clock.value);
        let _ = writeln!(
            lines,
            "assumed: a clock of {clock} for {names}, the default of the tool: no file names one; \
             `create_clock` in Tcl, `clock=` in hls_config.cfg or [claims] does"
        );
    }
    let is_uncounted =
        |design: &&&DesignFiles| design.part.as_ref().is_some_and(|part| part.lacks_counts);
    let uncounted: Vec<&DesignFiles> = scheduled.iter().filter(is_uncounted).copied().collect();
    if let Some(part) = uncounted.first().and_then(|design| design.part.as_ref()) {
        let names: Vec<&str> = uncounted.iter().map(|design| design.name.as_str()).collect();
        let _ = writeln!(
            lines,
            "assumed: operators of its family for {} in {}: derate does not know how much the part has, so rules about \
             its amounts say nothing",
            part.name,
            list_few(&names, NAMED)
        );
    }
    let of_readme: Vec<(&str, &str, &str)> = scheduled
        .iter()
        .filter_map(|design| {
            let part = design.part.as_ref()?;
            Some((design.name.as_str(), part.name.as_str(), design.part_from.as_deref()?))
        })
        .collect();
    if let Some((_, part, readme)) = of_readme.first() {
        let names = list_few(&of_readme.iter().map(|one| one.0).collect::<Vec<_>>(), NAMED);
        let _ = writeln!(
            lines,
            "assumed: the part {part} for {names}, from {readme}: no script names one; `set_part` in Tcl, `part=` in \
             hls_config.cfg or [platform] does"
        );
    }
    let chosen = scheduled.iter().flat_map(|design| list_choices(design));
    // What is said of one design in a sentence of its own is said of others in a number.
    let mut kinds: Vec<(Choice, String, usize)> = Vec::new();
    for (choice, line) in chosen {
        match kinds.iter_mut().find(|(first, ..)| *first == choice) {
            Some((.., more)) => *more += 1,
            None => kinds.push((choice, line, 0)),
        }
    }
    for (_, line, more) in kinds {
        let more = if more > 0 { format!("; and {more} more like this") } else { String::new() };
        let _ = writeln!(lines, "{line}{more}");
    }
    lines
}

/// What a line of a summary says was taken where files leave a choice.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    Part,
    Clock,
    Solution,
    /// A file that is not there.
    Absent,
    /// A condition that cannot be decided.
    Condition,
    /// The rest of a file.
    Rest,
}

/// What a schedule rests on where files name several clocks, solutions ask for different directives, or some of these are not
/// there: a line each.
fn list_choices(design: &DesignFiles) -> Vec<(Choice, String)> {
    let mut lines = Vec::new();
    let name = &design.name;
    if let (Some(part), false) = (&design.part, design.other_parts.is_empty()) {
        let others = design.other_parts.join(", ");
        let line = format!("several parts in {name}: {}, {others}; the first is taken", part.name);
        lines.push((Choice::Part, line));
    }
    if let ClockOrigin::Several(named) = &design.clock.origin {
        let named: Vec<String> = named.iter().map(describe_clock).collect();
        let own = || design.asked.own.values();
        let taken = if own().all(|asked| asked.clock.is_none()) {
            "the first is taken"
        } else if own().any(|asked| asked.has_other_clocks) {
            "each top has one of those of its script"
        } else {
            "each top has that of its script"
        };
        let line = format!("several clocks in {name}: {}; {taken}", named.join(", "));
        lines.push((Choice::Clock, line));
    }
    for asked in design.asked.all() {
        for line in list_asked(name, asked) {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines
}

/// What the directives of a solution rest on.
fn list_asked(name: &str, asked: &Asked) -> Vec<(Choice, String)> {
    let Some(taken) = &asked.solution else { return Vec::new() };
    let mut lines = Vec::new();
    let place = |one: &SolutionName| describe_solution(&one.file, one.solution.as_deref());
    if !asked.others.is_empty() {
        let others: Vec<String> = asked.others.iter().map(place).collect();
        let is_other =
            |one: &SolutionName| one.solution.is_some() && one.solution != taken.solution;
        let choose = if asked.others.iter().any(is_other) {
            "; --solution NAME takes another one"
        } else {
            ""
        };
        let line = format!(
            "several solutions in {name}: the directives of {} are taken, not those of {}{choose}",
            place(taken),
            list_few(&others, NAMED)
        );
        lines.push((Choice::Solution, line));
    }
    if !asked.absent.is_empty() {
        let line = format!(
            "not found: {} reads {}; directives in it are missing from the schedule",
            place(taken),
            list_few(&asked.absent, NAMED)
        );
        lines.push((Choice::Absent, line));
    }
    if let Some(condition) = asked.undecided.first() {
        let more = match asked.undecided.len() - 1 {
            0 => String::new(),
            more => format!(" and {}", count(more, "other condition")),
        };
        let line = format!(
            "not decided: `{condition}`{more} in {}: all of the branches are read",
            taken.file
        );
        lines.push((Choice::Condition, line));
    }
    if asked.is_cut {
        let line = format!(
            "not read: the rest of {}, which is too long or too deep; what it asks for is missing",
            taken.file
        );
        lines.push((Choice::Rest, line));
    }
    lines
}

/// `200 MHz (run.tcl, solution fast)`.
fn describe_clock(named: &NamedClock) -> String {
    let place = describe_solution(&named.file, named.solution.as_deref());
    format!("{} ({place})", quantity(named.value))
}

/// `run.tcl, solution fast`.
fn describe_solution(file: &str, solution: Option<&str>) -> String {
    solution.map_or_else(|| file.to_owned(), |name| format!("{file}, solution {name}"))
}
