//! Which directives of Tcl a design is built with, of all that its scripts give.

use std::collections::BTreeSet;

use derate_estimate::{Asked, AskedByTop, DesignClock, SolutionName};
use derate_hls::{DirectiveKind, TclDirective, TclFile};
use derate_units::Hertz;

use super::clock::is_same_clock;
use crate::search::BuildScript;
use crate::search::Solution;

/// What is asked for each top that scripts name, by the scripts that name it or no top; and for the other functions. A top whose
/// scripts have another clock than the design has that one, unless the clock is given.
///
/// What the tool keeps in the folder of a solution is of the tops of that solution. It writes the last top of a project into the
/// scripts of all solutions: one beside a script with another top counts only where no other folder builds the top.
pub(crate) fn choose_directives(
    scripts: &[BuildScript],
    clock: &DesignClock,
    choose_own: impl Fn(&[BuildScript]) -> Option<DesignClock>,
) -> AskedByTop {
    let all: Vec<&BuildScript> = scripts.iter().collect();
    let tops: BTreeSet<&String> = scripts.iter().flat_map(|script| &script.tops).collect();
    let choose = |top: &String| {
        let own = list_of_top(scripts, top);
        let naming = own.iter().filter(|script| script.tops.contains(top) && script.names_clock());
        let naming: Vec<BuildScript> = naming.map(|script| (*script).clone()).collect();
        let is_taken = |ns: &f64| is_same_clock(1e9 / ns, clock.value.0);
        let solutions = naming.iter().flat_map(|script| &script.solutions);
        let clocks: Vec<f64> = solutions.flat_map(|one| one.clocks.iter().copied()).collect();
        let has_taken = clocks.iter().any(is_taken);
        let differ = |pair: &[f64]| matches!(pair, [one, other] if !is_same_clock(*one, *other));
        let has_other_clocks = clocks.windows(2).any(differ);
        let other = choose_own(&naming).filter(|_| !naming.is_empty() && !has_taken);
        let asked = choose_solution(&own, other.as_ref().unwrap_or(clock));
        (top.clone(), Asked { clock: other.map(|own| own.value), has_other_clocks, ..asked })
    };
    AskedByTop { own: tops.into_iter().map(choose).collect(), others: choose_solution(&all, clock) }
}

/// The scripts that name a top, those first that no script beside them contradicts, and those without a top: in the folder of a
/// solution only where that solution has the top.
fn list_of_top<'a>(scripts: &'a [BuildScript], top: &String) -> Vec<&'a BuildScript> {
    let beside = |script: &BuildScript| {
        let folder = kept_folder(script);
        let others = scripts.iter().filter(|other| kept_folder(other) == folder);
        let tops = others.filter(|_| folder.is_some()).flat_map(|other| &other.tops);
        tops.collect::<BTreeSet<&String>>()
    };
    let is_own = |script: &&BuildScript| {
        let tops =
            if script.tops.is_empty() { beside(script) } else { script.tops.iter().collect() };
        tops.is_empty() || tops.contains(top)
    };
    let (own, doubted): (Vec<&BuildScript>, Vec<&BuildScript>) = scripts
        .iter()
        .filter(is_own)
        .partition(|script| beside(script).iter().all(|other| *other == top));
    own.into_iter().chain(doubted).collect()
}

/// The folder of the solution that the tool keeps a script in: `p/s` for `p/s/sdx.tcl` of the solution `s`.
pub(super) fn kept_folder(script: &BuildScript) -> Option<&str> {
    let (folder, file) = script.name.rsplit_once('/')?;
    ["script.tcl", "script_bk.tcl", "sdx.tcl"].contains(&file).then_some(folder)
}

/// What the first solution asks for whose clock is the design's; of none has it, what the first one does.
fn choose_solution(scripts: &[&BuildScript], clock: &DesignClock) -> Asked {
    let all: Vec<(&BuildScript, &Solution)> = scripts
        .iter()
        .flat_map(|script| script.solutions.iter().map(move |solution| (*script, solution)))
        .collect();
    let clocks = |(_, solution): &(&BuildScript, &Solution)| solution.clocks.clone();
    let Some((script, taken)) = take_solution(&all, Some(clock.value), clocks) else {
        return Asked::default();
    };
    let differs = |(_, other): &&(&BuildScript, &Solution)| {
        !ask_the_same(&other.asked.directives, &taken.asked.directives)
    };
    let name = |script: &BuildScript, solution: &Solution| SolutionName {
        file: script.name.clone(),
        // A component has no solutions.
        solution: solution.name.clone().or_else(|| script.project.clone()),
    };
    Asked {
        clock: None,
        has_other_clocks: false,
        directives: taken.asked.directives.clone(),
        settings: taken.asked.settings.clone(),
        solution: Some(name(script, taken)),
        streamed_by: find_streamed(script, taken).map(|later| name(script, later)),
        others: all.iter().filter(differs).map(|(script, other)| name(script, other)).collect(),
        absent: taken.absent.clone(),
        undecided: taken.undecided.clone(),
        is_cut: taken.is_cut,
        rewritten_by: all
            .iter()
            .find(|(_, solution)| solution.is_rewritten)
            .map(|(script, _)| script.name.clone()),
        unread: taken.asked.unread.clone(),
    }
}

/// The first solution of a script behind the one that is taken that makes arrays FIFOs, where that one does not.
fn find_streamed<'a>(script: &'a BuildScript, taken: &Solution) -> Option<&'a Solution> {
    let at = script.solutions.iter().position(|one| std::ptr::eq(one, taken))?;
    let mut later = script.solutions.iter().skip(at + 1);
    later.find(|one| makes_streams(&one.asked)).filter(|_| !makes_streams(&taken.asked))
}

