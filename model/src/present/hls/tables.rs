//! The tables of `derate hls`.

use derate_hls::{
    Connectivity, Decimal, Figure, Function, Header, Located, Module, Report, ReportKind,
    ReportedLoop, Sources,
};
use derate_reports::{Block, Cell, Column, NumberFormat, Table};
use serde::Serialize;

/// Loops inside loops are set off by this.
const INDENT: &str = "  ";

fn figure(figure: Option<&Located<Figure>>) -> Cell {
    match figure.map(|located| &located.value) {
        None => Cell::Empty,
        Some(Figure::Known(value)) => Cell::number(*value as f64, NumberFormat::Integer),
        Some(Figure::Unknown(word)) => Cell::Unknown(format!("`{word}`")),
        Some(range) => Cell::text(range.to_string()),
    }
}

fn word(text: Option<&Located<String>>) -> Cell {
    text.map_or(Cell::Empty, |located| Cell::text(&located.value))
}

fn decimal(text: Option<&Located<Decimal>>) -> Cell {
    text.map_or(Cell::Empty, |located| Cell::text(located.value.to_string()))
}

fn table(name: &str, caption: &str, columns: Vec<Column>, rows: Vec<Vec<Cell>>) -> Option<Block> {
    (!rows.is_empty()).then(|| {
        Block::Table(Table { name: name.to_owned(), caption: caption.to_owned(), columns, rows })
    })
}

/// What a report says, in tables; a part that the report does not have is left out.
pub(super) fn report(sources: &Sources, report: &Report) -> Vec<Block> {
    let mut modules = Vec::new();
    for module in &report.modules {
        modules.push(module_row(module));
        for inner in &module.loops {
            loop_rows(inner, 1, &mut modules);
        }
    }
    let cycles = |key: &str, heading: &str| Column::number(key, heading, "");
    let module_columns = vec![
        Column::text("name", "Module, loop"),
        cycles("latency", "Latency"),
        cycles("interval", "Interval, II"),
        cycles("target", "II target"),
        cycles("trips", "Trip count"),
        cycles("depth", "Depth"),
        Column::text("pipelined", "Pipelined"),
        Column::text("resources", "Resources"),
    ];
    let cosim = report.cosim.iter().map(|c| {
        vec![
            Cell::text(&c.language.value),
            Cell::text(&c.status.value),
            figure(c.latency.min.as_ref()),
            figure(c.latency.avg.as_ref()),
            figure(c.latency.max.as_ref()),
            figure(c.interval.max.as_ref()),
        ]
    });
    let cosim_columns = vec![
        Column::text("language", "Language"),
        Column::text("status", "Status"),
        cycles("min", "Latency, least"),
        cycles("avg", "mean"),
        cycles("max", "most"),
        cycles("interval", "Interval, most"),
    ];
    let clocks = report
        .clocks
        .iter()
        .map(|c| vec![Cell::text(&c.name.value), decimal(c.frequency.as_ref())]);
    let ports = report.ports.iter().map(|p| {
        vec![
            Cell::text(&p.name.value),
            figure(p.source_bits.as_ref()),
            figure(p.bits.as_ref()),
            word(p.access.as_ref()),
            figure(p.latency.as_ref()),
        ]
    });
    let port_columns = vec![
        Column::text("port", "Port"),
        Column::number("source", "Element", "bit"),
        Column::number("bits", "Port", "bit"),
        Column::text("access", "Access"),
        cycles("latency", "Assumed latency"),
    ];
    let used = report
        .utilisation
        .iter()
        .map(|u| vec![Cell::text(&u.name.value), Cell::text(resources(&u.resources))]);
    let mut blocks = vec![facts(report)];
    blocks.extend(table(
        "modules",
        "Cycles; what the tool does not know is shown as it prints it",
        module_columns,
        modules,
    ));
    blocks.extend(table("cosim", "Co-simulation, cycles", cosim_columns, cosim.collect()));
    let clock_columns =
        vec![Column::text("clock", "Clock"), Column::number("mhz", "Reached", "MHz")];
    blocks.extend(table("clocks", "Clocks of the bitstream", clock_columns, clocks.collect()));
    blocks.extend(table("ports", "m_axi ports", port_columns, ports.collect()));
    let used_columns = vec![Column::text("name", "Part"), Column::text("resources", "Resources")];
    blocks.extend(table("utilisation", "Utilisation", used_columns, used.collect()));
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
        row("flow", word(report.flow_target.as_ref())),
    ];
    Block::Table(Table {
        name: "facts".to_owned(),
        caption: String::new(),
        columns: vec![Column::text("what", "What"), Column::text("value", "Value")],
        rows: rows.into_iter().flatten().collect(),
    })
}

fn module_row(module: &Module) -> Vec<Cell> {
    vec![
        Cell::text(&module.name.value),
        figure(module.latency.as_ref()),
        figure(module.interval.as_ref()),
        Cell::Empty,
        Cell::Empty,
        figure(module.depth.as_ref()),
        if module.dataflow { Cell::text("dataflow") } else { word(module.pipeline.as_ref()) },
        Cell::text(resources(&module.resources)),
    ]
}

fn loop_rows(inner: &ReportedLoop, depth: usize, rows: &mut Vec<Vec<Cell>>) {
    rows.push(vec![
        Cell::text(format!("{}{}", INDENT.repeat(depth), inner.name.value)),
        figure(inner.latency.as_ref()),
        figure(inner.ii_achieved.as_ref()),
        figure(inner.ii_target.as_ref()),
        figure(inner.trip_count.as_ref()),
        figure(inner.depth.as_ref().or(inner.iteration_latency.as_ref())),
        inner.pipelined.map_or(Cell::Empty, |yes| Cell::text(if yes { "yes" } else { "no" })),
        Cell::Empty,
    ]);
    for deeper in &inner.loops {
        loop_rows(deeper, depth + 1, rows);
    }
}

