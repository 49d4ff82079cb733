//! Kernels of `[[kernel]]` that get their sizes from the host, through a `derate.toml`: what a call takes, what it serves, and
//! hardware that several of them are.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::fs;

use derate_model::ResourceKind;
use derate_model::design::{KernelDesign, join_kernels};
use derate_model::load::{Preprocess, load_project};

const DUMP: &str = "model.layers.0.mlp.weight [768, 288]\nmodel.layers.0.rnn.weight_ih [96, 288]\n\
    model.layers.0.rnn.weight_hh [96, 96]\noutput.weight [32000, 288]\n";

/// A product of a matrix and a vector whose sizes a call passes; `bound` ends its outer loop.
fn gemv(bound: &str) -> String {
    format!(
        "extern \"C\" void gemv(const float *w, const float *x, float *y, int rows, int columns) {{\n\
         #pragma HLS interface m_axi port=w bundle=w\n#pragma HLS interface m_axi port=x bundle=x\n\
         #pragma HLS interface m_axi port=y bundle=y\n\
         each_row: for (int i = 0; i < {bound}; i++) {{\n#pragma HLS loop_tripcount min=8 max=8\n\
         float sum = 0;\n each_column: for (int j = 0; j < 288; j++) sum += w[i * 288 + j] * x[j];\n\
         y[i] = sum;\n }}\n}}\n"
    )
}

/// The design of these sections of `derate.toml`, or the error.
fn try_design(source: &str, sections: &str) -> Result<KernelDesign, String> {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("dump.txt"), DUMP).unwrap();
    fs::write(dir.path().join("gemv.cpp"), source).unwrap();
    let toml = format!(
        "[model]\nshapes = \"dump.txt\"\nworkload = \"linear\"\n[platform]\nname = \"u280\"\n\
         [claims]\nprecision = \"fp32\"\n{sections}"
    );
    fs::write(dir.path().join("derate.toml"), toml).unwrap();
    let project = load_project(dir.path(), &Preprocess::default());
    let analysis = project.map_err(|error| error.to_string())?.analysis;
    Ok(join_kernels(&analysis).map_err(|error| error.to_string())?.unwrap())
}

/// A kernel of that name, with more lines.
fn section(name: &str, serves: &str, lines: &str) -> String {
    format!(
        "[[kernel]]\nname = \"{name}\"\nserves = [\"linear layers{serves}\"]\nsource = [\"gemv.cpp\"]\ntop = \"gemv\"\n{lines}\n"
    )
}

fn design(source: &str, sections: &str) -> KernelDesign {
    try_design(source, sections).unwrap()
}

#[test]
fn a_call_takes_the_cycles_of_the_sizes_that_it_passes() {
    let cycles = |bound: &str, lines: &str| {
        let design = design(&gemv(bound), &section("head", ".output", lines));
        design.kernels[0].cycles.as_ref().unwrap().value.value
    };
    for rows in ["32000", "768"] {
        let passed = cycles("rows", &format!("arguments = {{ rows = {rows} }}"));
        let written = cycles(rows, "");
        assert!((passed / written - 1.0).abs() < 1e-3, "{passed} {written}");
    }
    // Without it, the pragma counts.
    assert!(cycles("rows", "") < cycles("rows", "arguments = { rows = 16 }"));
}

#[test]
fn an_argument_that_the_top_does_not_have_is_refused() {
    let lines = "arguments = { height = 32000 }";
    let error = try_design(&gemv("rows"), &section("head", ".output", lines)).unwrap_err();
    assert!(error.contains("`gemv` has no argument `height`"), "{error}");
    assert!(error.contains("its numbers are rows, columns"), "{error}");
}

#[test]
fn names_with_points_are_served_whole_and_by_their_beginning() {
    let served = |name: &str| {
        let found = try_design(&gemv("rows"), &section("one", name, ""))?;
        let operations = &found.kernels[0].serves.operations;
        Ok::<Vec<String>, String>(operations.iter().map(|one| one.operation.clone()).collect())
    };
    let all = served("").unwrap();
    assert_eq!(all.len(), 4, "{all:?}");
    for name in &all {
        assert_eq!(served(&format!(".{name}")).unwrap(), std::slice::from_ref(name));
    }
    let dotted = all.iter().find(|name| name.contains('.')).unwrap();
    let (beginning, rest) = dotted.rsplit_once('.').unwrap();
    let under = served(&format!(".{beginning}")).unwrap();
    let expected = all.iter().filter(|name| name.starts_with(&format!("{beginning}.")));
    assert_eq!(under, expected.cloned().collect::<Vec<_>>());
    // Neither the end of a name nor a part of a word is one.
    assert!(served(&format!(".{rest}")).is_err());
    assert!(served(&format!(".{}", &beginning[..beginning.len() - 1])).is_err());
}

#[test]
fn hardware_that_gets_several_sizes_is_counted_once() {
    let used = |design: &KernelDesign, resource| {
        let totals = design.totals.resources.iter();
        totals.clone().find(|one| one.resource == resource).unwrap().used.value
    };
    let head = section("head", ".output", "arguments = { rows = 32000 }");
    let other = |lines: &str| {
        let lines = format!("arguments = {{ rows = 768 }}\n{lines}");
        section("mlp", ".model.layers.*.mlp", &lines)
    };
    let alone = design(&gemv("rows"), &head);
    let same = design(&gemv("rows"), &format!("{head}{}", other("")));
    let second = &same.kernels[1];
    assert_eq!(second.same_hardware_as.as_deref(), Some("head"));
    let cycles = |at: usize| same.kernels[at].cycles.as_ref().unwrap().value.value;
    assert!(cycles(0) > 30.0 * cycles(1), "each call has its own size");
    for lines in ["defines = [\"WIDE=1\"]", "clock = \"200 MHz\"", "slr = \"SLR1\""] {
        let apart = design(&gemv("rows"), &format!("{head}{}", other(lines)));
        assert_eq!(apart.kernels[1].same_hardware_as, None, "{lines}");
        assert!(used(&apart, ResourceKind::Dsp) >= 2.0 * used(&alone, ResourceKind::Dsp));
    }
    for resource in [ResourceKind::Dsp, ResourceKind::Lut, ResourceKind::Ff] {
        let one = used(&alone, resource);
        assert!(one > 0.0);
        assert_eq!(used(&same, resource).to_bits(), one.to_bits(), "{resource:?}");
        // Of what the two say, the most counts.
        let units = design(&gemv("rows"), &format!("{head}{}", other("units = 2")));
        assert_eq!(used(&units, resource).to_bits(), (2.0 * one).to_bits(), "{resource:?}");
    }
}
