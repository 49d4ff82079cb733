//! The loops in which a port is read or written, and the arrays that they use beside it.

use crate::ir::{
    Access, Argument, Call, Expr, Function, GLOBAL, Loop, ObjectId, ObjectKind, Place, Program,
    Stmt,
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

/// Where the parameter `port` of the top function is used. `None` if no loop uses it.
#[must_use]
pub fn find_port_use(program: &Program, port: &str) -> Option<PortUse> {
    let top = program.functions.first()?;
    let object = top.parameters.iter().find(|object| top.objects[**object].name == port)?;
    let mut search = Search { program, found: PortUse::default(), parameters: Vec::new() };
    search.found.place = top.objects[*object].place;
    search.parameters.push((0, *object));
    let mut at = 0;
    while let Some((function, port)) = search.parameters.get(at).copied() {
        let function = &program.functions[function];
        search.found.ports.extend(array_of(function, port));
        search.visit_body(function, &function.body, None, port);
        at += 1;
    }
    (!search.found.loops.is_empty()).then_some(search.found)
}

/// An object of a function, by their numbers.
type Parameter = (usize, ObjectId);

/// The parameters of a callee that are an object of the caller.
fn list_given<'a>(
    program: &'a Program,
    call: &'a Call,
    object: ObjectId,
) -> impl Iterator<Item = Parameter> + use<'a> {
    let callee = program.functions.get(call.function);
    let pairs = callee.into_iter().flat_map(|callee| call.arguments.iter().zip(&callee.parameters));
    let given = pairs.filter(move |(argument, _)| {
        matches!(argument, Argument::Object(access) if access.object == object)
    });
    given.map(|(_, parameter)| (call.function, *parameter))
}

/// Adds a parameter to those to look at, once.
fn add_once(parameters: &mut Vec<Parameter>, one: Parameter) {
    if !parameters.contains(&one) {
        parameters.push(one);
    }
}

struct Search<'a> {
    program: &'a Program,
    found: PortUse,
    /// What the port is in functions; each is looked at once.
    parameters: Vec<Parameter>,
}

impl Search<'_> {
    fn visit_body(
        &mut self,
        function: &Function,
        body: &[Stmt],
        around: Option<&Loop>,
        port: ObjectId,
    ) {
        let mut used = BTreeSet::new();
        self.visit_statements(function, body, port, &mut used);
        if let (Some(item), true) = (around, used.remove(&port)) {
            self.found.loops.insert((function.name.clone(), item.label.clone()));
            self.found.statements += body.len();
            let others = used.iter().filter_map(|object| array_of(function, *object));
            self.found.arrays.extend(others);
        }
    }

    /// Collects what statements use, but for the loops among them, which are visited by themselves.
    fn visit_statements(
        &mut self,
        function: &Function,
        body: &[Stmt],
        port: ObjectId,
        used: &mut BTreeSet<ObjectId>,
    ) {
        for stmt in body {
            match stmt {
                Stmt::Loop(item) => self.visit_body(function, &item.body, Some(item), port),
                Stmt::If(condition, then, otherwise) => {
                    collect_objects(condition, used);
                    self.visit_statements(function, then, port, used);
                    self.visit_statements(function, otherwise, port, used);
                }
                Stmt::Call(call) => {
                    for one in list_given(self.program, call, port) {
                        add_once(&mut self.parameters, one);
                    }
                    for argument in &call.arguments {
                        if let Argument::Value(value) = argument {
                            collect_objects(value, used);
                        }
                    }
                }
                Stmt::Set(access, value) | Stmt::Push(access, value) => {
                    collect_access(access, used);
                    collect_objects(value, used);
                }
                Stmt::Evaluate(value) => collect_objects(value, used),
                Stmt::Return | Stmt::Break | Stmt::Continue => {}
            }
        }
    }
}

