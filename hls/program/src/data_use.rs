//! Which scalars hold data: those that only feed subscripts, bounds and conditions on counters do not.

use crate::ir::{
    Access, Argument, Expr, Function, GLOBAL, ObjectId, ObjectKind, Program, Scalar, Stmt,
};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// A scalar of a function; a global one is of none.
type Key = (usize, ObjectId);

/// Scalars by the one that feeds them, or that they feed.
type Feeds = HashMap<Key, Vec<Key>>;

/// What becomes of the scalars of a program, whatever the order of its statements.
#[derive(Debug, Default)]
pub(crate) struct DataUse {
    /// Those whose values come to an element, to a stream or to a condition on data.
    used: HashSet<Key>,
    /// Those that are computed of elements, of streams or of fractions.
    computed: HashSet<Key>,
}

#[derive(Default)]
struct Flows {
    /// For each scalar what it is computed of, and what is computed of it.
    from: Feeds,
    to: Feeds,
    stored: Vec<Key>,
    loaded: Vec<Key>,
    /// The scalars in each condition, and whether it looks at an element itself.
    tests: Vec<(Vec<Key>, bool)>,
}

impl DataUse {
    pub(crate) fn of_program(program: &Program) -> Self {
        let mut flows = Flows::default();
        for (at, function) in program.functions.iter().enumerate() {
            flows.body(program, at, &function.body);
        }
        if let Some(top) = program.functions.first() {
            let outputs = top.parameters.iter().zip(&top.by_value).filter(|one| !one.1);
            flows.stored.extend(outputs.map(|one| key(0, *one.0)));
            flows.stored.extend(top.result.map(|result| key(0, result)));
        }
        let computed = reach(flows.loaded, &flows.to);
        let mut stored = flows.stored;
        for (read, is_data) in flows.tests {
            if is_data || read.iter().any(|one| computed.contains(one)) {
                stored.extend(read.into_iter().filter(|one| computed.contains(one)));
            }
        }
        Self { used: reach(stored, &flows.from), computed }
    }

    pub(crate) fn is_used(&self, function: usize, object: ObjectId) -> bool {
        self.used.contains(&key(function, object))
    }

    /// Whether what is set is an element, or a scalar that holds data.
    pub(crate) fn is_stored(&self, program: &Program, function: usize, to: &Access) -> bool {
        !is_scalar(program, function, to) || self.is_used(function, to.object)
    }

    pub(crate) fn is_from_data(&self, function: usize, value: &Expr) -> bool {
        let (mut read, mut is_data) = (Vec::new(), false);
        collect(function, value, &mut read, &mut is_data);
        is_data || read.iter().any(|one| self.computed.contains(one))
    }
}

impl Flows {
    fn body(&mut self, program: &Program, at: usize, body: &[Stmt]) {
        for stmt in body {
            match stmt {
                Stmt::Set(to, value) if is_scalar(program, at, to) => {
                    self.set(key(at, to.object), at, value);
                }
                Stmt::Set(_, value) | Stmt::Push(_, value) | Stmt::Evaluate(value) => {
                    let (mut read, mut is_data) = (Vec::new(), false);
                    collect(at, value, &mut read, &mut is_data);
                    self.stored.extend(read);
                }
                Stmt::If(test, then, otherwise) => {
                    self.test(at, test);
                    self.body(program, at, then);
                    self.body(program, at, otherwise);
                }
                Stmt::Loop(item) => {
                    if let Some(test) = &item.condition {
                        self.test(at, test);
                    }
                    self.body(program, at, &item.body);
                }
                Stmt::Call(call) => {
                    let Some(callee) = program.functions.get(call.function) else { continue };
                    self.call(at, call, callee);
                }
                Stmt::Return | Stmt::Break | Stmt::Continue => {}
            }
        }
    }

    fn call(&mut self, at: usize, call: &crate::ir::Call, callee: &Function) {
        for (argument, parameter) in call.arguments.iter().zip(&callee.parameters) {
            let inside = key(call.function, *parameter);
            match argument {
                Argument::Value(value) => self.set(inside, at, value),
                // Both names are of one scalar. Elements of arrays are data anyway.
                Argument::Object(access) => {
                    self.join(inside, key(at, access.object));
                    self.join(key(at, access.object), inside);
                }
            }
        }
        if let (Some(to), Some(result)) = (call.result, callee.result) {
            self.join(key(at, to), key(call.function, result));
        }
    }

    fn set(&mut self, to: Key, at: usize, value: &Expr) {
        let (mut read, mut is_data) = (Vec::new(), false);
        collect(at, value, &mut read, &mut is_data);
        if is_data {
            self.loaded.push(to);
        }
        for from in read {
            self.join(to, from);
        }
    }

    fn test(&mut self, at: usize, test: &Expr) {
        let (mut read, mut is_data) = (Vec::new(), false);
        collect(at, test, &mut read, &mut is_data);
        self.tests.push((read, is_data));
    }

    fn join(&mut self, to: Key, from: Key) {
        self.from.entry(to).or_default().push(from);
        self.to.entry(from).or_default().push(to);
    }
}

fn key(function: usize, object: ObjectId) -> Key {
    if object >= GLOBAL { (usize::MAX, object) } else { (function, object) }
}

fn is_scalar(program: &Program, function: usize, access: &Access) -> bool {
    let object = program.functions.get(function).and_then(|own| program.object(own, access.object));
    access.index.is_empty() && object.is_some_and(|object| object.kind == ObjectKind::Scalar)
}

/// The scalars that a value is computed of, outside of subscripts, and whether it is of an element, a stream or a fraction.
fn collect(function: usize, value: &Expr, read: &mut Vec<Key>, is_data: &mut bool) {
    *is_data |= !matches!(value.ty(), Scalar::Int { .. });
    match value {
        Expr::Read(access, _) if access.index.is_empty() => {
            read.push(key(function, access.object));
        }
        Expr::Read(..) | Expr::Pop(..) | Expr::Unknown(_) => *is_data = true,
        _ => value.operands().for_each(|one| collect(function, one, read, is_data)),
    }
}

fn reach(mut from: Vec<Key>, edges: &Feeds) -> HashSet<Key> {
    let mut found = HashSet::default();
    while let Some(key) = from.pop() {
        if found.insert(key) {
            from.extend(edges.get(&key).into_iter().flatten());
        }
    }
    found
}
