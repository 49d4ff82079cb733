//! A list that ends inside a layer: a cut between two lines leaves no other trace.

use std::collections::BTreeMap;

use super::Tensor;
use super::dims::clip_text;

/// Why the dump seems to end too early: its last layer lists the first tensors of those that each of the two layers
/// before it has.
pub(super) fn find_cut(tensors: &[Tensor]) -> Option<String> {
    let last = tensors.last()?;
    let mut at = 0;
    for part in last.name.split('.') {
        if let Some((prefix, layer)) = last.name.get(..at).zip(part.parse::<u64>().ok())
            && let Some(reason) = ends_inside(tensors, prefix, layer)
        {
            return Some(reason);
        }
        at += part.len() + 1;
    }
    None
}

fn ends_inside(tensors: &[Tensor], prefix: &str, layer: u64) -> Option<String> {
    let (before, first) = (layer.checked_sub(1)?, layer.checked_sub(2)?);
    let mut layers: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    for tensor in tensors {
        let split = tensor.name.strip_prefix(prefix).and_then(|rest| rest.split_once('.'));
        if let Some((number, name)) = split
            && let Ok(number) = number.parse()
        {
            layers.entry(number).or_default().push(name);
        }
    }
    let names = |number: u64| layers.get(&number).map_or(&[][..], Vec::as_slice);
    let (begun, whole) = (names(layer), names(before));
    let cut = begun.len() < whole.len() && whole.starts_with(begun) && names(first) == whole;
    cut.then(|| {
        format!(
            "the dump ends inside `{}`: it lists {} of the {} tensors that each layer before it has",
            clip_text(&format!("{prefix}{layer}")),
            begun.len(),
            whole.len()
        )
    })
}
