//! The loops in which a port is read or written, and the arrays that they use beside it.

use crate::ir::{
    Access, Argument, Expr, Function, GLOBAL, Loop, ObjectId, ObjectKind, Place, Program, Stmt,
};
use crate::walk::any_in;
use std::collections::BTreeSet;

/// An array in a function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ArrayUse {
    /// The function.
    pub function: String,
    /// Its name there.
    pub name: String,
    /// How many dimensions it has.
    pub dims: u64,
}

/// Where a port is used.
#[derive(Clone, Debug, Default)]
pub struct PortUse {
    /// Where the port is declared.
    pub place: Place,
    /// The port, under the name that each function has for it.
    pub ports: BTreeSet<ArrayUse>,
    /// Function and label of the innermost loops around its accesses.
    pub loops: BTreeSet<(String, String)>,
    /// Statements in these loops.
    pub statements: usize,
    /// What else these loops read or write.
    pub arrays: BTreeSet<ArrayUse>,
}

/// Calls are followed this deep.
const DEEPEST: usize = 32;

/// Where the parameter `port` of the top function is used. `None` if no loop uses it.
#[must_use]
pub fn find_port_use(program: &Program, port: &str) -> Option<PortUse> {
    let top = program.functions.first()?;
    let object = top.parameters.iter().find(|object| top.objects[**object].name == port)?;
    let mut search = Search { program, found: PortUse::default(), depth: 0 };
    search.found.place = top.objects[*object].place;
    search.visit_function(top, *object);
    (!search.found.loops.is_empty()).then_some(search.found)
}

struct Search<'a> {
    program: &'a Program,
    found: PortUse,
    depth: usize,
}

impl Search<'_> {
    fn visit_function(&mut self, function: &Function, port: ObjectId) {
        if self.depth >= DEEPEST {
            return;
        }
        self.depth += 1;
        self.found.ports.extend(array_of(function, port));
        self.visit_body(function, &function.body, None, port);
        self.depth -= 1;
    }

    fn visit_body(
        &mut self,
        function: &Function,
        body: &[Stmt],
        around: Option<&Loop>,
        port: ObjectId,
    ) {
        let mut used = BTreeSet::new();
        for stmt in body {
            match stmt {
                Stmt::Loop(item) => self.visit_body(function, &item.body, Some(item), port),
                Stmt::Call(call) => {
                    let Some(callee) = self.program.functions.get(call.function) else { continue };
                    for (argument, parameter) in call.arguments.iter().zip(&callee.parameters) {
                        match argument {
                            Argument::Object(access) if access.object == port => {
                                self.visit_function(callee, *parameter);
                            }
                            Argument::Value(value) => collect_objects(value, &mut used),
                            Argument::Object(_) => {}
                        }
                    }
                }
                other => collect_in_statement(other, &mut used),
            }
        }
        if let (Some(item), true) = (around, used.remove(&port)) {
            self.found.loops.insert((function.name.clone(), item.label.clone()));
            self.found.statements += body.len();
            let others = used.iter().filter_map(|object| array_of(function, *object));
            self.found.arrays.extend(others);
        }
    }
}

/// Whether a pointer of a function is only used for the element that it points to: it is a number, and no array.
#[must_use]
pub fn points_to_number(program: &Program, function: &Function, pointer: ObjectId) -> bool {
    points_within(program, function, pointer, 0)
}

fn points_within(program: &Program, function: &Function, pointer: ObjectId, depth: usize) -> bool {
    let is_first = |access: &Access| {
        access.object != pointer || access.index.iter().all(|index| index.constant() == Some(0))
    };
    let keeps = |expr: &Expr| {
        !expr.any(&mut |part| match part {
            Expr::Read(access, _) | Expr::Pop(access, _) => !is_first(access),
            _ => false,
        })
    };
    let sets = |access: &Access| is_first(access) && access.index.iter().all(keeps);
    let gets = |argument: &Argument, callee: &Function, parameter: ObjectId| match argument {
        Argument::Value(value) => keeps(value),
        Argument::Object(access) if access.object == pointer => {
            let is_own = is_first(access) && depth < DEEPEST;
            is_own && points_within(program, callee, parameter, depth + 1)
        }
        Argument::Object(access) => access.index.iter().all(keeps),
    };
    let is_other = |statement: &Stmt| match statement {
        Stmt::Set(target, value) | Stmt::Push(target, value) => !(sets(target) && keeps(value)),
        Stmt::Evaluate(value) | Stmt::If(value, ..) => !keeps(value),
        Stmt::Loop(item) => {
            let heads = [Some(&item.start), item.end.as_ref(), item.condition.as_ref()];
            !heads.into_iter().flatten().chain(&item.next).all(keeps)
        }
        Stmt::Call(call) => program.functions.get(call.function).is_none_or(|callee| {
            let pairs = call.arguments.iter().zip(&callee.parameters);
            !pairs.clone().all(|(argument, parameter)| gets(argument, callee, *parameter))
        }),
        Stmt::Return | Stmt::Break | Stmt::Continue => false,
    };
    !function.lent.contains(&pointer) && !any_in(&function.body, &mut |one| is_other(one))
}

fn array_of(function: &Function, object: ObjectId) -> Option<ArrayUse> {
    let known = function.objects.get(object).filter(|_| object < GLOBAL)?;
    (known.kind == ObjectKind::Array).then(|| ArrayUse {
        function: function.name.clone(),
        name: known.name.clone(),
        dims: known.dims.len() as u64,
    })
}

/// The objects that a statement reads or writes outside of loops and calls in it.
fn collect_in_statement(stmt: &Stmt, used: &mut BTreeSet<ObjectId>) {
    match stmt {
        Stmt::Set(access, value) | Stmt::Push(access, value) => {
            collect_access(access, used);
            collect_objects(value, used);
        }
        Stmt::Evaluate(value) => collect_objects(value, used),
        Stmt::If(condition, then, otherwise) => {
            collect_objects(condition, used);
            for stmt in then.iter().chain(otherwise) {
                collect_in_statement(stmt, used);
            }
        }
        _ => {}
    }
}

fn collect_access(access: &Access, used: &mut BTreeSet<ObjectId>) {
    used.insert(access.object);
    for index in &access.index {
        collect_objects(index, used);
    }
}

fn collect_objects(value: &Expr, used: &mut BTreeSet<ObjectId>) {
    if let Expr::Read(access, _) | Expr::Pop(access, _) = value {
        collect_access(access, used);
    }
    for one in value.operands() {
        collect_objects(one, used);
    }
}
