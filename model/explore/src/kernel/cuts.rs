//! Arrays cut as the unrolled loops need: cyclically, in each dimension whose subscript has the loop's counter.

use super::automatic::count_trips;
use super::chosen::ChosenLoops;
use super::variation::cut_array;
use derate_hls::{Count, DirectiveKind, Partition, Partitioning, TclDirective};
use derate_kernel::ir::{Access, Argument, Expr, Function, Loop, ObjectId, ObjectKind, Stmt};
use derate_kernel::{Directives, Program};
use std::collections::{BTreeMap, HashMap};

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
            let is_cut = find_partitions(owner, id, given).any(|one| has_banks(one, dim, factor));
            if object.kind == ObjectKind::Array && factor > 1 && !is_cut {
                list.push(cut_array(&owner.name, &object.name, dim as u64 + 1, factor));
            }
        }
    }
    list
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
    /// Whether a loop around is pipelined, so that loops here are unrolled whole.
    is_pipelined: bool,
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
        let body = &self.program.functions[function].body;
        let mut scope = Scope { function, owners, unrolled: Vec::new(), is_pipelined: false };
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
                    let callee = &self.program.functions[call.function];
                    let mut owners = HashMap::new();
                    for (argument, parameter) in call.arguments.iter().zip(&callee.parameters) {
                        match argument {
                            Argument::Object(access) => {
                                owners.insert(*parameter, scope.owner(access.object));
                            }
                            Argument::Value(value) => self.value(value, scope),
                        }
                    }
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
            factor = factor.max(count_trips(item).unwrap_or(1));
        }
        let before = scope.is_pipelined;
        scope.is_pipelined |= self.chosen.is_pipelined(name, &item.label);
        let depth = scope.unrolled.len();
        scope.unrolled.extend(item.counter.filter(|_| factor > 1).map(|counter| (counter, factor)));
        self.body(&item.body, scope);
        scope.unrolled.truncate(depth);
        scope.is_pipelined = before;
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
