//! A prediction as a document.

pub(crate) mod figure;
mod held;
mod language;

use derate_render::{
    Align, Block, Cell, Column, Document, KeyFigure, NumberFormat, Section, Table,
};

pub use language::language_models;

use derate_predict::gemm_time::ErrorBand;
use derate_predict::{
    ConditionalTime, ExpectedSum, Phase, PhaseSums, PredictedWorkload, Prediction, RoofFigures,
};
use derate_units::figures::{quantity, rate, significant, work};
use derate_units::{Bound, Precision, Seconds};
use derate_workload::operator::{Attention, Scores, Shape};

/// A column of text that leans to the right, as numbers do.
fn right_column(key: &str, heading: &str) -> Column {
    Column { align: Align::Right, ..Column::text(key, heading) }
}

/// A time, or what is known of it.
fn time_cell(known: Option<Seconds>, at_least: Seconds) -> Cell {
    match known {
        Some(seconds) => Cell::text(quantity(seconds)),
        None => Cell::text(format!("at least {}", quantity(at_least))),
    }
}

/// A time; else why it is not known.
fn known_cell(seconds: Option<Seconds>, unknown: Option<&String>) -> Cell {
    let why = || Cell::Unknown(unknown.cloned().unwrap_or_default());
    seconds.map_or_else(why, |seconds| Cell::text(quantity(seconds)))
}

/// A time that holds under a condition: what bears a star is explained below it.
fn conditional_time(time: &ConditionalTime) -> Cell {
    let (from, to) = (quantity(time.seconds_from), quantity(time.seconds_to));
    Cell::text(if from == to { format!("{to} *") } else { format!("{from} to {to} *") })
}

/// The time of a part: known, or under its condition, or unknown.
fn sums_cell(sums: &PhaseSums) -> Cell {
    match (&sums.seconds, &sums.conditional) {
        (None, Some(time)) => conditional_time(time),
        (seconds, _) => known_cell(*seconds, sums.unknown.as_ref()),
    }
}

/// The bound, or the one that holds under a condition.
fn any_bound_cell(bound: Option<Bound>, conditional: Option<&ConditionalTime>) -> Cell {
    match (bound, conditional) {
        (None, Some(time)) => match time.bound {
            Some(bound) => Cell::text(format!("{} *", bound.as_str())),
            None => Cell::Unknown("it goes with the peak".to_owned()),
        },
        (bound, _) => bound_cell(bound),
    }
}

/// What the stars mean: each condition once, and from which peak on the memory holds the time.
fn list_conditions(prediction: &Prediction) -> Vec<Block> {
    let mut sentences: Vec<String> = Vec::new();
    let whole = prediction.language.iter().map(|of| &of.run.totals);
    for sums in prediction.phases.iter().map(|phase| &phase.totals).chain(whole) {
        let (None, Some(time)) = (sums.seconds, &sums.conditional) else { continue };
        let sentence = format!("* Holds if {}.", time.condition);
        if !sentences.contains(&sentence) {
            sentences.push(sentence);
        }
    }
    if let [phase] = &*prediction.phases
        && let Some(above) = phase.totals.conditional.as_ref().and_then(|c| c.memory_bound_above)
    {
        let arithmetic = list_arithmetic(phase).first().copied();
        let above = arithmetic.map_or_else(|| quantity(above), |own| rate(above, own));
        let each = if phase.operations.len() > 1 { "each operation is" } else { "it is" };
        sentences
            .push(format!("Above a peak of {above} {each} memory-bound, below it compute-bound."));
    }
    sentences.into_iter().map(Block::Prose).collect()
}

/// `memory`, `compute`, or that it is not known.
fn bound_cell(bound: Option<Bound>) -> Cell {
    match bound {
        Some(bound) => Cell::text(bound.as_str()),
        None => Cell::Unknown("the peak is not known".to_owned()),
    }
}

/// What `derate predict` prints.
pub fn prediction(prediction: &Prediction) -> Document {
    let mut first = Vec::new();
    if let Some(measured) = prediction.language.as_ref().and_then(|l| l.measured.as_ref()) {
        first.push(Block::Prose(measured.sentence.clone()));
    }
    first.push(Block::KeyFigures(summarise_phases(prediction)));
    first.extend(list_conditions(prediction));
    let mut sections = vec![Section::new("Prediction", "At the roofline", first)];
    let language = prediction.language.as_ref();
    let ran = || prediction.phases.iter().flat_map(list_arithmetic).collect();
    sections.extend(language.map(|of| language::asked_sections(of, ran())).unwrap_or_default());
    sections.extend(held::held_section(prediction));
    let operations = prediction.phases.iter().map(|phase| Block::Table(tabulate_operations(phase)));
    sections.push(Section::new("Operations", "Operation by operation", operations.collect()));
    sections.extend(language.map(language::memory_section));
    let mut figures = vec![Block::Table(tabulate_roofs(&prediction.roofs))];
    figures.extend(prediction.notes.iter().cloned().map(Block::Prose));
    sections.push(Section::new("Figures", "What it is made from", figures));
    Document {
        title: format!("Prediction: {}", write_title(&prediction.workload)),
        subtitle: format!(
            "on {}, {}; modelled, not measured",
            prediction.platform.title,
            describe_stores(prediction)
        ),
        controls: Vec::new(),
        sections,
    }
}

