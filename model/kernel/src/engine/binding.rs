//! Which operators a `bind_op` is about: those of an assignment to its variable, of its operation.

use super::Engine;
use super::options::{Directives, number};
use crate::graph::{Binding, Build};
use derate_hls::{Bind, DirectiveKind};
use derate_program::{Access, Binary, Function, Loop, Program, Scalar, Stmt};

/// A `bind_op`, and where it holds.
#[derive(Clone, Debug)]
pub(crate) struct BoundOperation {
    /// The operation in the words of the tool: `mul`, `dadd`.
    op: String,
    binding: Binding,
}

impl BoundOperation {
    fn read(bind: &Bind) -> Option<Self> {
        let build = match bind.implementation.as_deref().map(str::to_ascii_lowercase).as_deref() {
            Some("fabric") => Build::Logic,
            Some("fulldsp") => Build::FullDsp,
            _ => Build::Usual,
        };
        let latency = number(bind.latency.as_ref()).and_then(|cycles| u32::try_from(cycles).ok());
        let op = bind.op.as_ref()?.to_ascii_lowercase();
        Some(Self { op, binding: Binding { build, latency } })
    }

    fn holds_for(&self, op: Binary, ty: Scalar) -> bool {
        let prefix = match ty {
            Scalar::Half => "h",
            Scalar::Float => "f",
            Scalar::Double => "d",
            _ => "",
        };
        let verb = match op {
            Binary::Add => "add",
            Binary::Sub => "sub",
            Binary::Mul => "mul",
            Binary::Div => "div",
            _ => return false,
        };
        self.op.strip_prefix(prefix) == Some(verb)
    }
}

/// What `bind_op` asks of the assignment in hand.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bindings {
    /// Whether a pragma or a directive binds any operation: most kernels have none.
    pub(super) is_any: bool,
    pub(crate) in_hand: Vec<BoundOperation>,
}

impl Bindings {
    pub(crate) fn of(program: &Program, directives: &Directives) -> Self {
        let pragmas = program.functions.iter().flat_map(|function| &function.pragmas);
        let given = directives.list.iter().map(|one| &one.kind);
        let mut kinds = pragmas.map(|one| &one.kind).chain(given);
        let is_any = kinds.any(|kind| matches!(kind, DirectiveKind::BindOp(_)));
        Self { is_any, in_hand: Vec::new() }
    }
}

impl Engine<'_> {
    /// The operations that directives bind in an assignment.
    pub(crate) fn find_bound_operations(
        &self,
        target: &Access,
        function: &Function,
    ) -> Vec<BoundOperation> {
        // This is asked for each copy of each assignment.
        if !self.bindings.is_any {
            return Vec::new();
        }
        let own = function.pragmas.iter().filter(|one| one.objects.contains(&target.object));
        let own = own.filter_map(|one| match &one.kind {
            DirectiveKind::BindOp(bind) => BoundOperation::read(bind),
            _ => None,
        });
        let name = function.objects.get(target.object).map(|object| object.name.as_str());
        let given = self.directives.list.iter().filter_map(|one| match &one.kind {
            DirectiveKind::BindOp(bind)
                if one.function == function.name
                    && name.is_some()
                    && one.variable.as_deref() == name
                    && one.label.as_deref().is_none_or(|label| {
                        find_loop(&function.body, label)
                            .is_some_and(|item| holds(&item.body, target))
                    }) =>
            {
                BoundOperation::read(bind)
            }
            _ => None,
        });
        own.chain(given).collect()
    }

    /// Does something that no `bind_op` is about.
    pub(crate) fn without_bindings<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        let bound = std::mem::take(&mut self.bindings.in_hand);
        let done = act(self);
        self.bindings.in_hand = bound;
        done
    }

    /// What directives ask of an operator of the assignment in hand.
    pub(crate) fn binding_for(&self, op: Binary, ty: Scalar) -> Option<Binding> {
        self.bindings.in_hand.iter().rfind(|one| one.holds_for(op, ty)).map(|one| one.binding)
    }
}

fn find_loop<'a>(body: &'a [Stmt], label: &str) -> Option<&'a Loop> {
    body.iter().find_map(|statement| match statement {
        Stmt::Loop(item) if item.label == label => Some(&**item),
        Stmt::Loop(item) => find_loop(&item.body, label),
        Stmt::If(_, then, otherwise) => {
            find_loop(then, label).or_else(|| find_loop(otherwise, label))
        }
        _ => None,
    })
}

/// Whether statements have an assignment, known by its object and its line.
fn holds(body: &[Stmt], target: &Access) -> bool {
    body.iter().any(|statement| match statement {
        Stmt::Set(own, _) => own.object == target.object && own.place == target.place,
        Stmt::Loop(item) => holds(&item.body, target),
        Stmt::If(_, then, otherwise) => holds(then, target) || holds(otherwise, target),
        _ => false,
    })
}
