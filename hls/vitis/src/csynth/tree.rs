//! `csynth.rpt`, since 2020.2: the tree of modules and loops. It prints the worst case only.

use super::counted_period::{CountedPeriods, last_digit};
use super::figure::{Decimal, Figure, Located};
use super::interface;
use super::module::{Module, ReportedLoop, Violation, says_pipelined};
use super::module_text::read_general;
use super::report::{Report, ReportKind};
use super::resource::{Resource, resource_name};
use super::table::{Cell, Grid, Layout, read_figure, read_word};
use crate::Span;

/// Deeper trees were not seen.
const DEPTH: usize = 64;

/// Reads the whole report.
pub(crate) fn read_tree(layout: &Layout) -> Report {
    let mut report = Report::new(ReportKind::TreeText);
    read_general(&mut report, layout);
    for grid in &layout.grids {
        for span in &grid.odd {
            report.note_unread(*span, "a row that does not fit its headings");
        }
        if grid.headings.first().is_some_and(|first| first == "Modules & Loops") {
            Tree::new(grid).read_rows(&mut report, grid);
            // The tree of 2020.2 prints what is left with a minus: its module reports say so.
            if report.version.as_ref().is_some_and(|version| is_2020_2(&version.value)) {
                turn_slacks(&mut report.modules);
                report.counted_period = None;
            }
        } else {
            interface::read_interface(&mut report, grid);
        }
    }
    if report.modules.is_empty()
        && let Some(title) = layout.titles.first()
    {
        let reason = "the table of modules and loops is not in the text: it may be cut off";
        report.note_unread(title.span, reason);
    }
    report
}

