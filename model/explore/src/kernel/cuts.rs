//! Arrays cut as the unrolled loops need: cyclically, in each dimension whose subscript has the loop's counter.

use super::chosen::ChosenLoops;
use super::variation::cut_array;
use derate_hls::{Count, DirectiveKind, Partition, Partitioning, TclDirective};
use derate_kernel::ir::{
    Access, Argument, Call, Expr, Function, Loop, ObjectId, ObjectKind, Stmt, any_in,
};
use derate_kernel::{Directives, Program, constant_trips};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Calls are followed this deep.
const DEEPEST: usize = 32;

/// Where an object is declared: the function and the object there.
type Owner = (usize, ObjectId);

/// The directives that cut each array into as many banks as the chosen loops read at once. Ports of a bus are not cut: the tool
/// takes no `array_partition` of them (UG1399).
pub(super) fn cut_arrays(
    program: &Program,
    chosen: &ChosenLoops,
    given: &Directives,
    buses: &[String],
) -> Vec<TclDirective> {
    let mut walk = Walk { program, chosen, needs: BTreeMap::new(), depth: 0 };
    walk.function(0, &HashMap::new());
    let mut list = Vec::new();
    for ((function, object), dims) in walk.needs {
        let owner = &program.functions[function];
        let is_bus = |name: &str| function == 0 && buses.iter().any(|bus| bus == name);
        let (id, object) = (object, owner.objects.get(object));
        let Some(object) = object.filter(|one| !is_bus(&one.name)) else { continue };
        for (dim, factor) in dims {
            let length = object.dims.get(dim).copied().unwrap_or(0);
            let factor = factor.min(length);
            // The length of a pointer is not known.
            if factor < 2 {
                continue;
            }
            let is_cut = find_partitions(owner, id, given).any(|one| has_banks(one, dim, factor));
            if object.kind == ObjectKind::Array && !is_cut {
                list.push(cut_array(&owner.name, &object.name, dim as u64 + 1, factor));
            }
        }
    }
    list
}

/// Joins a cut with one of the same dimension in a list: the larger factor is kept. False where there is none.
pub(super) fn join_cuts(list: &mut [TclDirective], one: &TclDirective) -> bool {
    let DirectiveKind::ArrayPartition(new) = &one.kind else { return false };
    for known in list.iter_mut() {
        let is_same = known.function == one.function && known.variable == one.variable;
        let DirectiveKind::ArrayPartition(own) = &mut known.kind else { continue };
        if is_same && own.dim == new.dim {
            let number = |of: &Partitioning| of.factor.as_ref().and_then(Count::number);
            if number(new) > number(own) {
                own.factor.clone_from(&new.factor);
            }
            return true;
        }
    }
    false
}

/// What pragmas and given directives cut an array into.
pub(super) fn find_partitions<'a>(
    owner: &'a Function,
    object: ObjectId,
    given: &'a Directives,
) -> impl Iterator<Item = &'a Partitioning> {
    let pragmas = owner.pragmas.iter().filter(move |one| one.objects.contains(&object));
    let name = owner.objects.get(object).map(|one| one.name.as_str());
    let given = given.list.iter().filter(move |one| {
        one.function == owner.name && name.is_some() && one.variable.as_deref() == name
    });
    let kinds = pragmas.map(|one| &one.kind).chain(given.map(|one| &one.kind));
    kinds.filter_map(|kind| match kind {
        DirectiveKind::ArrayPartition(partition) => Some(partition),
        _ => None,
    })
}

/// Whether a partition gives a dimension, from zero, at least so many banks that take turns: another would only join them.
fn has_banks(partition: &Partitioning, dim: usize, factor: u64) -> bool {
    let of = partition.dim.as_ref().and_then(Count::number).unwrap_or(1);
    let own = partition.factor.as_ref().and_then(Count::number);
    let is_enough = match partition.partition {
        None | Some(Partition::Complete) => true,
        Some(Partition::Cyclic) => own.is_some_and(|own| own >= factor && own % factor == 0),
        _ => false,
    };
    is_enough && (of == 0 || of == dim as u64 + 1)
}

/// Where the arrays are declared that a function knows under a name: it may be called with several.
pub(super) fn find_owners(program: &Program, function: &str, array: &str) -> BTreeSet<Owner> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![(0, HashMap::new(), 0)];
    while let Some((at, owners, depth)) = waiting.pop() {
        let Some(own) = program.functions.get(at).filter(|_| depth < DEEPEST) else { continue };
        if own.name == function {
            let named = own.objects.iter().enumerate().filter(|(_, one)| one.name == array);
            found.extend(named.map(|(id, _)| owners.get(&id).copied().unwrap_or((at, id))));
        }
        any_in(&own.body, &mut |stmt| {
            if let Stmt::Call(call) = stmt {
                let owners = find_arguments(program, call, |object| {
                    owners.get(&object).copied().unwrap_or((at, object))
                });
                waiting.push((call.function, owners, depth + 1));
            }
            false
        });
    }
    found
}

