//! What a log says of the schedule: why a pipeline has the interval that it has, and the operations of a path that is too long.

use super::figure::Located;
use super::refused::RefusedPipeline;
use crate::Span;

/// What a log says of the schedule of its last synthesis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schedule {
    /// The pipelines, in the order of the log.
    pub pipelines: Vec<ScheduledPipeline>,
    /// The paths that take longer than the clock allows.
    pub paths: Vec<CriticalPath>,
    /// The pipelines that were asked for and not made.
    pub refused: Vec<RefusedPipeline>,
}

/// A loop or a function that was pipelined.
#[derive(Clone, Debug, PartialEq)]
pub struct ScheduledPipeline {
    /// The module that it is in.
    pub module: String,
    /// The loop; `None` for the whole function.
    pub loop_name: Option<String>,
    /// The interval that was reached.
    pub reached: u64,
    /// What held it at that interval, where the log says so: the last thing that the tool names.
    pub held: Option<Located<Held>>,
}

/// What holds an interval.
#[derive(Clone, Debug, PartialEq)]
pub enum Held {
    /// The memory or the port has too few ports for all accesses of an iteration.
    Ports(ScheduledOperation),
    /// The second operation waits for the first one of an iteration before.
    Carried(Box<[ScheduledOperation; 2]>),
}

/// An operation, as the log names it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScheduledOperation {
    /// `load`, `store`, `fadd`, `call`, `fifo write`, `bus request`.
    pub what: String,
    /// The source lines, file and number: the innermost first, then those that it is inlined at.
    pub places: Vec<(String, u32)>,
    /// What it is on.
    pub target: Option<OperationTarget>,
}

/// What an operation is on.
#[derive(Clone, Debug, PartialEq)]
pub struct OperationTarget {
    /// `array`, `port`, `local variable`, `static variable`; empty for a function that is called.
    pub word: &'static str,
    /// Its name.
    pub name: String,
}

/// A path that takes longer than the clock allows.
#[derive(Clone, Debug, PartialEq)]
pub struct CriticalPath {
    /// The module that it is in.
    pub module: String,
    /// The line that announces it.
    pub span: Span,
    /// Its operations with what each takes, in ns.
    pub operations: Vec<(ScheduledOperation, f64)>,
}

impl CriticalPath {
    /// The operation that takes longest, and its share of all.
    #[must_use]
    pub fn find_longest(&self) -> Option<(&ScheduledOperation, f64)> {
        let all: f64 = self.operations.iter().map(|(_, takes)| takes).sum();
        let longest = self.operations.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        (all > 0.0).then_some((&longest.0, longest.1 / all))
    }
}

impl ScheduledOperation {
    /// The innermost line that is not in a header of the tool, else the innermost one.
    #[must_use]
    pub fn find_place(&self) -> Option<&(String, u32)> {
        let is_tool = |file: &str| {
            ["/Vitis_HLS/", "/Vivado_HLS/", "/Vitis/", "/autopilot/"]
                .iter()
                .any(|it| file.contains(it))
        };
        self.places.iter().find(|(file, _)| !is_tool(file)).or(self.places.first())
    }

    /// Reads `'store' operation 0 bit ('x_write_ln5', f.cpp:5->g.cpp:9) of variable 'v', f.cpp:4 on array 'x', f.cpp:2`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (what, rest) = if let Some(rest) = text.strip_prefix('\'') {
            rest.split_once('\'')?
        } else {
            let end = [" operation", " on port", " ("].iter().filter_map(|it| text.find(it));
            text.split_at(end.min()?)
        };
        let is_name = !what.is_empty()
            && what.chars().all(|it| it.is_ascii_alphanumeric() || it == ' ' || it == '_');
        if !is_name {
            return None;
        }
        Some(Self { what: what.to_owned(), places: find_places(rest), target: find_target(rest) })
    }
}

/// The words before the name of what an operation is on.
const TARGETS: [(&str, &str); 5] = [
    (" on array '", "array"),
    (" on port '", "port"),
    (" on local variable '", "local variable"),
    (" on static variable '", "static variable"),
    (" to '", ""),
];

fn find_target(rest: &str) -> Option<OperationTarget> {
    TARGETS.iter().find_map(|(before, word)| {
        let (_, name) = rest.split_once(before)?;
        Some(OperationTarget { word, name: name.split('\'').next()?.to_owned() })
    })
}

/// The lines in the first parentheses: `f.cpp:5` and `g.cpp:9` of `('x', f.cpp:5->g.cpp:9)`. A path may have a colon of its own.
fn find_places(rest: &str) -> Vec<(String, u32)> {
    let inner = rest.split_once('(').map_or("", |(_, inner)| inner);
    let inner = inner.split(')').next().unwrap_or_default();
    let chain = match inner.strip_prefix('\'') {
        Some(named) => named.split_once("', ").map_or("", |(_, places)| places),
        None => inner,
    };
    let places = chain.split("->").map_while(|place| {
        let (file, line) = place.trim().rsplit_once(':')?;
        Some((file.to_owned(), line.parse().ok()?))
    });
    places.collect()
}

