//! What a design changes of the interface of the kernel.

use derate_hls::{Count, DirectiveKind, TclDirective};
use derate_kernel::Program;
use serde::Serialize;

/// What happens to the port of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum InterfaceChange {
    /// It is cut into banks, each with its own ports.
    Cut {
        /// How many.
        banks: u64,
    },
    /// It is a bus of so many bits.
    Wide {
        /// Its width.
        bits: u64,
    },
}

/// An argument of the top whose port is another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangedArgument {
    /// Its name.
    pub argument: String,
    /// What happens to it.
    #[serde(flatten)]
    pub change: InterfaceChange,
}

/// The arguments of the top that directives cut or make wide. Banks of several dimensions are counted together. They are in
/// order of the parameters.
#[must_use]
pub fn list_changed_arguments(
    program: &Program,
    directives: &[TclDirective],
) -> Vec<ChangedArgument> {
    let Some(top) = program.functions.first() else { return Vec::new() };
    let is_argument = |name: &str| {
        let mut names = top.parameters.iter().filter_map(|id| top.objects.get(*id));
        names.any(|one| one.name == name)
    };
    let number = |count: &Option<Count>| count.as_ref().and_then(Count::number);
    let mut found: Vec<ChangedArgument> = Vec::new();
    for one in directives.iter().filter(|one| one.function == top.name) {
        let Some(name) = one.variable.as_deref().filter(|name| is_argument(name)) else { continue };
        let change = match &one.kind {
            DirectiveKind::ArrayPartition(cut) | DirectiveKind::ArrayReshape(cut) => {
                InterfaceChange::Cut { banks: number(&cut.factor).unwrap_or(1) }
            }
            DirectiveKind::Interface(interface) => match number(&interface.max_widen_bitwidth) {
                Some(bits) => InterfaceChange::Wide { bits },
                None => continue,
            },
            _ => continue,
        };
        let known = found.iter_mut().find(|known| known.argument == name);
        match (known.map(|known| &mut known.change), change) {
            (Some(InterfaceChange::Cut { banks }), InterfaceChange::Cut { banks: more }) => {
                *banks = banks.saturating_mul(more);
            }
            (Some(known), change) => *known = change,
            (None, change) => {
                found.push(ChangedArgument { argument: name.to_owned(), change });
            }
        }
    }
    let place = |one: &ChangedArgument| {
        let names = top.parameters.iter().map(|id| top.objects.get(*id).map(|own| &own.name));
        names.into_iter().position(|own| own == Some(&one.argument))
    };
    found.sort_by_key(place);
    found
}
