//! A table's cell.

use super::super::style::light;
use super::super::svg::ink::escape;
use super::prose::lines;
use crate::{Align, Cell, Column, Level};

/// Renders the cell of `column`; `header` where it names its row.
pub(super) fn cell(cell: &Cell, column: &Column, header: bool) -> String {
    let mut classes: Vec<&str> = match column.align {
        Align::Left => Vec::new(),
        Align::Right => vec!["right"],
        Align::Center => vec!["center"],
    };
    let mut more = String::new();
    let content = match cell {
        Cell::Empty => String::new(),
        Cell::Text(text) => {
            classes.extend(room(text));
            lines(text)
        }
        Cell::Number { .. } => {
            classes.push("number");
            escape(&cell.display())
        }
        Cell::Formula { value, .. } => {
            classes.push(if value.number().is_some() { "number" } else { "word" });
            classes.extend(value.text().and_then(room));
            // What a formula does not know looks like what nobody knows.
            match value.text().and_then(not_known) {
                Some(reason) => {
                    classes.push("unknown");
                    unknown(reason)
                }
                None => escape(&cell.display()),
            }
        }
        Cell::Input(input) => {
            classes.extend(["input", if cell.as_number().is_some() { "number" } else { "word" }]);
            more = format!(" data-input=\"{}\"", escape(&input.name));
            escape(&cell.display())
        }
        Cell::Unknown(reason) => {
            classes.push("unknown");
            unknown(reason)
        }
        Cell::Status(level, text) => status(*level, text),
    };
    let class = match classes.as_slice() {
        [] => String::new(),
        classes => format!(" class=\"{}\"", classes.join(" ")),
    };
    if header {
        return format!("<th scope=\"row\"{class}{more}>{content}</th>");
    }
    format!("<td{class}{more}>{content}</td>")
}

/// Longer texts get room to be read in, on a narrow screen too.
fn room(text: &str) -> Option<&'static str> {
    match text.chars().count() {
        0..=28 => None,
        29..=110 => Some("long"),
        _ => Some("longer"),
    }
}

/// Why a figure is not known, of a text that says so.
fn not_known(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("unknown")?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix(": ") }
}

/// A figure that nobody knows, and why.
fn unknown(reason: &str) -> String {
    match reason {
        "" => "<span class=\"mark\">unknown</span>".to_owned(),
        reason => format!(
            "<span class=\"mark\">unknown</span> <span class=\"why\">{}</span>",
            lines(reason)
        ),
    }
}

/// A traffic light: a sign that reads without its colour, and its text.
pub(super) fn status(level: Level, text: &str) -> String {
    let (name, sign) = (level.name(), light(level));
    let said = if text.to_lowercase().contains(name) {
        String::new()
    } else {
        format!("<span class=\"unseen\">{name}: </span>")
    };
    format!(
        "<span class=\"light {name}\"><span class=\"sign\" aria-hidden=\"true\">{sign}</span>{said}{}</span>",
        lines(text)
    )
}
