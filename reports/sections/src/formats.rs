//! Number formats as a document: `derate formats`.

mod charts;
mod conclusions;

use derate_render::{Block, Cell, Document, NumberFormat, Section, Table};

use derate_predict::formats::{CircuitWeights, FormatRow, FormatStudy};
use derate_units::figures::{quantity, rate, significant};

fn show_known<T>(value: Option<T>, show: impl FnOnce(T) -> String) -> Cell {
    Cell::text(value.map_or_else(|| "-".to_owned(), show))
}

fn tabulate_formats(study: &FormatStudy) -> Table {
    let (subject, target) = (study.subject.is_some(), study.platform.is_some());
    let caption = match (subject, target) {
        (true, true) => {
            "OI: operations a byte; ridge: peak over bandwidth; rho = OI / ridge; -: unknown, see below"
        }
        (false, true) => "Ridge: peak over bandwidth; -: unknown, see below",
        (true, false) => "OI: operations a byte; --platform adds peaks and ridges",
        (false, false) => {
            "Bits of a large tensor, scales shared out; --gemm or --mlp adds intensities, --platform ridges"
        }
    };
    let mut table = Table::from_items("formats", caption, &study.rows)
        .text("format", "Format", |row| row.mixture.to_string())
        .figure("bits", "Bits of weights", |row| {
            Cell::number(row.bits, NumberFormat::Significant(4))
        })
        .text("arithmetic", "Arithmetic", |row| row.arithmetic.to_string());
    if subject {
        table = table.figure("bytes", "Bytes", |row| show_known(row.bytes, quantity)).figure(
            "oi",
            "OI (OP/B)",
            |row| show_known(row.oi, |oi| significant(oi.0, 4)),
        );
    }
    if target {
        table = table
            .figure("peak", "Peak", |row| {
                show_known(row.peak.as_ref(), |peak| rate(peak.value, row.arithmetic))
            })
            .figure("ridge", "Ridge (OP/B)", |row| {
                show_known(row.ridge, |ridge| significant(ridge.0, 4))
            });
    }
    if subject && target {
        table = table
            .figure("rho", "rho", |row| show_known(row.rho, |rho| significant(rho, 3)))
            .text("bound", "Bound", |row| {
                let known = row.bound.map(|bound| bound.as_str().to_owned());
                let under = row.conditional.as_ref().map(|own| format!("{} *", own.bound.as_str()));
                show_known(known.or(under), |bound| bound)
            })
            .figure("attainable", "Attainable", |row| {
                let known = row.attainable.map(|own| rate(own, row.arithmetic));
                let under = row.conditional.as_ref().and_then(|own| own.attainable);
                let under = under.map(|own| format!("{} *", rate(own, row.arithmetic)));
                show_known(known.or(under), |own| own)
            })
            .figure("memory", "Memory time", |row| show_known(row.memory_seconds, quantity));
    }
    table.build()
}

fn bit_intensity(study: &FormatStudy) -> Option<Table> {
    let value = |row: &FormatRow, definition, weights| {
        let mut own = row.bit_intensity.iter();
        let found = own.find(|i| (i.definition, i.weights) == (definition, weights));
        show_known(found, |i| significant(i.value, 4))
    };
    let weight = |row: &FormatRow, set: CircuitWeights| {
        show_known(set.of(row.arithmetic, None), |weight| significant(weight, 3))
    };
    let [text, code] = CircuitWeights::ALL;
    let caption = "Assumed, as all circuit weights w are. By the text, F w / (B b); by the code, F w / (8 B) x 32 / b; by rule: the text's formula with the weights of --weights, else w = (m^2 + 2 m) / 624 of m significant bits";
    let rows = study.rows.iter().filter(|row| !row.bit_intensity.is_empty());
    Table::from_items("bit-intensity", caption, rows)
        .text("format", "Format", |row| row.mixture.to_string())
        .figure("w_text", "w, text", |row| weight(row, text))
        .figure("w_code", "w, code", |row| weight(row, code))
        .figure("text_text", "By the text, w of the text", |row| value(row, text, text))
        .figure("text_code", "By the text, w of the code", |row| value(row, text, code))
        .figure("code_text", "By the code, w of the text", |row| value(row, code, text))
        .figure("code_code", "By the code, w of the code", |row| value(row, code, code))
        .figure("w_rule", "w, rule", |row| {
            let own = row.bit_intensity.iter().find(|own| own.weights == CircuitWeights::Rule);
            show_known(own, |own| significant(own.weight, 3))
        })
        .figure("rule", "By rule", |row| value(row, text, CircuitWeights::Rule))
        .build_unless_empty()
}

