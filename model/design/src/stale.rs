//! What shows that reports were made from another version of the source.

use std::collections::BTreeSet;

use derate_hls::{DirectiveKind, Figure, ReportedPragma, Synthesis};
use derate_kernel::ir::{Directive, Loop, Object, ObjectKind, Program, Stmt};
use derate_kernel::{KernelAnswer, LoopAnswer};

use crate::moved_lines::follow_lines;
use crate::moved_pragmas::{is_in_file, moved_pragmas};
use crate::nest_names::is_made_of;
use crate::pairs::{is_copy_of, is_counted, pair_loops, strip_numbers};

/// What differs between the reports and the source, a sentence each without a full stop; empty where nothing does.
/// Dates do not count: copies and checkouts change them. `texts` are the sources, each with its path.
///
/// Only what directives from elsewhere cannot cause counts: loops, lines and arguments that the source does not have, and
/// trip counts that no unrolling leads to. `file` asks for the loops of one source: pragmas that moved in the others say nothing
/// of them.
#[must_use]
pub fn find_stale(
    synthesis: &Synthesis,
    program: &Program,
    answer: &KernelAnswer,
    texts: &[(String, String)],
    file: Option<&str>,
) -> Vec<String> {
    let synthesis = &follow_lines(synthesis, program, texts);
    let mut found = find_changes(synthesis, program, answer, texts);
    let own = |pragma: &&ReportedPragma| file.is_none_or(|file| is_in_file(pragma, file));
    found.extend(moved_pragmas(synthesis.pragmas.iter().filter(own), texts));
    found
}

/// What differs beside the lines of pragmas.
fn find_changes(
    synthesis: &Synthesis,
    program: &Program,
    answer: &KernelAnswer,
    texts: &[(String, String)],
) -> Vec<String> {
    let mut found = lost_loops(synthesis, program, texts);
    found.extend(other_trips(synthesis, answer));
    found.extend(rolled_loops(synthesis, program, answer));
    found.extend(other_arguments(synthesis, program));
    found.extend(larger_memories(synthesis, program));
    found
}

/// Loops of the reports, in functions that the source has as a whole, of which it has none at the line or with the label.
fn lost_loops(synthesis: &Synthesis, program: &Program, texts: &[(String, String)]) -> Vec<String> {
    // Macros may put labels together.
    if texts.iter().any(|(_, text)| text.contains("##")) {
        return Vec::new();
    }
    let mut labels = BTreeSet::new();
    // What could not be read may have loops too.
    for (_, text) in texts {
        collect_words(text, &mut labels);
    }
    for function in &program.functions {
        collect_labels(&function.body, &mut labels);
    }
    // The loops of a function whose body is elsewhere are in the one that the tool has put it into.
    let is_own = |module: &str| {
        program.functions.iter().any(|function| is_copy_of(module, &function.name))
            && !program.open_functions.iter().any(|name| is_copy_of(module, name))
    };
    let mut found: Vec<String> = Vec::new();
    for one in &synthesis.loops {
        let Some(label) = written_label(&one.label) else { continue };
        if is_own(&one.function) && !is_made_of(&strip_numbers(label), &labels) {
            let text = format!(
                "the reports have a loop `{}` in `{}`, and the source has none of this name",
                one.label, one.function
            );
            if !found.contains(&text) {
                found.push(text);
            }
        }
    }
    found
}

/// Loops of the reports in functions that the source pipelines as a whole: all of their loops are unrolled then.
fn rolled_loops(synthesis: &Synthesis, program: &Program, answer: &KernelAnswer) -> Vec<String> {
    let is_pipeline = |one: &Directive| matches!(&one.kind, DirectiveKind::Pipeline(it) if !it.off);
    let has_rolled = |name: &str| answer.loops.iter().any(|one| one.function == name);
    let whole = program.functions.iter().filter(|one| {
        one.pragmas.iter().any(is_pipeline)
            && !has_rolled(&one.name)
            && !program.open_functions.contains(&one.name)
    });
    let found = whole.filter_map(|function| {
        // A template and an overload have other modules, and may have other bodies.
        let is_own = |module: &str| module.split("_Pipeline_").next() == Some(&function.name);
        let mut own = synthesis.loops.iter().filter(|one| is_own(&one.function));
        let first = own.next()?;
        Some(format!(
            "the source pipelines `{}` as a whole, which unrolls its loops, and the reports have a loop `{}` in it",
            function.name, first.label
        ))
    });
    found.collect()
}

/// The label that the source has for a loop of a report. Vivado HLS counts loops without one: `Loop 1.2`, `Loop1.2` in XML,
/// and `rows.1` in the loop `rows`. The loops of calls that copy or clear an array have names of the tool:
/// `memcpy.taps.V.addr.in.V`, `memset_sums`.
fn written_label(reported: &str) -> Option<&str> {
    if ["memcpy.", "memcpy_", "memset.", "memset_"].iter().any(|made| reported.starts_with(made)) {
        return None;
    }
    if is_counted(reported) {
        return None;
    }
    let mut label = reported;
    while let Some((outer, number)) = label.rsplit_once('.') {
        if number.is_empty() || !number.bytes().all(|sign| sign.is_ascii_digit()) {
            break;
        }
        label = outer;
    }
    Some(label)
}

