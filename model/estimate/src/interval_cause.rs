//! What holds an interval, in words.

use crate::ModelledKernel;
use derate_kernel::ir::Place;
use derate_kernel::{HeldBy, LoopAnswer};

/// What holds the interval: as a clause, as the label of its line, and what helps.
#[derive(Clone, Debug)]
pub struct IntervalCause {
    /// As a clause.
    pub clause: String,
    /// The label of its line.
    pub label: String,
    /// What helps.
    pub help: String,
    /// The lines.
    pub places: Vec<Place>,
}

/// What holds the interval of a loop of a kernel; `None` where it is its target.
#[must_use]
pub fn find_interval_cause(
    kernel: &ModelledKernel,
    one: &LoopAnswer,
    reached: u64,
) -> Option<IntervalCause> {
    match one.held_by.as_ref()? {
        HeldBy::Recurrence { places, through, variable, operation, .. } => {
            let name = through.as_ref().or(variable.as_ref());
            let value = name.map_or_else(|| "a value".to_owned(), |name| format!("`{name}`"));
            let by = operation.as_ref().map(|text| format!(", the result of a {text}"));
            let clause =
                format!("it needs {value} of the iteration before{}", by.unwrap_or_default());
            let sum = operation
                .as_ref()
                .is_some_and(|text| text.ends_with("addition") || text.ends_with("subtraction"));
            let help = if sum {
                format!(
                    "keep {reached} partial sums and add them up behind the loop, interchange the loops, or ask for II={reached}"
                )
            } else {
                format!("break the dependence between iterations, or ask for II={reached}")
            };
            let label = format!("the next iteration needs {value} from here");
            Some(IntervalCause { clause, label, help, places: places.clone() })
        }
        HeldBy::Memory { shared: Some(shared), accesses, .. } => {
            let arrays: Vec<String> =
                shared.arrays.iter().map(|array| format!("`{array}`")).collect();
            let (arrays, bundle) = (arrays.join(" and "), &shared.bundle);
            let clause = format!(
                "an iteration makes {accesses} accesses in one direction to bundle `{bundle}`, which {arrays} share"
            );
            let help = format!("give {arrays} bundles of their own, or ask for II={reached}");
            Some(IntervalCause { clause, label: String::new(), help, places: Vec::new() })
        }
        HeldBy::Memory { array, accesses, .. } if kernel.is_stream(array) => {
            let clause = format!(
                "an iteration makes {accesses} accesses to the stream `{array}`, which takes one in a cycle"
            );
            let help = format!(
                "move the values of one iteration in one word of the stream, or ask for II={reached}"
            );
            Some(IntervalCause { clause, label: String::new(), help, places: Vec::new() })
        }
        HeldBy::Memory { array, accesses, .. } if kernel.is_bus(array) => {
            let clause = format!(
                "an iteration makes {accesses} accesses in one direction to the `m_axi` port `{array}`, which takes one in a cycle"
            );
            let help = format!(
                "keep what was read in registers or in a buffer of lines, so that an iteration needs one new word of `{array}`, or ask for II={reached}"
            );
            Some(IntervalCause { clause, label: String::new(), help, places: Vec::new() })
        }
        HeldBy::Memory { array, accesses, ports, most, .. } => {
            let accesses = most.map_or(*accesses, |(accesses, _)| accesses);
            let plural = if *ports == 1 { "" } else { "s" };
            let clause = format!(
                "an iteration makes {accesses} accesses to a bank of `{array}`, which has {ports} port{plural}"
            );
            let help = format!(
                "partition `{array}` so that the accesses of one iteration are in different banks, or ask for II={reached}"
            );
            Some(IntervalCause { clause, label: String::new(), help, places: Vec::new() })
        }
        HeldBy::Target | HeldBy::Module(_) => None,
    }
}