/// Whether directives or settings make arrays between the processes of a dataflow FIFOs. Without them they are buffers.
fn makes_streams(asked: &TclFile) -> bool {
    let is_on = |kind: fn(&DirectiveKind) -> bool| {
        asked.directives.iter().any(|one| !one.off && kind(&one.kind))
    };
    let are_default = asked.settings.iter().any(|one| {
        one.command == "dataflow"
            && one
                .options
                .iter()
                .any(|(name, value)| name == "default_channel" && value.as_deref() == Some("fifo"))
    });
    is_on(|kind| matches!(kind, DirectiveKind::Dataflow)) && are_default
        || is_on(|kind| matches!(kind, DirectiveKind::Stream(_)))
}

/// The first solution that has this clock, else the first one. `clocks` gives the periods of one in ns.
pub(crate) fn take_solution<T>(
    all: &[T],
    clock: Option<Hertz>,
    clocks: impl Fn(&T) -> Vec<f64>,
) -> Option<&T> {
    let has_clock = |one: &&T| {
        clock.is_some_and(|clock| clocks(one).iter().any(|ns| is_same_clock(1e9 / ns, clock.0)))
    };
    all.iter().find(has_clock).or(all.first())
}

/// Lines do not count.
pub(crate) fn ask_the_same(one: &[TclDirective], other: &[TclDirective]) -> bool {
    let unplaced = |all: &[TclDirective]| -> Vec<TclDirective> {
        all.iter().map(|one| TclDirective { line: 0, script: None, ..one.clone() }).collect()
    };
    unplaced(one) == unplaced(other)
}

#[cfg(test)]
mod tests {
    use derate_hls::read_tcl;

    use super::*;

    fn solution(name: &str, ns: f64, directives: &str) -> Solution {
        let asked: TclFile = read_tcl(directives);
        Solution { name: Some(name.to_owned()), clocks: vec![ns], asked, ..Solution::default() }
    }

    #[test]
    fn the_directives_are_those_of_the_solution_whose_clock_is_taken() {
        let unrolled = "set_directive_unroll \"top/L1\"\n";
        let script = BuildScript {
            name: "run.tcl".to_owned(),
            solutions: vec![
                solution("base", 10.0, ""),
                solution("fast", 5.0, unrolled),
                solution("same", 5.0, &format!("# again\n{unrolled}")),
            ],
            ..BuildScript::default()
        };
        let at = |hertz: f64| {
            let clock = DesignClock::named(Hertz(hertz));
            let asked = choose_directives(std::slice::from_ref(&script), &clock, |_| None).others;
            let others: Vec<_> = asked.others.into_iter().filter_map(|one| one.solution).collect();
            (asked.directives.len(), asked.solution.and_then(|one| one.solution), others.join(" "))
        };
        assert_eq!(at(200e6), (1, Some("fast".to_owned()), "base".to_owned()));
        assert_eq!(at(100e6), (0, Some("base".to_owned()), "fast same".to_owned()));
    }

    #[test]
    fn directives_are_of_their_top() {
        let script = |name: &str, top: &str, directives: &str| BuildScript {
            name: name.to_owned(),
            tops: vec![top.to_owned()],
            solutions: vec![solution("s", 10.0, directives)],
            ..BuildScript::default()
        };
        let unrolled = "set_directive_unroll \"shared/L1\"\n";
        let scripts = [script("a.tcl", "a", unrolled), script("b.tcl", "b", "")];
        let asked = choose_directives(&scripts, &DesignClock::named(Hertz(100e6)), |_| None);
        let count =
            |top: &str| (asked.of_top(top).directives.len(), asked.of_top(top).others.len());
        assert_eq!((count("a"), count("b")), ((1, 0), (0, 0)));
        // Which of them is of another function is not known: the first.
        assert_eq!(count("c"), (1, 1));
    }

    #[test]
    fn what_the_tool_keeps_in_a_solution_is_of_the_tops_of_that_solution() {
        let unrolled = "set_directive_unroll \"shared/L1\"\n";
        let script = |name: &str, top: &str, directives: &str| BuildScript {
            name: name.to_owned(),
            tops: Some(top).filter(|top| !top.is_empty()).map(str::to_owned).into_iter().collect(),
            solutions: vec![solution("s", 10.0, directives)],
            ..BuildScript::default()
        };
        let sign = script("p/sign/script_bk.tcl", "sign", "");
        let count = |scripts: &[BuildScript], top: &str| {
            let asked = choose_directives(scripts, &DesignClock::named(Hertz(100e6)), |_| None);
            asked.of_top(top).directives.len()
        };
        let kept = [
            script("p/keys/sdx.tcl", "", unrolled),
            script("p/keys/script_bk.tcl", "keys", ""),
            sign.clone(),
        ];
        assert_eq!((count(&kept, "keys"), count(&kept, "sign")), (1, 0));
        // The project's last top is in the script of each solution.
        let last = [
            script("p/keys/script.tcl", "sign", unrolled),
            script("p/keys/script_bk.tcl", "keys", unrolled),
            sign.clone(),
        ];
        assert_eq!((count(&last, "keys"), count(&last, "sign")), (1, 0));
        // No other folder builds it, and a script of the project's own is for all tops.
        assert_eq!(count(&last[..2], "sign"), 1);
        assert_eq!(count(&[script("p/all.tcl", "", unrolled), sign], "sign"), 1);
    }
}
