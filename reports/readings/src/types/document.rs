//! Declarations as a document.

use derate_render::{Block, Cell, Column, Document, Level, NumberFormat, Section, Table};

use super::{AliasReport, TypesReport};
use crate::annotations;
use derate_project::{Code, Declaration};
use derate_units::figures::count;

pub(super) fn make_document(report: &TypesReport, files: &[&str], code: &Code) -> Document {
    let aliases = alias_table(report);
    let mut blocks = Vec::new();
    if !aliases.rows.is_empty() {
        blocks.push(Block::Table(aliases));
    }
    if !report.structures.is_empty() {
        blocks.push(Block::Table(structure_table(report)));
    }
    if !report.arrays.is_empty() {
        blocks.push(Block::Table(element_table(code)));
    }
    if !report.annotations.is_empty() {
        blocks.push(Block::Table(annotations::tabulate_annotations(&report.annotations)));
    }
    for file in &report.not_audited {
        blocks.push(Block::Prose(format!("{}: not audited: {}", file.file, file.reason)));
    }
    for region in &report.unparsed {
        blocks.push(Block::Prose(format!(
            "{}:{}: not read: {}",
            region.file, region.line, region.reason
        )));
    }
    for include in &report.missing_includes {
        blocks.push(Block::Prose(format!(
            "{}:{}: `{}` was not found: what it declares is not known; name its folder with -I",
            include.file, include.line, include.path
        )));
    }
    blocks.extend(list_absent_macros(report).map(Block::Prose));
    blocks.push(Block::Prose(format!(
        "{} ({}), {}, {}. `--format json` lists them all.",
        count(report.aliases.len() + report.conditional_aliases.len(), "alias"),
        describe_lies(report),
        count(report.constants.len(), "constant"),
        count(report.arrays.len(), "array") + &annotations::count_annotations(&report.annotations)
    )));
    Document {
        title: "Types".to_owned(),
        subtitle: files.join(", "),
        controls: Vec::new(),
        sections: vec![Section::new("Types", "What each alias really is", blocks)],
    }
}

/// Which macros count as undefined because nothing defines them, and where each decides first.
fn list_absent_macros(report: &TypesReport) -> impl Iterator<Item = String> {
    let mut first: Vec<(&str, String)> = Vec::new();
    for one in &report.absent_macros {
        for name in &one.macros {
            if first.iter().all(|(known, _)| known != name) {
                first.push((name, format!("{}:{}", one.file, one.line)));
            }
        }
    }
    let said = (!first.is_empty()).then(|| {
        let words: Vec<String> =
            first.iter().map(|(name, place)| format!("{name} ({place})")).collect();
        let (what, counts) = if words.len() == 1 {
            ("This macro decides an `#if` and is defined nowhere, so it counts", "it")
        } else {
            ("These macros decide an `#if` and are defined nowhere, so they count", "one")
        };
        format!("{what} as undefined: {}. `-D NAME` defines {counts}.", words.join(", "))
    });
    let untried = (report.untried > 0).then(|| {
        let were = if report.untried == 1 { "was" } else { "were" };
        format!(
            "{} (such macros defined, or another source's reading) {were} not tried: too many, or too large to read again.",
            count(report.untried, "circumstance")
        )
    });
    said.into_iter().chain(untried)
}

/// How many are marked as lies, and how many as counts of elements that look like widths.
fn describe_lies(report: &TypesReport) -> String {
    let of = |lanes: bool| {
        let conditional = report.conditional_aliases.iter().map(|one| &one.alias);
        let lies = report.aliases.iter().chain(conditional).filter(|alias| alias.lies);
        lies.filter(|alias| (alias.lie_kind == Some("lanes")) == lanes).count()
    };
    let verb = |number: usize, one: &str, many: &str| {
        format!("{number} that {}", if number == 1 { one } else { many })
    };
    let lies = verb(of(false), "lies", "lie");
    match of(true) {
        0 => lies,
        lanes => format!("{lies}, {}", verb(lanes, "counts elements", "count elements")),
    }
}

