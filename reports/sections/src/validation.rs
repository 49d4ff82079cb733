//! Measurements against a claim, for people.

use derate_render::{Block, Cell, Column, Document, Level, NumberFormat, Section, Table};

use derate_measure::points::MeasuredPoint;
use derate_measure::{Judgement, Run, ValidatedFile, Validation, Verdict};
use derate_units::figures::{count, quantity, significant};
use derate_units::{BytesPerSecond, Figure, Provenance, Quantity};

fn verdict_level(verdict: Verdict) -> Level {
    match verdict {
        Verdict::Supported => Level::Ok,
        Verdict::Refuted | Verdict::Implausible => Level::Error,
        Verdict::Inconclusive => Level::Warning,
        Verdict::NotEvidence => Level::Note,
    }
}

fn verdict_cell(verdict: Verdict) -> Cell {
    Cell::Status(verdict_level(verdict), verdict.to_string())
}

/// What `derate validate` prints: each file, then all verdicts.
pub fn validation(validation: &Validation) -> Document {
    let mut sections: Vec<Section> = validation
        .files
        .iter()
        .map(|file| Section::new("File", &file.file, file_blocks(file, "")))
        .collect();
    let mut last = vec![Block::Table(tabulate_overview(validation))];
    last.extend(describe_beside(validation).into_iter().map(Block::Prose));
    sections.push(Section::new("Verdict", "Verdict", last));
    Document {
        title: "Measurements against the claim".to_owned(),
        subtitle: describe_claim(validation),
        controls: Vec::new(),
        sections,
    }
}

/// How a bandwidth gets in.
const HOW_TO_MEASURE: &str = "`derate bench read --device xrt:0` measures the bandwidth of a card; named under `measurements` in derate.toml, its file is held against the claim here.";

/// What the section of bandwidths says where no bandwidth was measured.
pub(super) fn unmeasured_blocks(points: &[MeasuredPoint]) -> impl Iterator<Item = Block> + use<> {
    let nothing = match points.len() {
        0 => "Nothing here was measured: every time and rate is modelled.".to_owned(),
        points => format!(
            "No bandwidth was measured here. What was measured is {} on the roofline; every other time and rate is modelled.",
            count(points, "point")
        ),
    };
    [nothing, HOW_TO_MEASURE.to_owned()].into_iter().map(Block::Prose)
}

/// The section of a report.
pub(super) fn validation_blocks(validation: &Validation) -> Vec<Block> {
    let mut blocks = vec![
        Block::Prose(format!(
            "Held against {}. `{}` shows it again.",
            describe_claim(validation),
            validation.command
        )),
        Block::Table(tabulate_overview(validation)),
    ];
    blocks.extend(describe_beside(validation).into_iter().map(Block::Prose));
    for (at, file) in validation.files.iter().enumerate() {
        let mut own = file_blocks(file, &format!("{}: ", file.file));
        for block in &mut own {
            // A document has each name once.
            if let Block::Table(table) = block {
                table.name = format!("measurement-{}-{}", at + 1, table.name);
            }
        }
        blocks.extend(own);
    }
    blocks
}

/// One line a file, for the summary.
pub(super) fn verdict_sentences(validation: &Validation) -> Vec<String> {
    validation
        .files
        .iter()
        .map(|file| {
            let why = file.figures.iter().find(|figure| figure.verdict == file.verdict);
            let why = why.and_then(|figure| figure.reasons.first());
            let why = why.map_or("", |reason| reason.sentence.as_str());
            format!("Measurement {}: {}. {why}", file.file, file.verdict)
        })
        .collect()
}

fn describe_claim(validation: &Validation) -> String {
    let claim = &validation.claim;
    format!("the claim of {} ({})", quantity(claim.value), claim.source)
}

/// A row for each figure, the worst news in the last column.
fn tabulate_overview(validation: &Validation) -> Table {
    let rate = |rate: Option<BytesPerSecond>| {
        rate.map_or_else(|| Cell::Unknown(String::new()), gigabytes_cell)
    };
    let row = |file: &ValidatedFile, figure: &Judgement| {
        vec![
            Cell::text(&file.file),
            Cell::text(&figure.name),
            Cell::text(file.provenance.to_string()),
            rate(figure.bandwidth.as_ref().map(|b| b.value)),
            figure.share.map_or(Cell::Empty, |share| {
                Cell::number(100.0 * share, NumberFormat::Significant(4))
            }),
            verdict_cell(figure.verdict),
        ]
    };
    let rows = validation
        .files
        .iter()
        .flat_map(|file| file.figures.iter().map(move |figure| row(file, figure)));
    Table {
        name: "measurements".to_owned(),
        caption: String::new(),
        columns: vec![
            Column::text("file", "File"),
            Column::text("kernel", "Kernel"),
            Column::text("provenance", "Provenance"),
            Column::number("bandwidth", "Bandwidth", "GB/s"),
            Column::number("share", "Of the claim", "%"),
            Column::text("verdict", "Verdict"),
        ],
        rows: rows.collect(),
    }
}

fn gigabytes_cell(rate: BytesPerSecond) -> Cell {
    Cell::number(rate.0 / 1e9, NumberFormat::Significant(4))
}

/// What the files say of the project's other claims.
fn describe_beside(validation: &Validation) -> Vec<String> {
    let sentence = |other: &derate_measure::OtherClaim| {
        let said: Vec<String> = validation
            .files
            .iter()
            .zip(&other.verdicts)
            .map(|(file, verdict)| format!("{}: {verdict}", file.file))
            .collect();
        format!(
            "Of the other claim, {} ({}): {}.",
            quantity(other.claim.value),
            other.claim.source,
            said.join("; ")
        )
    };
    validation.beside.iter().map(sentence).collect()
}

