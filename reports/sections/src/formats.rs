//! Number formats as a document: `derate formats`.

mod charts;
mod conclusions;

use derate_render::{Align, Block, Cell, Column, Document, NumberFormat, Table};

use super::section;
use derate_predict::formats::{CircuitWeights, FormatRow, FormatStudy};
use derate_units::figures::{quantity, rate, significant};

fn unknown<T>(value: Option<T>, show: impl FnOnce(T) -> String) -> Cell {
    Cell::text(value.map_or_else(|| "-".to_owned(), show))
}

/// A column of figures that are already written.
fn number(name: &str, title: &str) -> Column {
    Column { align: Align::Right, ..Column::text(name, title) }
}

fn table(study: &FormatStudy) -> Table {
    let (subject, target) = (study.subject.is_some(), study.platform.is_some());
    let mut columns = vec![
        Column::text("format", "Format"),
        number("bits", "Bits of weights"),
        Column::text("arithmetic", "Arithmetic"),
    ];
    if subject {
        columns.push(number("bytes", "Bytes"));
        columns.push(number("oi", "OI (OP/B)"));
    }
    if target {
        columns.push(number("peak", "Peak"));
        columns.push(number("ridge", "Ridge (OP/B)"));
    }
    if subject && target {
        columns.push(number("rho", "rho"));
        columns.push(Column::text("bound", "Bound"));
        columns.push(number("attainable", "Attainable"));
        columns.push(number("memory", "Memory time"));
    }
    let row = |row: &FormatRow| {
        let of = row.arithmetic;
        let mut cells = vec![
            Cell::text(row.mixture.to_string()),
            Cell::number(row.bits, NumberFormat::Significant(4)),
            Cell::text(of.to_string()),
        ];
        if subject {
            cells.push(unknown(row.bytes, quantity));
            cells.push(unknown(row.oi, |oi| significant(oi.0, 4)));
        }
        if target {
            cells.push(unknown(row.peak.as_ref(), |peak| rate(peak.value, of)));
            cells.push(unknown(row.ridge, |ridge| significant(ridge.0, 4)));
        }
        if subject && target {
            cells.push(unknown(row.rho, |rho| significant(rho, 3)));
            cells.push(unknown(row.bound, |bound| bound.as_str().to_owned()));
            cells.push(unknown(row.attainable, |attainable| rate(attainable, of)));
            cells.push(unknown(row.memory_seconds, quantity));
        }
        cells
    };
    Table {
        name: "formats".to_owned(),
        caption: match (subject, target) {
            (true, true) => "OI: operations a byte; ridge: peak over bandwidth; rho = OI / ridge; -: unknown, see below",
            (false, true) => "Ridge: peak over bandwidth; -: unknown, see below",
            (true, false) => "OI: operations a byte; --platform adds peaks and ridges",
            (false, false) => {
                "Bits of a large tensor, scales shared out; --gemm or --mlp adds intensities, --platform ridges"
            }
        }
        .to_owned(),
        columns,
        rows: study.rows.iter().map(row).collect(),
    }
}

fn bit_intensity(study: &FormatStudy) -> Option<Table> {
    let rows: Vec<Vec<Cell>> = study
        .rows
        .iter()
        .filter(|row| !row.bit_intensity.is_empty())
        .map(|row| {
            let value = |definition, weights| {
                let own = row.bit_intensity.iter();
                let mut own = own.filter(|i| (i.definition, i.weights) == (definition, weights));
                unknown(own.next(), |i| significant(i.value, 4))
            };
            let [text, code] = CircuitWeights::ALL;
            let weight = |set: CircuitWeights| {
                unknown(set.of(row.arithmetic), |weight| significant(weight, 3))
            };
            vec![
                Cell::text(row.mixture.to_string()),
                weight(text),
                weight(code),
                value(text, text),
                value(text, code),
                value(code, text),
                value(code, code),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| Table {
        name: "bit-intensity".to_owned(),
        caption: "Assumed, as all circuit weights w are. By the text, F w / (B b); by the code, F w / (8 B) x 32 / b"
            .to_owned(),
        columns: vec![
            Column::text("format", "Format"),
            number("w_text", "w, text"),
            number("w_code", "w, code"),
            number("text_text", "By the text, w of the text"),
            number("text_code", "By the text, w of the code"),
            number("code_text", "By the code, w of the text"),
            number("code_code", "By the code, w of the code"),
        ],
        rows,
    })
}

/// What is unknown of each format, or to be known.
fn remarks(
    study: &FormatStudy,
    name: &str,
    of: impl Fn(&FormatRow) -> Option<&str>,
) -> Option<Table> {
    let row =
        |row: &FormatRow| Some(vec![Cell::text(row.mixture.to_string()), Cell::text(of(row)?)]);
    let rows: Vec<_> = study.rows.iter().filter_map(row).collect();
    (!rows.is_empty()).then(|| Table {
        name: name.to_owned(),
        caption: String::new(),
        columns: vec![Column::text("format", "Format"), Column::text("remark", "Remark")],
        rows,
    })
}

fn subtitle(study: &FormatStudy) -> String {
    let on = study.platform.as_ref().zip(study.bandwidth.as_ref());
    let on = on.map(|(name, bandwidth)| format!("on {name}, {}", quantity(bandwidth.value)));
    let parts: Vec<String> = study.title.clone().into_iter().chain(on).collect();
    if parts.is_empty() { "how many bits each takes".to_owned() } else { parts.join("; ") }
}

/// Whether a document has figures: a terminal shows them as tables again.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Figures {
    /// For pages and files.
    With,
    /// For terminals.
    Without,
}

/// The study as a document.
pub fn formats(study: &FormatStudy, figures: Figures) -> Document {
    let mut sections = vec![section("Formats", "Formats", vec![Block::Table(table(study))])];
    let mut add = |name: &str, title: &str, blocks: Vec<Block>| {
        if !blocks.is_empty() {
            sections.push(section(name, title, blocks));
        }
    };
    let tables = |table: Option<Table>| table.into_iter().map(Block::Table).collect::<Vec<_>>();
    add("Bit-level intensity", "Bit-level intensity", tables(bit_intensity(study)));
    if figures == Figures::With {
        add("Figures", "Figures", charts::blocks(study));
    }
    add("Unknown", "What is unknown", tables(remarks(study, "unknown", |r| r.unknown.as_deref())));
    add("Remarks", "Remarks", tables(remarks(study, "remarks", |r| r.note.as_deref())));
    add("Notes", "Notes", study.notes.iter().cloned().map(Block::Prose).collect());
    Document {
        title: "Number formats".to_owned(),
        subtitle: subtitle(study),
        controls: Vec::new(),
        sections,
    }
}
