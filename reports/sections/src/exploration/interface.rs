//! What a design changes of the interface of a kernel, in words.

use derate_explore::kernel::{ChangedArgument, InterfaceChange};
use derate_units::figures::list_few;

/// Arguments that are named.
const SHOWN: usize = 4;

/// What happens to the ports of arguments, and who has to follow; `None` where nothing does.
#[must_use]
pub fn describe_interface(arguments: &[ChangedArgument]) -> Option<String> {
    let mut words: Vec<String> = Vec::new();
    let mut wide: Vec<(u64, Vec<String>)> = Vec::new();
    for one in arguments {
        let name = format!("`{}`", one.argument);
        match one.change {
            InterfaceChange::Cut { banks } => {
                words.push(format!("{name} is cut into {banks} banks"));
            }
            InterfaceChange::Wide { bits } => match wide.iter_mut().find(|own| own.0 == bits) {
                Some((_, names)) => names.push(name),
                None => wide.push((bits, vec![name])),
            },
        }
    }
    let ports = wide.iter();
    words.extend(ports.map(|(bits, names)| format!("{bits} bits for {}", list_few(names, SHOWN))));
    (!words.is_empty())
        .then(|| format!("{}; what is connected to it has to fit", list_few(&words, SHOWN)))
}
