//! The tables of a report; a part that the report does not have is left out.

use std::collections::BTreeMap;

use derate_hls::{Module, Report, ReportKind, ReportedLoop, Resource, Sources, Violation};
use derate_render::{Block, Cell, Table};

use super::cells::{decimal_cell, figure_cell, filled_table, unread_blocks, word_cell, yes_cell};
use super::linked;

/// Loops inside loops are set off by this.
const INDENT: &str = "  ";

pub(super) fn report_blocks(sources: &Sources, report: &Report) -> Vec<Block> {
    let mut blocks = vec![fact_table(report)];
    let tables = [
        module_table(report),
        cosim_table(report),
        linked::clock_table(report),
        linked::memory_table(report),
        linked::port_table(report),
        linked::argument_table(report),
        port_table(report),
        burst_table(report),
        pragma_table(report),
        utilisation_table(report),
    ];
    blocks.extend(tables.into_iter().flatten());
    blocks.extend(report.cosim.iter().filter(|c| c.passed_without_figures()).map(|c| {
        Block::Prose(format!(
            "{}: `{}` without a single cycle count: nothing was measured.",
            c.language.value, c.status.value
        ))
    }));
    blocks.extend(unread_blocks(sources, &report.unread));
    blocks
}

/// What people call a report.
fn name_kind(kind: ReportKind) -> &'static str {
    match kind {
        ReportKind::CsynthXml => "csynth.xml of a module",
        ReportKind::SummaryXml => "csynth.xml of all modules",
        ReportKind::ModuleText => "csynth.rpt of a module",
        ReportKind::TreeText => "csynth.rpt of all modules, worst cases",
        ReportKind::Cosim => "co-simulation",
        ReportKind::SystemEstimate => "system estimate",
        ReportKind::XclbinInfo => "xclbin.info",
        ReportKind::KernelUtilisation => "kernel utilisation",
        ReportKind::Log => "log of a synthesis",
        ReportKind::RtlSynthesis => "Vivado's synthesis of a kernel",
        ReportKind::Implementation => "a kernel, placed and routed",
        ReportKind::TimingSummary => "timing of a routed design",
    }
}

/// What the report is of.
fn fact_table(report: &Report) -> Block {
    let facts = [
        ("report", Cell::text(name_kind(report.kind))),
        ("tool", word_cell(report.tool.as_ref())),
        ("version", word_cell(report.version.as_ref())),
        ("part", word_cell(report.part.as_ref())),
        ("top", word_cell(report.top.as_ref())),
        ("target clock (ns)", decimal_cell(report.clock.target.as_ref())),
        ("estimated clock (ns)", decimal_cell(report.clock.estimated.as_ref())),
        ("uncertainty (ns)", decimal_cell(report.clock.uncertainty.as_ref())),
        ("target clock (MHz)", decimal_cell(report.target_frequency.as_ref())),
        ("flow", word_cell(report.flow_target.as_ref())),
    ];
    let known = facts.into_iter().filter(|(_, value)| *value != Cell::Empty);
    Block::Table(
        Table::from_items("facts", "", known)
            .text("what", "What", |(name, _)| *name)
            .text("value", "Value", |(_, value)| value.clone())
            .build(),
    )
}

/// A row of the modules' table.
#[derive(Clone, Copy)]
enum TimedRow<'a> {
    Module(&'a Module),
    /// A loop of the module, and how deep it is nested.
    Loop(&'a Module, &'a ReportedLoop, usize),
}

