//! A loop sets a variable to one product after another, and only the last one stays.
//!
//! ## What it does
//!
//! Looks for an innermost loop whose body does nothing but give a product to a scalar of the function, `sum = a[i] * b[i];`, where
//! the function has directives, the scalar is 0 before the loop, the product follows the loop's variable, and the scalar is read behind the loop. Calls, `break`, conditions and
//! other assignments in the body keep the rule silent, as does a loop of one iteration.
//!
//! ## Why it matters
//!
//! All iterations but the last one have no effect: the tool removes the loop, and the result is one product in place of a sum.
//! The kernel is then faster and smaller than it should be, and its figures are those of another computation.
//!
//! ## Example
//!
//! ```cpp
//! float sum = 0;
//! for (int i = 0; i < n; i++) sum = a[i] * b[i];   // one product of n
//! out[f] = sum + bias[f];
//! ```
//!
//! ## How to fix
//!
//! Write `+=`. Or remove the loop, if the last product is what is meant.

use derate_hls::Function;
use derate_project::lost_sum::list_lost_sums;
use serde_json::json;

use crate::AuditInput;
use crate::{Finding, Level};

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let reach = input.reach();
    // A test bench beside the kernel has no directives.
    let is_hardware = |one: &&Function| one.pragmas.iter().any(|it| it.directive().is_some());
    let functions = input.code.functions().filter(|one| reach.has(one.span.file));
    let functions = functions.filter(is_hardware);
    let all = functions.flat_map(|function| {
        list_lost_sums(input.sources, function).into_iter().map(move |lost| (function, lost))
    });
    all.map(|(function, lost)| {
        let (within, name) = (function.qualified(), lost.name);
        Finding::new("kernel/lost-sum", Level::Warning, format!("{within}::{name}"))
            .in_group(within)
            .with_message(format!(
                "`{name}` of `{}` has only the last product of the loop: it is set anew in each iteration, and not added to",
                function.name
            ))
            .with_label(lost.at, "all products but the last one are lost")
            .with_label(lost.inner.span, "nothing else is done in this loop")
            .with_help(format!("write `{name} +=`, or remove the loop if the last product is meant"))
            .with_evidence(json!({ "variable": name, "trip_count": lost.inner.trip_count }))
    })
    .collect()
}
