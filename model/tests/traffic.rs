//! Which operand crosses memory how often, and in which number format.
#![allow(clippy::float_cmp, reason = "bytes of whole elements are exact below 2^53")]
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod fixture;

use derate_model::estimate::{Estimate, KernelEstimate, ScenarioEstimate, estimate};
use derate_model::scenario;
use derate_model::scenario::ScenarioKind;
use derate_model::{Analysis, Precision};
use fixture::Fixture;

fn with_design(design: &str) -> Analysis {
    let section = format!("[design]\n{design}\n\n[derate]");
    Fixture::new("smolvla").with("derate.toml", "[derate]", &section).analysis()
}

fn kernel<'a>(scenario: &'a ScenarioEstimate, block: &str, first: &str) -> &'a KernelEstimate {
    let mut kernels = scenario.parts.iter().flat_map(|part| &part.kernels);
    kernels.find(|k| k.block == block && k.name.starts_with(first)).unwrap()
}

/// Bytes of an operand, and how often it crosses.
fn operand(kernel: &KernelEstimate, name: &str) -> (f64, f64) {
    let operand = kernel.operands.iter().find(|o| o.name == name).unwrap();
    (operand.bytes.0, operand.crossings)
}

#[test]
fn an_operand_tells_how_often_it_crosses() {
    let estimate = estimate(&with_design("buffer = \"256 KiB\""));
    let fc2 = kernel(estimate.scenario(ScenarioKind::Claimed).unwrap(), "vision layer", "fc2");
    // Neither the 1,024 x 3,072 activations nor the weights fit into 256 KiB: one of them is read again.
    let crossings: Vec<f64> = fc2.operands.iter().map(|o| o.crossings).collect();
    assert!(crossings[0] * crossings[1] > 1.0 && crossings[2] == 1.0, "{crossings:?}");
    let bytes: f64 = fc2.operands.iter().map(|o| o.bytes.0).sum();
    assert_eq!(bytes, fc2.totals.bytes.0);
}

/// An epilogue works on tiles of the result: it saves the result's way, never the operands' re-reads.
#[test]
fn a_product_whose_result_streams_on_reads_its_operands_as_often_as_alone() {
    let estimate = estimate(&with_design("buffer = \"256 KiB\""));
    let schedules: Vec<&ScenarioEstimate> = estimate.schedules(ScenarioKind::DerivedPeak).collect();
    let alone = kernel(schedules[0], "vision layer", "fc2");
    let fused = kernel(schedules[1], "vision layer", "fc2");
    assert!(fused.members.len() > 1);
    for name in ["activations", "weights"] {
        assert_eq!(operand(fused, name), operand(alone, name));
    }
    assert!(operand(alone, "activations").1 * operand(alone, "weights").1 > 1.0);
    assert!(fused.totals.bytes < alone.totals.bytes * fused.members.len() as f64);
}

/// The norm's rows are read by three projections; a group that holds one of them holds none of the rows.
#[test]
fn what_only_later_groups_read_again_takes_no_room_in_this_one() {
    for buffer in ["64 kB", "1 MB"] {
        let estimate =
            estimate(&with_design(&format!("precision = \"int8\"\nbuffer = \"{buffer}\"")));
        let epilogue = estimate.schedules(ScenarioKind::DerivedPeak).nth(1).unwrap();
        let [q, k] = ["q_proj", "k_proj"].map(|name| kernel(epilogue, "vision layer", name));
        assert_eq!((q.members.len(), k.members.len()), (2, 2));
        for name in ["activations", "weights"] {
            assert_eq!(operand(q, name), operand(k, name), "{buffer}");
        }
    }
}

fn weight_bytes(estimate: &Estimate, part: &str) -> f64 {
    let design = estimate.scenario(ScenarioKind::Design).unwrap();
    design.parts.iter().find(|p| p.name == part).unwrap().totals.weight_bytes.0
}

#[test]
fn held_weights_are_read_once_however_small_the_rest() {
    const WEIGHTS: f64 = 23_592_960.0;
    let array = "rows = 16\ncolumns = 16\n";
    assert_eq!(weight_bytes(&estimate(&with_design(array)), "connector"), 3.0 * WEIGHTS);
    // 22.5 MiB and 64 KiB: the weights and hardly a tile.
    for buffer in ["30 MiB", "23104 KiB"] {
        let held = format!("{array}hold = [\"connector\"]\nbuffer = \"{buffer}\"");
        assert_eq!(weight_bytes(&estimate(&with_design(&held)), "connector"), WEIGHTS);
    }
}

/// `PyTorch` multiplies queries and keys at 32 bits, and the probabilities with the values in the values' format.
#[test]
fn attention_computes_in_the_formats_that_it_runs_in() {
    let analysis = Fixture::new("smolvla-bf16").analysis();
    let (ladder, _) = scenario::ladder_steps(&analysis);
    let stored = ladder.iter().find(|s| s.storage.name() == "as-stored");
    let estimate = estimate(&analysis);
    let scenario = match stored {
        Some(stored) => estimate.scenario(stored.kind).unwrap(),
        None => panic!("{:?}", ladder.iter().map(|s| s.kind).collect::<Vec<_>>()),
    };
    for (block, name, precision) in [
        ("text layer", "attention_qk", Precision::FP32),
        ("text layer", "attention_pv", Precision::BF16),
        ("vision layer", "attention_qk", Precision::BF16),
        ("cross-attention layer", "attention_pv", Precision::FP32),
    ] {
        assert_eq!(kernel(scenario, block, name).precision, precision, "{name} of {block}");
    }
    let softmax = kernel(scenario, "text layer", "softmax");
    let (read, _) = operand(softmax, "input");
    let (written, _) = operand(softmax, "result");
    assert_eq!(read, 2.0 * written);
}

/// A table of positions is read once for all images of a batch.
#[test]
fn what_is_added_to_every_image_is_read_as_large_as_it_is() {
    let batch = |n: &str| {
        let analysis =
            Fixture::new("smolvla").with("derate.toml", "batch = 1", &format!("batch = {n}"));
        let estimate = estimate(&analysis.analysis());
        let add = kernel(
            estimate.scenario(ScenarioKind::Claimed).unwrap(),
            "patch embedding",
            "add_positions",
        );
        add.operands.iter().map(|o| o.bytes.0).collect::<Vec<_>>()
    };
    let (one, four) = (batch("1"), batch("4"));
    assert_eq!(four, [4.0 * one[0], one[1], 4.0 * one[2]]);
}