fn alias_table(report: &TypesReport) -> Table {
    let plain = report.aliases.iter().map(|alias| (None, alias));
    let conditional =
        report.conditional_aliases.iter().map(|one| (Some(one.under.as_str()), &one.alias));
    let rows = plain.chain(conditional).map(|(under, alias)| {
        let verdict = match (alias.lies, &alias.claims) {
            (true, Some(claim)) if alias.lie_kind == Some("lanes") => {
                Cell::Status(Level::Warning, format!("{claim} counts elements, not bits"))
            }
            (true, claim) => Cell::Status(
                Level::Error,
                format!("lies: promises {}", claim.as_deref().unwrap_or("otherwise")),
            ),
            (false, _) if alias.unknown.is_some() => {
                Cell::Status(Level::Note, "unknown".to_owned())
            }
            (false, Some(claim)) if alias.keeps => {
                Cell::Status(Level::Ok, format!("keeps {claim}"))
            }
            (false, _) => match &alias.contradicted_comment {
                Some(comment) => {
                    Cell::Status(Level::Warning, format!("its comment says {comment}"))
                }
                None => Cell::Empty,
            },
        };
        vec![
            Cell::text(&alias.qualified),
            really_is(alias, under),
            alias.bits.map_or(Cell::Empty, |bits| Cell::number(bits as f64, NumberFormat::Integer)),
            verdict,
            Cell::text(format!("{}:{}", alias.file, alias.line)),
        ]
    });
    Table {
        name: "aliases".to_owned(),
        caption: String::new(),
        columns: vec![
            Column::text("alias", "Alias"),
            Column::text("underlying", "Really is"),
            Column::number("bits", "Bits", ""),
            Column::text("verdict", "Its name"),
            Column::text("place", "Where"),
        ],
        rows: rows.collect(),
    }
}

/// Structs that no alias names.
fn structure_table(report: &TypesReport) -> Table {
    let rows = report.structures.iter().map(|one| {
        let bits = match (one.bits, one.padded_bits) {
            (Some(bits), Some(padded)) => format!("{bits} ({padded} with padding)"),
            (Some(bits), None) => bits.to_string(),
            (None, _) => String::new(),
        };
        vec![
            Cell::text(&one.qualified),
            one.underlying
                .as_ref()
                .map_or_else(|| Cell::Unknown(one.unknown.clone().unwrap_or_default()), Cell::text),
            Cell::text(bits),
            Cell::text(format!("{}:{}", one.file, one.line)),
        ]
    });
    Table {
        name: "structures".to_owned(),
        caption: "Structs that no alias names".to_owned(),
        columns: vec![
            Column::text("structure", "Struct"),
            Column::text("members", "Members"),
            Column::text("bits", "Bits"),
            Column::text("place", "Where"),
        ],
        rows: rows.collect(),
    }
}

/// Arrays by the type that they are declared with.
fn element_table(code: &Code) -> Table {
    let mut groups: Vec<(&str, usize, &Declaration)> = Vec::new();
    for array in code.declarations.iter().filter(|array| !array.annotated) {
        match groups.iter_mut().find(|(element, _, first)| {
            *element == array.element && first.precision == array.precision
        }) {
            Some((_, count, _)) => *count += 1,
            None => groups.push((&array.element, 1, array)),
        }
    }
    let rows = groups.into_iter().map(|(element, count, first)| {
        vec![
            Cell::text(element),
            Cell::number(count as f64, NumberFormat::Integer),
            match &first.precision {
                Ok(precision) => Cell::text(format!("{precision}, {} bits", precision.bits())),
                Err(reason) => Cell::Unknown(reason.to_string()),
            },
        ]
    });
    Table {
        name: "arrays".to_owned(),
        caption: "Arrays outside functions, by the type that they are declared with".to_owned(),
        columns: vec![
            Column::text("element", "Declared as"),
            Column::number("arrays", "Arrays", ""),
            Column::text("stored", "Stored as"),
        ],
        rows: rows.collect(),
    }
}

/// `ap_fixed<9, 3>; under CSIM_DEBUG: float`, or `half if defined(__SYNTHESIS__)`.
fn really_is(alias: &AliasReport, under: Option<&str>) -> Cell {
    let only = under.map_or_else(String::new, |under| {
        if under.starts_with("included by") {
            format!("{under}: ")
        } else {
            format!("only under {under}: ")
        }
    });
    let uses: Vec<String> = alias
        .alternatives
        .iter()
        .map(|one| format!("{} is {}", one.under, one.underlying.as_deref().unwrap_or("unknown")))
        .collect();
    let Some(underlying) = &alias.underlying else {
        if !uses.is_empty() && alias.alternatives.iter().all(|one| one.unknown.is_none()) {
            return Cell::text(format!("{only}{}", uses.join("; ")));
        }
        return Cell::Unknown(format!("{only}{}", alias.unknown.as_deref().unwrap_or_default()));
    };
    let mut words = format!("{only}{underlying}");
    if alias.bits == Some(0) {
        words.push_str(" without data");
    } else if alias.has_addresses {
        words.push_str(" (addresses of 64 bits)");
    }
    if let Some(condition) = &alias.condition {
        words = format!("{words} if {condition}");
    }
    for one in &alias.alternatives {
        let kind = one.underlying.as_deref().unwrap_or("unknown");
        let under = if one.under.starts_with("included by") { "" } else { "under " };
        words = format!("{words}; {under}{}: {kind}", one.under);
    }
    Cell::text(words)
}
