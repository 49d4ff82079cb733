//! What changed since another report.

use derate_render::{Block, Cell, Column, Document, NumberFormat, Section, Table, format_quantity};

mod folded;

use self::folded::{Folded, Words, fold_changes};
use super::diagnostics;
use derate_compare::{Change, Comparison, FigureChange, FindingChange, Reading};
use derate_units::figures::{count, grouped};

/// The section of a report, and of a document of its own.
pub fn add_comparison(document: &mut Document, comparison: &Comparison) {
    // After the summary.
    let at = document.sections.len().min(1);
    document.sections.insert(at, changes_section(comparison, usize::MAX));
}

/// The comparison alone, with at most `most` findings and figures, and how many more there are.
pub fn comparison(comparison: &Comparison, most: usize) -> Document {
    Document {
        title: "Roofline audit: what changed".to_owned(),
        subtitle: String::new(),
        controls: Vec::new(),
        sections: vec![changes_section(comparison, most)],
    }
}

fn changes_section(comparison: &Comparison, most: usize) -> Section {
    let Comparison { findings: found, figures: moved, compared, .. } = comparison;
    let mut blocks: Vec<Block> = name_inputs(moved).map(Block::Prose).into_iter().collect();
    blocks.push(Block::Prose(write_verdict(comparison)));
    if !found.is_empty() {
        let (shown, rest) = found.split_at(most.min(found.len()));
        blocks.push(Block::Table(tabulate_findings(shown)));
        if !rest.is_empty() {
            blocks.push(Block::Prose(format!(
                "{} more changed; the workbook and tables/changed-findings.csv have all.",
                count(rest.len(), "finding")
            )));
        }
    }
    if !moved.is_empty() {
        let rows = fold_changes(moved, describe_figure);
        let (shown, rest) = rows.split_at(most.min(rows.len()));
        blocks.push(Block::Table(tabulate_figures(shown)));
        let left: usize = rest.iter().map(|row| row.count).sum();
        if left > 0 {
            blocks.push(Block::Prose(format!(
                "{} more changed; the workbook and tables/changed-figures.csv have all.",
                count(left, "figure")
            )));
        }
    } else if !found.is_empty() {
        let compared = count(*compared, "figure");
        blocks.push(Block::Prose(format!("Of {compared} none changed.")));
    }
    Section::new("Changes", "What changed since the last report", blocks)
}

/// What a scenario assumes: the other figures follow from it.
const INPUTS: [&str; 4] = ["precision", "tokens", "bandwidth", "on-chip memory"];

/// Which inputs changed, in a sentence; `None` where none did.
fn name_inputs(moved: &[FigureChange]) -> Option<String> {
    let is_input = |one: &&FigureChange| {
        let in_both = one.before != Reading::Absent && one.after != Reading::Absent;
        in_both && one.part.is_empty() && INPUTS.contains(&one.figure.as_str())
    };
    let inputs: Vec<FigureChange> = moved.iter().filter(is_input).cloned().collect();
    let said = fold_changes(&inputs, describe_figure).into_iter().map(|row| {
        let [before, after] = reading_cells(row.change).map(|cell| cell.display());
        format!("{} {before} before, {after} now ({})", row.change.figure, row.write_heading())
    });
    let said: Vec<String> = said.collect();
    (!said.is_empty()).then(|| format!("Changed inputs: {}.", said.join("; ")))
}

/// In one sentence.
fn write_verdict(comparison: &Comparison) -> String {
    let Comparison { findings, figures, compared, elsewhere, .. } = comparison;
    if comparison.is_empty() {
        return format!(
            "Nothing changed: the same findings, and {} as before.",
            count(*compared, "figure")
        );
    }
    if !elsewhere.is_empty() {
        return format!(
            "The same findings, and {} as before; but texts or figures that are not compared are others, in {}: compare the files themselves.",
            count(*compared, "figure"),
            elsewhere.join(", ")
        );
    }
    let of = |wanted: &dyn Fn(&Change) -> bool| {
        findings.iter().filter(|finding| wanted(&finding.change)).count()
    };
    let new = of(&|change| matches!(change, Change::New | Change::NewAllowed(_)));
    let gone = of(&|change| *change == Change::Gone);
    let allowed = of(&|change| matches!(change, Change::Allowed(_)));
    let changed = of(&|change| matches!(change, Change::Changed { .. }));
    format!(
        "{} new, {gone} gone, {allowed} allowed since, {changed} changed; {}. {}; {compared} figures were compared.",
        count(new, "finding"),
        describe_figures(figures),
        describe_remaining(comparison.remaining)
    )
}

/// `3 figures changed, 2 new, 1 gone`
fn describe_figures(figures: &[FigureChange]) -> String {
    let new = figures.iter().filter(|one| one.before == Reading::Absent).count();
    let gone = figures.iter().filter(|one| one.after == Reading::Absent).count();
    let mut said = format!("{} changed", count(figures.len() - new - gone, "figure"));
    for (number, what) in [(new, "new"), (gone, "gone")] {
        if number > 0 {
            said = format!("{said}, {number} {what}");
        }
    }
    said
}

