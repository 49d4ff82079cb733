//! Arrays that a design cuts into more banks than the tool takes.

use super::cuts::find_partitions;
use derate_hls::{Count, DirectiveKind, Partition, Partitioning, TclDirective};
use derate_kernel::ir::{Function, ObjectId};
use derate_kernel::{Directives, Program};

/// Banks of one array, in all dimensions together.
const MOST_BANKS: u64 = 1024;

/// The first array that the directives of a design cut into more banks than the tool takes. What the source and the given directives
/// cut so by themselves is not judged.
pub(super) fn find_overcut<'d>(
    program: &Program,
    given: &Directives,
    own: &'d [TclDirective],
) -> Option<&'d str> {
    own.iter().filter_map(read_cut).find_map(|(function, array, _)| {
        let cuts = own.iter().filter_map(read_cut);
        let cuts = cuts.filter(|(other, name, _)| (*other, *name) == (function, array));
        let cuts: Vec<&Partitioning> = cuts.map(|(.., cut)| cut).collect();
        let mut owners = program.functions.iter().filter(|one| one.name == function);
        let is_over = owners.any(|owner| {
            let Some(id) = owner.objects.iter().position(|one| one.name == array) else {
                return false;
            };
            let written = count_banks(owner, id, given, &[]);
            let banks = count_banks(owner, id, given, &cuts);
            banks > MOST_BANKS && banks > written && written <= MOST_BANKS
        });
        is_over.then_some(array)
    })
}

fn read_cut(one: &TclDirective) -> Option<(&str, &str, &Partitioning)> {
    match &one.kind {
        DirectiveKind::ArrayPartition(cut) => {
            Some((one.function.as_str(), one.variable.as_deref()?, cut))
        }
        _ => None,
    }
}

/// Banks of an array: of each dimension, the last that cuts it counts.
fn count_banks(
    owner: &Function,
    object: ObjectId,
    given: &Directives,
    own: &[&Partitioning],
) -> u64 {
    let lengths = owner.objects.get(object).map_or(&[][..], |one| one.dims.as_slice());
    let of_dim = |(at, length): (usize, &u64)| {
        let all = find_partitions(owner, object, given).chain(own.iter().copied());
        let last = all.filter(|one| is_of_dim(one, at as u64 + 1)).last();
        last.map_or(1, |one| match one.partition {
            None | Some(Partition::Complete) => *length,
            Some(_) => one.factor.as_ref().and_then(Count::number).unwrap_or(1),
        })
    };
    let banks = lengths.iter().enumerate().map(of_dim);
    banks.fold(1, |all, one| all.saturating_mul(one.max(1)))
}

fn is_of_dim(one: &Partitioning, dim: u64) -> bool {
    let own = one.dim.as_ref().map_or(Some(1), Count::number);
    own.is_some_and(|own| own == 0 || own == dim)
}
