//! Directives of a design that pragmas of the source have the words for: the pragma gets the new value.

use super::written::find_loops;
use derate_hls::{Count, DirectiveKind, Partition, Partitioning, TclDirective, read_directive};
use derate_kernel::ir::{Directive, Place};
use derate_kernel::{Directives, Program};
use std::mem::discriminant;

/// A pragma of the source, and what it is to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PragmaEdit {
    /// Its file.
    pub file: String,
    /// Its line, from one.
    pub line: u32,
    /// The directive that it is to be.
    pub directive: TclDirective,
}

/// The directives that pragmas of the source can say, and those that are left. A given directive of the same kind goes before a
/// pragma, so those stay directives too.
#[must_use]
pub fn match_pragmas(
    program: &Program,
    given: &Directives,
    directives: Vec<TclDirective>,
) -> (Vec<PragmaEdit>, Vec<TclDirective>) {
    let (mut edits, mut left) = (Vec::new(), Vec::new());
    for directive in directives {
        let is_given = given.list.iter().any(|one| is_about_the_same(one, &directive));
        let place = if is_given { None } else { find_pragma(program, &directive) };
        let file = place.and_then(|place| program.files.get(usize::from(place.file)));
        match (place, file) {
            (Some(place), Some(file)) if place.line > 0 => {
                edits.push(PragmaEdit { file: file.clone(), line: place.line, directive });
            }
            _ => left.push(directive),
        }
    }
    (edits, left)
}

fn is_about_the_same(one: &TclDirective, other: &TclDirective) -> bool {
    let name = |of: &TclDirective| (of.function.clone(), of.label.clone(), of.variable.clone());
    discriminant(&one.kind) == discriminant(&other.kind) && name(one) == name(other)
}

/// The one pragma that says the same of the same loop or array with another value.
fn find_pragma(program: &Program, directive: &TclDirective) -> Option<Place> {
    let mut places: Vec<Place> = Vec::new();
    match (&directive.label, &directive.kind) {
        (Some(label), DirectiveKind::Pipeline(_) | DirectiveKind::Unroll { .. }) => {
            for item in find_loops(program, &directive.function, label) {
                let same =
                    |one: &&Directive| discriminant(&one.kind) == discriminant(&directive.kind);
                places.push(item.pragmas.iter().rev().find(same)?.place);
            }
        }
        (None, DirectiveKind::ArrayPartition(asked)) => {
            let owners = program.functions.iter().filter(|one| one.name == directive.function);
            for owner in owners {
                let is_own = |one: &&Directive| match &one.kind {
                    DirectiveKind::ArrayPartition(own) => {
                        own.variable == asked.variable && is_cut_alike(own, asked)
                    }
                    _ => false,
                };
                places.push(owner.pragmas.iter().rev().find(is_own)?.place);
            }
        }
        _ => {}
    }
    places.dedup();
    (places.len() == 1).then(|| places[0])
}

/// Whether two partitions differ in their factor alone.
fn is_cut_alike(own: &Partitioning, asked: &Partitioning) -> bool {
    let dim = |of: &Partitioning| of.dim.as_ref().map_or(Some(1), Count::number);
    own.partition == Some(Partition::Cyclic)
        && asked.partition == Some(Partition::Cyclic)
        && dim(own).is_some()
        && dim(own) == dim(asked)
}

/// A text whose pragma has the values of the directive; `None` where it is not written on one line, as in a macro.
#[must_use]
pub fn edit_pragma(text: &str, edit: &PragmaEdit) -> Option<String> {
    let mut lines = text.split_inclusive('\n');
    let before = usize::try_from(edit.line).ok()?.checked_sub(1)?;
    let head: String = lines.by_ref().take(before).collect();
    let line = edit_line(lines.next()?, &edit.directive.kind)?;
    Some(head + &line + &lines.collect::<String>())
}

fn edit_line(line: &str, kind: &DirectiveKind) -> Option<String> {
    let end = line.find("//").or_else(|| line.find("/*")).unwrap_or(line.len());
    let (code, rest) = line.split_at(line[..end].trim_end().len());
    let words = code.trim_start().strip_prefix('#')?.trim_start().strip_prefix("pragma")?;
    let is_same = read_directive(words)
        .is_some_and(|own| discriminant(&own.kind) == discriminant(kind) && !own.is_off());
    if code.ends_with('\\') || !(is_same || matches!(kind, DirectiveKind::Pipeline(_))) {
        return None;
    }
    let code = match kind {
        DirectiveKind::Pipeline(pipeline) => match &pipeline.ii {
            Some(ii) => set_option(&drop_option(code, "off"), "II", &ii.to_string()),
            None => drop_option(&drop_option(code, "II"), "off") + " off",
        },
        DirectiveKind::Unroll { factor: Some(factor) }
        | DirectiveKind::ArrayPartition(Partitioning { factor: Some(factor), .. }) => {
            set_option(code, "factor", &factor.to_string())
        }
        _ => return None,
    };
    Some(code + rest)
}

