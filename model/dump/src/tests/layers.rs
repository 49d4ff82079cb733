//! Forms that show layers instead of parameters, or one layer for many.

use super::{fixture, kinds, listed, parse};
use crate::{DumpFormat, ModelShape, NoteKind, ProblemKind};

fn layers(file: &str) -> ModelShape {
    parse(&fixture(&format!("dumps/layers/{file}"))).unwrap()
}

fn notes(model: &ModelShape) -> Vec<NoteKind> {
    model.notes.iter().map(|note| note.kind).collect()
}

#[test]
fn torchinfo_gives_shapes_only_where_one_answer_is_left() {
    let model = layers("torchinfo.txt");
    assert_eq!(model.format, DumpFormat::Summary);
    assert_eq!(
        listed(&model),
        [
            ("LayerNorm:1-1.weight", &[960][..]),
            ("LayerNorm:1-1.bias", &[960]),
            ("Linear:2-1.weight", &[2560, 960]),
            ("Linear:2-1.bias", &[2560]),
            ("Linear:2-3.weight", &[960, 2560]),
            ("Mixer:1-3", &[12_345]),
        ]
    );
    assert_eq!(model.tensors.iter().filter(|tensor| !tensor.shape_known).count(), 1);
    assert_eq!(notes(&model), [NoteKind::OperationCounts, NoteKind::ShapeUnknown]);
    assert_eq!(model.problems, []);
    assert!(!model.dims().contains_key(&12_345));
}

#[test]
fn torchsummary_gives_counts() {
    let model = layers("torchsummary.txt");
    assert_eq!((model.tensors.len(), model.parameters()), (2, 3_381_760));
    assert!(model.tensors.iter().all(|tensor| !tensor.shape_known));
    assert_eq!(model.problems, []);
}

#[test]
fn a_printed_model_gives_its_known_layers_and_says_what_it_hides() {
    let model = layers("modules.txt");
    assert_eq!(model.format, DumpFormat::Modules);
    assert_eq!(model.tensors.len(), 1 + 4 * 4 + 2 + 1);
    let dims = |name: &str| model.get(name).map(|tensor| tensor.dims.clone());
    assert_eq!(dims("model.layers.3.self_attn.q_proj.weight"), Some(vec![32, 16]));
    assert_eq!(dims("model.patch.weight"), Some(vec![16, 3, 4, 4]));
    assert_eq!(dims("lm_head.weight"), Some(vec![100, 16]));
    assert_eq!(dims("lm_head.bias"), None);
    assert_eq!(notes(&model), [NoteKind::LowerBound, NoteKind::Collapsed]);
    let [problem] = model.problems.as_slice() else { panic!("{:?}", model.problems) };
    assert!(problem.reason.contains("`SecretMixer`"));
}

#[test]
fn a_loop_header_stands_for_its_layers() {
    let model = layers("shorthand.txt");
    assert_eq!(model.format, DumpFormat::Flat);
    assert_eq!(model.tensors.len(), 1 + 2 * 24 + 1);
    assert_eq!(model.parameters(), 1600 + 24 * (512 + 32) + 16);
    assert_eq!(notes(&model), [NoteKind::Collapsed]);
    assert_eq!(model.problems, []);
}

#[test]
fn a_multiplied_row_is_expanded_or_missed_out_loud() {
    let model = layers("repeated.txt");
    assert_eq!(model.tensors.len(), 1 + 24 + 1);
    assert_eq!(kinds(&model), [ProblemKind::Incomplete]);
    assert!(model.problems[0].reason.contains("stands for 24 tensors"));
}

#[test]
fn long_names_are_expanded_up_to_a_size_not_a_count() {
    let row = |name: &str| format!("layers.[0..9999].{name}.weight: [4, 4]\n");
    let short = parse(&row("mlp")).unwrap();
    assert_eq!((short.tensors.len(), kinds(&short)), (10_000, vec![]));
    // 10,000 names of about 500 bytes are 5 MB: the row is missed out loud, the next still counts.
    let long = parse(&(row(&"x".repeat(480)) + "norm.weight: [4]\n")).unwrap();
    assert_eq!((long.tensors.len(), kinds(&long)), (1, vec![ProblemKind::Incomplete]));
    assert!(long.problems[0].reason.contains("4 MiB of names"), "{}", long.problems[0].reason);
}

#[test]
fn the_list_under_a_printed_model_is_taken() {
    let text = fixture("dumps/layers/modules.txt") + &fixture("dumps/layers/shorthand.txt");
    let model = parse(&text).unwrap();
    assert_eq!((model.format, model.tensors.len()), (DumpFormat::Flat, 50));
}
