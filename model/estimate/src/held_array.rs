//! What is known of the array that holds an interval.

use derate_kernel::ir::{Expr, Loop, Object, ObjectId, ObjectKind, Stmt, Written};
use derate_kernel::{HeldBy, LoopAnswer};

use std::collections::BTreeSet;

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

    /// Whether Vivado HLS may cut the array that holds the interval of a loop by itself: a dimension of few elements has
    /// constant subscripts alone once the loops inside are unrolled (UG902, `config_array_partition -auto_promotion_threshold`; a
    /// log of 2019.2 has `fragment[500][4]` cut in dimension 2).
    #[must_use]
    pub fn is_cut_by_constants(&self, one: &LoopAnswer) -> bool {
        let Some(HeldBy::Memory { array, .. }) = &one.held_by else { return false };
        let mut own = self.program.functions.iter().filter(|it| it.name == one.function);
        own.any(|function| {
            let is_it = |(_, object): &(ObjectId, &Object)| object.name == *array;
            let Some((at, object)) = function.objects.iter().enumerate().find(is_it) else {
                return false;
            };
            let Some(item) = find_loop(&function.body, one) else { return false };
            let (mut counters, mut all) = (BTreeSet::new(), BTreeSet::new());
            list_counters(&item.body, &mut counters);
            list_counters(&function.body, &mut all);
            let is_small = |dimension: &usize| (2..=PROMOTED).contains(&object.dims[*dimension]);
            (0..object.dims.len()).filter(is_small).any(|dimension| {
                let is_fixed = |index: &[Expr], counters: &BTreeSet<ObjectId>| {
                    index.get(dimension).is_some_and(|part| {
                        !part.any(&mut |inner| match inner {
                            Expr::Read(access, _) => !counters.contains(&access.object),
                            Expr::Pop(..) | Expr::Unknown(_) => true,
                            _ => false,
                        })
                    })
                };
                !has_other_access(&item.body, at, &|index| is_fixed(index, &counters))
                    && !has_other_access(&function.body, at, &|index| is_fixed(index, &all))
            })
        })
    }
}

/// Elements of an array with constant subscripts that Vivado HLS makes registers of at the most.
const PROMOTED: u64 = 64;

/// The loop of an answer.
fn find_loop<'a>(body: &'a [Stmt], one: &LoopAnswer) -> Option<&'a Loop> {
    body.iter().find_map(|statement| match statement {
        Stmt::Loop(item) if item.place == one.place => Some(item.as_ref()),
        Stmt::Loop(item) => find_loop(&item.body, one),
        Stmt::If(_, then, otherwise) => find_loop(then, one).or_else(|| find_loop(otherwise, one)),
        _ => None,
    })
}

fn list_counters(body: &[Stmt], counters: &mut BTreeSet<ObjectId>) {
    for statement in body {
        if let Stmt::Loop(item) = statement {
            counters.extend(item.counter);
        }
        for inner in statement.inner() {
            list_counters(std::slice::from_ref(inner), counters);
        }
    }
}

/// Whether a subscript of an object fails a test.
fn has_other_access(body: &[Stmt], object: ObjectId, test: &dyn Fn(&[Expr]) -> bool) -> bool {
    let mut is_other = |statement: &Stmt| {
        let written = match statement {
            Stmt::Set(target, _) | Stmt::Push(target, _) => {
                target.object == object && !test(&target.index)
            }
            // It may do anything with what it gets.
            Stmt::Call(call) => call.gets(object),
            _ => false,
        };
        written
            || statement.any_value(&mut |part| match part {
                Expr::Read(access, _) => access.object == object && !test(&access.index),
                _ => false,
            })
    };
    body.iter().any(|statement| statement.any(&mut is_other))
}