/// Claimed peaks beside the platform's own, with their ridges.
fn tabulate_claims(study: &FormatStudy) -> Option<Table> {
    let caption =
        "Claimed: --claim; derivable: what the platform's file gives; ridge: peak over bandwidth";
    Table::from_items("claims", caption, &study.claims)
        .text("arithmetic", "Arithmetic", |row| row.arithmetic.to_string())
        .figure("claimed", "Claimed", |row| Cell::text(rate(row.claimed, row.arithmetic)))
        .figure("claimed_ridge", "Ridge (OP/B)", |row| {
            Cell::text(significant(row.claimed_ridge.0, 4))
        })
        .figure("own", "Derivable", |row| show_known(row.own, |own| rate(own, row.arithmetic)))
        .figure("own_ridge", "Ridge of it (OP/B)", |row| {
            show_known(row.own_ridge, |own| significant(own.0, 4))
        })
        .figure("ratio", "Claimed / derivable", |row| {
            show_known(row.ratio, |ratio| significant(ratio, 3))
        })
        .build_unless_empty()
}

/// What the stars mean: each condition once.
fn list_conditions(study: &FormatStudy) -> Vec<Block> {
    let mut sentences: Vec<String> = Vec::new();
    for own in study.rows.iter().filter_map(|row| row.conditional.as_ref()) {
        let sentence = format!("* Holds if {}.", own.condition);
        if !sentences.contains(&sentence) {
            sentences.push(sentence);
        }
    }
    sentences.into_iter().map(Block::Prose).collect()
}

/// What is unknown of each format, or to be known.
fn write_remarks(
    study: &FormatStudy,
    name: &str,
    of: impl Fn(&FormatRow) -> Option<&str>,
) -> Option<Table> {
    let remarked = study.rows.iter().filter_map(|row| Some((row, of(row)?)));
    Table::from_items(name, "", remarked)
        .text("format", "Format", |(row, _)| row.mixture.to_string())
        .text("remark", "Remark", |(_, remark)| *remark)
        .build_unless_empty()
}

fn write_formats_subtitle(study: &FormatStudy) -> String {
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
    let mut first = vec![Block::Table(tabulate_formats(study))];
    first.extend(list_conditions(study));
    let mut sections = vec![Section::new("Formats", "Formats", first)];
    let mut add = |name: &str, title: &str, blocks: Vec<Block>| {
        if !blocks.is_empty() {
            sections.push(Section::new(name, title, blocks));
        }
    };
    let tables = |table: Option<Table>| table.into_iter().map(Block::Table).collect::<Vec<_>>();
    add("Claims", "Claimed and derivable", tables(tabulate_claims(study)));
    add("Bit-level intensity", "Bit-level intensity", tables(bit_intensity(study)));
    if figures == Figures::With {
        add("Figures", "Figures", charts::chart_blocks(study));
    }
    add(
        "Unknown",
        "What is unknown",
        tables(write_remarks(study, "unknown", |r| r.unknown.as_deref())),
    );
    add("Remarks", "Remarks", tables(write_remarks(study, "remarks", |r| r.note.as_deref())));
    add("Notes", "Notes", study.notes.iter().cloned().map(Block::Prose).collect());
    Document {
        title: "Number formats".to_owned(),
        subtitle: write_formats_subtitle(study),
        controls: Vec::new(),
        sections,
    }
}
