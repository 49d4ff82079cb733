//! `*_timing_summary_routed.rpt` of Vivado and `dr_timing_summary.rpt` of v++: the slack of each clock of a design that was placed
//! and routed. A summary of an earlier step is not a report.

use std::collections::{BTreeMap, BTreeSet};

use super::date::ReportDate;
use super::figure::{Decimal, Located};
use super::report::{Report, ReportKind};
use super::routed::{RoutedClock, RoutedTiming};
use crate::{FileId, Sources, Span};

/// Whether a text is a summary of a routed design. Old releases do not print the state: the name of the file says it, or the nets of
/// its paths.
pub(crate) fn is_routed_summary(text: &str) -> bool {
    let head: Vec<&str> = text.lines().take(HEAD).collect();
    let find = |name| head.iter().find_map(|line| fact(line, name));
    let Some(command) = find("Command").filter(|it| it.starts_with("report_timing_summary")) else {
        return false;
    };
    match find("Design State") {
        Some(state) => state == "Routed" || state.ends_with("postRoute"),
        None => command.contains("_routed") || has_routed_nets(text),
    }
}

/// Whether the nets of the paths are routed: `net (fo=3, routed)`. Those of a placed design are `estimated`, before it `unplaced`.
fn has_routed_nets(text: &str) -> bool {
    // One without a load has no state: `net (fo=0)`.
    let state = |line: &str| {
        let (_, net) = line.split_once("net (fo=")?;
        Some(net.split_once(')')?.0.split_once(", ")?.1 == "routed")
    };
    let mut states = text.lines().filter_map(state).peekable();
    states.peek().is_some() && states.all(|is_routed| is_routed)
}

/// Lines of the box at the top.
const HEAD: usize = 16;

/// The value of `| Design State : Routed`.
fn fact<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (key, value) = line.strip_prefix('|')?.split_once(':')?;
    (key.trim() == name).then(|| value.trim())
}

/// Reads the whole text.
pub(crate) fn read_timing_summary(sources: &Sources, file: FileId) -> Report {
    let text = sources.text(file);
    let mut report = Report::new(ReportKind::TimingSummary);
    let find = |name| text.lines().take(HEAD).find_map(|line| fact(line, name));
    report.date = find("Date").and_then(ReportDate::parse);
    let (mut title, mut column, mut start) = ("", None, 0);
    let mut periods: BTreeMap<&str, f64> = BTreeMap::new();
    let mut clocks = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some(heading) = line.strip_prefix("| ") {
            title = if heading.starts_with("---") { title } else { heading.trim() };
            column = None;
        }
        match title {
            "Clock Summary" => periods.extend(read_period(line)),
            "Intra Clock Table" if column.is_none() => {
                column = line.find(SLACK).map(|at| at + SLACK.len());
            }
            "Intra Clock Table" => {
                clocks.extend(column.and_then(|end| read_slack(line.get(..end)?)).map(
                    |(name, slack, value)| {
                        let place = |word: &str| {
                            let at = start + word.as_ptr() as usize - line.as_ptr() as usize;
                            Span { file, start: at, end: at + word.len() }
                        };
                        (
                            Located::new(name.to_owned(), place(name)),
                            Located::new(value, place(slack)),
                        )
                    },
                ));
            }
            _ => {}
        }
        start += line.len();
    }
    let clocks = clocks.into_iter().filter_map(|(name, slack)| {
        let period = *periods.get(name.value.as_str())?;
        Some(RoutedClock { name, period, slack })
    });
    report.timing = Some(RoutedTiming {
        design: find("Design").unwrap_or_default().to_owned(),
        clocks: clocks.collect(),
        cells: list_cells(text),
        lacks_kernel: false,
    });
    report
}

/// The heading of the worst slack; figures end where it ends.
const SLACK: &str = "WNS(ns)";

/// `clk_fpga_0  {0.000 5.000}      10.000          100.000`.
fn read_period(line: &str) -> Option<(&str, f64)> {
    let (name, rest) = line.split_once('{')?;
    let period = rest.split_once('}')?.1.split_whitespace().next()?;
    let period = period.parse().ok().filter(|ns: &f64| ns.is_finite() && *ns > 0.0)?;
    Some((name.trim(), period))
}

