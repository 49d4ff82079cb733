//! Operations that several kernels compute: the share of each.

use crate::kernel::DesignKernel;
use crate::served::ServedOperation;
use derate_project::KernelSection;

/// Gives each kernel its share of what others serve too: the stated one, else what the stated ones leave, by calls.
pub(crate) fn divide_work(sections: &[KernelSection], kernels: &mut [DesignKernel]) {
    let stated: Vec<Option<f64>> =
        sections.iter().map(|section| section.share.as_ref().map(|claim| claim.value)).collect();
    let whole: Vec<(f64, Vec<ServedOperation>)> = kernels
        .iter()
        .map(|kernel| (kernel.calls.value, kernel.serves.operations.clone()))
        .collect();
    for (at, kernel) in kernels.iter_mut().enumerate() {
        let own_calls = kernel.calls.value;
        for operation in &mut kernel.serves.operations {
            let serves = |other: &[ServedOperation]| other.iter().any(|one| one.is_same(operation));
            let sharers = whole.iter().zip(&stated).filter(|((_, other), _)| serves(other));
            let (mut known, mut calls) = (0.0, 0.0);
            for ((one_calls, _), share) in sharers {
                match share {
                    Some(share) => known += share,
                    None => calls += one_calls,
                }
            }
            let left = (1.0 - known).max(0.0);
            let share = stated.get(at).copied().flatten();
            operation.share =
                share.unwrap_or(if calls > 0.0 { left * own_calls / calls } else { left });
            operation.multiply_adds *= operation.share;
        }
    }
}
