//! The 500 tensors of smolVLA, against the figures published for its checkpoint.

use super::{fixture, parse};
use crate::DumpFormat;
use derate_units::Precision;

#[test]
fn smolvla_has_its_published_size() {
    let model = parse(&fixture("smolvla/model_shape.txt")).unwrap();
    assert_eq!(model.format, DumpFormat::Tree);
    assert_eq!(model.problems, []);
    assert_eq!(model.notes, []);
    assert_eq!(model.tensors.len(), 500);
    assert_eq!(model.parameters(), 450_046_176);
    assert_eq!(model.bytes_as_stored(), Some(906_639_456));
    let full = model.tensors.iter().filter(|t| t.dtype == Some(Precision::FP32)).count();
    assert_eq!(full, 26);
}

#[test]
fn odd_expert_layers_differ_and_are_seen_to() {
    let model = parse(&fixture("smolvla/model_shape.txt")).unwrap();
    let layer = |n: u32| {
        let name = format!("model.vlm_with_expert.lm_expert.layers.{n}.self_attn.k_proj.weight");
        model.get(&name).map(|t| (t.dims.clone(), t.dtype))
    };
    assert_eq!(layer(0), Some((vec![320, 720], Some(Precision::BF16))));
    assert_eq!(layer(1), Some((vec![320, 320], Some(Precision::FP32))));
    assert_eq!(layer(16), None);
}

#[test]
fn dimensions_are_counted() {
    let dims = parse(&fixture("smolvla/model_shape.txt")).unwrap().dims();
    assert_eq!(dims.len(), 14);
    assert_eq!((dims.get(&320), dims.get(&49_280), dims.get(&1920)), (Some(&80), Some(&2), None));
}

#[test]
fn both_fixtures_describe_one_model() {
    assert_eq!(fixture("smolvla/model_shape.txt"), fixture("smolvla-bf16/model_shape.txt"));
}