/// The heading of the paths. What is above it has words like `register/latch`.
const DETAILS: &str = "| Timing Details";

/// A clock without paths has no slack.
fn read_slack(cells: &str) -> Option<(&str, &str, f64)> {
    let mut words = cells.split_whitespace();
    let (name, slack) = (words.next()?, words.next()?);
    Some((name, slack, Decimal::parse(slack, "ns").known()?))
}

/// What the parts of the paths are instances of, by the clock of the path; a path begins with its slack.
fn list_cells(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut details = text.lines().skip_while(|line| *line != DETAILS).peekable();
    let mut cells: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    while details.peek().is_some() {
        let (mut group, mut names) = (String::new(), BTreeSet::new());
        while let Some(line) = details.next() {
            let mut words = line.split_whitespace();
            let path = match (words.next(), words.next_back()) {
                (Some("Path"), Some(name)) if line.contains("Path Group:") => {
                    name.clone_into(&mut group);
                    continue;
                }
                (Some("Source:" | "Destination:"), Some(last)) => words.next().or(Some(last)),
                (_, last) => last,
            };
            names.extend(path.into_iter().flat_map(list_instances));
            if details.peek().is_some_and(|next| next.trim_start().starts_with("Slack")) {
                break;
            }
        }
        cells.entry(group).or_default().append(&mut names);
    }
    cells
}