/// The same with its picture, for pages and files.
pub fn prediction_page(own: &Prediction) -> Document {
    let mut document = prediction(own);
    let picture = figure::make_roofline(own).map(Block::Chart);
    let at = document.sections.len().min(1);
    let section = picture.map(|chart| Section::new("Roofline", "Roofline", vec![chart]));
    document.sections.splice(at..at, section);
    document
}

/// One format where all have it, else each.
fn describe_stores(prediction: &Prediction) -> String {
    let own = &prediction.precision;
    if [own.activations, own.kv, own.table].iter().all(|other| *other == own.weights) {
        return format!("in {}", own.weights);
    }
    format!(
        "weights in {}, activations in {}, keys and values in {}, embedding and head in {}",
        own.weights, own.activations, own.kv, own.table
    )
}

fn write_title(workload: &PredictedWorkload) -> String {
    match workload {
        PredictedWorkload::Operator(shape) => {
            let name = match shape {
                Shape::Gemv { .. } => "GEMV",
                Shape::Gemm { .. } => "GEMM",
                Shape::Attention(_) => "attention",
                Shape::Mlp(_) => "MLP",
            };
            let scores = match shape {
                Shape::Attention(Attention { scores: Scores::Fused, .. }) => ", fused",
                Shape::Attention(Attention { scores: Scores::Written, .. }) => ", scores written",
                Shape::Attention(Attention { scores: Scores::Apart, .. }) => {
                    ", scores written, softmax apart"
                }
                _ => "",
            };
            format!("{name}, {}{scores}", shape.title())
        }
        PredictedWorkload::Language { model, batch, prompt, generate, context } => format!(
            "{model}, batch {batch}, prompt {prompt}, {generate} generated, decode at a context of {context}"
        ),
    }
}

/// What the products of a phase run in.
fn list_arithmetic(phase: &Phase) -> Vec<Precision> {
    phase.operations.iter().filter_map(|operation| operation.arithmetic).collect()
}

/// The parts side by side, and the whole.
fn summarise_phases(prediction: &Prediction) -> Vec<KeyFigure> {
    let each: Vec<Vec<Precision>> = prediction.phases.iter().map(list_arithmetic).collect();
    // The whole run has that of all phases.
    let whole = each.concat();
    let mut parts: Vec<(String, PhaseSums)> =
        prediction.phases.iter().map(|p| (p.name.to_owned(), p.totals.clone())).collect();
    if let Some(language) = &prediction.language {
        parts.push(("whole run".to_owned(), language.run.totals.clone()));
    }
    let row = |label: &str, cell: &dyn Fn(&PhaseSums) -> Cell| KeyFigure {
        label: label.to_owned(),
        values: parts.iter().map(|(name, sums)| (name.clone(), cell(sums))).collect(),
    };
    let mut rows = vec![
        KeyFigure {
            label: "Operations".to_owned(),
            values: parts
                .iter()
                .zip(each.iter().chain([&whole]))
                .map(|((name, sums), of)| {
                    (name.clone(), Cell::text(work(sums.flops, of.iter().copied())))
                })
                .collect(),
        },
        row("Bytes", &|sums| Cell::text(quantity(sums.bytes))),
        row("Operational intensity", &|sums| {
            Cell::text(format!("{} OP/B", significant(sums.oi.0, 4)))
        }),
        row("Time at the roofline", &sums_cell),
    ];
    let lacks = |sums: &&PhaseSums| sums.seconds.is_none() && sums.conditional.is_none();
    let lacking = || parts.iter().map(|(_, sums)| sums).filter(lacks);
    if lacking().next().is_some() {
        let bytes_alone = lacking().all(|sums| sums.at_least_seconds == sums.memory_seconds);
        let label =
            if bytes_alone { "Bytes alone, at least" } else { "Known peaks and bytes, at least" };
        rows.push(row(label, &|sums| match sums.seconds {
            None if lacks(&sums) => Cell::text(quantity(sums.at_least_seconds)),
            _ => Cell::Empty,
        }));
    }
    rows.push(row("Bound", &|sums| any_bound_cell(sums.bound, sums.conditional.as_ref())));
    let roofs = &prediction.roofs;
    if roofs.reached_bandwidth.is_some() || roofs.compute_efficiency.is_some() {
        let reached = |sums: &PhaseSums| known_cell(sums.reached_seconds, sums.unknown.as_ref());
        rows.push(row("Time at known efficiencies", &reached));
    }
    let overlapped = |sums: &PhaseSums| known_cell(sums.overlapped_seconds, sums.unknown.as_ref());
    rows.push(row("If all overlapped", &overlapped));
    rows.extend(summarise_expected(prediction));
    if let Some(language) = &prediction.language {
        let run = &language.run;
        let rates = [
            Cell::Empty,
            token_cell(
                language.decode_tokens_per_second,
                language.decode_tokens_per_second_at_most,
            ),
            token_cell(run.tokens_per_second, run.tokens_per_second_at_most),
        ];
        let values = parts.iter().map(|(name, _)| name.clone()).zip(rates).collect();
        rows.push(KeyFigure { label: "Tokens per second".to_owned(), values });
    }
    rows
}