fn resources(resources: &std::collections::BTreeMap<String, derate_hls::Resource>) -> String {
    let texts = resources.iter().map(|(name, r)| match &r.available {
        Some(available) => format!("{name} {} of {}", r.used.value, available.value),
        None => format!("{name} {}", r.used.value),
    });
    texts.collect::<Vec<_>>().join(", ")
}

fn unread(sources: &Sources, places: &[derate_hls::Unparsed]) -> Vec<Block> {
    let line = |place: &derate_hls::Unparsed| {
        format!(
            "{}:{}: not read: {}",
            sources.name(place.span.file),
            sources.position(place.span).line,
            place.reason
        )
    };
    places.iter().map(|place| Block::Prose(line(place))).collect()
}

/// What v++ is told.
pub(super) fn connectivity(sources: &Sources, cfg: &Connectivity) -> Vec<Block> {
    let kernels = cfg.kernels.iter().map(|k| {
        let count = Cell::number(k.count.value as f64, NumberFormat::Integer);
        vec![Cell::text(&k.kernel.value), count, Cell::text(k.unit_names().join(", "))]
    });
    let memory = cfg.memory.iter().map(|m| {
        vec![
            Cell::text(&m.unit.value),
            Cell::text(&m.argument.value),
            Cell::text(m.banks.value.to_string()),
        ]
    });
    let slr = cfg.slr.iter().map(|s| vec![Cell::text(&s.unit.value), Cell::text(&s.slr.value)]);
    let streams =
        cfg.streams.iter().map(|s| vec![Cell::text(&s.from.value), Cell::text(&s.to.value)]);
    let clocks = cfg
        .frequencies
        .iter()
        .map(|f| vec![Cell::text(&f.key), Cell::text(f.megahertz.value.to_string())]);
    let columns =
        |headings: &[&str]| headings.iter().map(|h| Column::text(*h, *h)).collect::<Vec<_>>();
    let mut blocks: Vec<Block> = [
        table(
            "kernels",
            "Compute units",
            columns(&["Kernel", "Count", "Units"]),
            kernels.collect(),
        ),
        table(
            "memory",
            "Arguments and their banks",
            columns(&["Unit", "Argument", "Banks"]),
            memory.collect(),
        ),
        table("slr", "Dies", columns(&["Unit", "SLR"]), slr.collect()),
        table("streams", "Streams", columns(&["From", "To"]), streams.collect()),
        table("clocks", "Clocks", columns(&["Option", "MHz"]), clocks.collect()),
    ]
    .into_iter()
    .flatten()
    .collect();
    blocks.extend(unread(sources, &cfg.unread));
    if blocks.is_empty() {
        blocks.push(Block::Prose("Nothing that derate knows stands in it.".to_owned()));
    }
    blocks
}

/// A function as the JSON shows it.
#[derive(Debug, Serialize)]
pub(super) struct FunctionReport {
    name: String,
    line: usize,
    parameters: Vec<ParameterReport>,
    pragmas: Vec<PragmaReport>,
    calls: Vec<String>,
}

#[derive(Debug, Serialize)]
struct ParameterReport {
    name: String,
    element: String,
    pointer: bool,
}

#[derive(Debug, Serialize)]
struct PragmaReport {
    text: String,
    line: usize,
    #[serde(skip)]
    known: bool,
}

/// The functions of a source that have a body.
pub(super) fn functions(sources: &Sources, header: &Header) -> Vec<FunctionReport> {
    let report = |function: &Function| FunctionReport {
        name: function.scope.qualify(&function.name),
        line: sources.position(function.name_span).line,
        parameters: function
            .parameters
            .iter()
            .map(|p| ParameterReport {
                name: p.name.clone(),
                element: p.element.clone(),
                pointer: p.pointer,
            })
            .collect(),
        pragmas: function
            .pragmas
            .iter()
            .map(|p| PragmaReport {
                text: p.text.clone(),
                line: sources.position(p.span).line,
                known: p.directive().is_some(),
            })
            .collect(),
        calls: function.calls.iter().map(|call| call.callee.clone()).collect(),
    };
    header.functions.iter().filter(|function| function.body.is_some()).map(report).collect()
}

/// The kernels of a source.
pub(super) fn source(sources: &Sources, header: &Header) -> Vec<Block> {
    let rows = functions(sources, header).into_iter().map(|function| {
        let parameters: Vec<String> = function
            .parameters
            .iter()
            .map(|p| format!("{}{} {}", p.element, if p.pointer { "*" } else { "" }, p.name))
            .collect();
        let pragmas: Vec<&str> =
            function.pragmas.iter().filter(|p| p.known).map(|p| p.text.as_str()).collect();
        vec![
            Cell::text(format!("{}:{}", function.name, function.line)),
            Cell::text(parameters.join(", ")),
            Cell::text(pragmas.join("; ")),
            Cell::text(function.calls.join(", ")),
        ]
    });
    let columns = vec![
        Column::text("function", "Function"),
        Column::text("parameters", "Parameters"),
        Column::text("pragmas", "HLS pragmas"),
        Column::text("calls", "Calls"),
    ];
    let mut blocks: Vec<Block> =
        table("functions", "Functions with a body", columns, rows.collect()).into_iter().collect();
    if blocks.is_empty() {
        blocks.push(Block::Prose(
            "No function has a body here; `derate types` says what it declares.".to_owned(),
        ));
    }
    blocks.extend(unread(sources, &header.unparsed));
    blocks
}
