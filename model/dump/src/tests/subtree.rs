//! Trees as different generators draw them.

use super::{fixture, kinds, listed, parse};
use crate::ProblemKind;

#[test]
fn connectors_of_any_width_read_the_same() {
    let narrow = parse(&fixture("dumps/tree/narrow.txt")).unwrap();
    let wide = parse(&fixture("dumps/tree/wide.txt")).unwrap();
    assert_eq!(listed(&narrow), listed(&wide));
    assert_eq!((narrow.problems, wide.problems), (vec![], vec![]));
    assert_eq!(narrow.tensors.len(), 5);
}

#[test]
fn a_subtree_takes_its_path_from_the_in_line() {
    let model = parse(&fixture("dumps/tree/subtree.txt")).unwrap();
    assert_eq!(
        listed(&model),
        [
            ("model.lm_expert.layers.1.input_layernorm.weight", &[720][..]),
            ("model.lm_expert.layers.1.self_attn.k_proj.weight", &[320, 320]),
        ]
    );
    assert_eq!(model.problems, []);
}

#[test]
fn a_subtree_node_may_carry_the_path_instead() {
    let text = "├──┬ norm\n|  ├─ in: model.lm.norm\n|  ├─ children: ['weight']\n│  └── weight: torch.Size([4])\n└── scale: torch.Size([1])\n";
    let model = parse(text).unwrap();
    assert_eq!(listed(&model), [("model.lm.norm.weight", &[4][..]), ("model.lm.scale", &[1])]);
}

#[test]
fn bare_headings_and_ascii_corners_are_read_too() {
    let text = "in: model.layers.3\nchildren: ['norm', 'scale']\n|-- norm\n|   `-- weight: torch.Size([4])\n`-- scale: torch.Size([1])\n";
    let model = parse(text).unwrap();
    assert_eq!(
        listed(&model),
        [("model.layers.3.norm.weight", &[4][..]), ("model.layers.3.scale", &[1])]
    );
    assert_eq!(model.problems, []);
}

#[test]
fn a_child_that_is_listed_and_not_shown_is_missed() {
    let model = parse(&fixture("dumps/tree/cut.txt")).unwrap();
    assert_eq!(model.tensors.len(), 1);
    let reasons: Vec<_> = model.problems.iter().map(|p| p.reason.as_str()).collect();
    assert!(reasons.iter().any(|r| r.contains("lists a child `up_proj`")), "{reasons:?}");
    assert!(
        kinds(&model)
            .iter()
            .all(|kind| matches!(kind, ProblemKind::Incomplete | ProblemKind::Unread))
    );
}

#[test]
fn a_subtree_cut_at_its_own_level_is_missed_too() {
    let text = "├─ in: model.norm\n├─ children: ['bias', 'weight']\n├── bias: torch.Size([4])\n";
    assert_eq!(kinds(&parse(text).unwrap()), [ProblemKind::Incomplete]);
}

#[test]
fn a_collapsed_layer_is_expanded_with_a_warning() {
    let model = parse(&fixture("dumps/tree/collapsed.txt")).unwrap();
    assert_eq!(model.tensors.len(), 16);
    assert!(model.get("model.layers.15.k_proj.weight").is_some());
    let [note] = model.notes.as_slice() else { panic!("{:?}", model.notes) };
    assert!(note.text.contains("`model.layers.[0..15]`") && note.text.contains("16 equal layers"));
}