/// Tokens per second, or what is known of them.
fn token_cell(known: Option<f64>, at_most: f64) -> Cell {
    match known {
        Some(rate) => Cell::text(significant(rate, 4)),
        None => Cell::text(format!("at most {}", significant(at_most, 4))),
    }
}

/// What published timings lead to expect, of each part; the whole of a run has none.
fn summarise_expected(prediction: &Prediction) -> Vec<KeyFigure> {
    let phases = &prediction.phases;
    let row = |label: &str, cell: &dyn Fn(&ExpectedSum) -> Cell| {
        let of = |phase: &Phase| {
            let why = || phase.operations.iter().find_map(|row| row.expected.why_not());
            let none = || why().map_or(Cell::Empty, |why| Cell::Unknown(why.to_owned()));
            phase.expected.as_ref().map_or_else(none, cell)
        };
        let mut values: Vec<_> =
            phases.iter().map(|phase| (phase.name.to_owned(), of(phase))).collect();
        if prediction.language.is_some() {
            values.push(("whole run".to_owned(), Cell::Empty));
        }
        KeyFigure { label: label.to_owned(), values }
    };
    let time = |sum: &ExpectedSum| known_cell(sum.seconds, sum.unknown.as_ref());
    let within = |sum: &ExpectedSum| Cell::number(sum.nine_tenths, NumberFormat::Percent(0));
    let sums: Vec<&ExpectedSum> = phases.iter().filter_map(|p| p.expected.as_ref()).collect();
    if prediction.expected_from.is_empty() {
        return Vec::new();
    }
    let some = |of: &dyn Fn(&Phase) -> usize| phases.iter().any(|phase| of(phase) > 1);
    let several = some(&|phase| phase.operations.len());
    let within = row(if several { "Off by about, if all alike" } else { "Within" }, &within);
    let roofline = |sum: &ExpectedSum| Cell::text(quantity(sum.roofline_seconds));
    if sums.is_empty() {
        vec![row("Expected time", &time)]
    } else if sums.iter().all(|sum| sum.without.is_empty()) {
        vec![row("Expected time", &time), within]
    } else if sums.iter().all(|sum| sum.unknown.is_none()) {
        let these = row("These at the roofline", &roofline);
        vec![row("Expected of products", &time), within, these]
    } else {
        let part = |sum: &ExpectedSum| Cell::text(quantity(sum.known_seconds));
        vec![
            row("Expected of products", &time),
            row("Of the others, expected", &part),
            within,
            row("The others at the roofline", &roofline),
        ]
    }
}

