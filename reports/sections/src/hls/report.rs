//! The tables of a report; a part that the report does not have is left out.

use std::collections::BTreeMap;

use derate_hls::{Cosim, Module, Report, ReportKind, ReportedLoop, Resource, Sources, Violation};
use derate_render::{Block, Cell, Column, Table};

use super::cells::{decimal, figure, table, texts, unread, word, yes};
use super::linked;

/// Loops inside loops are set off by this.
const INDENT: &str = "  ";

pub(super) fn report(sources: &Sources, report: &Report) -> Vec<Block> {
    let mut blocks = vec![facts(report)];
    let tables = [
        modules(report),
        cosim(report),
        linked::clocks(report),
        linked::memories(report),
        linked::ports(report),
        linked::arguments(report),
        ports(report),
        bursts(report),
        pragmas(report),
        utilisation(report),
    ];
    blocks.extend(tables.into_iter().flatten());
    blocks.extend(report.cosim.iter().filter(|c| c.passed_without_figures()).map(|c| {
        Block::Prose(format!(
            "{}: `{}` without a single cycle count: nothing was measured.",
            c.language.value, c.status.value
        ))
    }));
    blocks.extend(unread(sources, &report.unread));
    blocks
}

/// What people call a report.
fn kind(kind: ReportKind) -> &'static str {
    match kind {
        ReportKind::CsynthXml => "csynth.xml of a module",
        ReportKind::SummaryXml => "csynth.xml of all modules",
        ReportKind::ModuleText => "csynth.rpt of a module",
        ReportKind::TreeText => "csynth.rpt of all modules, worst cases",
        ReportKind::Cosim => "co-simulation",
        ReportKind::SystemEstimate => "system estimate",
        ReportKind::XclbinInfo => "xclbin.info",
        ReportKind::KernelUtilisation => "kernel utilisation",
    }
}

/// What the report is of.
fn facts(report: &Report) -> Block {
    let row =
        |name: &str, value: Cell| (value != Cell::Empty).then(|| vec![Cell::text(name), value]);
    let rows = [
        row("report", Cell::text(kind(report.kind))),
        row("tool", word(report.tool.as_ref())),
        row("version", word(report.version.as_ref())),
        row("part", word(report.part.as_ref())),
        row("top", word(report.top.as_ref())),
        row("target clock (ns)", decimal(report.clock.target.as_ref())),
        row("estimated clock (ns)", decimal(report.clock.estimated.as_ref())),
        row("uncertainty (ns)", decimal(report.clock.uncertainty.as_ref())),
        row("target clock (MHz)", decimal(report.target_frequency.as_ref())),
        row("flow", word(report.flow_target.as_ref())),
    ];
    Block::Table(Table {
        name: "facts".to_owned(),
        caption: String::new(),
        columns: vec![Column::text("what", "What"), Column::text("value", "Value")],
        rows: rows.into_iter().flatten().collect(),
    })
}

fn cycles(key: &str, heading: &str) -> Column {
    Column::number(key, heading, "")
}

fn modules(report: &Report) -> Option<Block> {
    let columns = vec![
        Column::text("name", "Module, loop"),
        Column::text("unit", "Compute unit"),
        cycles("latency", "Latency"),
        cycles("interval", "Interval, II"),
        cycles("target", "II target"),
        cycles("trips", "Trip count"),
        cycles("depth", "Depth"),
        Column::text("pipelined", "Pipelined"),
        Column::number("slack", "Slack", "ns"),
        Column::number("target_mhz", "Target", "MHz"),
        Column::number("estimated_mhz", "Estimated", "MHz"),
        Column::text("issue", "Issue"),
        Column::text("resources", "Resources"),
    ];
    let mut rows = Vec::new();
    for module in &report.modules {
        rows.push(module_row(module));
        for inner in &module.loops {
            loop_rows(module, inner, 1, &mut rows);
        }
    }
    table("modules", "Cycles; what the tool does not know is shown as it prints it", columns, rows)
}

fn module_row(module: &Module) -> Vec<Cell> {
    let frequency = module.frequency.as_ref();
    vec![
        Cell::text(&module.name.value),
        word(module.compute_unit.as_ref()),
        figure(module.latency.as_ref()),
        figure(module.interval.as_ref()),
        Cell::Empty,
        Cell::Empty,
        figure(module.depth.as_ref()),
        if module.dataflow { Cell::text("dataflow") } else { word(module.pipeline.as_ref()) },
        decimal(module.slack.as_ref()),
        decimal(frequency.map(|frequency| &frequency.target)),
        decimal(frequency.map(|frequency| &frequency.estimated)),
        issues(module.violations.iter().filter(|v| of_no_loop(module, v))),
        resources(&module.resources),
    ]
}

fn loop_rows(module: &Module, inner: &ReportedLoop, depth: usize, rows: &mut Vec<Vec<Cell>>) {
    let name = inner.name.value.as_str();
    rows.push(vec![
        Cell::text(format!("{}{name}", INDENT.repeat(depth))),
        Cell::Empty,
        figure(inner.latency.as_ref()),
        figure(inner.ii_achieved.as_ref()),
        figure(inner.ii_target.as_ref()),
        figure(inner.trip_count.as_ref()),
        figure(inner.depth.as_ref().or(inner.iteration_latency.as_ref())),
        yes(inner.pipelined),
        decimal(inner.slack.as_ref()),
        Cell::Empty,
        Cell::Empty,
        issues(module.violations.iter().filter(|v| v.loop_name.as_deref() == Some(name))),
        Cell::Empty,
    ]);
    for deeper in &inner.loops {
        loop_rows(module, deeper, depth + 1, rows);
    }
}

