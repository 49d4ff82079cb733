//! What a design changes of the interface of a kernel, in words.

use derate_explore::kernel::{ChangedArgument, InterfaceChange};
use derate_units::figures::list_few;

/// Arguments that are named.
const SHOWN: usize = 4;

/// What happens to the ports of arguments, and who has to follow; `None` where nothing does.
#[must_use]
pub fn describe_interface(arguments: &[ChangedArgument]) -> Option<String> {
    let words = arguments.iter().map(|one| match one.change {
        InterfaceChange::Cut { banks } => format!("`{}` is cut into {banks} banks", one.argument),
        InterfaceChange::Wide { bits } => {
            format!("the port `{}` is {bits} bits wide", one.argument)
        }
    });
    let words: Vec<String> = words.collect();
    (!words.is_empty())
        .then(|| format!("{}; what is connected to it has to fit", list_few(&words, SHOWN)))
}