fn collect_labels(body: &[Stmt], labels: &mut BTreeSet<String>) {
    for stmt in body {
        match stmt {
            Stmt::Loop(item) => {
                let Loop { label, body, .. } = item.as_ref();
                labels.insert(strip_numbers(label));
                collect_labels(body, labels);
            }
            Stmt::If(_, then, otherwise) => {
                collect_labels(then, labels);
                collect_labels(otherwise, labels);
            }
            _ => {}
        }
    }
}

/// Words before a colon, and the lines that have the word of a loop.
fn collect_words(text: &str, labels: &mut BTreeSet<String>) {
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
    for (number, line) in (1..).zip(text.lines()) {
        let mut words = line.split(|sign: char| !is_part(sign));
        if words.any(|word| matches!(word, "for" | "while" | "do")) {
            labels.insert(format!("VITIS_LOOP_{number}"));
        }
        for (at, _) in line.match_indices(':') {
            let before = line[..at].trim_end();
            let start = before.rfind(|sign: char| !is_part(sign)).map_or(0, |at| at + 1);
            // A sign of several bytes may end there.
            if let Some(word) = before.get(start..).filter(|word| !word.is_empty()) {
                labels.insert(word.to_owned());
            }
        }
    }
}

/// Loops that iterate otherwise, where neither unrolling nor a test after the last iteration explains it.
fn other_trips(synthesis: &Synthesis, answer: &KernelAnswer) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for pair in pair_loops(synthesis, answer) {
        let Some((least, most, _)) = pair.modelled.and_then(|one| one.trip) else { continue };
        let Some(reported) = pair.synthesised.trip.as_ref().and_then(Figure::known) else {
            continue;
        };
        let label = &pair.synthesised.label;
        #[allow(clippy::float_cmp, reason = "both are whole numbers")]
        let is_fixed = least == most && (1.0..1e15).contains(&most);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let own = most as u64;
        let is_other_copy =
            || list_copies(synthesis, answer, pair.modelled, label).any(|trips| trips == own);
        if is_fixed && !is_explained(own, reported) && !is_other_copy() {
            found.push(format!(
                "`{label}` iterates {reported} times in the reports and {own} times in the source"
            ));
        }
    }
    found
}

/// The trips of the loops with a label in all that the tool made of a function: a template that is used twice has two modules
/// there, and a loop that only one of them keeps has the name of the other's nest.
fn list_copies<'a>(
    synthesis: &'a Synthesis,
    answer: &'a KernelAnswer,
    modelled: Option<&'a LoopAnswer>,
    label: &'a str,
) -> impl Iterator<Item = u64> + 'a {
    // `load_weights` is not a copy of `load` where both are functions.
    let is_copy = move |module: &str| {
        let functions = answer.loops.iter().map(|one| one.function.as_str());
        let of =
            functions.filter(|function| is_copy_of(module, function)).max_by_key(|one| one.len());
        modelled.is_some_and(|one| of == Some(one.function.as_str()))
    };
    let loops = synthesis.loops.iter();
    loops
        .filter(move |one| one.label == label && is_copy(&one.function))
        .filter_map(|one| one.trip.as_ref().and_then(Figure::known))
}

/// Whether a loop of `own` trips may be reported with `reported`: unrolled by some factor, in part or by another one.
fn is_explained(own: u64, reported: u64) -> bool {
    if own.abs_diff(reported) <= 1 {
        return true;
    }
    let (low, high) = (own.min(reported).max(1), own.max(reported));
    let factor = high.div_ceil(low);
    [factor, factor.saturating_sub(1).max(1)].iter().any(|factor| high.div_ceil(*factor) == low)
}

