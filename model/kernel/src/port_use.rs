//! The loops in which a port is read or written, and the arrays that they use beside it.

use derate_program::{
    Access, Argument, Expr, Function, GLOBAL, Loop, ObjectId, ObjectKind, Place, Program, Stmt,
};
use std::collections::BTreeSet;

/// An array in a function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ArrayUse {
    pub(crate) function: String,
    pub(crate) name: String,
    /// How many dimensions it has.
    pub(crate) dims: u64,
}

/// Where a port is used.
#[derive(Clone, Debug, Default)]
pub(crate) struct PortUse {
    pub(crate) place: Place,
    /// The port, under the name that each function has for it.
    pub(crate) ports: BTreeSet<ArrayUse>,
    /// Function and label of the innermost loops around its accesses.
    pub(crate) loops: BTreeSet<(String, String)>,
    /// Statements in these loops.
    pub(crate) statements: usize,
    /// What else these loops read or write.
    pub(crate) arrays: BTreeSet<ArrayUse>,
}

/// Calls are followed this deep.
const DEEPEST: usize = 32;

/// Where the parameter `port` of the top function is used. `None` if no loop uses it.
pub(crate) fn find_port_use(program: &Program, port: &str) -> Option<PortUse> {
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
