//! What the source and the given directives already say of what a variation changes.

use super::cuts::find_partitions;
use super::port_group::PortGroup;
use super::variation::AS_WRITTEN;
use super::{Variation, VariationTarget};
use derate_hls::{Count, DirectiveKind, Partition};
use derate_kernel::ir::{Directive, Function, Loop, Stmt};
use derate_kernel::{Directives, Program, constant_trips};

/// The value that leaves the kernel as it is, whether it is among those of the variation or not; `None` where it is not known.
/// `definition` is what the source defines for a name.
pub(super) fn find_written(
    variation: &Variation,
    program: &Program,
    given: &Directives,
    groups: &[PortGroup],
    definition: Option<&str>,
) -> Option<String> {
    match &variation.target {
        VariationTarget::Unroll { function, label } => {
            let own = find_loops(program, function, label).next();
            let factor = own.and_then(|item| unroll_factor(item, function, given)).unwrap_or(1);
            Some(factor.to_string())
        }
        VariationTarget::Partition { function, array, dim } => {
            let owner = program.functions.iter().find(|one| one.name == *function);
            let factor = owner.map_or(Some(1), |owner| cut_factor(owner, array, *dim, given))?;
            Some(factor.to_string())
        }
        VariationTarget::Pipeline { .. }
        | VariationTarget::PipelineFunction { .. }
        | VariationTarget::Dataflow { .. } => Some(AS_WRITTEN.to_owned()),
        VariationTarget::Port { .. } => variation.find_bits(groups).map(|bits| bits.to_string()),
        VariationTarget::Text { .. } => definition.map(|own| own.trim().to_owned()),
    }
}

/// The index of the value that leaves the kernel as it is; `None` where no value does.
pub(super) fn find_position(variation: &Variation, written: &str) -> Option<usize> {
    let is_text = variation.changes_text();
    let number = |value: &str| value.parse::<u64>().ok().filter(|_| !is_text);
    let is_own = |value: &String| {
        value.trim() == written || number(value).is_some_and(|own| Some(own) == number(written))
    };
    variation.values.iter().position(is_own)
}

/// The loops of a label in the functions of a name: instances of a template have the same.
pub(super) fn find_loops<'p>(
    program: &'p Program,
    function: &'p str,
    label: &'p str,
) -> impl Iterator<Item = &'p Loop> {
    let owners = program.functions.iter().filter(move |one| one.name == function);
    owners.filter_map(move |owner| find_loop(&owner.body, label))
}

fn find_loop<'p>(body: &'p [Stmt], label: &str) -> Option<&'p Loop> {
    body.iter().find_map(|stmt| match stmt {
        Stmt::Loop(item) if item.label == label => Some(&**item),
        Stmt::Loop(item) => find_loop(&item.body, label),
        Stmt::If(_, then, otherwise) => {
            find_loop(then, label).or_else(|| find_loop(otherwise, label))
        }
        _ => None,
    })
}

/// How often a loop is unrolled by its pragmas and the given directives, of which the last counts.
pub(super) fn unroll_factor(item: &Loop, function: &str, given: &Directives) -> Option<u64> {
    let pragmas = item.pragmas.iter().map(|one: &Directive| (&one.kind, one.off));
    let given = given.list.iter().filter(|one| {
        one.function == function && one.label.as_deref() == Some(item.label.as_str())
    });
    let all = pragmas.chain(given.map(|one| (&one.kind, one.off)));
    all.rev().find_map(|(kind, off)| match kind {
        DirectiveKind::Unroll { .. } if off => Some(Some(1)),
        DirectiveKind::Unroll { factor } => {
            Some(factor.as_ref().map_or_else(|| constant_trips(item), Count::number))
        }
        _ => None,
    })?
}

/// Into how many banks that take turns a dimension is cut, 1 where it is not; `None` where it is cut otherwise.
pub(super) fn cut_factor(
    owner: &Function,
    array: &str,
    dim: u64,
    given: &Directives,
) -> Option<u64> {
    let Some(id) = owner.objects.iter().position(|one| one.name == array) else { return Some(1) };
    let of_dim = find_partitions(owner, id, given).filter(|one| {
        let own = one.dim.as_ref().map_or(Some(1), Count::number);
        own.is_none_or(|own| own == 0 || own == dim)
    });
    match of_dim.last() {
        None => Some(1),
        Some(one) if one.partition == Some(Partition::Cyclic) => {
            one.factor.as_ref().and_then(Count::number)
        }
        Some(_) => None,
    }
}