/// What the parts of a path are instances of. The end of a path is a pin or a net.
fn list_instances(path: &str) -> Vec<String> {
    let parts = path.rsplit_once('/').into_iter().flat_map(|(cells, _)| cells.split('/'));
    let names = parts.filter_map(|part| {
        let part = part
            .strip_prefix("grp_")
            .map_or(part, |rest| rest.rsplit_once("_fu_").map_or(rest, |(name, _)| name));
        let (name, number) = part.rsplit_once('_').unwrap_or((part, "0"));
        let is_numbered = !number.is_empty() && number.bytes().all(|sign| sign.is_ascii_digit());
        let name = if is_numbered { name } else { part };
        let is_name = name.bytes().all(|sign| sign == b'_' || sign.is_ascii_alphanumeric());
        (is_name && !name.is_empty()).then(|| [name.to_owned(), part.to_owned()])
    });
    names.flatten().collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::csynth::{read_report, report_kind};

    /// In the form of Vivado 2018.3 to 2023.2.
    pub(crate) fn summary(slack: &str, state: &str, command: &str, nets: &str) -> String {
        format!(
            "Copyright\n----\n| Tool Version : Vivado v.2023.2\n| Date         : Wed Jan  8 15:03:33 2025\n\
             | Command      : {command}\n| Design       : design_1_wrapper\n{state}----\n\n\
             -----\n| Clock Summary\n| -------------\n-----\n\n\
             Clock       Waveform(ns)       Period(ns)      Frequency(MHz)\n\
             -----       ------------       ----------      --------------\n\
             clk_fpga_0  {{0.000 5.000}}      10.000          100.000         \n  clk_idle  {{0.000 2.000}}      4.000          250.000\n\n\
             -----\n| Intra Clock Table\n| -----------------\n-----\n\n\
             Clock             WNS(ns)      TNS(ns)  TNS Failing Endpoints\n\
             -----             -------      -------  ---------------------\n\
             clk_fpga_0   {slack:>12}        0.000                      0\n  clk_idle                                                 \n\n\
             There are 0 register/latch pins\n-----\n| Timing Details\n| --------------\n-----\n\n\
             Source:                 design_1_i/fir_0/inst/grp_load_fu_84/a_reg[1]/C\n\
             \x20                           (rising edge-triggered cell FDRE clocked by clk_fpga_0)\n\
             \x20                net (fo=0)           0.000  0.000    clk\n\
             \x20  SLICE_X41Y45  net (fo=3, {nets})  0.512  1.020    design_1_i/iir_0/inst/sum/D\n\
             Min Period  n/a  FDRE/C  n/a  1.000  10.000  9.000  SLICE_X4Y4  design_1_i/fft_0/inst/C\n"
        )
    }

    const ROUTED: &str = "| Design State : Routed\n";
    const COMMAND: &str = "report_timing_summary -file /a/_x/link/a_timing_summary_routed.rpt";

    #[test]
    fn each_clock_has_its_period_and_its_slack() {
        let mut sources = Sources::default();
        let file =
            sources.add("p/p.runs/impl_1/a.rpt", summary("-0.250", ROUTED, COMMAND, "routed"));
        let report = read_report(&sources, file).unwrap();
        assert_eq!(report.kind, ReportKind::TimingSummary);
        let timing = report.timing.unwrap();
        assert_eq!(timing.design, "design_1_wrapper");
        let [clock] = &timing.clocks[..] else { panic!("{timing:?}") };
        assert_eq!(
            (clock.name.value.as_str(), clock.period, clock.slack.value),
            ("clk_fpga_0", 10.0, -0.25)
        );
        let place = clock.slack.span;
        assert_eq!(&sources.text(file)[place.start..place.end], "-0.250");
        for cell in ["fir", "load", "iir", "fft"] {
            assert!(timing.has_cell(cell), "{cell}");
        }
        for word in ["inst_0", "register", "latch", "FDRE", "n", "a", "C", "link"] {
            assert!(!timing.has_cell(word), "{word}");
        }
        let find = |period: f64, top: &str| timing.find_clock(period, top);
        assert!(find(9.99, "fir").is_some() && find(9.0, "fir").is_none());
    }

    #[test]
    fn the_clock_of_a_kernel_is_that_of_its_paths() {
        let mut sources = Sources::default();
        let text = summary("-0.250", ROUTED, COMMAND, "routed");
        let path = |slack: &str, cell: &str, group: &str| {
            format!(
                "\nSlack (MET) :  {slack}ns\n  Source:  d_i/{cell}_0/inst/a/C\n  Path Group:  {group}\n"
            )
        };
        let paths = path("0.5", "fir", "clk_idle") + &path("0.7", "iir", "clk_fpga_0");
        let (head, _) = text.split_once("Source:").unwrap();
        let file = sources.add("a.rpt", format!("{head}{paths}"));
        let timing = read_report(&sources, file).unwrap().timing.unwrap();
        assert!(timing.find_clock(10.0, "iir").is_some());
        // Its own clock has no slack here, and another period.
        assert!(
            timing.find_clock(10.0, "fir").is_some(),
            "clk_idle has no slack: nothing is known"
        );
        let both = text.replace(
            "clk_idle                                                 ",
            "clk_idle           0.500        0.000                      0",
        );
        let (head, _) = both.split_once("Source:").unwrap();
        let file = sources.add("b.rpt", format!("{head}{paths}"));
        let timing = read_report(&sources, file).unwrap().timing.unwrap();
        assert!(
            timing.find_clock(10.0, "fir").is_none() && timing.find_clock(4.0, "fir").is_some()
        );
        assert!(timing.find_clock(10.0, "other").is_some());
    }

    #[test]
    fn what_is_not_routed_is_no_report() {
        let kind = |state, command| report_kind(&summary("0.100", state, command, "estimated"));
        assert_eq!(kind(ROUTED, COMMAND), Some(ReportKind::TimingSummary));
        assert_eq!(kind("", COMMAND), Some(ReportKind::TimingSummary), "releases before 2019");
        assert_eq!(
            kind("| Design State : Physopt postRoute\n", "report_timing_summary"),
            Some(ReportKind::TimingSummary)
        );
        assert_eq!(kind("| Design State : Synthesized\n", COMMAND), None);
        assert_eq!(kind("", "report_timing_summary -file a_placed.rpt"), None);
        assert_eq!(kind(ROUTED, "report_utilization -file a_routed.rpt"), None);
        // An old release, and a file of another name: the nets of the paths are routed.
        let of = |nets: &str| report_kind(&summary("0.100", "", "report_timing_summary", nets));
        assert_eq!(of("routed"), Some(ReportKind::TimingSummary));
        assert_eq!(of("unplaced"), None);
    }
}
