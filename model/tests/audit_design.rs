//! Kernels of `[[kernel]]` held against the model: the defects of a design as it was built, and its corrected twin.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::fs;
use std::path::Path;

use derate_model::audit::{Finding, audit};
use derate_model::design::{KernelDesign, join_kernels};
use derate_model::load::{Preprocess, load_project};
use derate_model::{Analysis, Claim, Level, Precision};

fn load(twin: &str) -> Analysis {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/codesign").join(twin);
    load_project(&folder, &Preprocess::default()).unwrap().analysis
}

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures");

/// The design as it was built, with texts of its files changed: file, text, new text.
fn load_with(changes: &[(&str, &str, &str)]) -> Analysis {
    let dir = tempfile::tempdir().unwrap();
    let from = Path::new(FOLDER).join("codesign/as-built");
    fs::create_dir(dir.path().join("kernels")).unwrap();
    let shapes = ("derate.toml", "../../smolvla", &*format!("{FOLDER}/smolvla"));
    let kernels = ["kernels/attention.cpp", "kernels/output.cpp", "kernels/mlp.cpp"];
    for file in ["derate.toml", "model_weights.h"].into_iter().chain(kernels) {
        let mut text = fs::read_to_string(from.join(file)).unwrap();
        for (_, old, new) in changes.iter().chain([&shapes]).filter(|one| one.0 == file) {
            assert!(text.contains(old), "{file} has no `{old}`");
            text = text.replace(old, new);
        }
        fs::write(dir.path().join(file), text).unwrap();
    }
    load_project(dir.path(), &Preprocess::default()).unwrap().analysis
}

#[test]
fn an_array_that_the_card_cannot_hold_is_found() {
    let found = |side: u64| {
        let dir = tempfile::tempdir().unwrap();
        let from = Path::new(FOLDER).join("smolvla");
        let text = fs::read_to_string(from.join("derate.toml")).unwrap();
        let shapes = text.lines().find(|line| line.starts_with("shapes")).unwrap();
        let named = shapes.split('"').nth(1).unwrap();
        fs::copy(from.join(named), dir.path().join("dump.txt")).unwrap();
        let text = format!(
            "[model]\nshapes = \"dump.txt\"\nworkload = \"smolvla\"\n[platform]\nname = \"u280\"\n[claims]\nprecision = \"bf16\"\n\
             [design]\nrows = {side}\ncolumns = {side}\ndsp_per_mac = {{ bf16 = 5 }}\n"
        );
        fs::write(dir.path().join("derate.toml"), text).unwrap();
        let analysis = load_project(dir.path(), &Preprocess::default()).unwrap().analysis;
        let findings = audit(&analysis).findings;
        find(&findings, "design/resources").into_iter().cloned().collect::<Vec<_>>()
    };
    // 42 x 42 multiply-adds at 5 DSP are 8,820 of 9,020; 43 x 43 are 9,245.
    assert_eq!(found(42), []);
    let [too_large] = &found(43)[..] else { panic!("one finding") };
    assert_eq!(too_large.level, Level::Error);
    assert_eq!(too_large.message, "the array of [design] takes 9,245 of 9,020 DSP: 102 %");
}

fn find<'a>(findings: &'a [Finding], code: &str) -> Vec<&'a Finding> {
    findings.iter().filter(|finding| finding.code == code).collect()
}

fn design_findings(analysis: &Analysis) -> Vec<Finding> {
    let findings = audit(analysis).findings.into_iter();
    findings.filter(|finding| finding.code.starts_with("design/")).collect()
}

fn design(analysis: &Analysis) -> KernelDesign {
    join_kernels(analysis).unwrap().unwrap()
}

#[test]
fn each_defect_of_the_design_as_built_is_found() {
    let analysis = load("as-built");
    let findings = design_findings(&analysis);
    let errors = findings.iter().filter(|finding| finding.level == Level::Error);
    let errors: Vec<(&str, &str)> = errors.map(|one| (one.code, one.subject.as_str())).collect();
    let expected = [
        ("design/latency", "latency"),
        ("design/multiply-rate", "mlp"),
        ("design/operand-format", "attention -> output"),
        ("design/resources", "BRAM18"),
        ("design/work", "mlp"),
    ];
    assert_eq!(errors, expected, "{findings:#?}");
    let parts = findings.iter().filter(|finding| finding.code == "design/unserved").count();
    assert!(parts >= 3, "the other parts of the model have no kernel");
}

