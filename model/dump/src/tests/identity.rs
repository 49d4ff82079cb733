//! Printed and read again, a model is the same; and no text makes the reader panic.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use proptest::prelude::*;

use super::{parse, parse_as};
use crate::{DumpFormat, ModelShape};

const DTYPES: [&str; 4] = ["torch.float32", "torch.bfloat16", "torch.int8", "torch.float16"];

/// Paths that no other path is a prefix of, with a shape and a dtype each.
fn model() -> impl Strategy<Value = BTreeMap<Vec<String>, (Vec<u64>, &'static str)>> {
    let segment = prop_oneof!["[a-z_]{2,8}", "[0-9]{1,2}"];
    let leaf = prop_oneof![Just("weight".to_owned()), Just("bias".to_owned())];
    let path = (prop::collection::vec(segment, 1..6), leaf).prop_map(|(mut path, leaf)| {
        path.retain(|s| !["weight", "bias", "in", "children"].contains(&s.as_str()));
        path.insert(0, "model".to_owned());
        path.push(leaf);
        path
    });
    let tensor = (prop::collection::vec(1_u64..10_000, 0..4), prop::sample::select(&DTYPES[..]));
    prop::collection::btree_map(path, tensor, 1..30)
}

type Leaves = [(Vec<String>, (Vec<u64>, &'static str))];

fn flat(leaves: &Leaves) -> String {
    leaves.iter().fold(String::new(), |mut out, (path, (dims, dtype))| {
        let _ = writeln!(out, "{}: torch.Size({dims:?}) [{dtype}]", path.join("."));
        out
    })
}

/// Draws `leaves`, which share their first `depth` segments.
fn tree(leaves: &Leaves, depth: usize, indent: &str, width: usize, out: &mut String) {
    let groups: Vec<&Leaves> = leaves.chunk_by(|a, b| a.0[depth] == b.0[depth]).collect();
    let names: Vec<_> = groups.iter().map(|group| group[0].0[depth].as_str()).collect();
    if depth > 0 {
        let _ = writeln!(out, "{indent}├─ in: .{}", leaves[0].0[..depth].join("."));
        let _ = writeln!(out, "{indent}├─ children: {names:?}");
    }
    for (at, group) in groups.iter().enumerate() {
        let last = at + 1 == groups.len();
        let corner = if last { '└' } else { '├' };
        let (path, (dims, dtype)) = &group[0];
        let dashes = "─".repeat(width);
        if path.len() == depth + 1 {
            let _ = writeln!(
                out,
                "{indent}{corner}{dashes} {}: torch.Size({dims:?}) [{dtype}]",
                path[depth]
            );
        } else {
            let _ = writeln!(
                out,
                "{indent}{corner}{dashes}┬ {}{}",
                path[depth],
                if last { ":" } else { "" }
            );
            let next = format!("{indent}{}{}", if last { ' ' } else { '│' }, " ".repeat(width));
            tree(group, depth + 1, &next, width, out);
        }
    }
}

fn contents(model: &ModelShape) -> Vec<(String, Vec<u64>, Option<String>)> {
    model.tensors.iter().map(|t| (t.name.clone(), t.dims.clone(), t.dtype_text.clone())).collect()
}

proptest! {
    #[test]
    fn flat_and_tree_print_and_parse_to_the_same(model in model(), width in 2_usize..5) {
        let leaves: Vec<_> = model.into_iter().collect();
        let expected: Vec<_> = leaves
            .iter()
            .map(|(path, (dims, dtype))| (path.join("."), dims.clone(), Some((*dtype).to_owned())))
            .collect();
        let read = parse(&flat(&leaves)).unwrap();
        prop_assert_eq!(read.format, DumpFormat::Flat);
        prop_assert_eq!(contents(&read), expected.clone());
        prop_assert_eq!(&read.problems, &[]);
        let mut drawn = String::new();
        tree(&leaves, 0, "", width, &mut drawn);
        let read = parse(&drawn).unwrap();
        prop_assert_eq!(read.format, DumpFormat::Tree);
        prop_assert_eq!(contents(&read), expected, "{}", drawn);
        prop_assert_eq!(&read.problems, &[], "{}", drawn);
    }

    #[test]
    fn no_text_panics(text in any::<String>()) {
        let _ = parse(&text);
        for format in DumpFormat::ALL {
            let _ = parse_as(&text, Some(format));
        }
    }

    #[test]
    fn no_mixture_of_pieces_panics(pieces in prop::collection::vec(prop::sample::select(&[
        "├", "└", "──┬ ", "│  ", "|", " ", "\n", "a.b", "0", "[", "]", "(", ")", ",", ":", "torch.Size(", "'", "\"", "{", "}",
        "torch.bfloat16", "children: ", "in: ", ".", "×", "x", "[0..15]", "for i in range(0,3)", "%", "Linear", "1-1", "\t", "18446744073709551615",
    ][..]), 0..60)) {
        let text = pieces.concat();
        let _ = parse(&text);
        for format in DumpFormat::ALL {
            if let Ok(model) = parse_as(&text, Some(format)) {
                let _ = (model.parameters(), model.bytes_as_stored(), model.dims());
            }
        }
    }
}
