//! Dumps that are broken, hostile or not dumps at all.

use std::time::{Duration, Instant};

use super::{kinds, listed, parse, parse_as};
use crate::{DumpExcess, DumpFormat, ProblemKind, ShapeError, Tensor};

#[test]
fn every_error_is_one_sentence_that_says_what_to_do() {
    for text in ["", " \n\t", "nothing of the sort\n", "a\0b"] {
        let message = parse(text).unwrap_err().to_string();
        assert!(message.starts_with("dump.txt") && message.contains(": "), "{message}");
        assert!(!message.ends_with('.') && !message.contains('\n'), "{message}");
    }
    let error = parse_as("a: torch.Size([2])\n", Some(DumpFormat::Tree)).unwrap_err();
    assert!(matches!(error, ShapeError::NotThatFormat { format: DumpFormat::Tree, .. }), "{error}");
    assert!("tre".parse::<DumpFormat>().unwrap_err().to_string().contains("tree, flat"));
}

#[test]
fn damaged_lines_are_named_and_the_rest_is_read() {
    let text = "a.w: torch.Size([2, 3]) [torch.float32]\n\
        b.w: torch.Size([2, 3) [torch.float32]\n\
        c.w: torch.Size([2, n]) [torch.float32]\n\
        some prose\n\
        d.w: torch.Size([4]) [torch.floaty]\n\
        a.w: torch.Size([2, 4]) [torch.float32]\n\
        e.w: torch.Size([99999999999999999999]) [torch.float32]\n\
        f.w: torch.Size([4294967296, 4294967296]) [torch.float32]\n\
        g.w: torch.Size([0, 7]) [torch.float32]\n\
        h.w: torch.Size([720";
    let model = parse(text).unwrap();
    assert_eq!(
        kinds(&model),
        [
            ProblemKind::Unread,
            ProblemKind::Unread,
            ProblemKind::Unread,
            ProblemKind::Dtype,
            ProblemKind::Duplicate,
            ProblemKind::Overflow,
            ProblemKind::Overflow,
            ProblemKind::Empty,
            ProblemKind::Unread,
        ]
    );
    assert_eq!(model.tensors.len(), 4);
    assert_eq!(model.parameters(), 6 + 4);
    assert_eq!(model.bytes_as_stored(), None);
    assert_eq!(model.get("d.w").and_then(|t| t.dtype_text.as_deref()), Some("torch.floaty"));
    assert_eq!(model.get("f.w").and_then(Tensor::elements), None);
    assert!(model.problems.iter().any(|p| p.reason.contains("`torch.floaty`")));
}

#[test]
fn depth_and_length_have_limits() {
    let deep: Vec<_> = (0..200).map(|depth| "   ".repeat(depth) + "└──┬ n:\n").collect();
    let deep = deep.concat() + &"   ".repeat(200) + "└── w: torch.Size([1])\n";
    assert!(matches!(
        parse(&deep),
        Err(ShapeError::Excess { excess: DumpExcess::Levels(128), line: 129, .. })
    ));
    let long = format!("└──┬ {}:\n   └── w: torch.Size([1])\n", "n".repeat(5000));
    assert!(matches!(
        parse(&long),
        Err(ShapeError::Excess { excess: DumpExcess::NameBytes(_), line: 1, .. })
    ));
    let long = format!("a: torch.Size([1])\n{}: torch.Size([1])\n", "n".repeat(5000));
    assert_eq!(parse(&long).map(|m| (m.tensors.len(), m.problems.len())), Ok((1, 1)));
}

#[test]
fn shorthand_cannot_cost_memory() {
    let model = parse(
        "a.[0..9999999].w: torch.Size([1])\nb.[0..255].[0..255].[0..255].w: torch.Size([1])\nc: torch.Size([1])\n",
    );
    assert!(model.is_ok_and(|model| model.tensors.len() <= 65_537 && !model.problems.is_empty()));
}

#[test]
fn repetition_of_anything_is_linear() {
    let hostile = [
        "[(torch.Size([1 ",
        "└──┬ n:\n",
        "│  ├─ in: .a\n",
        "a.[0..9].b: torch.Size([1])\n",
        "a: torch.Size([1])\n",
        "|",
        "x [1, 2]\n",
        "\u{feff}\u{2500}",
        "'",
        "{\"a\":[",
        "[0..",
        "((((((((",
        "├── children: ['a', 'b'\n",
        "\t",
        "0-",
    ];
    for piece in hostile {
        let text = piece.repeat(300_000 / piece.len());
        let start = Instant::now();
        let _ = parse(&text);
        assert!(start.elapsed() < Duration::from_secs(20), "{piece:?} took {:?}", start.elapsed());
    }
}

#[test]
fn windows_line_ends_and_a_byte_order_mark_are_nothing() {
    let model = parse("\u{feff}a.w: torch.Size([2])\r\n\r\nb.w: torch.Size([3])\r\n").unwrap();
    assert_eq!(listed(&model), [("a.w", &[2][..]), ("b.w", &[3])]);
    assert_eq!(model.problems, []);
}

/// Three layers and what follows them, one tensor a line.
fn layers(last: &[&str], behind: &[&str]) -> String {
    let line = |name: String| format!("{name}: torch.Size([2, 2]) [torch.float32]\n");
    let names = ["attn.q.weight", "attn.k.weight", "mlp.weight"];
    let of = |layer: usize, names: &[&str]| {
        names.iter().map(|name| line(format!("model.layers.{layer}.{name}"))).collect::<String>()
    };
    let behind: String = behind.iter().map(|name| line((*name).to_owned())).collect();
    [of(0, &names), of(1, &names), of(2, last), behind].concat()
}

#[test]
fn a_list_that_ends_inside_a_layer_is_incomplete() {
    for cut in [&["attn.q.weight"][..], &["attn.q.weight", "attn.k.weight"]] {
        let model = parse(&layers(cut, &[])).unwrap();
        assert_eq!(kinds(&model), [ProblemKind::Incomplete], "{cut:?}");
        let told = format!("inside `model.layers.2`: it lists {} of the 3", cut.len());
        assert!(model.problems[0].reason.contains(&told), "{}", model.problems[0].reason);
    }
    // Whole layers, another layer than the ones before, and a list that goes on are none.
    for (last, behind) in [
        (&["attn.q.weight", "attn.k.weight", "mlp.weight"][..], &[][..]),
        (&["attn.q.weight", "mlp.weight"], &[]),
        (&["attn.q.weight"], &["norm.weight"]),
        (&[], &["head.0.weight", "head.2.weight"]),
    ] {
        assert!(parse(&layers(last, behind)).unwrap().problems.is_empty(), "{last:?} {behind:?}");
    }
    // Two kinds of layers in turn say nothing of the third.
    let two = layers(&["attn.q.weight"], &[]).replace("layers.1.mlp.weight", "layers.1.moe.weight");
    assert!(parse(&two).unwrap().problems.is_empty());
}
