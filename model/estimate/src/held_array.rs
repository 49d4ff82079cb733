//! What is known of the array that holds an interval.

use derate_kernel::ir::{Object, ObjectKind, Written};
use derate_kernel::{HeldBy, LoopAnswer};

use crate::ModelledKernel;

impl ModelledKernel {
    /// Whether an array is an `m_axi` port of the kernel.
    #[must_use]
    pub fn is_bus(&self, array: &str) -> bool {
        self.answer.ports.iter().any(|port| port.kind == "m_axi" && port.name == array)
    }

    /// The same, of single numbers in one dimension: words of vectors and of structs have several numbers in one access.
    #[must_use]
    pub fn is_plain_bus(&self, array: &str) -> bool {
        let top = self.program.functions.first();
        let own = top.into_iter().flat_map(|top| &top.objects).find(|one| one.name == array);
        self.is_bus(array) && own.is_some_and(|one| one.lanes == 0 && one.dims.len() <= 1)
    }

    /// Whether an array is a stream, inside the kernel or as a port.
    #[must_use]
    pub fn is_stream(&self, array: &str) -> bool {
        let objects = self.program.functions.iter().flat_map(|function| &function.objects);
        let mut named = objects.chain(&self.program.globals).filter(|one| one.name == array);
        let is_one = |object: &Object| object.kind == ObjectKind::Stream;
        named.next().is_some_and(is_one) && named.all(is_one)
    }

    /// Whether nothing writes the array that holds the interval of a loop, in whichever function it is: the tool does not build it.
    #[must_use]
    pub fn is_unwritten(&self, one: &LoopAnswer) -> bool {
        let Some(HeldBy::Memory { array, .. }) = &one.held_by else { return false };
        let locals = self.program.functions.iter().flat_map(|function| {
            let objects = function.objects.iter().enumerate();
            let own = objects.filter(|(at, _)| !function.parameters.contains(at));
            own.map(|(_, object)| object)
        });
        let all = locals.chain(&self.program.globals);
        let mut named = all.filter(|object| object.name == *array).peekable();
        named.peek().is_some() && named.all(|object| object.written == Written::Nowhere)
    }
}
