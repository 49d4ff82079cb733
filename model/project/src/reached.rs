//! What a top function reaches, by the names in the text: directly or through others.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{Function, ReportedPragma, Sources, bare_name, is_plain, split_words};

use crate::Code;

/// The functions with a body by their names in small letters: reports often have them so.
pub type Functions<'a> = BTreeMap<String, Vec<&'a Function>>;

/// The functions of the code that have a body.
pub fn index_functions(code: &Code) -> Functions<'_> {
    let mut functions = Functions::new();
    for one in code.functions().filter(|one| one.body.is_some()) {
        functions.entry(one.name.to_ascii_lowercase()).or_default().push(one);
    }
    functions
}

/// What the top and all that it may call name, in small letters: whatever way a function is called or handed on. `None` where
/// not all of it was read.
pub fn find_reached(
    sources: &Sources,
    code: &Code,
    functions: &Functions<'_>,
    top: &str,
) -> Option<BTreeSet<String>> {
    let top = top.to_ascii_lowercase();
    functions.get(&top)?;
    let (mut reached, mut open) = (BTreeSet::from([top.clone()]), vec![top]);
    while let Some(next) = open.pop() {
        for function in functions.get(&next).into_iter().flatten() {
            if !code.is_complete(function.span.file) {
                return None;
            }
            let span = function.span;
            let text = sources.text(span.file).get(span.start..span.end)?;
            for word in split_words(text).map(str::to_ascii_lowercase) {
                if reached.insert(word.clone()) {
                    open.push(word);
                }
            }
        }
    }
    Some(reached)
}

/// Whether the sources have the function of a pragma, and the top calls it neither directly nor through others.
#[must_use]
pub fn is_unused(
    (code, sources): (&Code, &Sources),
    functions: &Functions<'_>,
    reached: &BTreeSet<String>,
    pragma: &ReportedPragma,
) -> bool {
    let Some(function) = &pragma.function else { return false };
    // The variable is behind a comma.
    let name = function.value.split(',').next().unwrap_or_default();
    let name = bare_name(name).to_ascii_lowercase();
    // Operators are called without their names.
    is_plain(&name)
        && functions.contains_key(&name)
        && !reached.contains(&name)
        && !is_in_macro((code, sources), &name)
}

/// Whether a macro of the sources has a name in it.
fn is_in_macro((code, sources): (&Code, &Sources), name: &str) -> bool {
    code.headers().iter().any(|header| {
        let mut goes_on = false;
        sources.text(header.file).lines().any(|line| {
            let is_macro = goes_on || line.trim_start().starts_with('#');
            goes_on = is_macro && line.trim_end().ends_with('\\');
            is_macro && split_words(line).any(|word| word.eq_ignore_ascii_case(name))
        })
    })
}