/// Whether a pointer of the top function is only used for the element that it points to: it is a number, not an array.
#[must_use]
pub fn points_to_number(program: &Program, pointer: ObjectId) -> bool {
    let mut parameters = vec![(0, pointer)];
    let mut at = 0;
    while let Some((function, pointer)) = parameters.get(at).copied() {
        let Some(function) = program.functions.get(function) else { return false };
        let mut is_other = |statement: &Stmt| {
            if let Stmt::Call(call) = statement {
                let parameters = &mut parameters;
                list_given(program, call, pointer).for_each(|one| add_once(parameters, one));
            }
            uses_other(statement, pointer)
        };
        if function.lent.contains(&pointer) || any_in(&function.body, &mut is_other) {
            return false;
        }
        at += 1;
    }
    true
}

/// Whether a statement uses another element than the first.
fn uses_other(statement: &Stmt, pointer: ObjectId) -> bool {
    let is_other = |access: &Access| {
        access.object == pointer && !access.index.iter().all(|index| index.constant() == Some(0))
    };
    let reads_other = statement.any_value(&mut |part| match part {
        Expr::Read(access, _) | Expr::Pop(access, _) => is_other(access),
        _ => false,
    });
    reads_other
        || match statement {
            Stmt::Set(target, _) | Stmt::Push(target, _) => is_other(target),
            Stmt::Call(call) => call
                .arguments
                .iter()
                .any(|one| matches!(one, Argument::Object(access) if is_other(access))),
            _ => false,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_program;
    use derate_syntax::{SourceFile, read_unit};

    /// A pointer goes through 33 functions, each of which calls the next three times. The last has these statements.
    fn chain(last: &str) -> Program {
        let further = (1..33).map(|at| {
            let calls = format!("f{}(y, n); ", at - 1).repeat(3);
            format!("void f{at}(int *y, int n) {{ {calls} }}")
        });
        let text = format!(
            "void f0(int *y, int n) {{ {last} }} {} void top(int *y, int n) {{ f32(y, n); }}",
            further.collect::<String>()
        );
        let source = SourceFile { path: "a.cpp".into(), text };
        let unit = read_unit(&[source], &mut |_, _, _| None, &[]);
        read_program(&unit, "top").unwrap()
    }

    #[test]
    fn each_function_is_looked_at_once_however_often_it_is_called() {
        let points = |last: &str| {
            let program = chain(last);
            points_to_number(&program, program.functions[0].parameters[0])
        };
        assert!(points("*y = n;"));
        assert!(!points("y[n] = 1;"));
        let found = find_port_use(&chain("for (int i = 0; i < 8; i++) y[i] = n;"), "y").unwrap();
        assert_eq!((found.loops.len(), found.statements, found.ports.len()), (1, 1, 34));
    }

    #[test]
    fn what_is_in_a_condition_is_looked_at() {
        let count = |last: &str| {
            let found = find_port_use(&chain(last), "y");
            found.map(|found| (found.loops.len(), found.arrays.len()))
        };
        assert_eq!(count("if (n > 3) { for (int i = 0; i < n; i++) y[i] = n; }"), Some((1, 0)));
        assert_eq!(count("for (int i = 0; i < 8; i++) if (n > i) { y[i] = n; }"), Some((1, 0)));
        let inner = "int x[8]; for (int i = 0; i < 8; i++) { if (n > i) { for (int j = 0; j < 8; j++) y[j] = x[j]; } }";
        assert_eq!(count(inner), Some((1, 1)));
        // A condition without a loop in or around it.
        assert_eq!(count("if (n > 3) { y[0] = n; }"), None);
    }

    #[test]
    fn a_port_that_is_given_on_in_a_condition_is_followed() {
        let text = "void f(int *y, int n) { for (int i = 0; i < n; i++) y[i] = n; }
            void top(int *y, int n) { if (n > 3) { f(y, n); } }";
        let source = SourceFile { path: "a.cpp".into(), text: text.into() };
        let program = read_program(&read_unit(&[source], &mut |_, _, _| None, &[]), "top").unwrap();
        assert_eq!(find_port_use(&program, "y").unwrap().loops.len(), 1);
    }
}
