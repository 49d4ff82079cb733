//! Which designs one v++ configuration links.

use std::collections::BTreeSet;
use std::path::Path;

use derate_hls::{Sources, read_connectivity};

use super::design::DesignPlan;
use crate::search::read_small;

/// Makes one design of those whose kernels the configuration links, and gives it the configuration. `false` where no design
/// has one of these kernels.
pub(super) fn join_linked(designs: &mut Vec<DesignPlan>, link: &Path) -> bool {
    let kernels = read_small(link).map_or_else(BTreeSet::new, |text| list_kernels(&text));
    let linked = |design: &DesignPlan| -> BTreeSet<String> {
        let texts: Vec<String> =
            design.sources.iter().filter_map(|path| read_small(path)).collect();
        let defined = kernels.iter().filter(|name| texts.iter().any(|text| defines(text, name)));
        defined.cloned().collect()
    };
    let found: Vec<BTreeSet<String>> = designs.iter().map(linked).collect();
    let most = found.iter().map(BTreeSet::len).max().unwrap_or_default();
    let all: BTreeSet<&String> = found.iter().flatten().collect();
    if all.is_empty() {
        return false;
    }
    let is_whole = |own: &BTreeSet<String>| most == all.len() && own.len() == most;
    let whole = found.iter().position(is_whole);
    let mut joined: Option<DesignPlan> = None;
    let mut rest = Vec::new();
    for (index, (design, own)) in designs.drain(..).zip(&found).enumerate() {
        let takes_part = whole.map_or(!own.is_empty(), |whole| whole == index);
        match &mut joined {
            Some(joined) if takes_part => joined.join(design),
            None if takes_part => joined = Some(design),
            _ => rest.push(design),
        }
    }
    if let Some(design) = &mut joined {
        design.connectivity = Some(link.to_owned());
    }
    rest.extend(joined);
    *designs = rest;
    true
}

/// The kernels that a configuration names: with `nk=`, or by their compute units.
fn list_kernels(text: &str) -> BTreeSet<String> {
    let mut sources = Sources::default();
    let file = sources.add("link.cfg", text);
    let Ok(read) = read_connectivity(&sources, file) else { return BTreeSet::new() };
    let named = read.kernels.iter().map(|one| one.kernel.value.clone());
    let units = read.memory.iter().map(|pin| read.kernel_of_unit(&pin.unit.value).to_owned());
    named.chain(units).collect()
}

/// Whether a text has the name with a list of parameters and a body behind it: a call or a declaration has none.
pub(crate) fn defines(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let behind = text[at + name.len()..].trim_start();
        !text[..at].ends_with(is_word) && has_body(behind)
    })
}

/// Whether a text begins with a list in parentheses and then a brace.
fn has_body(text: &str) -> bool {
    let mut open = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => open += 1,
            ')' if open == 1 => return skip_comments(&text[at + 1..]).starts_with('{'),
            ')' => open -= 1,
            _ if open == 0 => return false,
            _ => {}
        }
    }
    false
}

fn skip_comments(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        let rest = match text.get(..2) {
            Some("//") => text.split_once('\n'),
            Some("/*") => text.split_once("*/"),
            _ => return text,
        };
        text = rest.map_or("", |(_, rest)| rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_body_defines_a_kernel() {
        let texts = [
            "void gemm(int a[(1)],\n  int n) // the top\n/* { */ { }",
            "void gemm(int n);",
            "int main() { gemm(3); }",
            "void my_gemm(int n) {}",
            "if (gemm(n)) {}",
            "gemm",
            "gemm((",
        ];
        assert_eq!(
            texts.map(|text| defines(text, "gemm")),
            [true, false, false, false, false, false, false]
        );
    }
}
