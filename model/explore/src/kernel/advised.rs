//! What `derate kernel` advises is a value of an axis, or is named as not opened.

use super::arrays::{is_cut_by_tool, name_cut};
use super::candidate::{Candidate, unite};
use super::cuts::find_owners;
use super::unopened::NotOpened;
use super::written::cut_factor;
use super::{Variation, VariationTarget};
use derate_advice::{Advice, Change, find_advice};
use derate_kernel::{Directives, KernelAnswer, LoopAnswer, Program, Settings};

/// What advice is about.
type Kernel<'a> = (&'a Program, &'a Directives, &'a Settings, &'a KernelAnswer);

const IN_SOURCE: &str = "the source has to change: no directive does it";
const CUT: &str = "the source cuts it, but not cyclically";
const NO_LOOP: &str = "its loop is not found";

/// Opens what is advised.
pub(super) fn open_advice(
    kernel: Kernel<'_>,
    found: &mut Vec<Candidate>,
    left: &mut Vec<NotOpened>,
) {
    let (program, given, settings, written) = kernel;
    for advice in find_advice(program, given, settings, written) {
        let share = Some(1.0 - advice.after / advice.before).filter(|share| share.is_finite());
        let held = written.loops.iter().find(|one| is_about(&advice, one));
        match (&advice.change, held) {
            (Change::Partition { array, dim, factor }, Some(held)) => {
                let owners = find_owners(program, &held.function, array);
                for (at, object) in owners {
                    let owner = &program.functions[at];
                    let Some(object) = owner.objects.get(object) else { continue };
                    if !is_cut_by_tool(object, at == 0, written) {
                        continue;
                    }
                    let name = |banks: &[u64]| name_cut(&owner.name, &object.name, *dim, banks);
                    match cut_factor(owner, &object.name, *dim, given) {
                        Some(own) => advise(found, name(&[own, *factor]), share),
                        None => left.push(leave(name(&[*factor]).axis().name, share, CUT)),
                    }
                }
            }
            (Change::Pipeline, Some(held)) => {
                let (function, label) = (held.function.clone(), held.label.clone());
                let target = VariationTarget::Pipeline { function, label };
                let values = ["as-written", "1"].map(str::to_owned).into();
                advise(found, Variation { target, values }, share);
            }
            (Change::Widen { port, .. }, _) => {
                let is_own = |one: &&mut Candidate| match &one.variation.target {
                    VariationTarget::Port { ports } => ports.contains(port),
                    _ => false,
                };
                match found.iter_mut().find(is_own) {
                    Some(one) => one.is_advised = true,
                    None => {
                        left.push(leave(format!("words over the port `{port}`"), share, IN_SOURCE));
                    }
                }
            }
            (Change::PartialSums { count }, _) => left.push(leave(
                format!("{count} partial sums in `{}`", advice.subject),
                share,
                IN_SOURCE,
            )),
            (Change::SecondBundle { bundle, array }, _) => left.push(leave(
                format!("a bundle for `{array}` besides `{bundle}`"),
                share,
                "bundles stay as they are",
            )),
            (Change::Partition { array, dim, factor }, None) => left.push(leave(
                format!("{factor} banks of `{array}` in dimension {dim}"),
                share,
                NO_LOOP,
            )),
            (Change::Pipeline, None) => {
                left.push(leave(format!("a pipeline of `{}`", advice.subject), share, NO_LOOP));
            }
        }
    }
}

fn is_about(advice: &Advice, one: &LoopAnswer) -> bool {
    one.label == advice.subject && one.place == advice.place
}

fn leave(what: String, share: Option<f64>, reason: &str) -> NotOpened {
    NotOpened { what, share, reason: reason.to_owned(), vary: None }
}

/// Takes in an axis that is advised.
fn advise(found: &mut Vec<Candidate>, variation: Variation, share: Option<f64>) {
    unite(found, Candidate { variation, share, is_advised: true });
}
