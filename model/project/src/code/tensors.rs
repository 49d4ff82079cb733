//! Which tensor of the dump an array holds.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use derate_hls::Sources;

use super::Declaration;
use derate_dump::ModelShape;

/// Names with one separator: a path of namespaces and a flat `layers_0_q_proj_weight` name the same tensor.
fn flatten_name(name: &str) -> String {
    name.replace('.', "_")
}

/// The project's own namespaces come before the parameter path, and some dumps put `model.` there: the reading
/// that names the most tensors is taken.
pub(super) fn name_tensors(declarations: &mut [Declaration], shape: &ModelShape) {
    const DEEPEST: usize = 3;
    let mut tensors: BTreeMap<String, Option<&str>> = BTreeMap::new();
    for tensor in &shape.tensors {
        // Two tensors with the same name without dots are both left out.
        tensors
            .entry(flatten_name(&tensor.name))
            .and_modify(|name| *name = None)
            .or_insert(Some(&tensor.name));
    }
    let reading = |path: &str, skip: usize, prefix: &str| {
        let rest = path.split('.').skip(skip).collect::<Vec<_>>().join("_");
        tensors.get(&format!("{prefix}{rest}")).copied().flatten()
    };
    let best = (0..=DEEPEST)
        .flat_map(|skip| ["", "model_"].map(|prefix| (skip, prefix)))
        .map(|(skip, prefix)| {
            let named =
                declarations.iter().filter(|d| reading(&d.path, skip, prefix).is_some()).count();
            (named, Reverse((skip, prefix)))
        })
        .max();
    if let Some((_, Reverse((skip, prefix)))) = best {
        for declaration in declarations {
            declaration.tensor = reading(&declaration.path, skip, prefix).map(str::to_owned);
        }
    }
}

/// A tensor that is declared and defined, or declared in two headers, is one tensor; where the two disagree about its
/// type, the type is unknown.
pub(super) fn merge_repeated(declarations: &mut Vec<Declaration>, sources: &Sources) {
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    let mut kept: Vec<Declaration> = Vec::new();
    for declaration in declarations.drain(..) {
        let known = declaration
            .tensor
            .as_ref()
            .and_then(|tensor| first.get(tensor))
            .and_then(|&at| kept.get_mut(at));
        let Some(known) = known else {
            first.extend(declaration.tensor.clone().map(|tensor| (tensor, kept.len())));
            kept.push(declaration);
            continue;
        };
        if known.precision != declaration.precision {
            let place = |d: &Declaration| {
                format!("{}:{}", sources.name(d.span.file), sources.position(d.span).line)
            };
            known.precision = Err(format!(
                "`{}` is declared with different types at {} and {}",
                known.path,
                place(known),
                place(&declaration)
            )
            .into());
        }
    }
    *declarations = kept;
}