#[test]
fn the_corrected_twin_is_silent() {
    let findings = design_findings(&load("corrected"));
    assert!(findings.is_empty(), "{findings:#?}");
}

#[test]
fn work_is_counted_from_the_model_and_from_the_loops() {
    let design = design(&load("as-built"));
    let mlp = &design.kernels[2];
    // 12 layers, 3 cameras.
    assert_eq!(mlp.calls.value.to_bits(), 36.0_f64.to_bits());
    assert_eq!(
        mlp.serves.multiply_adds().to_bits(),
        (36.0 * 1024.0 * 768.0 * 3072.0_f64).to_bits()
    );
    // One lane of 16 x 16 x 16.
    assert_eq!(mlp.work_done().unwrap().to_bits(), (36.0 * 64.0 * 48.0 * 192.0_f64).to_bits());
    let attention = &design.kernels[0];
    assert_eq!(
        attention.serves.multiply_adds().to_bits(),
        (36.0 * 2.0 * 12.0 * 1024.0 * 1024.0 * 64.0_f64).to_bits()
    );
}

#[test]
fn what_is_named_twice_is_served_once() {
    let mut analysis = load("as-built");
    let mlp = &mut analysis.project.kernels[2];
    let named = mlp.serves[0].clone();
    for text in ["vision.mlp", "vision.fc2"] {
        mlp.serves.push(Claim { value: text.to_owned(), ..named.clone() });
    }
    let mlp = &design(&analysis).kernels[2];
    // fc1 and fc2 are in the same layers, so 36 calls serve both.
    assert_eq!(mlp.calls.value.to_bits(), 36.0_f64.to_bits());
    let both = 36.0 * 2.0 * 1024.0 * 768.0 * 3072.0_f64;
    assert_eq!(mlp.serves.multiply_adds().to_bits(), both.to_bits());
}

#[test]
fn a_header_that_nothing_includes_decides_nothing() {
    let findings = audit(&load("as-built")).findings;
    let [header] = find(&findings, "source/unbuilt")[..] else { panic!("{findings:#?}") };
    assert_eq!((header.subject.as_str(), header.level), ("model_weights.h", Level::Note));
    let lies: Vec<&Finding> = findings
        .iter()
        .filter(|one| one.code.starts_with("precision/") || one.code == "design/precision")
        .filter(|one| one.level != Level::Note || !one.fixes.is_empty())
        .collect();
    assert!(lies.is_empty(), "int8 is claimed, and the kernels compute in it: {lies:#?}");
    assert!(find(&audit(&load("corrected")).findings, "source/unbuilt").is_empty());
}

#[test]
fn a_header_that_a_kernel_includes_decides_what_no_kernel_reads() {
    let include = ("kernels/mlp.cpp", "#include <ap_int.h>", "#include \"../model_weights.h\"");
    let findings = audit(&load_with(&[include])).findings;
    assert!(find(&findings, "source/unbuilt").is_empty());
    // fc2 is in float; fc1 is what the kernel reads: 768 x 3,072 elements in each of 12 layers.
    let [bytes] = find(&findings, "precision/assumed-bytes")[..] else { panic!("{findings:#?}") };
    assert_eq!(bytes.level, Level::Error);
    let elements = 12.0 * 768.0 * 3072.0_f64;
    let built = bytes.evidence["bytes_as_built"].as_f64().unwrap();
    let claimed = bytes.evidence["bytes_claimed"].as_f64().unwrap();
    assert_eq!((built - claimed).to_bits(), (3.0 * elements).to_bits());
}

#[test]
fn what_is_wrong_in_a_header_of_no_kernel_is_a_note() {
    let lie = (
        "model_weights.h",
        "using weight_t = float;",
        "using weight_t = float; using int8_t_ = float;",
    );
    let other = ("model_weights.h", "using weight_t", "using bfloat16_t = float; using weight_t");
    let findings = audit(&load_with(&[lie, other])).findings;
    let lies = find(&findings, "precision/alias-width");
    assert!(lies.len() == 2 && lies.iter().all(|one| one.level == Level::Note), "{lies:#?}");
}

