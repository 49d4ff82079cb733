//! `for i in range(0, 24)` above the lines of one layer: the lines describe all layers of the range.
//!
//! The layer's lines are either indented below the header, or run to the next blank line. They
//! name the layer by the range's first number or by the loop variable.

use super::expand;

/// An open header.
#[derive(Clone, Debug)]
pub(super) struct Shorthand<'a> {
    variable: &'a str,
    first: u64,
    last: u64,
    indent: usize,
    indented_body: Option<bool>,
}

fn count_indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

impl<'a> Shorthand<'a> {
    /// The header on a line, if it is one.
    pub(super) fn read_header(line: &'a str) -> Option<Self> {
        let text = line.trim().trim_start_matches(['#', ' ']).strip_prefix("for ")?;
        let (variable, rest) = text.split_once(" in ")?;
        let (bounds, _) = rest
            .trim_start()
            .strip_prefix("range")?
            .trim_start()
            .strip_prefix('(')?
            .split_once(')')?;
        let numbers: Result<Vec<u64>, _> =
            bounds.split(',').map(|part| part.trim().parse()).collect();
        let (first, end) = match *numbers.ok()?.as_slice() {
            [end] => (0, end),
            [first, end] => (first, end),
            _ => return None,
        };
        let last = end.checked_sub(1).filter(|last| *last >= first)?;
        Some(Self {
            variable: variable.trim(),
            first,
            last,
            indent: count_indent(line),
            indented_body: None,
        })
    }

    /// Whether a line still belongs to the header; blank lines end a body that is not indented.
    pub(super) fn holds_line(&mut self, line: &str) -> bool {
        if line.trim().is_empty() {
            return self.indented_body != Some(false);
        }
        let deeper = count_indent(line) > self.indent;
        let indented = *self.indented_body.get_or_insert(deeper);
        deeper || !indented
    }

    /// The name with the layer replaced by the whole range; `None` where the name has no layer.
    pub(super) fn apply_to(&self, name: &str) -> Option<String> {
        if self.first == self.last || expand::find_range(name).is_some() {
            return Some(name.to_owned());
        }
        let first = self.first.to_string();
        let braced = format!("{{{}}}", self.variable);
        let bracketed = format!("[{}]", self.variable);
        let mut done = false;
        let segments: Vec<_> = name
            .split('.')
            .map(|segment| {
                if !done && [&first, &braced, &bracketed, self.variable].contains(&segment) {
                    done = true;
                    return format!("[{}..{}]", self.first, self.last);
                }
                segment.to_owned()
            })
            .collect();
        done.then(|| segments.join("."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_gives_its_range_to_the_first_layer() {
        let header = Shorthand::read_header("for i in range(0,24)").unwrap();
        assert_eq!(
            header.apply_to("model.layers.0.w.0").as_deref(),
            Some("model.layers.[0..23].w.0")
        );
        assert_eq!(
            header.apply_to("model.layers.{i}.w").as_deref(),
            Some("model.layers.[0..23].w")
        );
        assert_eq!(header.apply_to("model.norm.weight"), None);
        assert!(Shorthand::read_header("for i in range(5, 5):").is_none());
        assert!(Shorthand::read_header("for the record").is_none());
    }

    #[test]
    fn the_body_ends_with_its_indent() {
        let mut header = Shorthand::read_header("for i in range(2):").unwrap();
        assert!(
            header.holds_line("  a.0.w (2,)")
                && header.holds_line("")
                && !header.holds_line("b.w (2,)")
        );
        let mut header = Shorthand::read_header("for i in range(2):").unwrap();
        assert!(header.holds_line("a.0.w (2,)") && !header.holds_line(""));
    }
}
