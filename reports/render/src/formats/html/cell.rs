//! A table's cell.

use super::super::style::status_sign;
use super::super::svg::ink::escape_xml;
use super::prose::break_lines;
use crate::{Align, Cell, Column, Level};

/// Renders the cell of `column`; `header` where it names its row.
pub(super) fn render_cell(cell: &Cell, column: &Column, header: bool) -> String {
    let mut classes: Vec<&str> = match column.align {
        Align::Left => Vec::new(),
        Align::Right => vec!["right"],
        Align::Center => vec!["center"],
    };
    let mut more = String::new();
    let content = match cell {
        Cell::Empty => String::new(),
        Cell::Text(text) | Cell::Total(text) => {
            classes.extend(length_class(text));
            break_lines(text)
        }
        Cell::Link { text, code } => {
            format!("<a href=\"#{}\">{}</a>", rule_anchor(code), break_lines(text))
        }
        Cell::Number { .. } => {
            classes.push("number");
            escape_xml(&cell.display())
        }
        Cell::Formula { value, .. } => {
            classes.push(if value.number().is_some() { "number" } else { "word" });
            classes.extend(value.text().and_then(length_class));
            // An unknown result of a formula looks like an unknown figure.
            match value.text().and_then(not_known) {
                Some(reason) => {
                    classes.push("unknown");
                    render_unknown(reason)
                }
                None => escape_xml(&cell.display()),
            }
        }
        Cell::Input(input) => {
            classes.extend(["input", if cell.as_number().is_some() { "number" } else { "word" }]);
            more = format!(" data-input=\"{}\"", escape_xml(&input.name));
            escape_xml(&cell.display())
        }
        Cell::Unknown(reason) => {
            classes.push("unknown");
            render_unknown(reason)
        }
        Cell::Status(level, text) => render_status(*level, text),
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

/// The anchor of the first finding of a rule.
pub(super) fn rule_anchor(code: &str) -> String {
    let letters = code.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' });
    format!("rule-{}", letters.collect::<String>())
}

/// The class of a long text, which gets more room.
fn length_class(text: &str) -> Option<&'static str> {
    match text.chars().count() {
        0..=28 => None,
        29..=110 => Some("long"),
        _ => Some("longer"),
    }
}

/// The reason in a text that says `unknown`.
fn not_known(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("unknown")?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix(": ") }
}

/// An unknown figure and the reason.
fn render_unknown(reason: &str) -> String {
    match reason {
        "" => "<span class=\"mark\">unknown</span>".to_owned(),
        reason => format!(
            "<span class=\"mark\">unknown</span> <span class=\"why\">{}</span>",
            break_lines(reason)
        ),
    }
}

/// A traffic light: a sign that reads without its colour, and its text.
pub(super) fn render_status(level: Level, text: &str) -> String {
    let (name, sign) = (level.name(), status_sign(level));
    let said = if text.to_lowercase().contains(name) {
        String::new()
    } else {
        format!("<span class=\"unseen\">{name}: </span>")
    };
    format!(
        "<span class=\"light {name}\"><span class=\"sign\" aria-hidden=\"true\">{sign}</span>{said}{}</span>",
        break_lines(text)
    )
}
