//! Which variables keep the number that they are set to first: the tool takes these for constants, whether they are called so or not.

use super::scope::Names;
use super::types::path_name;
use derate_syntax::ast::{
    BinaryOp, Expr, ExprKind, Item, Stmt, StmtKind, Type, UnaryOp, Unit, Variable,
};
use rustc_hash::FxHashMap as HashMap;

/// Statements and expressions deeper than this are not looked at.
const DEEPEST: usize = 300;

/// Methods of numbers that only read them.
const READS: [&str; 9] = [
    "to_int",
    "to_uint",
    "to_long",
    "to_ulong",
    "to_int64",
    "to_uint64",
    "to_double",
    "to_float",
    "length",
];

/// How often statements may change what a name is, beside its declaration. One name in two blocks counts as one.
#[derive(Debug, Default)]
pub(super) struct Changed {
    counts: HashMap<String, u32>,
    /// Whether a part is not read, and may change everything.
    is_open: bool,
}

impl Changed {
    /// What a function's statements change.
    pub(super) fn of_body(body: &[Stmt], names: &Names) -> Self {
        let mut changed = Self::default();
        changed.read_statements(body, names, 0);
        changed
    }

    /// What all functions and first values of a unit change.
    pub(super) fn of_unit(unit: &Unit, names: &Names) -> Self {
        let mut changed = Self::default();
        for item in &unit.items {
            match item {
                Item::Function(function) => {
                    let first = function.initialisers.iter().flat_map(|(_, values)| values);
                    first.for_each(|value| changed.read_argument(value, names, 0));
                    changed.read_variables(&function.parameters, names, 0);
                    changed.read_statements(function.body.as_deref().unwrap_or_default(), names, 0);
                }
                Item::Variable(variable) => {
                    changed.read_variables([variable.as_ref()], names, 0);
                }
                Item::Structure(structure) => changed.read_variables(&structure.members, names, 0),
                _ => {}
            }
        }
        changed
    }

    /// Whether nothing changes what the name is declared with.
    pub(super) fn keeps(&self, name: &str) -> bool {
        !self.is_open && !self.counts.contains_key(name)
    }

    /// Whether the name is set once, by a statement that is a plain `=`.
    pub(super) fn is_set_once(&self, name: &str) -> bool {
        !self.is_open && self.counts.get(name) == Some(&1)
    }

    fn read_statements(&mut self, body: &[Stmt], names: &Names, depth: usize) {
        for one in body {
            self.read_statement(one, names, depth + 1);
        }
    }

    fn read_statement(&mut self, statement: &Stmt, names: &Names, depth: usize) {
        if depth > DEEPEST {
            self.is_open = true;
            return;
        }
        let mut read = |expr: &Expr| self.read_expression(expr, names, depth);
        match &statement.kind {
            StmtKind::Declare(variables) => self.read_variables(variables, names, depth),
            StmtKind::Expr(expr) => match &expr.kind {
                ExprKind::Assign(None, target, value)
                    if matches!(target.kind, ExprKind::Name(_)) =>
                {
                    self.add(target, 1, depth);
                    self.read_expression(value, names, depth);
                }
                _ => {
                    self.read_expression(expr, names, depth);
                    self.read_extraction(expr, depth);
                }
            },
            StmtKind::Block(inner) => self.read_statements(inner, names, depth),
            StmtKind::If { condition, then, otherwise } => {
                read(condition);
                self.read_statement(then, names, depth + 1);
                if let Some(otherwise) = otherwise {
                    self.read_statement(otherwise, names, depth + 1);
                }
            }
            StmtKind::For { init, condition, step, body, .. } => {
                condition.iter().chain(step).for_each(read);
                if let Some(init) = init {
                    self.read_statement(init, names, depth + 1);
                }
                self.read_statement(body, names, depth + 1);
            }
            StmtKind::While { condition, body, .. } => {
                read(condition);
                self.read_statement(body, names, depth + 1);
            }
            StmtKind::Switch { subject, cases } => {
                read(subject);
                for case in cases {
                    self.read_statements(&case.body, names, depth);
                }
            }
            StmtKind::Return(value) => value.iter().for_each(read),
            StmtKind::Unknown(_) | StmtKind::UnreadLoop(_) => self.is_open = true,
            StmtKind::Alias(_)
            | StmtKind::Structure(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Pragma(_)
            | StmtKind::Empty => {}
        }
    }

    /// What is declared: first values may lend the names in them.
    fn read_variables<'v>(
        &mut self,
        variables: impl IntoIterator<Item = &'v Variable>,
        names: &Names,
        depth: usize,
    ) {
        for variable in variables {
            let Some(init) = &variable.init else { continue };
            self.read_expression(init, names, depth);
            if matches!(variable.ty, Type::Reference(_)) {
                self.add(init, 2, depth);
            }
        }
    }

