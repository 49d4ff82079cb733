//! One small model in every form gives one answer.

use super::{fixture, kinds, listed, parse};
use crate::{DumpFormat, ModelShape, NoteKind, ProblemKind, safetensors_header};
use derate_units::Precision;

fn form(file: &str) -> ModelShape {
    parse(&fixture(&format!("dumps/forms/{file}"))).unwrap()
}

const WITH_DTYPE: [(&str, DumpFormat); 12] = [
    ("flat.txt", DumpFormat::Flat),
    ("spaces.txt", DumpFormat::Spaces),
    ("pipe_crossed.txt", DumpFormat::Pipe),
    ("pipe_tuple.txt", DumpFormat::Pipe),
    ("pipe_spaced.txt", DumpFormat::Pipe),
    ("markdown.md", DumpFormat::Markdown),
    ("safetensors.json", DumpFormat::Json),
    ("list.json", DumpFormat::Json),
    ("nested.json", DumpFormat::Json),
    ("gguf_log.txt", DumpFormat::Gguf),
    ("gguf_dump.txt", DumpFormat::Gguf),
    ("onnx.txt", DumpFormat::Onnx),
];

const WITHOUT: [(&str, DumpFormat); 4] = [
    ("tabs.txt", DumpFormat::Tabs),
    ("tuple.txt", DumpFormat::Tuple),
    ("list.txt", DumpFormat::List),
    ("python_dict.txt", DumpFormat::Flat),
];

#[test]
fn every_form_is_told_apart_and_gives_the_same_model() {
    for (file, format) in WITH_DTYPE.into_iter().chain(WITHOUT) {
        let model = form(file);
        assert_eq!(model.format, format, "{file}");
        assert_eq!(model.problems, [], "{file}");
        assert_eq!(
            listed(&model),
            [
                ("model.embed_tokens.weight", &[49_280, 960][..]),
                ("model.layers.0.k_proj.weight", &[320, 720]),
                ("model.layers.1.k_proj.weight", &[320, 320]),
                ("model.norm.weight", &[960]),
            ],
            "{file}"
        );
        assert_eq!(model.parameters(), 47_642_560, "{file}");
    }
}

#[test]
fn dtypes_are_read_where_the_form_has_them() {
    for (file, _) in WITH_DTYPE {
        let dtypes: Vec<_> = form(file).tensors.iter().map(|tensor| tensor.dtype).collect();
        let (half, full) = (Some(Precision::BF16), Some(Precision::FP32));
        assert_eq!(dtypes, [half, half, full, half], "{file}");
        assert_eq!(form(file).bytes_as_stored(), Some(2 * 47_642_560 + 2 * 102_400), "{file}");
    }
    for (file, _) in WITHOUT {
        assert_eq!(form(file).bytes_as_stored(), None, "{file}");
    }
}

#[test]
fn reversed_dimensions_are_said_to_be() {
    let notes: Vec<_> = form("gguf_log.txt").notes.iter().map(|note| note.kind).collect();
    assert_eq!(notes, [NoteKind::Reversed]);
}

#[test]
fn a_safetensors_file_gives_its_header_and_keeps_its_weights() {
    let header = fixture("dumps/forms/safetensors.json");
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.as_bytes());
    file.extend([0_u8, 255, 254]);
    let mut reader = file.as_slice();
    assert_eq!(safetensors_header(&mut reader).unwrap().as_deref(), Some(header.as_str()));
    assert_eq!(reader, [0_u8, 255, 254]);
    for other in [&b""[..], b"short", b"model.norm.weight (960,)", &[255; 40]] {
        assert_eq!(safetensors_header(&mut &*other).unwrap(), None);
    }
}

#[test]
fn a_header_of_a_length_that_none_has_is_refused() {
    for length in [1_u64 << 63, u64::MAX, 100_000_001, 1] {
        let mut file = length.to_le_bytes().to_vec();
        file.extend(b"{\"__metadata__\":{}}");
        let refused = safetensors_header(&mut file.as_slice()).unwrap_err().to_string();
        assert!(refused.contains(&format!("the header {length} bytes")), "{refused}");
    }
    // Plain text has brackets, too.
    for text in [&b"tensors {"[..], "h\u{f6}hen\t {".as_bytes(), b"weights\n{"] {
        assert_eq!(safetensors_header(&mut &*text).unwrap(), None);
    }
}

#[test]
fn a_truncated_header_gives_what_stands_in_it() {
    let header = fixture("dumps/forms/safetensors.json");
    let model = parse(&header[..header.len() - 40]).unwrap();
    assert_eq!(model.tensors.len(), 3);
    assert!(kinds(&model).contains(&ProblemKind::Incomplete));
    let wrong = header.replacen("[960]", "[961]", 1);
    assert_eq!(kinds(&parse(&wrong).unwrap()), [ProblemKind::Incomplete]);
}

