//! The copies that the tool makes of a function: one loop of the source is in each of them.

use crate::{Report, Span, base_of, without_number};

/// The function that a module may be a copy of: `add` of `add_1`, `add_12_3` and `add_clone`. It may also be its name in the source.
#[must_use]
pub fn copied_function(module: &str) -> &str {
    let mut name = base_of(module);
    loop {
        let shorter = without_number(name);
        let shorter = shorter.strip_suffix("_clone").unwrap_or(shorter);
        if shorter == name {
            return name;
        }
        name = shorter;
    }
}

/// Whether the tool named a loop after its line: `VITIS_LOOP_21_1`, and no nest.
#[must_use]
pub fn is_named_by_line(name: &str) -> bool {
    read_line_and_place(name).is_some()
}

/// The line of a loop that the tool named, and which loop of its function it is, from 1: 21 and 1 of `VITIS_LOOP_21_1`.
#[must_use]
pub fn read_line_and_place(name: &str) -> Option<(usize, usize)> {
    let (line, place) = name.strip_prefix("VITIS_LOOP_")?.split_once('_')?;
    Some((line.parse().ok()?, place.parse().ok()?))
}

/// The interval that logs have for a loop of a function, the highest of all copies, and where it is. A nest that the tool made one loop
/// has the name of its inner loop at its end.
#[must_use]
pub fn find_logged_interval(logs: &[Report], function: &str, label: &str) -> Option<(u64, Span)> {
    let is_copy = |module: &str| {
        let rest = copied_function(module).strip_prefix(function);
        rest.is_some_and(|rest| rest.bytes().all(|sign| sign.is_ascii_digit()))
    };
    let ends = |name: &str| {
        let rest = name.strip_suffix(label);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('_'))
    };
    let modules = logs.iter().flat_map(|log| &log.modules);
    let loops = modules.filter(|one| is_copy(&one.name.value)).flat_map(|one| &one.loops);
    let loops = loops.filter(|one| ends(&one.name.value));
    let known = loops.filter_map(|one| {
        let reached = one.ii_achieved.as_ref()?;
        Some((reached.value.known()?, reached.span))
    });
    known.max_by_key(|(reached, _)| *reached)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

    use super::*;
    use crate::{Sources, read_report};

    #[test]
    fn a_log_has_the_interval_of_a_loop_in_all_copies() {
        let module = |name: &str, ii: u64| {
            format!(
                "INFO: [HLS 200-42] -- Implementing module '{name}' \n\
                 INFO: [HLS 200-1470] Pipelining result : Target II = 1, Final II = {ii}, Depth = 9, loop 'rows_cols'\n"
            )
        };
        let of = |function: &str, label: &str| {
            let mut sources = Sources::default();
            let head = "INFO: [HLS 200-10] Synthesizing 'top' ...\n";
            let all = [("cell_19_Pipeline_rows_cols", 2), ("cell8", 3), ("cell_last", 7)];
            let all = all.map(|(name, ii)| module(name, ii)).concat();
            let file = sources.add("vitis_hls.log", format!("{head}{all}"));
            let logs = [read_report(&sources, file).unwrap()];
            find_logged_interval(&logs, function, label).map(|(ii, _)| ii)
        };
        assert_eq!(of("cell", "cols"), Some(3));
        assert_eq!(of("cell_last", "cols"), Some(7));
        assert_eq!(of("cell", "rows"), None, "the outer loop");
        assert_eq!(of("cel", "cols"), None, "another function");
    }

    #[test]
    fn copies_are_of_one_function() {
        for name in ["add", "add_1", "add_12_3", "add_clone", "add_2_clone_1", "add_1_Pipeline_L"] {
            assert_eq!(copied_function(name), "add", "{name}");
        }
        for name in ["add1", "add_x", "addclone"] {
            assert_eq!(copied_function(name), name);
        }
    }

    #[test]
    fn a_loop_named_by_its_line_is_no_nest() {
        assert_eq!(read_line_and_place("VITIS_LOOP_21_3"), Some((21, 3)));
        for name in ["rows", "Loop 1", "VITIS_LOOP_21_1_VITIS_LOOP_22_2", "VITIS_LOOP_21_1_rows"] {
            assert!(!is_named_by_line(name), "{name}");
        }
    }
}