/// Arguments of the top function that only one of the two has, or that have another width.
fn other_arguments(synthesis: &Synthesis, program: &Program) -> Vec<String> {
    let Some(top) = program.functions.first().filter(|_| !synthesis.arguments.is_empty()) else {
        return Vec::new();
    };
    let objects: Vec<&Object> = top.parameters.iter().map(|at| &top.objects[*at]).collect();
    // Members of a struct are objects of their own.
    let name_of = |object: &Object| object.name.split('.').next().unwrap_or_default().to_owned();
    let mut found = Vec::new();
    // What a function returns is a port of that name.
    let arguments: Vec<_> = synthesis.arguments.iter().filter(|one| one.name != "return").collect();
    let mut names: Vec<String> = objects.iter().map(|one| name_of(one)).collect();
    names.dedup();
    let is_known = |name: &str| arguments.iter().any(|one| one.name == name);
    // Another name at the same place, of as many arguments, is the same argument.
    let renamed = |at: usize| {
        let reported = arguments.get(at).filter(|_| names.len() == arguments.len())?;
        let own = names.get(at).filter(|own| !is_known(own))?;
        (!names.contains(&reported.name)).then_some(own)
    };
    for (at, argument) in arguments.iter().enumerate() {
        let name = renamed(at).unwrap_or(&argument.name);
        let own: Vec<&&Object> = objects.iter().filter(|one| name_of(one) == *name).collect();
        match own.as_slice() {
            [] => found.push(format!(
                "the reports have an argument `{}`, and the source has none",
                argument.name
            )),
            [one] => {
                let bits = width_of(&argument.datatype).filter(|_| one.lanes == 0);
                let own = u32::from(one.ty.bits());
                // What the type of the source is was not read.
                if let Some(bits) = bits.filter(|_| !one.is_guessed).filter(|bits| {
                    *bits != own || is_float(&argument.datatype) != one.ty.is_float()
                }) {
                    found.push(format!(
                        "`{}` is `{}` of {bits} bits in the reports and {} of {own} bits in the source",
                        argument.name, argument.datatype, one.ty
                    ));
                }
            }
            _ => {}
        }
    }
    let missing =
        names.iter().enumerate().filter(|(at, name)| !is_known(name) && renamed(*at).is_none());
    found.extend(missing.map(|(_, name)| {
        format!("the source has an argument `{name}`, and the reports have none")
    }));
    found
}

/// Bits of a plain C type with its pointer; `None` for all others.
fn width_of(datatype: &str) -> Option<u32> {
    let plain = datatype.replace("const", "").replace(['*', '&'], "");
    match plain.split_whitespace().collect::<Vec<_>>().join(" ").as_str() {
        "char" | "signed char" | "unsigned char" => Some(8),
        "short" | "unsigned short" => Some(16),
        "int" | "unsigned int" | "float" => Some(32),
        "double" => Some(64),
        _ => None,
    }
}

fn is_float(datatype: &str) -> bool {
    datatype.contains("float") || datatype.contains("double")
}

/// Memories of the reports with more words than the array of their name: nothing but another size of the array gives it more.
fn larger_memories(synthesis: &Synthesis, program: &Program) -> Vec<String> {
    let own = program.functions.iter().flat_map(|function| {
        let own = function.objects.iter().enumerate();
        own.filter(|(at, _)| !function.parameters.contains(at)).map(|(_, object)| object)
    });
    let all = own.chain(&program.globals).filter(|one| one.kind == ObjectKind::Array);
    let arrays: Vec<(&str, u64)> = all
        .map(|one| {
            let is_known = !one.is_pointer && !one.dims.is_empty();
            // An unknown length gives 0, which no memory is compared with.
            let elements = one.dims.iter().fold(1_u64, |all, dim| all.saturating_mul(*dim));
            (one.name.as_str(), if is_known { elements } else { 0 })
        })
        .collect();
    let found = synthesis.memories.iter().filter_map(|(name, words)| {
        let elements = grown_memory(name, *words, arrays.iter().copied())?;
        Some(format!(
            "`{}` has {words} words in the reports and {elements} elements in the source",
            name.trim_end_matches("_U")
        ))
    });
    found.collect()
}

/// The elements of the only array with the name of a memory, where the memory has more words.
fn grown_memory<'a>(
    memory: &str,
    words: u64,
    arrays: impl Iterator<Item = (&'a str, u64)>,
) -> Option<u64> {
    let name = memory.strip_suffix("_U")?;
    let mut own = arrays.filter(|(array, _)| *array == name);
    let (_, elements) = own.next()?;
    (own.next().is_none() && elements > 0 && words > elements).then_some(elements)
}

#[cfg(test)]
mod tests {
    use super::{grown_memory, written_label};

    #[test]
    fn a_memory_with_more_words_than_its_array_is_of_another_version() {
        let arrays = [("lut", 16_384), ("buf", 64), ("buf", 128)];
        let find = |name, words| grown_memory(name, words, arrays.into_iter());
        assert_eq!(find("lut_U", 1 << 24), Some(16_384));
        // Partitioning and reshaping leave fewer words; of two arrays with one name it is not known which one it is.
        for (name, words) in
            [("lut_U", 16_384), ("lut_U", 4096), ("lut_0_U", 32_768), ("buf_U", 256)]
        {
            assert_eq!(find(name, words), None, "{name}");
        }
    }

    #[test]
    fn a_loop_that_the_tool_counts_has_no_label_in_the_source() {
        for counted in ["Loop 1", "Loop 1.2", "Loop1", "Loop1.3.1"] {
            assert_eq!(written_label(counted), None, "{counted}");
        }
        for (reported, label) in [
            ("rows.1", "rows"),
            ("rows.1.2", "rows"),
            ("rows_cols", "rows_cols"),
            ("LoopBody", "LoopBody"),
            ("Loop", "Loop"),
            ("VITIS_LOOP_31_1", "VITIS_LOOP_31_1"),
        ] {
            assert_eq!(written_label(reported), Some(label));
        }
    }
}