#[test]
fn a_stated_count_shows_what_is_missing() {
    for (file, from, to) in [
        ("gguf_log.txt", "and 4 tensors", "and 291 tensors"),
        ("markdown.md", "47,642,560", "47,642,561"),
        ("markdown.md", "102,400", "102,401"),
        ("gguf_dump.txt", "102400 |", "102401 |"),
    ] {
        let model = parse(&fixture(&format!("dumps/forms/{file}")).replace(from, to)).unwrap();
        assert_eq!(kinds(&model), [ProblemKind::Incomplete], "{file} {to}");
    }
}

/// What `print` makes of a dictionary of shapes is on one line.
#[test]
fn a_dictionary_on_one_line_gives_every_pair() {
    let expected: [(&str, &[u64]); 3] =
        [("fc1.weight", &[64, 16]), ("fc1.bias", &[64]), ("scale", &[])];
    for text in [
        "OrderedDict([('fc1.weight', torch.Size([64, 16])), ('fc1.bias', torch.Size([64])), ('scale', torch.Size([]))])\n",
        "{'fc1.weight': torch.Size([64, 16]), 'fc1.bias': torch.Size([64]), 'scale': torch.Size([])}\n",
        "{\"fc1.weight\": (torch.Size([64, 16]), torch.float32), \"fc1.bias\": (torch.Size([64]), torch.float32), \"scale\": (torch.Size([]), torch.float32)}\n",
    ] {
        let model = parse(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(listed(&model), expected, "{text}");
        assert_eq!(model.problems, [], "{text}");
        let typed = text.contains("float32").then_some(Precision::FP32);
        assert!(model.tensors.iter().all(|tensor| tensor.dtype == typed), "{text}");
    }
    let one = parse("OrderedDict([('fc1.weight', torch.Size([64, 16]))])\n").unwrap();
    assert_eq!(listed(&one), [("fc1.weight", &[64, 16][..])]);
    // Without quotes nobody knows where a name ends.
    let bare = parse("[('a', torch.Size([2])), (b, torch.Size([3]))]\n").unwrap();
    assert_eq!((listed(&bare).len(), kinds(&bare)), (1, vec![ProblemKind::Unread]));
}

#[test]
fn a_split_gguf_log_and_its_blocks_are_read() {
    let text = "llama_model_loader: - tensor split  0: blk.0.attn_q.weight f16 [ 4096, 1024, 1, 1 ]    8.00 MiB\n\
        llama_model_loader: - tensor split  1: blk.0.ffn_up.weight q4_0 [ 288, 768, 1, 1 ]    0.12 MiB\n";
    let model = parse(text).unwrap();
    assert_eq!(model.format, DumpFormat::Gguf);
    let expected: [(&str, &[u64]); 2] =
        [("blk.0.attn_q.weight", &[1024, 4096]), ("blk.0.ffn_up.weight", &[768, 288])];
    assert_eq!((listed(&model), model.problems.as_slice()), (expected.to_vec(), &[][..]));
    // 18 bytes for each 32.
    assert_eq!(model.bytes_as_stored(), Some(1024 * 4096 * 2 + 288 * 768 / 32 * 18));
    // A dtype that nobody knows is named once, with how many have it.
    let odd = parse(&text.replace("f16", "iq9_z").replace("q4_0", "iq9_z")).unwrap();
    assert_eq!((kinds(&odd), odd.bytes_as_stored()), (vec![ProblemKind::Dtype], None));
    assert!(odd.problems[0].reason.contains("and of 1 other tensor stay"), "{:?}", odd.problems);
}

#[test]
fn a_bare_number_is_a_shape_where_the_other_rows_have_theirs() {
    let model = parse(
        "conv1.weight | (32, 3, 3, 3) | float32\nconv1.bias | 32 | float32\ntotal | 896 | float32\n",
    )
    .unwrap();
    assert_eq!(
        listed(&model),
        [("conv1.weight", &[32, 3, 3, 3][..]), ("conv1.bias", &[32])],
        "a total is not a tensor"
    );
    // A row of other columns, and a column that is of shapes in some rows alone, say nothing.
    for text in [
        "conv1.weight | (32, 3, 3, 3) | 864 | float32\nconv1.bias | 32 | float32\n",
        "a.weight | (4, 4) | float32\nb.weight | float32 | (4, 4)\nconv1.bias | 32 | float32\n",
    ] {
        let model = parse(text).unwrap();
        assert!(listed(&model).iter().all(|(name, _)| *name != "conv1.bias"));
        let [problem] = &model.problems[..] else { panic!("{:?}", model.problems) };
        assert!(problem.reason.contains("write (32,) or [32]"), "{}", problem.reason);
    }
}
