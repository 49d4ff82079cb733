//! Edits of `derate.toml`.

use derate_hls::{Sources, Span};

use super::Edit;
use derate_project::Claim;

/// A TOML string in the same quotes as the claim.
pub fn restate_claim(old: &Claim<impl Sized>, text: &str) -> Edit {
    let quote = if old.text.starts_with('\'') { '\'' } else { '"' };
    Edit::new(old.span, format!("{quote}{text}{quote}"))
}

/// Adds `key = value` to the table of `neighbour`, the value of the key `known`: on a line of its own where the neighbour
/// has one, else behind it, as in an inline table.
pub fn add_beside(sources: &Sources, neighbour: Span, known: &str, key: &str, value: &str) -> Edit {
    let text = sources.text(neighbour.file);
    let start = text[..neighbour.start].rfind('\n').map_or(0, |at| at + 1);
    let path = text[start..neighbour.start].trim_end().strip_suffix('=').map(str::trim_end);
    let forms = [known.to_owned(), format!("\"{known}\""), format!("'{known}'")];
    let path = path
        .and_then(|path| forms.iter().find_map(|form| path.strip_suffix(form.as_str())))
        .filter(|path| {
            path.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ' | '\t'))
        });
    let at = |offset| Span { file: neighbour.file, start: offset, end: offset };
    match path {
        Some(path) => {
            let end =
                text[neighbour.end..].find('\n').map_or(text.len(), |at| neighbour.end + at + 1);
            let ending = line_ending(text);
            let line = format!("{path}{key} = {value}");
            if text[..end].ends_with('\n') {
                Edit::new(at(end), format!("{line}{ending}"))
            } else {
                Edit::new(at(end), format!("{ending}{line}"))
            }
        }
        None => Edit::new(at(neighbour.end), format!(", {key} = {value}")),
    }
}

/// How the lines of a text end, as the first one does.
pub(super) fn line_ending(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// The largest figure of three significant digits that is not above `value`.
pub fn round_down(value: f64) -> f64 {
    const DIGITS: i32 = 3;
    if !value.is_finite() || value <= 0.0 {
        return value;
    }
    let step = value.log10().floor() - f64::from(DIGITS - 1);
    // Powers of ten below one are not exact: divide by their inverse.
    let scaled = if step < 0.0 { value * 10_f64.powf(-step) } else { value / 10_f64.powf(step) };
    // 1.08e12 may have come out of a product as 1.0799999999999e12.
    let whole = (scaled * (1.0 + 1e-12)).floor();
    if step < 0.0 { whole / 10_f64.powf(-step) } else { whole * 10_f64.powf(step) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(text: &str) -> String {
        let mut sources = Sources::default();
        let file = sources.add("derate.toml", text);
        let at = text.find("batch").unwrap();
        let start = at + text[at..].find('1').unwrap();
        let span = Span { file, start, end: start + 1 };
        let edit = add_beside(&sources, span, "batch", "latency", "\"unknown\"");
        let mut out = text.to_owned();
        out.replace_range(edit.span.start..edit.span.end, &edit.replacement);
        out
    }

    #[test]
    fn a_key_is_added_in_the_form_of_its_neighbour() {
        for (text, added) in [
            (
                "[claims]\nbatch = 1 # one\nx = 2\n",
                "[claims]\nbatch = 1 # one\nlatency = \"unknown\"\nx = 2\n",
            ),
            ("[claims]\r\n\tbatch=1", "[claims]\r\n\tbatch=1\r\n\tlatency = \"unknown\""),
            ("\"batch\" = 1\n", "\"batch\" = 1\nlatency = \"unknown\"\n"),
            ("claims.batch = 1\n", "claims.batch = 1\nclaims.latency = \"unknown\"\n"),
            ("claims = { batch = 1 }\n", "claims = { batch = 1, latency = \"unknown\" }\n"),
        ] {
            assert_eq!(add(text), added);
        }
    }

    #[test]
    fn a_round_figure_is_never_above() {
        for (value, round) in [
            (1.0824e12, 1.08e12),
            (9.471e12, 9.47e12),
            (1.08e12, 1.08e12),
            (419.788_8e9, 419e9),
            (0.001_239, 0.001_23),
        ] {
            assert!((round_down(value) / round - 1.0).abs() < 1e-12, "{value}");
        }
    }
}