#[test]
fn the_formats_of_the_kernels_decide_bytes() {
    let analysis = load("as-built");
    let formats = &analysis.built;
    let name = "model.vlm_with_expert.vlm.model.vision_model.encoder.layers.3.mlp.fc1.weight";
    assert_eq!(formats.tensors.get(name), Some(&Ok(Precision::INT8)));
    assert_eq!(formats.scores, Some(Precision::INT8));
    let float = load_with(&[
        ("kernels/mlp.cpp", "typedef ap_int<8> q8;", "typedef float q8;"),
        ("kernels/mlp.cpp", "typedef ap_int<32> sum_t;", "typedef float sum_t;"),
        ("derate.toml", "precision = \"int8\"\ndsp = 59", "dsp = 59"),
    ]);
    assert_eq!(float.built.tensors.get(name), Some(&Ok(Precision::FP32)));
    let findings = audit(&float).findings;
    let [lie] = find(&findings, "design/precision")[..] else { panic!("{findings:#?}") };
    assert_eq!((lie.subject.as_str(), lie.level), ("mlp", Level::Error));
    let [bytes] = find(&findings, "precision/assumed-bytes")[..] else { panic!("{findings:#?}") };
    assert_eq!(bytes.level, Level::Error);
}

#[test]
fn operands_of_one_type_are_handed_over_in_silence() {
    let signed = ("kernels/output.cpp", "const u8 x", "const q8 x");
    let findings = audit(&load_with(&[signed])).findings;
    assert!(find(&findings, "design/operand-format").is_empty());
}

/// `mlp` twice, each as `change` says.
fn load_twice(change: [&str; 2]) -> Analysis {
    let section =
        "[[kernel]]\nname = \"mlp\"\nserves = [\"vision.fc1\"]\nsource = [\"kernels/mlp.cpp\"]\n";
    let other = section.replace("\"mlp\"", "\"mlp2\"");
    let both = format!("{other}{}\n{section}{}\n", change[1], change[0]);
    let whole = ("kernels/mlp.cpp", "k += TILE", "k += 1");
    let rows = ("kernels/mlp.cpp", "i += TILE", "i += 1");
    let columns = ("kernels/mlp.cpp", "j += TILE", "j += 1");
    load_with(&[("derate.toml", section, &both), whole, rows, columns])
}

#[test]
fn kernels_that_share_an_operation_are_held_against_their_share() {
    let judge = |change| {
        let findings = audit(&load_twice(change)).findings;
        let work = find(&findings, "design/work").into_iter();
        work.map(|one| (one.subject.clone(), one.level)).collect::<Vec<_>>()
    };
    // Each takes half of the 36 calls, and does a whole layer in one.
    assert_eq!(judge(["calls = 18", "calls = 18"]), []);
    // A quarter and three quarters of the calls, with stated shares and without.
    assert_eq!(judge(["calls = 9", "calls = 27"]), []);
    assert_eq!(judge(["calls = 9\nshare = 0.25", "calls = 27\nshare = 0.75"]), []);
    // Both do everything: twice what is needed of each.
    let twice = |name: &str| (name.to_owned(), Level::Warning);
    assert_eq!(judge(["", ""]), [twice("mlp2"), twice("mlp")]);
    // One says that it does half, and does a quarter.
    let less = judge(["calls = 9\nshare = 0.5", "calls = 18\nshare = 0.5"]);
    assert_eq!(less, [("mlp".to_owned(), Level::Error)]);
}

#[test]
fn what_no_share_covers_is_served_by_nobody() {
    let analysis = load_twice(["calls = 18\nshare = 0.5", "calls = 9\nshare = 0.25"]);
    let unserved = design(&analysis).totals.unserved;
    let vision = unserved.iter().find(|one| one.part == "vision").unwrap();
    assert_eq!(vision.partly, ["fc1"]);
}

/// A kernel with the report of `fixtures/synthesis/mean`, and its source with a text changed.
fn load_report(from: &str, to: &str) -> Analysis {
    load_changed(&[(from, to)], &[])
}

