//! Texts that are not dumps, in the manner of public repositories: some of their lines look like tensors.

use super::parse;
use crate::ShapeError;

const CMAKE: &str = "cmake_minimum_required(VERSION 3.14)\nproject(kernel)\nif(MSVC)\n  add_compile_options(/W4)\nelse()\n  \
    add_compile_options(-Wall)\nendif()\nset(SIZES (64 128))\nadd_executable(host host.cpp)\n";
const README: &str = "# Gate\n\nComputes a gate.\n\n- fast\n- small\n\n| Array | Shape | Notes |\n|---|---|---|\n\
    | lut | [4096] | sigmoid |\n| [Board](https://example.org) | (1) | see there |\n\n## Build\n\nRun `make`.\n\nThen look.\n";
const PYTHON: &str = "import sys\n\nrows = []\nchannels = [64, 128]\nfor line in sys.stdin:\n    rows.append(line)\n\
    if not rows:\n    sys.exit(1)\nprint(len(rows))\n";
const TCL: &str = "open_project -reset prj\nset_top gemm\nadd_files gemm.cpp\nunroll,0,L1 [1, 2, 4, 8]\npartition,a [1, 2]\n\
    csynth_design\nexit\n";
const LOG: &str = "INFO: [HLS 200-10] Running\nINFO: [HLS 200-10] On user\nNorth (8, 8)\nSouth (1, 1)\nWARNING: late\n\
    INFO: done\n";
const YAML: &str =
    "name: gemm\nsizes: [64, 64]\nflow: vitis\nclock: 3.33\ntop: gemm\nfiles:\n  - gemm.cpp\n";
const CSV: &str = "id,name,op\n1,ln42,add\n2,\"ln_1 [4, 4]\",mul\n3,ln43,add\n4,ln44,add\n";

#[test]
fn other_texts_are_refused_with_what_to_do() {
    let texts = [
        ("CMakeLists.txt", CMAKE),
        ("README.md", README),
        ("rows.py", PYTHON),
        ("opt.tcl", TCL),
        ("tool.log", LOG),
        ("design.yaml", YAML),
        ("nodes.csv", CSV),
    ];
    for (name, text) in texts {
        match parse(text) {
            Err(ShapeError::OrdinaryText { tensors, others, .. }) => {
                assert!(tensors < others, "{name}");
            }
            Err(ShapeError::NoTensor { .. }) => {}
            other => panic!("{name}: {other:?}"),
        }
    }
    let error = parse(PYTHON).unwrap_err().to_string();
    assert!(error.contains("`--as`"), "{error}");
}

#[test]
fn a_list_with_a_few_words_around_it_is_a_dump() {
    let text = "Parameters of the model\n\na.weight [64, 64]\nb.weight [64, 32]\nb.bias [64]\nThat is all.\n";
    assert_eq!(parse(text).unwrap().tensors.len(), 3);
}
