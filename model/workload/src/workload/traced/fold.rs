//! Layers that are alike, once: from the operations of a graph to parts.

use std::collections::BTreeMap;

use super::layer::{LayerBuilder, TracedLayer};
use super::place::{Place, list_containers, locate};
use super::{LoopKey, Runs, TracedPart};
use crate::graph::Graph;
use crate::workload::{Block, Layer, WorkloadError};
use derate_dump::ModelShape;
use derate_units::Precision;
use derate_units::figures::count;

/// Operations of one layer that run one after another.
struct Run {
    place: Place,
    around: Option<usize>,
    operations: std::ops::Range<usize>,
}

/// Layers with the same kernels.
struct Alike {
    block: Block,
    slots: Vec<(Vec<u64>, Precision)>,
    around: Option<LoopKey>,
    /// Each layer with its runs.
    layers: Vec<(Layer, u64)>,
}

/// Operations one after another that are of the same layer.
fn list_runs(graph: &Graph) -> (Vec<Run>, Vec<String>) {
    let modules = graph.operations.iter().map(|one| one.module.as_str());
    let containers = list_containers(modules);
    let mut runs: Vec<Run> = Vec::new();
    let mut rests = Vec::with_capacity(graph.operations.len());
    for (at, operation) in graph.operations.iter().enumerate() {
        let mut place = locate(&operation.module, &containers, &graph.name);
        rests.push(std::mem::take(&mut place.rest));
        match runs.last_mut() {
            Some(run) if run.place == place && run.around == operation.around => {
                run.operations.end = at + 1;
            }
            _ => runs.push(Run { place, around: operation.around, operations: at..at + 1 }),
        }
    }
    (runs, rests)
}

/// For each value, by its memory: the last run that reads it, and whether runs beside its own do.
fn find_readers(graph: &Graph, runs: &[Run]) -> Vec<bool> {
    let mut own: Vec<Option<usize>> = vec![None; graph.values.len()];
    let mut escapes = vec![false; graph.values.len()];
    for (index, run) in runs.iter().enumerate() {
        for operation in &graph.operations[run.operations.clone()] {
            for &output in &operation.outputs {
                own[output] = Some(index);
            }
        }
    }
    for (index, run) in runs.iter().enumerate() {
        for operation in &graph.operations[run.operations.clone()] {
            for &input in &operation.inputs {
                let (base, _) = graph.find_base(input);
                escapes[base] |= own[base] != Some(index);
            }
        }
    }
    for &output in &graph.outputs {
        escapes[graph.find_base(output).0] = true;
    }
    escapes
}

/// The parts of a graph in the order of their first operation.
pub(super) fn fold_graph(
    graph: &Graph,
    shape: &ModelShape,
) -> Result<Vec<TracedPart>, WorkloadError> {
    let (runs, rests) = list_runs(graph);
    let escapes = find_readers(graph, &runs);
    let escapes = |value: usize| escapes[value];
    let mut parts: Vec<(String, Vec<Alike>)> = Vec::new();
    for run in &runs {
        let mut builder = LayerBuilder::new(graph, shape, &run.place.block, &escapes);
        for at in run.operations.clone() {
            let operation = &graph.operations[at];
            let rest = rests[at].strip_prefix(&run.place.part).unwrap_or(&rests[at]);
            builder.add(operation, rest.trim_start_matches('.'))?;
        }
        let layer = builder.finish();
        let around = run.around.and_then(|at| graph.loops.get(at));
        let key = around.and_then(|one| LoopKey::find(&one.name));
        let times = if key.is_some() { 1 } else { around.map_or(1, |one| one.count) };
        let at = parts.iter().position(|(name, _)| *name == run.place.part);
        let at = at.unwrap_or_else(|| {
            parts.push((run.place.part.clone(), Vec::new()));
            parts.len() - 1
        });
        add_layer(&mut parts[at].1, layer, run.place.number, key, times);
    }
    let mut parts: Vec<TracedPart> =
        parts.into_iter().map(|(key, alike)| finish_part(key, alike)).collect();
    let most = parts.iter().map(count_macs).fold(0.0, f64::max);
    if let Some(main) = parts.iter_mut().find(|part| count_macs(part) >= most && most > 0.0) {
        main.is_main = true;
    }
    Ok(parts)
}

/// Multiply-adds of a part, its loops run once.
fn count_macs(part: &TracedPart) -> f64 {
    let block = |(runs, block): &(Runs, Block)| {
        let own = block.kernels.iter().filter_map(|kernel| kernel.op.product());
        let calls = runs.fixed as f64 * block.layers.len() as f64;
        own.map(|product| product.macs()).sum::<f64>() * calls
    };
    part.blocks.iter().map(block).sum()
}

fn add_layer(
    all: &mut Vec<Alike>,
    layer: TracedLayer,
    number: Option<u64>,
    around: Option<LoopKey>,
    times: u64,
) {
    let TracedLayer { block, tensors, slots } = layer;
    let own = Layer { number, tensors };
    let same =
        all.iter_mut().find(|one| one.around == around && one.slots == slots && one.block == block);
    match same {
        None => all.push(Alike { block, slots, around, layers: vec![(own, times)] }),
        Some(same) => match same.layers.iter_mut().find(|(known, _)| *known == own) {
            Some((_, runs)) => *runs = runs.saturating_add(times),
            None => same.layers.push((own, times)),
        },
    }
}

/// Layers that run equally often are one block.
fn finish_part(key: String, alike: Vec<Alike>) -> TracedPart {
    let mut blocks = Vec::new();
    let (mut layers, mut kernels) = (0, 0);
    for Alike { block, around, layers: own, .. } in alike {
        let mut by_runs: BTreeMap<u64, Vec<Layer>> = BTreeMap::new();
        for (layer, runs) in own {
            by_runs.entry(runs).or_default().push(layer);
        }
        for (fixed, own) in by_runs {
            layers += own.len();
            kernels += block.kernels.len();
            blocks.push((Runs { fixed, around }, Block { layers: own.into(), ..block.clone() }));
        }
    }
    let note = format!(
        "{} in {}, {} that differ. FLOP of matrix products, convolutions and attention; norms, softmax, activations and pools are given as elementwise operations.",
        count(layers, "layer"),
        count(blocks.len(), "block"),
        count(kernels, "kernel"),
    );
    TracedPart { key, note, is_main: false, blocks }
}