impl<'a> TimedRow<'a> {
    /// What a module's row, or a loop's, has in a column.
    fn cell(
        self,
        of_module: impl FnOnce(&'a Module) -> Cell,
        of_loop: impl FnOnce(&'a ReportedLoop) -> Cell,
    ) -> Cell {
        match self {
            Self::Module(module) => of_module(module),
            Self::Loop(_, inner, _) => of_loop(inner),
        }
    }

    fn name(self) -> String {
        match self {
            Self::Module(module) => module.name.value.clone(),
            Self::Loop(_, inner, depth) => format!("{}{}", INDENT.repeat(depth), inner.name.value),
        }
    }

    fn issues(self) -> Cell {
        match self {
            Self::Module(module) => {
                issues(module.violations.iter().filter(|v| of_no_loop(module, v)))
            }
            Self::Loop(module, inner, _) => {
                let name = Some(inner.name.value.as_str());
                issues(module.violations.iter().filter(|v| v.loop_name.as_deref() == name))
            }
        }
    }
}

fn module_table(report: &Report) -> Option<Block> {
    let mut rows = Vec::new();
    for module in &report.modules {
        rows.push(TimedRow::Module(module));
        add_loops(module, &module.loops, 1, &mut rows);
    }
    let none = |_: &ReportedLoop| Cell::Empty;
    let pipelined = |m: &Module| {
        if m.dataflow { Cell::text("dataflow") } else { word_cell(m.pipeline.as_ref()) }
    };
    let caption = "Cycles; what the tool does not know is shown as it prints it";
    let table = Table::from_items("modules", caption, rows)
        .text("name", "Module, loop", |row| row.name())
        .text("unit", "Compute unit", |row| row.cell(|m| word_cell(m.compute_unit.as_ref()), none))
        .number("latency", "Latency", "", |row| {
            row.cell(|m| figure_cell(m.latency.as_ref()), |l| figure_cell(l.latency.as_ref()))
        })
        .number("interval", "Interval, II", "", |row| {
            row.cell(|m| figure_cell(m.interval.as_ref()), |l| figure_cell(l.ii_achieved.as_ref()))
        })
        .number("target", "II target", "", |row| {
            row.cell(|_| Cell::Empty, |l| figure_cell(l.ii_target.as_ref()))
        })
        .number("trips", "Trip count", "", |row| {
            row.cell(|_| Cell::Empty, |l| figure_cell(l.trip_count.as_ref()))
        })
        .number("depth", "Depth", "", |row| {
            let of_loop =
                |l: &ReportedLoop| figure_cell(l.depth.as_ref().or(l.iteration_latency.as_ref()));
            row.cell(|m| figure_cell(m.depth.as_ref()), of_loop)
        })
        .text("pipelined", "Pipelined", |row| row.cell(pipelined, |l| yes_cell(l.pipelined)))
        .number("slack", "Slack", "ns", |row| {
            row.cell(|m| decimal_cell(m.slack.as_ref()), |l| decimal_cell(l.slack.as_ref()))
        })
        .number("target_mhz", "Target", "MHz", |row| {
            row.cell(|m| decimal_cell(m.frequency.as_ref().map(|f| &f.target)), none)
        })
        .number("estimated_mhz", "Estimated", "MHz", |row| {
            row.cell(|m| decimal_cell(m.frequency.as_ref().map(|f| &f.estimated)), none)
        })
        .text("issue", "Issue", |row| row.issues())
        .text("resources", "Resources", |row| row.cell(|m| resource_cell(&m.resources), none));
    filled_table(table)
}

fn add_loops<'a>(
    module: &'a Module,
    loops: &'a [ReportedLoop],
    depth: usize,
    rows: &mut Vec<TimedRow<'a>>,
) {
    for inner in loops {
        rows.push(TimedRow::Loop(module, inner, depth));
        add_loops(module, &inner.loops, depth + 1, rows);
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

fn resource_cell(resources: &BTreeMap<String, Resource>) -> Cell {
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

fn cosim_table(report: &Report) -> Option<Block> {
    let table = Table::from_items("cosim", "Co-simulation, cycles, as printed", &report.cosim)
        .text("language", "Language", |c| &c.language.value)
        .text("status", "Status", |c| &c.status.value)
        .number("min", "Latency, least", "", |c| figure_cell(c.latency.min.as_ref()))
        .number("avg", "mean", "", |c| figure_cell(c.latency.avg.as_ref()))
        .number("max", "most", "", |c| figure_cell(c.latency.max.as_ref()))
        .number("interval_min", "Interval, least", "", |c| figure_cell(c.interval.min.as_ref()))
        .number("interval_avg", "mean", "", |c| figure_cell(c.interval.avg.as_ref()))
        .number("interval_max", "most", "", |c| figure_cell(c.interval.max.as_ref()))
        .number("total", "Whole run", "", |c| figure_cell(c.total.as_ref()));
    filled_table(table)
}

fn port_table(report: &Report) -> Option<Block> {
    let table = Table::from_items("ports", "m_axi ports", &report.ports)
        .text("port", "Port", |p| &p.name.value)
        .number("source", "Element", "bit", |p| figure_cell(p.source_bits.as_ref()))
        .number("bits", "Port", "bit", |p| figure_cell(p.bits.as_ref()))
        .text("access", "Access", |p| word_cell(p.access.as_ref()))
        .number("latency", "Assumed latency", "", |p| figure_cell(p.latency.as_ref()))
        .number("widest", "Widest allowed", "bit", |p| figure_cell(p.max_widen_bitwidth.as_ref()))
        .number("read_burst", "Read burst", "beats", |p| figure_cell(p.max_read_burst.as_ref()))
        .number("write_burst", "Write burst", "beats", |p| figure_cell(p.max_write_burst.as_ref()))
        .number("read_outstanding", "Reads in flight", "", |p| {
            figure_cell(p.read_outstanding.as_ref())
        })
        .number("write_outstanding", "Writes in flight", "", |p| {
            figure_cell(p.write_outstanding.as_ref())
        });
    filled_table(table)
}

fn burst_table(report: &Report) -> Option<Block> {
    use derate_hls::BurstVerdict::{Failed, Inferred, Missed, NotWidened};
    let table = Table::from_items("bursts", "Bursts", &report.bursts)
        .text("port", "Port", |b| &b.interface.value)
        .text("burst", "Burst", |b| match b.verdict {
            Inferred => "inferred",
            Failed => "none",
            NotWidened => "not widened",
            Missed => "missed",
        })
        .text("variable", "Variable", |b| word_cell(b.variable.as_ref()))
        .text("direction", "Direction", |b| word_cell(b.direction.as_ref()))
        .number("length", "Length", "", |b| figure_cell(b.length.as_ref()))
        .number("bits", "Element", "bit", |b| figure_cell(b.bits.as_ref()))
        .text("loop", "Loop", |b| word_cell(b.loop_name.as_ref()))
        .text("reason", "What the tool says", |b| word_cell(b.reason.as_ref()))
        .text("code", "Code", |b| word_cell(b.code.as_ref()))
        .text("location", "Where", |b| word_cell(b.location.as_ref()));
    filled_table(table)
}

fn pragma_table(report: &Report) -> Option<Block> {
    let table = Table::from_items("pragmas", "Pragmas", &report.pragmas)
        .text("pragma", "Pragma", |p| &p.kind.value)
        .text("options", "Options", |p| &p.options.value)
        .text("status", "Status", |p| &p.status.value)
        .text("location", "Where", |p| word_cell(p.location.as_ref()))
        .text("function", "Function", |p| word_cell(p.function.as_ref()))
        .text("message", "Message", |p| word_cell(p.message.as_ref()));
    filled_table(table)
}

fn utilisation_table(report: &Report) -> Option<Block> {
    let table = Table::from_items("utilisation", "Utilisation", &report.utilisation)
        .text("part", "Part", |u| &u.name.value)
        .text("kernel", "Kernel", |u| u.kernel.as_ref())
        .text("resources", "Resources", |u| resource_cell(&u.resources));
    filled_table(table)
}