/// The value after the change.
fn describe_remaining(left: [usize; 3]) -> String {
    if left == [0; 3] {
        return "No finding remains".to_owned();
    }
    let [errors, warnings, notes] = left;
    let each = [(errors, "error"), (warnings, "warning"), (notes, "note")];
    let said = each.into_iter().filter(|(number, what)| *number > 0 || *what == "error");
    let said: Vec<_> = said.map(|(number, what)| count(number, what)).collect();
    let verb = if left.iter().sum::<usize>() == 1 && errors == 1 { "remains" } else { "remain" };
    format!("{} {verb}", said.join(", "))
}

fn tabulate_findings(findings: &[FindingChange]) -> Table {
    let rows = findings.iter().map(|finding| {
        let (became, more) = match &finding.change {
            Change::New => ("new", String::new()),
            Change::NewAllowed(reason) => ("new, allowed", format!(" (allowed: {reason})")),
            Change::Gone => ("gone", String::new()),
            Change::Allowed(reason) => ("allowed", format!(" (allowed: {reason})")),
            Change::Changed { level, message } => {
                let level = level
                    .filter(|_| *level != finding.level)
                    .map_or_else(String::new, |l| format!("{}: ", l.as_str()));
                ("changed", format!(" (was: {level}{message})"))
            }
        };
        let level = finding.level.map_or_else(
            || Cell::Unknown(String::new()),
            |level: derate_audit::Level| {
                Cell::Status(diagnostics::level(level), level.as_str().to_owned())
            },
        );
        vec![
            Cell::text(became),
            level,
            Cell::text(&finding.code),
            Cell::text(&finding.place),
            Cell::text(format!("{}{more}", finding.message)),
        ]
    });
    Table {
        name: "changed-findings".to_owned(),
        caption: "Findings that are not what they were".to_owned(),
        columns: vec![
            Column::text("change", "Change"),
            Column::text("level", "Level"),
            Column::text("code", "Rule"),
            Column::text("place", "Where"),
            Column::text("message", "What is wrong"),
        ],
        rows: rows.collect(),
    }
}

fn tabulate_figures(rows: &[Folded<'_>]) -> Table {
    let rows = rows.iter().map(|row| {
        let figure = row.change;
        let relative = match (&figure.before, &figure.after) {
            (Reading::Absent, _) => Cell::text("new"),
            (_, Reading::Absent) => Cell::text("gone"),
            _ => figure
                .relative_change()
                .map_or(Cell::Empty, |change| Cell::number(change, NumberFormat::Percent(2))),
        };
        let [before, after] = reading_cells(figure);
        vec![
            Cell::text(row.write_heading()),
            Cell::text(&figure.part),
            Cell::text(&figure.figure),
            before,
            after,
            relative,
        ]
    });
    Table {
        name: "changed-figures".to_owned(),
        caption: "Figures that are not what they were; without a part, of a whole inference. What changed alike has one row; of a scenario that only one report has, the totals are here"
            .to_owned(),
        columns: vec![
            Column::text("scenario", "Scenario"),
            Column::text("part", "Part"),
            Column::text("figure", "Figure"),
            Column::text("before", "Before"),
            Column::text("after", "After"),
            Column::number("change", "Change", ""),
        ],
        rows: rows.collect(),
    }
}

/// What a row says, as it says it.
fn describe_figure(figure: &FigureChange) -> Words {
    let [before, after] = reading_cells(figure).map(|cell| format!("{cell:?}"));
    [figure.part.clone(), figure.figure.clone(), before, after]
}

/// Before and after, in as many digits as tell them apart.
fn reading_cells(figure: &FigureChange) -> [Cell; 2] {
    let both = [&figure.before, &figure.after];
    let texts = |digits| both.map(|value| reading_cell(value, &figure.unit, digits));
    let [before, after] = texts(4);
    if before == after { texts(10) } else { [before, after] }
}

fn reading_cell(reading: &Reading, unit: &str, digits: u8) -> Cell {
    match reading {
        // A count.
        Reading::Number(value) if unit.is_empty() && value.fract() == 0.0 => {
            Cell::Text(grouped(*value))
        }
        // An intensity is written without a prefix, here as elsewhere.
        Reading::Number(value) if unit == "OP/B" => {
            Cell::Text(format_quantity(*value, NumberFormat::Significant(digits), unit))
        }
        Reading::Number(value) => {
            Cell::Text(format_quantity(*value, NumberFormat::Si(digits), unit))
        }
        Reading::Word(word) => Cell::text(word),
        Reading::Unknown => Cell::Unknown(String::new()),
        Reading::Absent => Cell::Empty,
    }
}