/// A row for each operation.
fn tabulate_operations(phase: &Phase) -> Table {
    let whole = phase.totals.seconds;
    let expects = phase.expected.is_some();
    let all = list_arithmetic(phase);
    let rows = phase.operations.iter().map(|row| {
        let runs = row.runs;
        let share = |(own, whole): (Seconds, Seconds)| own.0 * runs as f64 / whole.0;
        let share = row.seconds.zip(whole).map(share);
        let arithmetic = row.arithmetic.map_or(Cell::Empty, |of| Cell::text(of.to_string()));
        let mut cells = vec![
            Cell::text(row.name),
            Cell::number(runs as f64, NumberFormat::Integer),
            arithmetic,
            Cell::text(work(row.flops, row.arithmetic.map_or_else(|| all.clone(), |of| vec![of]))),
            Cell::text(quantity(row.bytes)),
            Cell::number(row.oi.0, NumberFormat::Significant(4)),
            match (row.seconds, &row.conditional) {
                (None, Some(time)) => conditional_time(time),
                _ => time_cell(row.seconds, row.at_least_seconds),
            },
            any_bound_cell(row.bound, row.conditional.as_ref()),
            share.map_or_else(
                || Cell::Unknown("the time of the whole is not known".to_owned()),
                |share| Cell::number(share, NumberFormat::Percent(1)),
            ),
        ];
        if expects {
            let (time, band) = (row.expected.seconds, row.expected.band);
            let none = || match row.expected.products.first() {
                Some(first) => Cell::text(format!("in {first}")),
                None => row.expected.unknown.clone().map_or(Cell::Empty, Cell::Unknown),
            };
            cells.push(time.map_or_else(none, |time| Cell::text(quantity(time))));
            let within = |band: ErrorBand| Cell::number(band.nine_tenths, NumberFormat::Percent(0));
            cells.push(band.map_or(Cell::Empty, within));
        }
        cells
    });
    let of_timings = [right_column("expected", "Expected"), Column::number("within", "Within", "")];
    let of_timings = of_timings.into_iter().filter(|_| expects);
    Table {
        name: phase.name.replace(' ', "-"),
        caption: format!("{}; figures are those of one run", phase.name),
        columns: [
            Column::text("operation", "Operation"),
            Column::number("runs", "Runs", ""),
            Column::text("arithmetic", "Arithmetic"),
            right_column("flops", "Operations"),
            right_column("bytes", "Bytes"),
            Column::number("oi", "OI", "OP/B"),
            right_column("seconds", "Time"),
            Column::text("bound", "Bound"),
            Column::number("share", "Of all", ""),
        ]
        .into_iter()
        .chain(of_timings)
        .collect(),
        rows: rows.collect(),
    }
}

/// Bandwidth, peaks, ridges, each with where it is from.
fn tabulate_roofs(roofs: &RoofFigures) -> Table {
    let figure = |name: String, value: String, provenance: String, source: &str| {
        vec![Cell::text(name), Cell::text(value), Cell::text(provenance), Cell::text(source)]
    };
    let bandwidth = &roofs.bandwidth;
    let mut rows = vec![figure(
        format!("Bandwidth of {}", roofs.memory),
        quantity(bandwidth.value),
        bandwidth.provenance.to_string(),
        &bandwidth.source,
    )];
    if let Some(of) = &roofs.reached_bandwidth {
        let (value, known) = (quantity(of.value), of.provenance.to_string());
        rows.push(figure("Bandwidth that streams reach".to_owned(), value, known, &of.source));
    }
    for peak in &roofs.peaks {
        let name = match peak.computed_as {
            Some(wider) => format!("Peak in {}, computed as {wider}", peak.arithmetic),
            None => format!("Peak in {}", peak.arithmetic),
        };
        match &peak.rate {
            Ok(of) => {
                let value = rate(of.value, peak.arithmetic);
                rows.push(figure(name, value, of.provenance.to_string(), &of.source));
            }
            Err(reason) => rows.push(vec![
                Cell::text(name),
                match &peak.range {
                    Some(range) => Cell::text(match range.high {
                        Some((high, of)) if high != range.low.0 => {
                            format!("{} to {} *", rate(range.low.0, range.low.1), rate(high, of))
                        }
                        Some(_) => format!("{} *", rate(range.low.0, range.low.1)),
                        None => format!("at least {} *", rate(range.low.0, range.low.1)),
                    }),
                    None => Cell::Unknown(reason.to_string()),
                },
                Cell::Empty,
                Cell::text(reason.to_string()),
            ]),
        }
        if let Some(ridge) = peak.ridge {
            let value = format!("{} OP/B", significant(ridge.0, 4));
            let name = format!("Ridge point in {}", peak.arithmetic);
            rows.push(figure(name, value, String::new(), "peak over bandwidth"));
        }
    }
    if let Some(of) = &roofs.compute_efficiency {
        let (value, known) = (significant(of.value, 4), of.provenance.to_string());
        rows.push(figure("Share of the peaks".to_owned(), value, known, &of.source));
    }
    if let Some(of) = &roofs.capacity {
        let (value, known) = (quantity(of.value), of.provenance.to_string());
        rows.push(figure("Memory".to_owned(), value, known, &of.source));
    }
    if let Some(of) = &roofs.driver_keeps {
        let (value, known) = (quantity(of.value), of.provenance.to_string());
        rows.push(figure("Kept of it by the driver".to_owned(), value, known, &of.source));
    }
    Table {
        name: "roofs".to_owned(),
        caption: String::new(),
        columns: vec![
            Column::text("figure", "Figure"),
            right_column("value", "Value"),
            Column::text("provenance", "Provenance"),
            Column::text("source", "Source"),
        ],
        rows,
    }
}
