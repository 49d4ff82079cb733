//! Whether a loop is beside a far deeper nest, where arguments are the bounds of both.

use derate_kernel::LoopAnswer;
use derate_kernel::ir::{Argument, Expr, Loop, Place, Program, Stmt, any_in};

use crate::ModelledKernel;

/// A nest of so many more loops takes far longer, whatever the arguments are.
const DEEPER: usize = 2;
/// A loop with a constant bound of no more iterations is part of a filter or a vector.
const FEW: i128 = 64;
/// Calls in calls that are followed.
const CALLS: usize = 16;
/// So many loops are listed: each call of a function has its own.
const LOOPS: usize = 4096;

/// A loop with the bounds of those around it, and its own.
struct Nest<'p> {
    item: &'p Loop,
    function: &'p str,
    /// The arguments of the kernel that are bounds; `None` where something else that is not a constant bounds a loop.
    bounds: Option<Vec<usize>>,
    /// The places of the loops around it, and its own.
    path: Vec<Place>,
    /// Whether each run of the kernel reaches it.
    is_sure: bool,
}

/// Why a loop costs little beside a nest that each run reaches, which has the same arguments as its bounds and two or more besides;
/// `None` where there is none, or something else bounds the loop.
pub(crate) fn find_deeper_nest(kernel: &ModelledKernel, one: &LoopAnswer) -> Option<String> {
    let mut nests = Vec::new();
    let parameters = &kernel.program.functions.first()?.parameters;
    let arguments: Vec<Option<usize>> = parameters.iter().map(|id| Some(*id)).collect();
    let start = Around { bounds: Some(Vec::new()), path: Vec::new(), is_sure: true, calls: 0 };
    list_nests(&kernel.program, 0, &arguments, &start, &mut nests);
    if nests.len() >= LOOPS {
        return None;
    }
    let (own, others): (Vec<_>, Vec<_>) =
        nests.iter().partition(|nest| nest.path.contains(&one.place));
    let own: Vec<&[usize]> =
        own.iter().map(|nest| nest.bounds.as_deref()).collect::<Option<_>>()?;
    let most = own.iter().map(|bounds| bounds.len()).max().filter(|most| *most > 0)?;
    let is_deeper = |bounds: &[usize]| {
        own.iter().all(|own| {
            let mut left = bounds.to_vec();
            let has = |id: &usize| {
                left.iter().position(|other| other == id).map(|at| left.swap_remove(at)).is_some()
            };
            own.iter().all(has) && bounds.len() >= own.len() + DEEPER
        })
    };
    let deeper = others.iter().filter(|nest| nest.is_sure);
    let deeper = deeper.filter_map(|nest| Some((*nest, nest.bounds.as_deref()?)));
    let (nest, bounds) =
        deeper.filter(|(_, bounds)| is_deeper(bounds)).max_by_key(|(_, bounds)| bounds.len())?;
    Some(format!(
        "arguments are the bounds of {} loops at `{}` of `{}`, and of {most} here: the deeper nest takes longer",
        bounds.len(),
        nest.item.label,
        nest.function
    ))
}

/// What is around a statement.
#[derive(Clone)]
struct Around {
    bounds: Option<Vec<usize>>,
    path: Vec<Place>,
    is_sure: bool,
    calls: usize,
}

/// The loops of a function and of those that it calls; `arguments` are those of the kernel that its parameters are.
fn list_nests<'p>(
    program: &'p Program,
    function: usize,
    arguments: &[Option<usize>],
    around: &Around,
    nests: &mut Vec<Nest<'p>>,
) {
    let Some(own) = program.functions.get(function) else { return };
    let sets = |id: usize| {
        let is_lent = |one: &Argument| matches!(one, Argument::Object(to) if to.object == id);
        any_in(&own.body, &mut |stmt| match stmt {
            Stmt::Set(to, _) => to.object == id,
            Stmt::Call(call) => call.result == Some(id) || call.arguments.iter().any(is_lent),
            _ => false,
        })
    };
    let known = own.parameters.iter().zip(arguments);
    let known: Vec<(usize, usize)> =
        known.filter(|(id, _)| !sets(**id)).filter_map(|(id, to)| Some((*id, (*to)?))).collect();
    let leaves =
        any_in(&own.body, &mut |stmt| matches!(stmt, Stmt::Return | Stmt::Break | Stmt::Continue));
    let around =
        Around { is_sure: around.is_sure && !leaves, calls: around.calls + 1, ..around.clone() };
    let mut walk = Walk { program, name: &own.name, known, nests };
    walk.list(&own.body, &around);
}

/// A function that is gone through.
struct Walk<'p, 'n> {
    program: &'p Program,
    name: &'p str,
    /// Its variables that are arguments of the kernel.
    known: Vec<(usize, usize)>,
    nests: &'n mut Vec<Nest<'p>>,
}

impl<'p> Walk<'p, '_> {
    fn list(&mut self, body: &'p [Stmt], around: &Around) {
        for stmt in body {
            match stmt {
                Stmt::If(_, then, otherwise) => {
                    let around = Around { is_sure: false, ..around.clone() };
                    self.list(then, &around);
                    self.list(otherwise, &around);
                }
                Stmt::Loop(item) => {
                    let mut around = around.clone();
                    around.path.push(item.place);
                    around.bounds = self.add_bound(item, around.bounds);
                    self.list(&item.body, &around);
                    let Around { bounds, path, is_sure, .. } = around;
                    self.nests.push(Nest { item, function: self.name, bounds, path, is_sure });
                }
                Stmt::Call(call) if around.calls < CALLS && self.nests.len() < LOOPS => {
                    let find = |one: &Argument| match one {
                        Argument::Value(value) => self.find_argument(value),
                        Argument::Object(_) => None,
                    };
                    let arguments: Vec<Option<usize>> = call.arguments.iter().map(find).collect();
                    list_nests(self.program, call.function, &arguments, around, self.nests);
                }
                _ => {}
            }
        }
    }

    /// The bounds with that of a loop, if it is an argument or the loop has constants.
    fn add_bound(&self, item: &Loop, bounds: Option<Vec<usize>>) -> Option<Vec<usize>> {
        let (mut bounds, end) = (bounds?, item.end.as_ref()?);
        if item.leaves || item.condition.is_some() || item.first.is_none() || item.step != 1 {
            return None;
        }
        if !matches!(end, Expr::Constant(..)) {
            bounds.push(self.find_argument(end)?);
        } else if end.constant().is_none_or(|end| end > FEW) {
            // A loop of many iterations may be longer than any argument.
            return None;
        }
        Some(bounds)
    }

    /// The argument of the kernel that a value is.
    fn find_argument(&self, value: &Expr) -> Option<usize> {
        match value {
            Expr::Cast(value, ..) => self.find_argument(value),
            Expr::Read(access, _) if access.index.is_empty() => {
                self.known.iter().find(|(id, _)| *id == access.object).map(|one| one.1)
            }
            _ => None,
        }
    }
}
