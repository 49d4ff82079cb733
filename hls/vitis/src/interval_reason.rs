//! Why a pipeline misses its interval, as the log beside its report says.

use super::module_names::function_of;
use super::violations::{is_pipelined, tool_violations};
use crate::csynth::{Held, Located, Module, Report, ScheduledOperation, ScheduledPipeline};
use crate::{ModuleCalls, plain_loop_name};

/// What a log says of a pipeline.
#[derive(Clone, Copy, Debug)]
pub struct IntervalReason<'a> {
    /// What holds the interval.
    pub held: &'a Located<Held>,
    /// The function whose interval it is, where the pipeline only calls it.
    pub callee: Option<&'a str>,
}

/// Finds what the nearest log of the same run says of a pipeline of a report: a loop, or without one the whole function. Logs beside
/// the report or above it are of the same run where they have its module; of the nearest ones one counts that has this pipeline at this
/// interval.
#[must_use]
pub fn find_interval_reason<'a>(
    reports: &'a [Report],
    calls: &ModuleCalls<'_>,
    path: &str,
    [module, name]: [&str; 2],
    reached: u64,
) -> Option<IntervalReason<'a>> {
    let is_it = |one: &&Report| one.place.as_ref().is_some_and(|place| place.path() == path);
    let report = reports.iter().find(is_it)?;
    let logs = list_nearest(reports, calls, report);
    logs.into_iter().find_map(|log| {
        let pipelines = &log.schedule.pipelines;
        let own = find_pipeline(pipelines, [module, name], reached)?;
        if let Some(held) = &own.held {
            return Some(IntervalReason { held, callee: None });
        }
        // The interval of a loop may be that of a function which it calls.
        let is_callee = |one: &&ScheduledPipeline| {
            one.loop_name.is_none()
                && one.reached == reached
                && calls.has_direct(function_of(module), &one.module)
        };
        let mut callees = pipelines.iter().filter(is_callee);
        let callee = callees.next().filter(|_| callees.next().is_none())?;
        let held = callee.held.as_ref()?;
        Some(IntervalReason { held, callee: Some(&callee.module) })
    })
}

/// The logs in the nearest folder above a report that has one of its run.
fn list_nearest<'a>(
    reports: &'a [Report],
    calls: &ModuleCalls<'_>,
    report: &Report,
) -> Vec<&'a Report> {
    let place = |one: &'a Report| one.place.as_ref().map_or("", |place| place.folder());
    // Vitis of 2023.2 and newer has the logs of a component in a folder of their own.
    let above = |one: &'a Report| place(one).strip_suffix("/logs").unwrap_or(place(one));
    let folder = report.place.as_ref().map_or("", |place| place.folder());
    let is_above = |one: &&'a Report| {
        let rest = folder.strip_prefix(above(one));
        above(one).is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let Some(own) = report.top.as_ref().map(|top| function_of(&top.value)) else {
        return Vec::new();
    };
    let is_of_run = |log: &&Report| {
        let top = log.top.as_ref().map_or("", |top| top.value.as_str());
        let has = |one: &ScheduledPipeline| one.module == own;
        top == own || calls.has(top, own) || log.schedule.pipelines.iter().any(has)
    };
    let logs = reports.iter().filter(|one| !one.schedule.pipelines.is_empty());
    let logs: Vec<&Report> = logs.filter(|one| is_above(one) && is_of_run(one)).collect();
    let nearest = logs.iter().map(|one| above(one).len()).max();
    logs.into_iter().filter(|one| Some(above(one).len()) == nearest).collect()
}

/// The function that a loop of a module calls itself and that the tool calls a violation at this interval, where it is the only one:
/// the loop has its interval.
#[must_use]
pub fn find_slow_callee<'a>(
    reports: &'a [Report],
    calls: &ModuleCalls<'_>,
    [module, name]: [&str; 2],
    reached: u64,
) -> Option<&'a str> {
    let is_elsewhere = |one: &Module| {
        one.caller_loop
            .as_ref()
            .is_some_and(|around| plain_loop_name(around) != plain_loop_name(name))
    };
    let is_slow = |one: &&Module| {
        let interval = one.interval.as_ref().and_then(|it| it.value.known());
        interval == Some(reached)
            && is_pipelined(one)
            && tool_violations(one).any(|(violation, _)| violation.loop_name.is_none())
            && !is_elsewhere(one)
            && calls.has_direct(function_of(module), function_of(&one.name.value))
    };
    let modules = reports.iter().flat_map(|report| &report.modules);
    let mut slow = modules.filter(is_slow).map(|one| function_of(&one.name.value));
    let first = slow.next()?;
    slow.all(|other| other == first).then_some(first)
}