impl Held {
    /// What is named: one operation, or two that wait for each other.
    pub fn operations(&self) -> impl Iterator<Item = &ScheduledOperation> {
        match self {
            Self::Ports(one) => std::slice::from_ref(one).iter(),
            Self::Carried(pair) => pair.iter(),
        }
    }

    /// Reads what a violation says of its cause.
    pub(super) fn parse(cause: &str) -> Option<Self> {
        if let Some((_, rest)) = cause.split_once("Unable to schedule ")
            && let Some((operation, _)) = rest.split_once(" due to limited memory ports")
        {
            return ScheduledOperation::parse(operation).map(Self::Ports);
        }
        let (_, pair) =
            cause.split_once("Unable to enforce a carried ")?.1.split_once(" between ")?;
        let starts = ["'", "bus ", "fifo ", "axis ", "wire "];
        let mut ands = pair.match_indices(" and ").filter(|(at, word)| {
            let rest = &pair[at + word.len()..];
            starts.iter().any(|start| rest.starts_with(start))
        });
        let (at, word) = ands.next()?;
        let first = ScheduledOperation::parse(&pair[..at])?;
        let second = ScheduledOperation::parse(&pair[at + word.len()..])?;
        Some(Self::Carried(Box::new([first, second])))
    }
}

/// An operation of a path and what it takes: `'mul' operation ('m', f.cpp:3) [258]  (4.52 ns)`.
pub(super) fn parse_step(line: &str) -> Option<(ScheduledOperation, f64)> {
    let (operation, takes) = line.trim().strip_suffix(" ns)")?.rsplit_once('(')?;
    Some((ScheduledOperation::parse(operation)?, takes.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

    use super::*;

    fn show(one: &ScheduledOperation) -> String {
        let place =
            one.places.first().map_or(String::new(), |(file, line)| format!(" {file}:{line}"));
        let target =
            one.target.as_ref().map_or(String::new(), |it| format!(" {} {}", it.word, it.name));
        format!("{}{place}{target}", one.what)
    }

    #[test]
    fn causes_of_all_releases_are_read() {
        let ports = "Unable to schedule 'load' operation 32 bit ('a_load_3', ../x:y/f.cpp:35->g.cpp:9) on array 'a' \
                     due to limited memory ports (II = 1). Please consider using a memory core with more ports";
        let Some(Held::Ports(one)) = Held::parse(ports) else { panic!("ports") };
        assert_eq!(show(&one), "load ../x:y/f.cpp:35 array a");
        let bus = "Unable to schedule bus request operation ('in_req', f.cpp:35) on port 'gmem' (f.cpp:35) due to \
                   limited memory ports (II = 1).";
        let Some(Held::Ports(one)) = Held::parse(bus) else { panic!("bus") };
        assert_eq!(show(&one), "bus request f.cpp:35 port gmem");
        let pair = |text: &str| match Held::parse(text) {
            Some(Held::Carried(pair)) => format!("{} | {}", show(&pair[0]), show(&pair[1])),
            other => panic!("{other:?}"),
        };
        let carried = "Unable to enforce a carried dependence constraint (II = 1, distance = 1, offset = 1) between ";
        assert_eq!(
            pair(&format!(
                "{carried}'store' operation (f.cpp:7) of variable 'v', f.cpp:6 on array 'a', f.cpp:2 and 'load' operation ('l', f.cpp:5) on array 'a'."
            )),
            "store f.cpp:7 array a | load f.cpp:5 array a"
        );
        assert_eq!(
            pair(&format!(
                "{carried}fifo write on port 'out_r' (f.cpp:7) and fifo write on port 'out_r' (f.cpp:8)."
            )),
            "fifo write f.cpp:7 port out_r | fifo write f.cpp:8 port out_r"
        );
        assert_eq!(
            pair(&format!(
                "{carried}'call' operation 8 bit ('t', d.h:54->c.h:288) to 'dense<a, b>' and 'call' operation ('_l', c.h:281) to 'shift<a, b>'."
            )),
            "call d.h:54  dense<a, b> | call c.h:281  shift<a, b>"
        );
        assert!(Held::parse("Unable to do as it likes").is_none());
    }

    #[test]
    fn the_longest_operation_of_a_path_is_found() {
        let (one, takes) =
            parse_step("\t'mul' operation 32 bit ('m', f.cpp:3) [258]  (4.52 ns)").unwrap();
        assert_eq!((show(&one).as_str(), takes), ("mul f.cpp:3", 4.52));
        assert!(parse_step("\tblocking operation 1.2 ns on control path)").is_none());
        let add = parse_step("\t'add' operation ('a') [9]  (1.5 ns)").unwrap();
        let span = Span { file: crate::Sources::default().add("l", ""), start: 0, end: 0 };
        let path =
            CriticalPath { module: "m".to_owned(), span, operations: vec![add, (one, takes)] };
        let (longest, share) = path.find_longest().unwrap();
        assert!(longest.what == "mul" && share > 0.7, "{share}");
    }
}
