//! What the names of modules in reports say: of which function, copy or loop one is.

use crate::Report;

/// The function of an instance, as trees of 2020.2 and 2021.1 name them: `load` of `grp_load_fu_84`.
#[must_use]
pub fn function_of(module: &str) -> &str {
    let inner = module.strip_prefix("grp_").and_then(|rest| rest.rsplit_once("_fu_"));
    match inner {
        Some((name, number)) if number.bytes().all(|sign| sign.is_ascii_digit()) => name,
        _ => module,
    }
}

/// The function that a module is made of: a loop may be a module of its own, `top_Pipeline_loop`.
#[must_use]
pub fn base_of(module: &str) -> &str {
    let module = function_of(module);
    module.split_once("_Pipeline_").map_or(module, |(base, _)| base)
}

/// The name without the numbers at its end, by which instances of a function differ: `load` of `load_2_1`.
#[must_use]
pub fn without_number(module: &str) -> &str {
    let mut name = module;
    while let Some((rest, number)) = name.rsplit_once('_')
        && !rest.is_empty()
        && !number.is_empty()
        && number.bytes().all(|sign| sign.is_ascii_digit())
    {
        name = rest;
    }
    name
}

/// The top function or the design, as the report names it.
#[must_use]
pub fn top_name(report: &Report) -> &str {
    report.top.as_ref().map_or("the design", |top| top.value.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instance_is_of_its_function() {
        assert_eq!(function_of("grp_load_rows_fu_84"), "load_rows");
        for name in ["load", "grp_load", "load_fu_84", "grp_load_fu_x"] {
            assert_eq!(function_of(name), name);
        }
    }

    #[test]
    fn instances_differ_in_their_last_numbers() {
        assert_eq!(without_number("load_2_1"), "load");
        for name in ["load", "conv1_3x3", "_1", "load_", "load1"] {
            assert_eq!(without_number(name), name);
        }
    }
}
