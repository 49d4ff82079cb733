//! What of a modelled kernel was not read, or is not sure.

use derate_hls::DirectiveKind;
use derate_kernel::LoopAnswer;
use derate_kernel::ir::{Directive, Place, Program, Stmt, Unknown, any_in};

use crate::ModelledKernel;

/// Whether something in the function of a loop was not read, or the model says of the loop that it is not sure.
#[must_use]
pub fn is_doubtful(kernel: &ModelledKernel, one: &LoopAnswer) -> bool {
    is_stencil(&kernel.program)
        || list_unknown(kernel, one).any(|unknown| !is_open_count(kernel, unknown))
}

/// Whether anything in the function of a loop is not known, such as how often a loop runs.
#[must_use]
pub fn has_unknown(kernel: &ModelledKernel, one: &LoopAnswer) -> bool {
    list_unknown(kernel, one).next().is_some()
}

/// What is not known in the function of a loop, or of the whole kernel.
fn list_unknown<'a>(
    kernel: &'a ModelledKernel,
    one: &LoopAnswer,
) -> impl Iterator<Item = &'a Unknown> + use<'a> {
    let functions = &kernel.program.functions;
    let named = functions.iter().find(|function| function.name == one.function);
    // Functions come in no order of lines: one ends where the next one in its file begins.
    let first = named.map_or(one.place, |function| function.place);
    let behind = |place: Place| place.file == first.file && place.line > first.line;
    let next = functions.iter().map(|function| function.place).filter(|place| behind(*place)).min();
    let within = move |place: Place| {
        place.file == first.file
            && place.line >= first.line
            && next.is_none_or(|next| place.line < next.line)
    };
    let unknown = kernel.answer.unknown.iter();
    unknown.filter(move |unknown| unknown.place.line == 0 || within(unknown.place))
}

/// Whether `array_stencil` makes the tool keep elements that the model reads anew.
#[must_use]
pub fn is_stencil(program: &Program) -> bool {
    program.functions.iter().any(|one| asks_stencil(&one.pragmas) || has_stencil(&one.body))
}

fn has_stencil(body: &[Stmt]) -> bool {
    any_in(body, &mut |stmt| matches!(stmt, Stmt::Loop(item) if asks_stencil(&item.pragmas)))
}

fn asks_stencil(directives: &[Directive]) -> bool {
    let mut kinds = directives.iter().map(|directive| &directive.kind);
    kinds.any(|kind| matches!(kind, DirectiveKind::Other(name) if name == "array_stencil"))
}

/// Whether all that is unknown is how often a loop runs, or what the copies of a loop share that asks for no pipeline: intervals
/// are known all the same.
fn is_open_count(kernel: &ModelledKernel, unknown: &Unknown) -> bool {
    let is_open = |one: &LoopAnswer| one.trip.is_none() || one.trip_rests_on_type || one.is_copied;
    kernel.answer.loops.iter().any(|one| is_open(one) && one.place == unknown.place)
}