/// The pipeline of a loop, or of a function, at an interval; where the log names its module otherwise, the only one like it. Names that
/// the tool gives (`Loop 1`, `VITIS_LOOP_21_1`) are in many modules, and count in their own alone.
fn find_pipeline<'a>(
    pipelines: &'a [ScheduledPipeline],
    [module, name]: [&str; 2],
    reached: u64,
) -> Option<&'a ScheduledPipeline> {
    let is_alike = |one: &&ScheduledPipeline| {
        let is_named = match &one.loop_name {
            Some(own) => plain_loop_name(own) == plain_loop_name(name),
            None => name == module && function_of(module) == one.module,
        };
        one.reached == reached && is_named
    };
    let in_module = |one: &&ScheduledPipeline| one.module == function_of(module);
    let alike = || pipelines.iter().filter(is_alike);
    if let Some(own) = alike().find(in_module) {
        return Some(own);
    }
    if name.starts_with("Loop ") || name.starts_with("VITIS_LOOP_") {
        return None;
    }
    let mut others = alike();
    let first = others.next()?;
    let is_same = |one: &ScheduledPipeline| {
        one.held.as_ref().map(|it| &it.value) == first.held.as_ref().map(|it| &it.value)
    };
    others.all(is_same).then_some(first)
}

/// What a reason says in words, and what helps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReasonText {
    /// What holds the interval.
    pub cause: String,
    /// The operations that the log names, with their places.
    pub named: String,
    /// What to do.
    pub help: String,
    /// Whether no directive changes it: the loop needs as many cycles for what it does.
    pub is_inherent: bool,
}

/// Words for what holds an interval. `say` names the place of an operation (`f.cpp:31`), `is_volatile` says whether the source
/// declares a variable so.
#[must_use]
pub fn describe_held(
    held: &Held,
    reached: u64,
    say: impl Fn(&ScheduledOperation) -> Option<String>,
    is_volatile: impl Fn(&str) -> bool,
) -> ReasonText {
    let of = |one: &ScheduledOperation| {
        let at = say(one).map_or_else(String::new, |it| format!(" of `{it}`"));
        format!("{}{at}", say_what(one))
    };
    let (cause, help, is_inherent, named) = match held {
        Held::Ports(one) => (
            format!("{} has too few ports for the accesses of an iteration", name_of(one)),
            help_ports(one),
            false,
            of(one),
        ),
        Held::Carried(pair) => {
            let [first, second] = &**pair;
            let (cause, help, is_inherent) = describe_pair(pair, reached, is_volatile);
            (cause, help, is_inherent, format!("{} and {}", of(first), of(second)))
        }
    };
    ReasonText { cause, help, is_inherent, named: format!("the log names {named}") }
}

/// Words for two operations that wait for each other, what helps, and whether it is what the loop needs.
fn describe_pair(
    pair: &[ScheduledOperation; 2],
    reached: u64,
    is_volatile: impl Fn(&str) -> bool,
) -> (String, String, bool) {
    let [first, second] = pair;
    let target = [first, second].into_iter().find(|one| one.target.is_some());
    let is_same = first.target == second.target && first.what == second.what;
    match target {
        Some(one) if is_same && is_stream(one) => (
            format!(
                "an iteration accesses the stream {} several times, and that takes a cycle each",
                name_of(one)
            ),
            format!(
                "pack the words of an iteration in one wider word of the stream, or ask for II={reached}"
            ),
            reached <= FEW_WORDS,
        ),
        Some(one) if is_same && is_access(&first.what) => (
            format!("an iteration accesses {} more often than it has ports", name_of(one)),
            help_ports(one),
            false,
        ),
        _ => (
            format!(
                "{} and {} wait for each other from one iteration to the next{}",
                say_what(first),
                say_what(second),
                say_target(target)
            ),
            help_carried(pair, target, is_volatile),
            false,
        ),
    }
}

/// An operation; a call with the function without its template's arguments.
fn say_what(one: &ScheduledOperation) -> String {
    match &one.target {
        Some(it) if one.what == "call" => {
            format!("the call of `{}`", it.name.split('<').next().unwrap_or_default())
        }
        _ => format!("`{}`", one.what),
    }
}

/// So many words of a stream in an iteration are taken for meant.
const FEW_WORDS: u64 = 4;

fn is_access(what: &str) -> bool {
    matches!(what, "load" | "store") || what.starts_with("bus ")
}

fn is_stream(one: &ScheduledOperation) -> bool {
    one.what.starts_with("fifo ") || one.what.starts_with("axis ")
}