/// Where an option is: the blanks before it, its key and, if it has one, its value.
struct OptionPlace {
    start: usize,
    /// The value, or what is behind the key.
    value: std::ops::Range<usize>,
}

fn find_option(code: &str, key: &str) -> Option<OptionPlace> {
    let lower = code.to_ascii_lowercase();
    let key = key.to_ascii_lowercase();
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
    let ends = lower.match_indices(&key).map(|(at, _)| (at, at + key.len()));
    let (first, end) = ends.filter(|(at, _)| *at > 0).find(|(at, end)| {
        !lower[..*at].ends_with(is_part)
            && !lower[..*at].trim_end().ends_with('=')
            && !lower[*end..].starts_with(is_part)
    })?;
    let start = code[..first].trim_end().len();
    let behind = code[end..].trim_start();
    let Some(value) = behind.strip_prefix('=') else {
        return Some(OptionPlace { start, value: end..end });
    };
    let value = value.trim_start();
    let from = code.len() - value.len();
    let mut depth = 0_i32;
    let length = value.find(|sign: char| {
        depth += match sign {
            '(' | '[' | '{' => 1,
            ')' | ']' | '}' => -1,
            _ => 0,
        };
        depth <= 0 && (sign.is_whitespace() || sign == ',')
    });
    Some(OptionPlace { start, value: from..from + length.unwrap_or(value.len()) })
}

fn set_option(code: &str, key: &str, value: &str) -> String {
    match find_option(code, key).filter(|place| !place.value.is_empty()) {
        Some(place) => [&code[..place.value.start], value, &code[place.value.end..]].concat(),
        None => format!("{code} {key}={value}"),
    }
}

fn drop_option(code: &str, key: &str) -> String {
    find_option(code, key).map_or_else(
        || code.to_owned(),
        |place| [&code[..place.start], &code[place.value.end..]].concat(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use derate_hls::read_tcl;

    fn edit(line: &str, tcl: &str) -> Option<String> {
        edit_line(line, &read_tcl(tcl).directives[0].kind)
    }

    #[test]
    fn a_pragma_gets_the_value_of_a_directive() {
        let unroll = "set_directive_unroll -factor 8 \"f/l\"";
        let cut = "set_directive_array_partition -type cyclic -factor 8 -dim 2 \"f\" x";
        let (three, off) =
            ("set_directive_pipeline -II 3 \"f/l\"", "set_directive_pipeline -off \"f/l\"");
        for (line, tcl, becomes) in [
            ("  #pragma HLS unroll factor=4\n", unroll, "  #pragma HLS unroll factor=8\n"),
            ("#pragma HLS UNROLL\r\n", unroll, "#pragma HLS UNROLL factor=8\r\n"),
            (
                "# pragma hls unroll factor = (N / 2) // few\n",
                unroll,
                "# pragma hls unroll factor = 8 // few\n",
            ),
            (
                "#pragma HLS unroll skip_exit_check factor=FACTOR",
                unroll,
                "#pragma HLS unroll skip_exit_check factor=8",
            ),
            (
                "#pragma HLS array_partition variable=factor cyclic factor=2 dim=2\n",
                cut,
                "#pragma HLS array_partition variable=factor cyclic factor=8 dim=2\n",
            ),
            ("#pragma HLS pipeline\n", three, "#pragma HLS pipeline II=3\n"),
            ("#pragma HLS PIPELINE ii=1 rewind\n", three, "#pragma HLS PIPELINE ii=3 rewind\n"),
            ("#pragma HLS pipeline off\n", three, "#pragma HLS pipeline II=3\n"),
            ("#pragma HLS pipeline II=1 /* all */\n", off, "#pragma HLS pipeline off /* all */\n"),
            ("#pragma HLS pipeline off\n", off, "#pragma HLS pipeline off\n"),
        ] {
            assert_eq!(edit(line, tcl).as_deref(), Some(becomes), "{line}");
        }
    }

    #[test]
    fn what_is_no_such_pragma_on_one_line_is_not_edited() {
        let unroll = "set_directive_unroll -factor 8 \"f/l\"";
        for line in [
            "UNROLLED(4)\n",
            "_Pragma(\"HLS unroll factor=4\")\n",
            "#pragma HLS pipeline\n",
            "#pragma HLS unroll \\\n",
            "// #pragma HLS unroll factor=4\n",
        ] {
            assert_eq!(edit(line, unroll), None, "{line}");
        }
    }
}
