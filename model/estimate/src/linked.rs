//! The kernels that a v++ configuration links from other designs of its folder.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{DirectiveKind, Function, Sources, Span, bare_name};

use crate::DesignFiles;

/// Where the functions of all designs with one name are: the design, and the function in it.
type Places<'a> = BTreeMap<&'a str, Vec<(usize, &'a Function)>>;

impl DesignFiles {
    /// Gives each design with a v++ configuration the kernels that it links and has no source of: from the design that lies
    /// nearest to the configuration. A kernel is a top, or has interfaces. Where two lie equally near, it gets none.
    pub fn link_kernels(designs: &mut [Self], sources: &Sources) {
        let mut places = Places::new();
        for (index, design) in designs.iter().enumerate() {
            for function in design.code.functions().filter(|one| one.body.is_some()) {
                places.entry(&function.name).or_default().push((index, function));
            }
        }
        let linked: Vec<Vec<Function>> =
            (0..designs.len()).map(|index| find_linked(designs, index, &places, sources)).collect();
        for (design, linked) in designs.iter_mut().zip(linked) {
            design.linked = linked;
        }
    }
}

fn find_linked(
    designs: &[DesignFiles],
    index: usize,
    places: &Places<'_>,
    sources: &Sources,
) -> Vec<Function> {
    let link = designs.get(index).and_then(|design| design.build.connectivity.as_ref());
    let Some((file, connectivity)) = link else { return Vec::new() };
    let units = connectivity.memory.iter().map(|pin| pin.unit.value.as_str());
    let kernels: BTreeSet<&str> = units.map(|unit| connectivity.kernel_of_unit(unit)).collect();
    let mut linked: Vec<(usize, &Function)> = Vec::new();
    for kernel in kernels {
        let Some(all) = places.get(kernel) else { continue };
        // A function of the host or of a test bench may have the name.
        let is_kernel = |(owner, function): &&(usize, &Function)| {
            let tops = designs.get(*owner).map(|design| &design.tops);
            tops.is_some_and(|tops| tops.contains(kernel)) || has_interface(function)
        };
        if all.iter().any(|(owner, _)| *owner == index) {
            continue;
        }
        let shared = |function: &Function| {
            count_shared_folders(sources.name(*file), sources.name(function.span.file))
        };
        let all: Vec<&(usize, &Function)> = all.iter().filter(is_kernel).collect();
        let Some(most) = all.iter().map(|(_, one)| shared(one)).max() else { continue };
        let mut nearest = all.iter().filter(|(_, one)| shared(one) == most);
        if let Some(&(owner, function)) = nearest.next()
            && nearest.all(|(_, other)| other.span == function.span)
        {
            linked.push((*owner, *function));
        }
    }
    follow_calls(linked, places)
}

fn has_interface(function: &Function) -> bool {
    let mut kinds = function.pragmas.iter().filter_map(|pragma| Some(pragma.directive()?.kind));
    kinds.any(|kind| matches!(kind, DirectiveKind::Interface(_)))
}

/// The functions with what they call in their own designs.
fn follow_calls<'a>(mut open: Vec<(usize, &'a Function)>, places: &Places<'a>) -> Vec<Function> {
    let mut seen: BTreeSet<Span> = open.iter().map(|(_, one)| one.span).collect();
    let mut all = Vec::new();
    while let Some((owner, function)) = open.pop() {
        all.push(function.clone());
        for call in &function.calls {
            let called = places.get(bare_name(&call.callee)).into_iter().flatten();
            let own = called.filter(|(design, one)| *design == owner && seen.insert(one.span));
            open.extend(own.collect::<Vec<_>>());
        }
    }
    all
}

/// How many folders two paths have in common.
fn count_shared_folders(one: &str, other: &str) -> usize {
    let folders = |path: &str| path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let (one, other) = (folders(one), folders(other));
    let pairs = one.split('/').zip(other.split('/'));
    pairs.take_while(|(a, b)| a == b && !a.is_empty()).count()
}