/// Whether a version is 2020.2 or an update of it, `2020.2.2`.
fn is_2020_2(version: &str) -> bool {
    version.strip_prefix("2020.2").is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The columns of the tree.
struct Tree {
    issue: Option<usize>,
    slack: Option<usize>,
    latency: Option<usize>,
    time: Option<usize>,
    iteration: Option<usize>,
    interval: Option<usize>,
    trips: Option<usize>,
    pipelined: Option<usize>,
}

/// A module or a loop that the next rows may belong to.
struct Open {
    depth: usize,
    module: usize,
    /// Where in the module's loops; empty for the module itself.
    path: Vec<usize>,
}

impl Tree {
    fn new(grid: &Grid) -> Self {
        let all = |words: &[&str]| {
            grid.find_column(|heading| words.iter().all(|word| heading.contains(word)))
        };
        Self {
            issue: all(&["Issue"]),
            slack: all(&["Slack"]),
            latency: all(&["Latency", "(cycles)"]),
            time: all(&["Latency", "(ns)"]),
            iteration: all(&["Iteration"]),
            interval: all(&["Interval"]),
            trips: all(&["Trip"]),
            pipelined: all(&["Pipelined"]),
        }
    }

    fn read_rows(&self, report: &mut Report, grid: &Grid) {
        let mut open: Vec<Open> = Vec::new();
        let mut periods = CountedPeriods::default();
        for row in &grid.rows {
            let Some(first) = row.first() else { continue };
            let Some((mark, name)) = split_marker(first) else {
                report.note_unread(first.text.span, "neither a module nor a loop");
                continue;
            };
            while open.last().is_some_and(|above| above.depth >= first.indent) {
                open.pop();
            }
            if open.len() >= DEPTH {
                report.note_unread(first.text.span, format!("more than {DEPTH} levels"));
                continue;
            }
            let (module, path) = if mark == '+' {
                periods.add(self.find_period(row));
                (self.read_module(report, row, name, open.last(), grid), Vec::new())
            } else {
                let Some(above) = open.last() else {
                    report.note_unread(first.text.span, "a loop outside all modules");
                    continue;
                };
                let (module, mut path) = (above.module, above.path.clone());
                let one = self.one_loop(row, name);
                self.add_violation(&mut report.modules[module], row, Some(one.name.value.clone()));
                let mut level = &mut report.modules[module].loops;
                for &step in &path {
                    level = &mut level[step].loops;
                }
                path.push(level.len());
                level.push(one);
                (module, path)
            };
            open.push(Open { depth: first.indent, module, path });
        }
        report.counted_period = report.counted_period.or_else(|| periods.shortest());
    }

    /// The periods that the time of a module can be counted with, by its cycles and the digits that are printed. It is the target
    /// unless the estimate is longer; with a slack that is not below zero it is not.
    fn find_period(&self, row: &[Cell]) -> Option<(f64, f64)> {
        let cycles = read_figure(row, self.latency)?.value.known()? as f64;
        let printed = read_word(row, self.time)?.value;
        let time = read_decimal(row, self.time)?.value.known()?;
        let slack = read_decimal(row, self.slack)?.value.known()?;
        let half = last_digit(&printed)? / 2.0;
        (cycles > 0.0 && time > 0.0 && slack >= 0.0)
            .then(|| ((time - half) / cycles, (time + half) / cycles))
    }

    fn read_module(
        &self,
        report: &mut Report,
        row: &[Cell],
        name: Located<String>,
        above: Option<&Open>,
        grid: &Grid,
    ) -> usize {
        let starred = name.value.ends_with('*');
        let name = if starred {
            let span = Span { end: name.span.end - 1, ..name.span };
            Located::new(name.value.trim_end_matches('*').to_owned(), span)
        } else {
            name
        };
        let mut module = Module::new(name);
        module.caller = above.map(|above| above.module);
        module.caller_loop = above.and_then(|above| {
            let (first, rest) = above.path.split_first()?;
            let mut one = report.modules[above.module].loops.get(*first)?;
            for step in rest {
                one = one.loops.get(*step)?;
            }
            Some(one.name.value.clone())
        });
        module.latency = read_figure(row, self.latency);
        module.interval = read_figure(row, self.interval);
        module.pipeline = read_word(row, self.pipelined);
        module.dataflow =
            starred || module.pipeline.as_ref().is_some_and(|word| word.value == "dataflow");
        module.slack = read_decimal(row, self.slack);
        self.add_violation(&mut module, row, None);
        for column in self.pipelined.map_or(row.len(), |last| last + 1)..row.len() {
            if let (Some(text), Some(heading)) =
                (read_word(row, Some(column)), grid.headings.get(column))
            {
                let resource = read_share(text);
                module.resources.insert(resource_name(heading).to_owned(), resource);
            }
        }
        report.modules.push(module);
        report.modules.len() - 1
    }

    fn one_loop(&self, row: &[Cell], name: Located<String>) -> ReportedLoop {
        let mut one = ReportedLoop::new(name);
        one.trip_count = read_figure(row, self.trips);
        one.latency = read_figure(row, self.latency);
        one.iteration_latency = read_figure(row, self.iteration);
        one.slack = read_decimal(row, self.slack);
        let word = read_word(row, self.pipelined);
        one.pipelined = word.and_then(|word| says_pipelined(&word.value));
        if one.pipelined == Some(true) {
            one.ii_achieved = read_figure(row, self.interval);
            one.depth.clone_from(&one.iteration_latency);
        }
        one
    }

    fn add_violation(&self, module: &mut Module, row: &[Cell], loop_name: Option<String>) {
        let issue = read_word(row, self.issue).filter(|issue| issue.value != "-");
        if let Some(issue) = issue {
            module.violations.push(Violation { issue, cause: None, loop_name, location: None });
        }
    }
}

/// Gives the slacks of modules and loops the other sign.
fn turn_slacks(modules: &mut [Module]) {
    fn turn(slack: &mut Option<Located<Decimal>>) {
        *slack = slack.take().map(|one| one.map(Decimal::negated));
    }
    for module in modules {
        turn(&mut module.slack);
        let mut open: Vec<&mut ReportedLoop> = module.loops.iter_mut().collect();
        while let Some(one) = open.pop() {
            turn(&mut one.slack);
            open.extend(one.loops.iter_mut());
        }
    }
}

/// `+ name` or `o name`.
fn split_marker(cell: &Cell) -> Option<(char, Located<String>)> {
    let text = &cell.text;
    let mark = text.value.chars().next().filter(|mark| matches!(mark, '+' | 'o'))?;
    let name = text.value.get(1..)?.strip_prefix(' ')?.trim_start();
    let span = Span { start: text.span.end - name.len(), ..text.span };
    Some((mark, Located::new(name.to_owned(), span)))
}

fn read_decimal(row: &[Cell], column: Option<usize>) -> Option<Located<Decimal>> {
    read_word(row, column).map(|word| word.map(|read_word| Decimal::parse(&read_word, "ns")))
}

/// `48 (~0%)`, `179794 [ 13.80%]`, or `-`.
pub(crate) fn read_share(text: Located<String>) -> Resource {
    let Some(at) = text.value.find(['(', '[']) else {
        let used = text.map(|word| Figure::parse(&word));
        return Resource { used, available: None, share: None };
    };
    let (count, rest) = text.value.split_at(at);
    let count = count.trim_end();
    let inside = rest[1..].trim_end_matches([')', ']']);
    let percent = inside.trim();
    let from = text.span.start + at + 1 + (inside.len() - inside.trim_start().len());
    let span = Span { start: from, end: from + percent.len(), ..text.span };
    let counted = Span { end: text.span.start + count.len(), ..text.span };
    Resource {
        used: Located::new(Figure::parse(count), counted),
        available: None,
        share: Some(Located::new(percent.to_owned(), span)),
    }
}

#[cfg(test)]
mod tests {
    use super::is_2020_2;

    #[test]
    fn an_update_prints_slacks_as_its_version_does() {
        assert!(is_2020_2("2020.2") && is_2020_2("2020.2.2"));
        assert!(!is_2020_2("2020.1") && !is_2020_2("2020.20") && !is_2020_2("2021.2"));
    }
}
