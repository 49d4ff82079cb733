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
    let units = read.memory.iter().filter_map(|pin| {
        let (kernel, number) = pin.unit.value.rsplit_once('_')?;
        number.parse::<u32>().is_ok().then(|| kernel.to_owned())
    });
    named.chain(units).collect()
}

/// Whether a text has the name with a parenthesis behind it.
fn defines(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let behind = text[at + name.len()..].trim_start();
        behind.starts_with('(') && !text[..at].ends_with(is_word)
    })
}