fn name_of(one: &ScheduledOperation) -> String {
    one.target.as_ref().map_or_else(|| "a memory".to_owned(), |it| format!("`{}`", it.name))
}

fn say_target(one: Option<&ScheduledOperation>) -> String {
    match one.and_then(|one| one.target.as_ref()) {
        Some(it) if !it.word.is_empty() => format!(", through {} `{}`", it.word, it.name),
        _ => String::new(),
    }
}

/// What helps where ports are too few.
fn help_ports(one: &ScheduledOperation) -> String {
    let name = name_of(one);
    if one.what.starts_with("bus ") {
        return format!(
            "access {name} once an iteration: use a wider word, copy a block to a local array first, or give its arguments bundles of their own"
        );
    }
    format!(
        "partition or reshape {name}, so that the accesses of one iteration are in different banks, or keep in registers what the next iteration reads again"
    )
}

/// What helps where an iteration waits for the one before.
fn help_carried(
    pair: &[ScheduledOperation; 2],
    target: Option<&ScheduledOperation>,
    is_volatile: impl Fn(&str) -> bool,
) -> String {
    let target = target.and_then(|one| one.target.as_ref());
    let [first, second] = pair;
    if first.what == "call" || second.what == "call" {
        return "give what both access a second buffer, or inline the function that is called: the whole call is between one iteration and the next"
            .to_owned();
    }
    match target {
        // A port that is accessed several times needs its `volatile`.
        Some(it) if it.word == "port" => format!(
            "keep the value in a local variable or array, and access `{}` before or behind the loop",
            it.name
        ),
        Some(it) if is_volatile(&it.name) => {
            format!("drop `volatile` from `{}`: each access of it has a cycle of its own", it.name)
        }
        Some(it) if it.word == "array" => format!(
            "keep the element in a local variable while iterations use it, or use partial sums; `dependence variable={} inter false` is right only where no iteration reads what one before writes",
            it.name
        ),
        Some(it) if it.word.ends_with("variable") => format!(
            "shorten what is computed between the load and the store of `{}`: partial sums, interchanged loops, or a narrower type",
            it.name
        ),
        _ => "break the dependence with partial sums or interchanged loops, or shorten what is computed from one iteration to the next"
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

    use super::*;
    use crate::{Sources, read_report};

    /// The cause and the help of loop `L` of `top`, which a report has at II=2, where a log has this violation and this result.
    fn explain(violation: &str, result: &str, volatile: &str) -> Option<ReasonText> {
        let log = format!(
            "INFO: [HLS 200-10] Synthesizing 'top' ...\nINFO: [HLS 200-10] -- Implementing module 'top' \n\
             WARNING: [HLS 200-880] The II Violation in module 'top' (loop 'L'): {violation}\n\
             INFO: [HLS 200-1470] Pipelining result : Target II = 1, {result}\n"
        );
        let mut sources = Sources::default();
        let report = "== Vitis HLS Report for 'top'\n* Date: x\n";
        let files =
            [sources.add("p/vitis_hls.log", log), sources.add("p/s/top_csynth.rpt", report)];
        let reports: Vec<Report> =
            files.iter().map(|file| read_report(&sources, *file).unwrap()).collect();
        let calls = ModuleCalls::of_reports(&reports, function_of);
        let reason = find_interval_reason(&reports, &calls, "p/s/top_csynth.rpt", ["top", "L"], 2)?;
        let say = |one: &ScheduledOperation| {
            let (file, line) = one.find_place()?;
            Some(format!("{file}:{line}"))
        };
        Some(describe_held(&reason.held.value, 2, say, |name| name == volatile))
    }

    const RESULT: &str = "Final II = 2, Depth = 4, loop 'L'";
    const CARRIED: &str = "Unable to enforce a carried dependence constraint (II = 1, distance = 1, offset = 1) between ";

    #[test]
    fn the_cause_decides_the_help() {
        let of = |violation: &str| {
            let text = explain(violation, RESULT, "").unwrap();
            (text.cause, text.help, text.is_inherent)
        };
        let ports = "Unable to schedule 'load' operation ('a_l', f.cpp:5) on array 'a' due to limited memory ports (II = 1).";
        let (cause, help, _) = of(ports);
        assert_eq!(cause, "`a` has too few ports for the accesses of an iteration");
        assert_eq!(explain(ports, RESULT, "").unwrap().named, "the log names `load` of `f.cpp:5`");
        assert!(help.starts_with("partition or reshape `a`"), "{help}");
        let stores = "'store' operation ('s', f.cpp:5) on array 'a' and 'store' operation ('t', f.cpp:6) on array 'a'.";
        assert!(of(&format!("{CARRIED}{stores}")).1.starts_with("partition or reshape `a`"));
        let sum = "'store' operation ('s', f.cpp:5) of variable 'v' on array 'a' and 'load' operation ('t', f.cpp:6) on array 'a'.";
        assert!(of(&format!("{CARRIED}{sum}")).1.contains("partial sums"));
        let bus = "bus response operation ('r', f.cpp:5) on port 'gmem' (f.cpp:5) and bus request operation ('q', f.cpp:6) on port 'gmem' (f.cpp:6).";
        assert!(of(&format!("{CARRIED}{bus}")).1.starts_with("keep the value in a local variable"));
        let calls = "'call' operation ('t', f.cpp:5) to 'dense<a, b>' and 'call' operation ('_', f.cpp:6) to 'shift<a>'.";
        let (cause, help, _) = of(&format!("{CARRIED}{calls}"));
        assert!(cause.starts_with("the call of `dense` and the call of `shift` wait"), "{cause}");
        assert!(help.starts_with("give what both access a second buffer"), "{help}");
    }

    #[test]
    fn several_words_of_a_stream_take_a_cycle_each() {
        let of = |pair: &str| explain(&format!("{CARRIED}{pair}"), RESULT, "").unwrap();
        let write = |port: &str| format!("fifo write on port '{port}' (f.cpp:5)");
        assert!(of(&format!("{} and {}.", write("o"), write("o"))).is_inherent);
        assert!(!of(&format!("{} and {}.", write("o"), write("p"))).is_inherent, "two streams");
    }

    #[test]
    fn a_volatile_variable_is_what_holds_it() {
        let pair = "'load' operation ('l', f.c:73) on local variable 'pixel' and 'store' operation (f.c:70) of variable 'pixel', f.c:70 on local variable 'pixel'.";
        let violation = format!("{CARRIED}{pair}");
        let help = |volatile| explain(&violation, RESULT, volatile).unwrap().help;
        assert!(help("pixel").starts_with("drop `volatile` from `pixel`"));
        assert!(help("other").starts_with("shorten what is computed"));
    }

    #[test]
    fn a_volatile_port_keeps_its_word() {
        let pair = "bus response operation ('r', f.cpp:5) on port 'gmem' (f.cpp:5) and bus request operation ('q', f.cpp:6) on port 'gmem' (f.cpp:6).";
        let help = explain(&format!("{CARRIED}{pair}"), RESULT, "gmem").unwrap().help;
        assert!(help.starts_with("keep the value in a local variable"), "{help}");
    }

    #[test]
    fn the_nearest_log_of_the_module_counts() {
        let log = |module: &str, name: &str| {
            format!(
                "INFO: [HLS 200-10] Synthesizing '{module}' ...\nINFO: [HLS 200-10] -- Implementing module '{module}' \n\
                 Unable to schedule 'load' operation on array 'a' due to limited memory ports.\n\
                 INFO: [HLS 200-1470] Pipelining result : Target II = 1, Final II = 2, Depth = 4, loop '{name}'\n"
            )
        };
        let of = |logs: &[(&str, &str, &str)], name: &str| {
            let mut sources = Sources::default();
            let report = "== Vitis HLS Report for 'top'\n* Date: x\n".to_owned();
            let mut files = vec![sources.add("p/s/top_csynth.rpt", report)];
            files.extend(logs.iter().map(|one| sources.add(one.0, log(one.1, one.2))));
            let reports: Vec<Report> =
                files.iter().map(|file| read_report(&sources, *file).unwrap()).collect();
            let calls = ModuleCalls::of_reports(&reports, function_of);
            find_interval_reason(&reports, &calls, "p/s/top_csynth.rpt", ["top", name], 2).is_some()
        };
        assert!(of(&[("p/vitis_hls.log", "top", "L")], "L"));
        assert!(!of(&[("q/vitis_hls.log", "top", "L")], "L"), "beside another report");
        assert!(!of(&[("p/vitis_hls.log", "other", "L")], "L"), "of another top");
        assert!(!of(&[("p/vitis_hls.log", "top", "L"), ("p/s/s.log", "top", "M")], "L"), "farther");
    }

    #[test]
    fn a_log_of_another_run_says_nothing() {
        let ports = "Unable to schedule 'load' operation on array 'a' due to limited memory ports.";
        assert!(explain(ports, RESULT, "").is_some());
        assert!(
            explain(ports, "Final II = 3, Depth = 4, loop 'L'", "").is_none(),
            "another interval"
        );
        assert!(explain(ports, "Final II = 2, Depth = 4, loop 'M'", "").is_none(), "another loop");
    }
}
