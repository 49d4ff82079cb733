use std::collections::BTreeMap;

use derate_model::workload::{Matmul, Op};

use super::csv::read;
use super::{Errors, Part, Row, Standing};
use crate::fixture::Fixture;

const TRACE: &str =
    "hooks on PyTorch's sample_actions of smolvla_base (lerobot 0.4.4), as FlopCounterMode counts";

/// Calls of every matrix product of one inference, by its dimensions.
fn modelled() -> BTreeMap<Matmul, u64> {
    let analysis = Fixture::new("smolvla").analysis();
    let mut calls: BTreeMap<Matmul, u64> = BTreeMap::new();
    let parts = analysis.workload.inference_parts(&analysis.workload.default_parameters(50, 1));
    for repeated in parts.iter().flat_map(|part| &part.blocks) {
        for kernel in &repeated.block.kernels {
            if let Op::Matmul(product) = kernel.op {
                *calls.entry(product).or_default() +=
                    repeated.runs * repeated.block.layers.len() as u64;
            }
        }
    }
    calls
}

pub(crate) fn part() -> Part {
    let modelled = modelled();
    let pairs: Vec<(f64, f64)> = read("smolvla_products_3_cameras.csv")
        .iter()
        .map(|record| {
            let number = |key: &str| record.count(key);
            let product =
                Matmul { batch: number("batch"), m: number("m"), k: number("k"), n: number("n") };
            let flops = |calls: u64| product.flops().0 * calls as f64;
            (flops(modelled.get(&product).copied().unwrap_or(0)), flops(number("calls")))
        })
        .collect();
    let (ours, theirs) =
        pairs.iter().fold((0.0, 0.0), |(ours, theirs), pair| (ours + pair.0, theirs + pair.1));
    let row = |set: &str, pairs: &[(f64, f64)]| Row {
        set: set.to_owned(),
        model: "2 x batch x M x K x N x calls",
        standing: Standing::Free,
        errors: Errors::of(pairs),
        source: TRACE,
    };
    Part {
        title: "Workload",
        rows: vec![
            row("matrix products of smolVLA by dimensions, 3 cameras", &pairs),
            row("the whole inference", &[(ours, theirs)]),
        ],
        remarks: vec![format!(
            "{theirs} FLOP with 3 cameras, 48 language tokens, 10 steps and 50 actions; elementwise work is not among them."
        )],
    }
}