/// Whether no row of a loop shows the violation.
fn of_no_loop(module: &Module, violation: &Violation) -> bool {
    let of = violation.loop_name.as_deref();
    of.is_none_or(|of| module.all_loops().iter().all(|one| one.name.value != of))
}

/// `II Violation (Resource Limitation) at top.cpp:51`.
fn issues<'a>(violations: impl Iterator<Item = &'a Violation>) -> Cell {
    let texts: Vec<String> = violations
        .map(|v| {
            let cause = v.cause.as_ref().map(|cause| format!(" ({})", cause.value));
            let place = v.location.as_ref().map(|place| format!(" at {}", place.value));
            format!("{}{}{}", v.issue.value, cause.unwrap_or_default(), place.unwrap_or_default())
        })
        .collect();
    if texts.is_empty() { Cell::Empty } else { Cell::text(texts.join("; ")) }
}

fn resources(resources: &BTreeMap<String, Resource>) -> Cell {
    let texts: Vec<String> = resources
        .iter()
        .map(|(name, r)| {
            let available = r.available.as_ref().map(|all| format!(" of {}", all.value));
            // Old reports print the sign in the row's name.
            let share =
                r.share.as_ref().map(|share| format!(" ({}%)", share.value.trim_end_matches('%')));
            format!(
                "{name} {}{}{}",
                r.used.value,
                available.unwrap_or_default(),
                share.unwrap_or_default()
            )
        })
        .collect();
    if texts.is_empty() { Cell::Empty } else { Cell::text(texts.join(", ")) }
}

fn cosim(report: &Report) -> Option<Block> {
    let columns = vec![
        Column::text("language", "Language"),
        Column::text("status", "Status"),
        cycles("min", "Latency, least"),
        cycles("avg", "mean"),
        cycles("max", "most"),
        cycles("interval_min", "Interval, least"),
        cycles("interval_avg", "mean"),
        cycles("interval_max", "most"),
        cycles("total", "Whole run"),
    ];
    let row = |c: &Cosim| {
        vec![
            Cell::text(&c.language.value),
            Cell::text(&c.status.value),
            figure(c.latency.min.as_ref()),
            figure(c.latency.avg.as_ref()),
            figure(c.latency.max.as_ref()),
            figure(c.interval.min.as_ref()),
            figure(c.interval.avg.as_ref()),
            figure(c.interval.max.as_ref()),
            figure(c.total.as_ref()),
        ]
    };
    table("cosim", "Co-simulation, cycles, as printed", columns, report.cosim.iter().map(row))
}

fn ports(report: &Report) -> Option<Block> {
    let columns = vec![
        Column::text("port", "Port"),
        Column::number("source", "Element", "bit"),
        Column::number("bits", "Port", "bit"),
        Column::text("access", "Access"),
        cycles("latency", "Assumed latency"),
        Column::number("widest", "Widest allowed", "bit"),
        Column::number("read_burst", "Read burst", "beats"),
        Column::number("write_burst", "Write burst", "beats"),
        cycles("read_outstanding", "Reads in flight"),
        cycles("write_outstanding", "Writes in flight"),
    ];
    let rows = report.ports.iter().map(|p| {
        vec![
            Cell::text(&p.name.value),
            figure(p.source_bits.as_ref()),
            figure(p.bits.as_ref()),
            word(p.access.as_ref()),
            figure(p.latency.as_ref()),
            figure(p.max_widen_bitwidth.as_ref()),
            figure(p.max_read_burst.as_ref()),
            figure(p.max_write_burst.as_ref()),
            figure(p.read_outstanding.as_ref()),
            figure(p.write_outstanding.as_ref()),
        ]
    });
    table("ports", "m_axi ports", columns, rows)
}

fn bursts(report: &Report) -> Option<Block> {
    use derate_hls::BurstVerdict::{Failed, Inferred, Missed, NotWidened};
    let mut columns = texts(&["Port", "Burst", "Variable", "Direction"]);
    columns
        .extend([Column::number("length", "Length", ""), Column::number("bits", "Element", "bit")]);
    columns.extend(texts(&["Loop", "What the tool says", "Code", "Where"]));
    let rows = report.bursts.iter().map(|b| {
        let verdict = match b.verdict {
            Inferred => "inferred",
            Failed => "none",
            NotWidened => "not widened",
            Missed => "missed",
        };
        vec![
            Cell::text(&b.interface.value),
            Cell::text(verdict),
            word(b.variable.as_ref()),
            word(b.direction.as_ref()),
            figure(b.length.as_ref()),
            figure(b.bits.as_ref()),
            word(b.loop_name.as_ref()),
            word(b.reason.as_ref()),
            word(b.code.as_ref()),
            word(b.location.as_ref()),
        ]
    });
    table("bursts", "Bursts", columns, rows)
}

fn pragmas(report: &Report) -> Option<Block> {
    let columns = texts(&["Pragma", "Options", "Status", "Where", "Function", "Message"]);
    let rows = report.pragmas.iter().map(|p| {
        vec![
            Cell::text(&p.kind.value),
            Cell::text(&p.options.value),
            Cell::text(&p.status.value),
            word(p.location.as_ref()),
            word(p.function.as_ref()),
            word(p.message.as_ref()),
        ]
    });
    table("pragmas", "Pragmas", columns, rows)
}

fn utilisation(report: &Report) -> Option<Block> {
    let columns = texts(&["Part", "Kernel", "Resources"]);
    let rows = report.utilisation.iter().map(|u| {
        let kernel = u.kernel.as_ref().map_or(Cell::Empty, Cell::text);
        vec![Cell::text(&u.name.value), kernel, resources(&u.resources)]
    });
    table("utilisation", "Utilisation", columns, rows)
}