    /// `stream >> a >> b` sets what is on the right of each `>>`.
    fn read_extraction(&mut self, expr: &Expr, depth: usize) {
        if let ExprKind::Binary(BinaryOp::ShiftRight, left, right) = &expr.kind {
            self.add(right, 2, depth);
            self.read_extraction(left, depth);
        }
    }

    fn read_expression(&mut self, expr: &Expr, names: &Names, depth: usize) {
        if depth > DEEPEST {
            self.is_open = true;
            return;
        }
        let depth = depth + 1;
        match &expr.kind {
            // A part of an expression may be left out.
            ExprKind::Assign(_, target, value) => {
                self.add(target, 2, depth);
                self.read_expression(target, names, depth);
                self.read_expression(value, names, depth);
            }
            ExprKind::Step { target, .. } | ExprKind::Unary(UnaryOp::AddressOf, target) => {
                self.add(target, 2, depth);
                self.read_expression(target, names, depth);
            }
            ExprKind::Call(callee, arguments) => {
                match &callee.kind {
                    ExprKind::Member { member, .. } if READS.contains(&member.name.as_str()) => {}
                    // Bits of a number are bits of a variable.
                    _ => self.add(callee, 2, depth),
                }
                self.read_expression(callee, names, depth);
                for (at, argument) in arguments.iter().enumerate() {
                    if is_copied(callee, at, names) {
                        self.read_expression(argument, names, depth);
                    } else {
                        self.read_argument(argument, names, depth);
                    }
                }
            }
            ExprKind::Construct(ty, items) => {
                let is_number = matches!(**ty, Type::Builtin(_));
                for item in items {
                    if is_number {
                        self.read_expression(item, names, depth);
                    } else {
                        self.read_argument(item, names, depth);
                    }
                }
            }
            ExprKind::List(items) => {
                for item in items {
                    self.read_argument(item, names, depth);
                }
            }
            ExprKind::Index(base, index) => {
                self.add(base, 2, depth);
                self.read_expression(base, names, depth);
                self.read_expression(index, names, depth);
            }
            ExprKind::Binary(_, left, right) => {
                self.read_expression(left, names, depth);
                self.read_expression(right, names, depth);
            }
            ExprKind::Conditional(test, yes, no) => {
                for part in [test, yes, no] {
                    self.read_expression(part, names, depth);
                }
            }
            ExprKind::Unary(_, inner)
            | ExprKind::Cast(_, inner)
            | ExprKind::SizeOf(inner)
            | ExprKind::Member { object: inner, .. } => self.read_expression(inner, names, depth),
            ExprKind::Comma(parts) => {
                for part in parts {
                    self.read_expression(part, names, depth);
                }
            }
            ExprKind::Unknown(_) => self.is_open = true,
            ExprKind::Integer { .. }
            | ExprKind::Boolean(_)
            | ExprKind::Float { .. }
            | ExprKind::Text(_)
            | ExprKind::Name(_)
            | ExprKind::This
            | ExprKind::SizeOfType(_) => {}
        }
    }

    /// What a function or a constructor gets, and may write.
    fn read_argument(&mut self, argument: &Expr, names: &Names, depth: usize) {
        self.add(argument, 2, depth);
        self.read_expression(argument, names, depth);
    }

    /// Counts a change of what a place is in.
    fn add(&mut self, place: &Expr, count: u32, depth: usize) {
        if depth > DEEPEST {
            self.is_open = true;
            return;
        }
        match &place.kind {
            ExprKind::Name(path) => {
                let Some(last) = path.pieces.last() else { return };
                match self.counts.get_mut(&last.name) {
                    Some(known) => *known += count,
                    None => drop(self.counts.insert(last.name.clone(), count)),
                }
            }
            ExprKind::Index(inner, _)
            | ExprKind::Call(inner, _)
            | ExprKind::Cast(_, inner)
            | ExprKind::Unary(_, inner)
            | ExprKind::Member { object: inner, .. } => self.add(inner, 2, depth + 1),
            ExprKind::Conditional(_, yes, no) => {
                self.add(yes, 2, depth + 1);
                self.add(no, 2, depth + 1);
            }
            ExprKind::Comma(parts) => parts.iter().for_each(|part| self.add(part, 2, depth + 1)),
            _ => {}
        }
    }
}

/// Whether every function of this name gets a copy of its argument there.
fn is_copied(callee: &Expr, at: usize, names: &Names) -> bool {
    let ExprKind::Name(path) = &callee.kind else { return false };
    let functions = names.functions(&path_name(path));
    !functions.is_empty()
        && functions.iter().all(|one| {
            one.parameters.get(at).is_some_and(|one| !matches!(one.ty, Type::Reference(_)))
        })
}