/// Who owns the parameters of what is called.
fn find_arguments(
    program: &Program,
    call: &Call,
    owner: impl Fn(ObjectId) -> Owner,
) -> HashMap<ObjectId, Owner> {
    let callee = &program.functions[call.function];
    let pairs = call.arguments.iter().zip(&callee.parameters);
    let objects = pairs.filter_map(|(argument, parameter)| match argument {
        Argument::Object(access) => Some((*parameter, owner(access.object))),
        Argument::Value(_) => None,
    });
    objects.collect()
}

/// Whether a pragma pipelines a loop.
fn has_pipeline(item: &Loop) -> bool {
    let mut pipelines = item.pragmas.iter().filter_map(|one| match &one.kind {
        DirectiveKind::Pipeline(pipeline) => Some(!(one.off || pipeline.off)),
        _ => None,
    });
    pipelines.next_back().unwrap_or(false)
}

struct Walk<'a> {
    program: &'a Program,
    chosen: &'a ChosenLoops,
    needs: BTreeMap<Owner, BTreeMap<usize, u64>>,
    depth: usize,
}

/// What is known inside a function: who owns its parameters, and by how much its counters are unrolled.
struct Scope<'a> {
    function: usize,
    owners: &'a HashMap<ObjectId, Owner>,
    unrolled: Vec<(ObjectId, u64)>,
    /// Whether a loop around, or the function, is pipelined, so that loops here are unrolled whole.
    is_pipelined: bool,
    /// Whether the design changes a loop around, or the function.
    is_changed: bool,
}

impl Scope<'_> {
    fn owner(&self, object: ObjectId) -> Owner {
        self.owners.get(&object).copied().unwrap_or((self.function, object))
    }
}

impl Walk<'_> {
    fn function(&mut self, function: usize, owners: &HashMap<ObjectId, Owner>) {
        if self.depth >= DEEPEST {
            return;
        }
        self.depth += 1;
        let Function { name, body, .. } = &self.program.functions[function];
        let is_chosen = self.chosen.is_pipelined(name, None);
        let (unrolled, is_pipelined, is_changed) = (Vec::new(), is_chosen, is_chosen);
        let mut scope = Scope { function, owners, unrolled, is_pipelined, is_changed };
        self.body(body, &mut scope);
        self.depth -= 1;
    }

    fn body(&mut self, body: &[Stmt], scope: &mut Scope<'_>) {
        for stmt in body {
            match stmt {
                Stmt::Set(access, value) | Stmt::Push(access, value) => {
                    self.access(access, scope);
                    self.value(value, scope);
                }
                Stmt::Evaluate(value) => self.value(value, scope),
                Stmt::If(test, then, otherwise) => {
                    self.value(test, scope);
                    self.body(then, scope);
                    self.body(otherwise, scope);
                }
                Stmt::Loop(item) => self.repeat(item, scope),
                Stmt::Call(call) => {
                    for argument in &call.arguments {
                        if let Argument::Value(value) = argument {
                            self.value(value, scope);
                        }
                    }
                    let owners = find_arguments(self.program, call, |object| scope.owner(object));
                    self.function(call.function, &owners);
                }
                Stmt::Return | Stmt::Break | Stmt::Continue => {}
            }
        }
    }

    fn repeat(&mut self, item: &Loop, scope: &mut Scope<'_>) {
        let name = &self.program.functions[scope.function].name;
        let mut factor = self.chosen.factor(name, &item.label);
        if scope.is_pipelined {
            factor = factor.max(constant_trips(item).unwrap_or(1));
        }
        let before = (scope.is_pipelined, scope.is_changed);
        let is_chosen = self.chosen.is_pipelined(name, Some(&item.label));
        scope.is_changed |= is_chosen || factor > 1;
        // What a pragma pipelines stays as it is written, with its arrays, unless the design changes a loop around it.
        scope.is_pipelined |= is_chosen || (scope.is_changed && has_pipeline(item));
        let depth = scope.unrolled.len();
        scope.unrolled.extend(item.counter.filter(|_| factor > 1).map(|counter| (counter, factor)));
        self.body(&item.body, scope);
        scope.unrolled.truncate(depth);
        (scope.is_pipelined, scope.is_changed) = before;
    }

    fn access(&mut self, access: &Access, scope: &Scope<'_>) {
        for (dim, index) in access.index.iter().enumerate() {
            let has = |(counter, _): &&(ObjectId, u64)| index.reads(*counter);
            let factor = scope.unrolled.iter().filter(has).map(|(_, factor)| *factor).max();
            if let Some(factor) = factor {
                let owner = scope.owner(access.object);
                let own = self.needs.entry(owner).or_default().entry(dim).or_insert(1);
                *own = factor.max(*own);
            }
            self.value(index, scope);
        }
    }

    fn value(&mut self, value: &Expr, scope: &Scope<'_>) {
        if let Expr::Read(access, _) | Expr::Pop(access, _) = value {
            self.access(access, scope);
        }
        for one in value.operands() {
            self.value(one, scope);
        }
    }
}