/// Verdict, reasons, figures and runs of a file; `name` comes before them where several files share a section.
fn file_blocks(file: &ValidatedFile, name: &str) -> Vec<Block> {
    let several = file.figures.len() > 1;
    let mut blocks = Vec::new();
    for figure in &file.figures {
        let lead = if several { format!("{}: ", figure.name) } else { String::new() };
        let verdict = figure.verdict.to_string();
        let verdict = if name.is_empty() && !several { capitalise(&verdict) } else { verdict };
        let mut said = vec![format!("{name}{lead}{verdict}.")];
        said.extend(figure.reasons.iter().map(|reason| reason.sentence.clone()));
        blocks.push(Block::Prose(said.join(" ")));
        blocks.extend(figure.gaps.iter().map(|gap| Block::Prose(gap.sentence.clone())));
        blocks.extend(figure.notes.iter().cloned().map(Block::Prose));
    }
    if !file.left_out.is_empty() {
        let lead = if name.is_empty() { "Not read" } else { "not read" };
        blocks.push(Block::Prose(format!("{name}{lead}: {}", file.left_out.join(" "))));
    }
    blocks.push(Block::Table(tabulate_figures(file)));
    let runs = file.measurement.as_ref().map(|m| m.runs.as_slice()).unwrap_or_default();
    if runs.iter().any(|run| !run.seconds.is_empty()) {
        blocks.push(Block::Table(tabulate_times(&file.file, runs)));
    }
    blocks
}

fn capitalise(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// What was measured, what could be and what the model gives, each with where it is from.
fn tabulate_figures(file: &ValidatedFile) -> Table {
    let several = file.figures.len() > 1;
    let row = |name: &str, figure: &str, value: String, from: &Figure<BytesPerSecond>| {
        let figure = if several { format!("{name}: {figure}") } else { figure.to_owned() };
        vec![
            Cell::text(figure),
            Cell::text(value),
            Cell::text(from.provenance.to_string()),
            Cell::text(&from.source),
        ]
    };
    let mut rows = Vec::new();
    for judged in &file.figures {
        let name = &judged.name;
        if let Some(measured) = &judged.bandwidth {
            let word =
                if measured.provenance == Provenance::Emulated { "emulated" } else { "bandwidth" };
            rows.push(row(name, word, quantity(measured.value), measured));
        }
        if let Some(peak) = &judged.peak {
            rows.push(row(name, "physical peak", quantity(peak.value), peak));
        }
        if let Some(model) = &judged.model {
            let value = match judged.model_least {
                Some(least) => format!("{} to {}", quantity(least), quantity(model.value)),
                None => quantity(model.value),
            };
            rows.push(row(name, "bandwidth model", value, model));
        }
    }
    Table {
        name: "figures".to_owned(),
        caption: format!("{} on {}", file.file, file.device),
        columns: vec![
            Column::text("figure", "Figure"),
            Column::text("value", "Value"),
            Column::text("provenance", "Provenance"),
            Column::text("source", "Source"),
        ],
        rows,
    }
}

/// The bandwidth of a run, marked where it is that of wrong results.
pub(super) fn bandwidth_cell(run: &Run) -> Cell {
    match run.bandwidth() {
        None if run.moves_nothing() => Cell::Unknown("moved nothing".to_owned()),
        None => Cell::Unknown("not known".to_owned()),
        Some(rate) => of_results(run, quantity(rate)),
    }
}

/// What a run reached, marked where its results were wrong.
pub(super) fn of_results(run: &Run, reached: String) -> Cell {
    if run.is_wrong() { Cell::Status(Level::Error, reached) } else { Cell::text(reached) }
}

/// The repetitions of each size.
pub(super) fn tabulate_times(file: &str, runs: &[Run]) -> Table {
    fn known_cell<Q: Quantity>(value: Option<Q>) -> Cell {
        value.map_or_else(|| Cell::Unknown(String::new()), |value| Cell::text(quantity(value)))
    }
    let row = |run: &Run| {
        let times = run.times();
        let warm_up = run.warm_up.map_or_else(String::new, |n| format!(", {n} before"));
        vec![
            known_cell(run.size),
            known_cell(run.bytes_read),
            known_cell(run.bytes_written),
            Cell::text(format!("{}{warm_up}", run.seconds.len())),
            known_cell(times.map(|times| times.median)),
            known_cell(times.map(|times| times.fastest)),
            known_cell(times.map(|times| times.slowest)),
            times.map_or_else(
                || Cell::Unknown(String::new()),
                |times| Cell::text(format!("{} %", significant(100.0 * times.spread, 2))),
            ),
            bandwidth_cell(run),
            match &run.check {
                None => Cell::Unknown("not recorded".to_owned()),
                Some(check) if check.passed => Cell::Status(Level::Ok, "right".to_owned()),
                Some(_) => Cell::Status(Level::Error, "wrong".to_owned()),
            },
        ]
    };
    Table {
        name: "runs".to_owned(),
        caption: format!("{file}, {}; times of one repetition", count(runs.len(), "size")),
        columns: vec![
            Column::text("size", "Size"),
            Column::text("read", "Read"),
            Column::text("written", "Written"),
            Column::text("repetitions", "Repetitions"),
            Column::text("median", "Median"),
            Column::text("fastest", "Fastest"),
            Column::text("slowest", "Slowest"),
            Column::text("spread", "Spread"),
            Column::text("bandwidth", "Bandwidth"),
            Column::text("results", "Results"),
        ],
        rows: runs.iter().map(row).collect(),
    }
}