/// The same with texts of the source and of the report changed.
fn load_changed(source: &[(&str, &str)], report: &[(&str, &str)]) -> Analysis {
    let dir = tempfile::tempdir().unwrap();
    let mean = Path::new(FOLDER).join("synthesis/mean");
    let copy = |from: &str, to: &str, changes: &[(&str, &str)]| {
        let mut text = fs::read_to_string(mean.join(from)).unwrap();
        for (from, to) in changes {
            assert!(text.contains(from), "no `{from}`");
            text = text.replace(from, to);
        }
        fs::write(dir.path().join(to), text).unwrap();
    };
    copy("mean.cpp", "mean.cpp", source);
    copy("solution1/syn/report/csynth.rpt", "csynth.rpt", report);
    let toml = format!(
        "[model]\nshapes = \"{FOLDER}/smolvla/model_shape.txt\"\n[platform]\nname = \"u280\"\n\
         [[kernel]]\nname = \"mean\"\nreport = \"csynth.rpt\"\nsource = [\"mean.cpp\"]\n"
    );
    fs::write(dir.path().join("derate.toml"), toml).unwrap();
    load_project(dir.path(), &Preprocess::default()).unwrap().analysis
}

#[test]
fn a_report_of_another_version_of_its_source_is_stale() {
    let findings = audit(&load_report("ROWS 128", "ROWS 96")).findings;
    let [stale] = find(&findings, "report/stale")[..] else { panic!("{findings:#?}") };
    let difference = "`each_row` iterates 128 times in the reports and 96 times in the source";
    assert!(stale.message.ends_with(&format!("of its source: {difference}")), "{stale:#?}");
    let same = load_report("ROWS 128", "ROWS 128");
    assert!(find(&audit(&same).findings, "report/stale").is_empty());
    // The report's cycles count, whatever the model of its source says.
    let cycles = design(&same).kernels[0].cycles.clone().unwrap();
    assert_eq!(cycles.value.value.to_bits(), 133_377.0_f64.to_bits());
}

/// A template that is used with two sizes: one of its nests has fewer loops, so that the label of the other is free for it.
#[test]
fn a_loop_with_the_trips_of_another_copy_of_its_function_makes_no_report_stale() {
    let module = "    |  + mean_Pipeline_add|";
    let row = |name: &str, trips: u32| {
        let rest = "     -|  2.43|      100|   333.00|        -|       10";
        format!(
            "    |  + {name}|{rest}|     -|        no|     -|       -|          -|          -|    -|\n\
                 |   o each_row|{rest}|{trips:>6}|        no|     -|       -|          -|          -|    -|\n{module}"
        )
    };
    let stale = |trips| {
        let changes = [("ROWS 128", "ROWS 96")];
        let findings =
            audit(&load_changed(&changes, &[(module, &row("mean_96_s", trips))])).findings;
        findings.into_iter().filter(|one| one.code == "report/stale").count()
    };
    assert_eq!((stale(96), stale(50)), (0, 1));
}

/// A function whose body is in another file: the tool puts it into the one that calls it, with its loops.
#[test]
fn a_loop_of_a_function_elsewhere_makes_no_report_stale() {
    let stale = |source: &[(&str, &str)], report: &[(&str, &str)]| {
        let findings = audit(&load_changed(source, report)).findings;
        findings.into_iter().filter(|one| one.code == "report/stale").count()
    };
    let elsewhere = [
        ("extern", "float divide(float sum, int by); extern"),
        ("sum / COLUMNS", "divide(sum, COLUMNS)"),
    ];
    // A label that the source does not have, alone and beside a call of what is elsewhere.
    let other_label = [("o each_row", "o each_line")];
    assert_eq!(stale(&[], &other_label), 1);
    // What the function returns is no argument of the source, another name is.
    let last = "| result   | out       | float*   |";
    let with = |name: &str| format!("{last}\n| {name}   | out       | float    |");
    assert_eq!(stale(&[], &[(last, &with("return"))]), 0);
    assert_eq!(stale(&[], &[(last, &with("amount"))]), 1);
    // The loop of a `memcpy`, as the tool names it.
    assert_eq!(stale(&[], &[("o each_row", "o memcpy.sum.V.addr.rows.V")]), 0);
    assert_eq!(stale(&elsewhere, &other_label), 0);
    // The line of a loop of this file, in a module of another function.
    let shorter = ("COLUMNS 256", "COLUMNS 100");
    let unnamed = ("    add:\n", "\n");
    let line = ("o add             ", "o VITIS_LOOP_11_1 ");
    assert_eq!(stale(&[shorter, unnamed], &[line]), 1);
    let other_function = ("mean_Pipeline_add", "divide_Pipeline_1");
    let source = [shorter, unnamed, elsewhere[0], elsewhere[1]];
    assert_eq!(stale(&source, &[line, other_function]), 0);
}
