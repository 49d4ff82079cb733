//! Kernels of `[[kernel]]` that are one hardware: the same source, top, macros and directives at the same clock and place, or
//! the same report, called with other sizes.

use std::collections::BTreeSet;

use crate::kernel::{DesignKernel, UsedResource};
use derate_machine::ResourceKind;
use derate_project::{Claim, KernelOrigin, KernelSection, KernelSource};

/// Names for each kernel the first one that is the same hardware.
pub(crate) fn find_same_hardware(sections: &[KernelSection], kernels: &mut [DesignKernel]) {
    for at in 1..kernels.len() {
        let own = |at: usize| (&sections[at], &kernels[at]);
        let first = (0..at).find(|before| is_same(own(*before), own(at)));
        kernels[at].same_hardware_as = first.map(|first| kernels[first].name.clone());
    }
}

fn is_same(one: (&KernelSection, &DesignKernel), other: (&KernelSection, &DesignKernel)) -> bool {
    let origin = match (&one.0.origin, &other.0.origin) {
        (KernelOrigin::Source(own), KernelOrigin::Source(source)) => {
            one.1.top.is_some()
                && one.1.top == other.1.top
                && one.1.clock.value.0.to_bits() == other.1.clock.value.0.to_bits()
                && is_same_source(own, source)
        }
        (KernelOrigin::Report(own), KernelOrigin::Report(report)) => {
            own.path.value == report.path.value
        }
        _ => false,
    };
    origin && one.1.region == other.1.region
}

/// All but the sizes that a call passes.
fn is_same_source(one: &KernelSource, other: &KernelSource) -> bool {
    let files = |source: &KernelSource| -> BTreeSet<String> {
        source.files.iter().map(|file| file.value.clone()).collect()
    };
    let defines = |source: &KernelSource| -> BTreeSet<(String, String)> {
        source.defines.iter().map(|define| define.value.clone()).collect()
    };
    let directives = |source: &KernelSource| source.directives.as_ref().map(value_of).cloned();
    let tool = |source: &KernelSource| source.tool.as_ref().map(value_of).copied();
    files(one) == files(other)
        && defines(one) == defines(other)
        && directives(one) == directives(other)
        && tool(one) == tool(other)
}

fn value_of<T>(claim: &Claim<T>) -> &T {
    &claim.value
}

/// What each hardware takes of a resource: of kernels that are one, the most that any of them says.
pub(crate) fn count_hardware<'k>(
    kernels: &[&'k DesignKernel],
    resource: ResourceKind,
) -> Vec<&'k UsedResource> {
    let own = |kernel: &'k DesignKernel| kernel.used.iter().find(|one| one.resource == resource);
    let names = kernels.iter().map(|kernel| kernel.hardware()).collect::<BTreeSet<_>>();
    let most = |name: &str| {
        let same = kernels.iter().filter(|kernel| kernel.hardware() == name);
        same.filter_map(|kernel| own(kernel))
            .reduce(|a, b| if b.amount.value > a.amount.value { b } else { a })
    };
    names.into_iter().filter_map(most).collect()
}
