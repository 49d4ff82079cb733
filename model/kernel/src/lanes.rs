//! Ports of `hls::vector`: a beat carries all lanes of an element.

use crate::answer::KernelAnswer;
use crate::ir::{Object, Program};

/// Counts ports in whole elements: `hls::vector<int8_t, 64>` has 512 bits, not 64 elements of 8.
pub fn join_lanes(answer: &mut KernelAnswer, program: &Program) {
    let Some(top) = program.functions.first() else { return };
    for port in &mut answer.ports {
        let named = |object: &&Object| object.name == port.name;
        let object = top.parameters.iter().map(|id| &top.objects[*id]).find(named);
        let Some(object) = object.filter(|object| object.lanes > 0) else { continue };
        let from = object.dims.len().saturating_sub(object.lanes);
        let lanes = object.dims[from..].iter().fold(1, |all: u64, one| all.saturating_mul(*one));
        if lanes > 1 && port.elements % lanes == 0 {
            port.bits = port.bits.saturating_mul(lanes);
            port.elements /= lanes;
        }
    }
}
