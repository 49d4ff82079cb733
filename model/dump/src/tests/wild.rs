//! Habits of people's own printing scripts, each seen in public repositories and written anew.

use super::{kinds, listed, parse};
use crate::{DumpFormat, ModelShape, ProblemKind};
use derate_units::Precision;

fn dims(model: &ModelShape, name: &str) -> Option<Vec<u64>> {
    model.get(name).map(|tensor| tensor.dims.clone())
}

#[test]
fn commas_between_thousands_are_seen_through() {
    let text = "| Tensor | Shape | Precision |\n|---|---|---|\n\
        | m.embed.weight | [102,400, 2,048] | BF16 |\n| m.a.weight | [14,336] | BF16 |\n| m.b.weight | [64] | BF16 |\n";
    let model = parse(text).unwrap();
    assert_eq!(dims(&model, "m.embed.weight"), Some(vec![102_400, 2048]));
    assert_eq!(dims(&model, "m.a.weight"), Some(vec![14_336]));
    assert_eq!(model.problems, []);
    // The same shape in a file that shows nothing is a plain list.
    assert_eq!(listed(&parse("m.a [14,336]\nm.b [3,3]\n").unwrap())[0].1, [14, 336]);
}

#[test]
fn spaces_between_thousands_are_seen_through() {
    let text = "|Tensors | Shape | Precision|\n|---|---|---|\n|m.a.weight | [4 096, 14 336] | F8_E4M3|\n|m.b.weight | [14 336] | BF16|\n";
    let model = parse(text).unwrap();
    assert_eq!(
        (dims(&model, "m.a.weight"), dims(&model, "m.b.weight")),
        (Some(vec![4096, 14_336]), Some(vec![14_336]))
    );
    assert_eq!(model.tensors[0].dtype, Some(Precision::FP8_E4M3));
    let doubtful = parse("m.a | [14 336] | F32\nm.b | [3] | F32\n").unwrap();
    assert_eq!(kinds(&doubtful), [ProblemKind::Unread]);
}

#[test]
fn a_row_for_many_layers_is_expanded_where_the_name_says_how() {
    let text = "| Path | Shape | dtype | tensor count |\n|---|---|---|---|\n\
        | `layers.N.norm.weight` | (2048,) | bf16 | 48 |\n| `layers.0.q_proj.weight` | (64, 64) | bf16 | 48 |\n";
    let model = parse(text).unwrap();
    assert_eq!(dims(&model, "layers.47.norm.weight"), Some(vec![2048]));
    assert_eq!(model.tensors.len(), 49);
    assert_eq!(kinds(&model), [ProblemKind::Incomplete]);
}

#[test]
fn a_total_shows_that_one_layer_stood_for_all() {
    let text = "| layer | shape | numbers |\n|---|---|---|\n| embed.weight (also the head) | 100×16 | 1,600 |\n\
        | layers.0.w.weight | 16×16 | 256 |\n| one whole layer (× 8) | | 256 |\n| **total** | | **3,648** |\n";
    let model = parse(text).unwrap();
    assert_eq!(model.parameters(), 1856);
    assert_eq!(kinds(&model), [ProblemKind::Unread, ProblemKind::Incomplete]);
}

#[test]
fn a_summary_inside_a_markdown_table_is_no_list_of_tensors() {
    let text = "| Layer (type:depth-idx) | Output Shape | Param # |\n|---|---|---|\n\
        | Net | [2, 14, 4500] | -- |\n| ├─Conv1d: 1-1 | [2, 128, 4501] | 21,632 |\nTotal params: 21,632\n";
    let model = parse(text).unwrap();
    assert_eq!(model.format, DumpFormat::Summary);
    assert_eq!(listed(&model), [("Conv1d:1-1", &[21_632][..])]);
    assert_eq!(model.problems, []);
}

#[test]
fn comments_labels_and_python_types_do_no_harm() {
    for text in [
        "# Stage 1\n#   conv1.weight (64, 3, 7, 7)\n",
        "conv1.weight torch.Size([64, 3, 7, 7]) <class 'torch.nn.parameter.Parameter'>\n",
        "Model's state_dict:\nconv1.weight \t torch.Size([64, 3, 7, 7])\n",
        "Layer: conv1.weight | Size: torch.Size([64, 3, 7, 7]) | Values : tensor([[0.1,\n",
        "conv1.weight | True | torch.Size([64, 3, 7, 7])\n",
        "conv1.weight: shape=(64, 3, 7, 7), requires_grad=True, device='cuda:0'\n",
        "  0: conv1.weight [64 3 7 7] 9,408 params\n",
    ] {
        let model = parse(text).unwrap();
        assert_eq!(listed(&model), [("conv1.weight", &[64, 3, 7, 7][..])], "{text}");
        assert_eq!(model.problems, [], "{text}");
    }
}

#[test]
fn a_shape_that_lost_its_end_is_missed_even_under_a_heading() {
    let model = parse("parameters:\na.weight: torch.Size([2])\nb.weight:\n").unwrap();
    assert_eq!(kinds(&model), [ProblemKind::Unread]);
    let model = parse("a.weight (2,)\n......\n").unwrap();
    assert_eq!(kinds(&model), [ProblemKind::Incomplete]);
}
