//! Which part and which layer a module is in, by its path.

use std::collections::BTreeSet;

/// Lists of layers within a layer of another list: `layers.0.blocks.1`.
const INNER: [&str; 3] = ["blocks", "layers", "layer_list"];

/// The place of a module.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Place {
    /// The part: the path before the first numbered layer, else the first module that has others.
    pub(super) part: String,
    /// The list that the layer is in.
    pub(super) block: String,
    /// The layer's number in that list.
    pub(super) number: Option<u64>,
    /// What is left of the path.
    pub(super) rest: String,
}

/// The paths that other modules are below of: a numbered module without any is an operator, not a layer.
pub(super) fn list_containers<'a>(modules: impl Iterator<Item = &'a str>) -> BTreeSet<&'a str> {
    let mut all = BTreeSet::new();
    for module in modules {
        for (at, _) in module.match_indices('.') {
            all.insert(&module[..at]);
        }
    }
    all
}

/// The number of a segment: `3`, or `encoder_layer_3`.
fn read_number(segment: &str) -> Option<u64> {
    let digits = match segment.rsplit_once('_') {
        Some((name, digits)) if !name.is_empty() => digits,
        _ => segment,
    };
    digits.parse().ok()
}

/// The place of `module`; `model` is the part of what is in no module.
pub(super) fn locate(module: &str, containers: &BTreeSet<&str>, model: &str) -> Place {
    let segments: Vec<(usize, &str)> = {
        let mut at = 0;
        let mut all = Vec::new();
        for segment in module.split('.').filter(|segment| !segment.is_empty()) {
            all.push((at, segment));
            at += segment.len() + 1;
        }
        all
    };
    let end = |index: usize| segments[index].0 + segments[index].1.len();
    let layer = |index: usize| {
        let number = read_number(segments.get(index)?.1)?;
        containers.contains(&module[..end(index)]).then_some(number)
    };
    let Some(first) = (0..segments.len()).find(|&index| layer(index).is_some()) else {
        // A module without others is an operator of the model itself.
        let part = segments.first().map(|(_, name)| *name).filter(|name| containers.contains(name));
        let part = part.unwrap_or(model).to_owned();
        return Place { block: part.clone(), part, number: None, rest: module.to_owned() };
    };
    let (mut last, mut number) = (first, layer(first));
    loop {
        if let Some(more) = layer(last + 1) {
            (last, number) = (last + 1, Some(more));
            continue;
        }
        let inner = segments.get(last + 1).is_some_and(|(_, name)| INNER.contains(name));
        match layer(last + 2).filter(|_| inner) {
            Some(more) => (last, number) = (last + 2, Some(more)),
            None => break,
        }
    }
    let before = |index: usize| module[..segments[index].0].trim_end_matches('.').to_owned();
    let named = |text: String| if text.is_empty() { model.to_owned() } else { text };
    Place {
        part: named(before(first)),
        block: named(before(last)),
        number,
        rest: module.get(end(last) + 1..).unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(module: &str) -> (String, String, Option<u64>, String) {
        let containers = list_containers([module].into_iter());
        let Place { part, block, number, rest } = locate(module, &containers, "net");
        (part, block, number, rest)
    }

    fn of(
        part: &str,
        block: &str,
        number: Option<u64>,
        rest: &str,
    ) -> (String, String, Option<u64>, String) {
        (part.to_owned(), block.to_owned(), number, rest.to_owned())
    }

    #[test]
    fn layers_are_numbered_modules_that_hold_others() {
        assert_eq!(place("blocks.3.attn.qkv"), of("blocks", "blocks", Some(3), "attn.qkv"));
        assert_eq!(place("blocks.1.0.conv_dw"), of("blocks", "blocks.1", Some(0), "conv_dw"));
        assert_eq!(
            place("layers.0.blocks.1.mlp.0"),
            of("layers", "layers.0.blocks", Some(1), "mlp.0")
        );
        assert_eq!(
            place("encoder.layers.encoder_layer_2.mlp"),
            of("encoder.layers", "encoder.layers", Some(2), "mlp")
        );
        // The convolution is the operator itself.
        assert_eq!(place("features.0"), of("features", "features", None, "features.0"));
        assert_eq!(place("3.conv"), of("net", "net", Some(3), "conv"));
        assert_eq!(place(""), of("net", "net", None, ""));
        assert_eq!(place("norm"), of("net", "net", None, "norm"));
    }
}
