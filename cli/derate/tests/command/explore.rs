//! `derate explore`: the changes of a project, and how a search goes on.

use std::fs;
use std::path::{Path, PathBuf};

use crate::derate::{derate_in, root};
use crate::diff::apply_diff;

/// A copy of a fixture's folder and of what it names beside it.
fn copy_project(name: &str, folder: &Path) -> PathBuf {
    let from = root().join("fixtures");
    for project in ["smolvla", name] {
        copy_folder(&from.join(project), &folder.join(project));
    }
    folder.join(name)
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn the_array_of_the_diff_takes_what_was_promised() {
    let folder = tempfile::tempdir().unwrap();
    let project = copy_project("smolvla", folder.path());
    let small = ["--vary", "precision=bf16,int8", "--vary", "rows=8,16,24", "--vary", "unroll=1,2"];
    let explore =
        |more: &[&str]| derate_in(&project, &[&["explore", "."], &small[..], more].concat());
    let found = explore(&["--format", "json"]).json();
    assert_eq!(found["certificate"], "optimal");
    apply_diff(&project, &explore(&["--format", "diff"]).stdout);
    let design = ["estimate", ".", "--scenario", "design", "--format", "json"];
    let again = derate_in(&project, &design).json();
    let promised = found["best"]["objective"].as_f64().unwrap();
    let built = again["scenarios"][0]["latency"]["seconds"].as_f64().unwrap();
    assert!((built / promised - 1.0).abs() < 1e-9, "{built} where {promised} was promised");
    assert_eq!(again["scenarios"][0]["schedule"].as_str(), found["best"]["values"][1].as_str());
}

/// Applies a diff: the inference then takes what was promised.
fn build_promised(project: &Path, diff: &str, found: &serde_json::Value) {
    apply_diff(project, diff);
    let again = derate_in(project, &["estimate", ".", "--format", "json"]).json();
    let promised = found["best"]["objective"].as_f64().unwrap();
    let built = again["kernel_design"]["totals"]["latency"]["value"].as_f64().unwrap();
    assert!((built / promised - 1.0).abs() < 1e-9, "{built} where {promised} was promised");
}

#[test]
fn the_kernels_of_the_diff_take_what_was_promised() {
    let folder = tempfile::tempdir().unwrap();
    let project = copy_project("codesign", folder.path()).join("as-built");
    let vary = [
        "--vary",
        "attention.unroll:combine/combine_terms=1,16",
        "--vary",
        "attention.q8=ap_int<8>,ap_int<4>",
        "--vary",
        "mlp.TILE=16,32",
        "--vary",
        "mlp.pipeline:mlp/tile_columns=as-written,1",
    ];
    let explore =
        |more: &[&str]| derate_in(&project, &[&["explore", "."], &vary[..], more].concat());
    let found = explore(&["--format", "json"]).json();
    assert_eq!(found["certificate"], "optimal", "{found}");
    let best = found["best"]["values"].to_string();
    assert!(!best.contains("TILE=32"), "it would multiply half as often: {best}");
    let diff = explore(&["--format", "diff"]).stdout;
    assert!(diff.contains("-bram18 = 4038"), "what was stated of the old source goes: {diff}");
    build_promised(&project, &diff, &found);
}

/// Two kernels that are one hardware with two sizes get one design, which takes its room once, and stay one hardware.
#[test]
fn kernels_that_are_one_hardware_get_one_design() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path();
    let write = |name: &str, text: &str| fs::write(project.join(name), text).unwrap();
    write("dump.txt", "model.layers.0.mlp.weight [768, 288]\noutput.weight [32000, 288]\n");
    write(
        "gemv.cpp",
        "extern \"C\" void gemv(const int w[32000 * 288], const int x[288], int y[32000], int rows) {\n\
         each_row: for (int i = 0; i < rows; i++) {\n#pragma HLS loop_tripcount min=8 max=8\n\
         int sum = 0;\n each_column: for (int j = 0; j < 288; j++) sum += w[i * 288 + j] * x[j];\n\
         y[i] = sum;\n }\n}\n",
    );
    let section = |name: &str, serves: &str, rows: u32| {
        format!(
            "[[kernel]]\nname = \"{name}\"\nserves = [\"linear layers.{serves}\"]\nsource = [\"gemv.cpp\"]\n\
             top = \"gemv\"\narguments = {{ rows = {rows} }}\n\n"
        )
    };
    let head = "[model]\nshapes = \"dump.txt\"\nworkload = \"linear\"\n[platform]\nname = \"u280\"\n\
                [claims]\nprecision = \"fp32\"\n\n";
    let explore = |sections: &str, more: &[&str]| {
        write("derate.toml", &format!("{head}{sections}"));
        derate_in(project, &[&["explore", "."], more].concat())
    };
    let (one, other) =
        (section("head", "output", 32000), section("mlp", "model.layers.*.mlp", 768));
    let both = format!("{one}{other}");
    let vary = ["--vary", "head.unroll:gemv/each_column=1,2", "--format"];
    let json = [&vary[..], &["json"]].concat();
    let (alone, found) = (explore(&one, &json).json(), explore(&both, &json).json());
    assert_eq!(found["axes"].as_array().unwrap().len(), 1, "{found}");
    assert_eq!(found["best"]["usage"], alone["best"]["usage"], "its room counts once");
    assert!(found["best"]["values"].to_string().contains("=2"), "{}", found["best"]);
    let diff = explore(&both, &[&vary[..], &["diff"]].concat()).stdout;
    assert_eq!(diff.matches("head.explored.tcl\"").count(), 2, "{diff}");
    build_promised(project, &diff, &found);
}

#[test]
fn ports_and_units_of_the_diff_take_what_was_promised() {
    let folder = tempfile::tempdir().unwrap();
    let project = copy_project("codesign", folder.path()).join("as-built");
    let text = fs::read_to_string(project.join("derate.toml")).unwrap();
    // Four calls a layer: four units share them.
    let text =
        text.replace("serves = [\"vision.fc1\"]\n", "serves = [\"vision.fc1\"]\ncalls = 48\n");
    fs::write(project.join("derate.toml"), text).unwrap();
    let vary = ["--vary", "attention.port:q+k+v=8,64", "--vary", "mlp.units=1,4"];
    let explore =
        |more: &[&str]| derate_in(&project, &[&["explore", "."], &vary[..], more].concat());
    let found = explore(&["--format", "json", "--limit", "bram18=9000", "--limit", "ff=9e9"]);
    let found = found.json();
    assert_eq!(found["certificate"], "optimal", "{found}");
    let best = found["best"]["values"].to_string();
    assert!(best.contains("port:q+k+v=64") && best.contains("units=4"), "{best}");
    let assumed = found["assumed"].to_string();
    assert!(assumed.contains("wide by directives") && assumed.contains("`q` 64 bits"), "{assumed}");
    let diff = explore(&["--format", "diff", "--limit", "bram18=9000", "--limit", "ff=9e9"]).stdout;
    assert!(diff.contains("-max_widen_bitwidth 64") && !diff.contains("array_reshape"), "{diff}");
    build_promised(&project, &diff, &found);
}

/// A kernel in two files, with pragmas of loops and an array.
fn write_filter(folder: &Path) {
    let header = "#define TAPS 16 // in the header\n#define SIZE 1024\n";
    let source = "#include \"filter.h\"\n\
void filter(const int x[SIZE + TAPS], const int w[TAPS], int y[SIZE]) {\n\
#pragma HLS array_partition variable=w type=cyclic factor=2 dim=1 // few banks\n\
rows:\n  for (int i = 0; i < SIZE; i++) {\n\
#pragma HLS pipeline II=16\n    int sum = 0;\n\
taps:\n    for (int t = 0; t < TAPS; t++) {\n\
#pragma HLS unroll factor=2\n      sum += x[i + t] * w[t];\n    }\n    y[i] = sum;\n  }\n}\n";
    fs::write(folder.join("filter.h"), header).unwrap();
    fs::write(folder.join("filter.cpp"), source).unwrap();
}

const FILTER: [&str; 5] = ["explore", "filter.cpp", "--part", "xcu280-fsvh2892-2L-e", "--vary"];

/// Explores the filter; the changed files then take what was promised, with no other directives than those of the diff.
fn build_filter(vary: &[&str]) -> (String, PathBuf, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    write_filter(folder.path());
    let explore = |more: &[&str]| derate_in(folder.path(), &[&FILTER[..], vary, more].concat());
    let found = explore(&["--format", "json"]).json();
    let diff = explore(&["--format", "diff"]);
    assert_eq!(diff.code, 0, "{}", diff.stderr);
    if !diff.stdout.is_empty() {
        apply_diff(folder.path(), &diff.stdout);
    }
    let tcl = folder.path().join("best.tcl");
    let mut kernel = vec!["kernel", "filter.cpp", "--part", FILTER[3], "--format", "json"];
    if tcl.exists() {
        kernel.extend(["--directives", "best.tcl"]);
    }
    let again = derate_in(folder.path(), &kernel).json();
    let promised = found["best"]["objective"].as_f64().unwrap();
    assert_eq!(again["latency"]["expected"].as_f64(), Some(promised), "{}", diff.stdout);
    (diff.stdout, tcl, folder)
}

#[test]
fn the_diff_gives_pragmas_of_the_source_their_new_values() {
    let open = [
        "pipeline:filter/rows=as-written,1",
        "--vary",
        "partition:filter/w@1=2,16",
        "--vary",
        "unroll:filter/taps=2,16",
    ];
    let (diff, tcl, _folder) = build_filter(&open);
    assert!(diff.contains("-#pragma HLS pipeline II=16\n+#pragma HLS pipeline II=1\n"), "{diff}");
    let cut = "+#pragma HLS array_partition variable=w type=cyclic factor=16 dim=1 // few banks\n";
    assert!(diff.contains(cut), "{diff}");
    assert!(!diff.contains("set_directive_pipeline"), "{diff}");
    // The ports that no pragma cuts are cut by a directive.
    assert_eq!(tcl.exists(), diff.contains("set_directive_array_partition"), "{diff}");
}

#[test]
fn a_loop_that_a_pragma_unrolls_is_as_written_at_its_own_factor() {
    let (diff, tcl, _folder) = build_filter(&["unroll:filter/taps=2"]);
    assert!(diff.is_empty() && !tcl.exists(), "{diff}");
    let (diff, _, _folder) = build_filter(&["unroll:filter/taps=4"]);
    assert!(diff.contains("+#pragma HLS unroll factor=4\n"), "{diff}");
    assert!(!diff.contains("set_directive_unroll"), "{diff}");
}

#[test]
fn a_constant_of_a_header_is_changed_in_the_header() {
    let (diff, ..) = build_filter(&["SIZE=2048"]);
    assert!(diff.contains("--- filter.h\n") && diff.contains("+#define SIZE 2048\n"), "{diff}");
}

#[test]
fn a_resource_is_made_small_within_a_time() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(root().join("fixtures/kernels/product.cpp"), folder.path().join("product.cpp"))
        .unwrap();
    let explore = |more: &[&str]| {
        let part = ["--part", "xcu280-fsvh2892-2L-e", "--clock", "300 MHz"];
        let args = ["explore", "product.cpp", "--format", "json"];
        let open = ["--vary", "unroll:product/terms=1,4,16", "--seconds", "300"];
        derate_in(folder.path(), &[&args[..], &part, &open, more].concat())
    };
    let fastest = explore(&[]).json();
    let cycles = fastest["best"]["objective"].as_f64().unwrap();
    let limit = format!("cycles={}", 4.0 * cycles);
    let small = explore(&["--objective", "dsp", "--limit", &limit]).json();
    assert_eq!(small["certificate"], "optimal");
    assert!(small["best"]["time"].as_f64().unwrap() <= 4.0 * cycles);
    let dsp = |found: &serde_json::Value| found["best"]["usage"]["dsp"].as_f64().unwrap();
    assert!(2.0 * dsp(&small) <= dsp(&fastest), "{} of {}", dsp(&small), dsp(&fastest));
    assert_eq!(small["best"]["objective"].as_f64(), small["best"]["usage"]["dsp"].as_f64());
    let none = explore(&["--objective", "dsp", "--limit", "cycles=3"]).json();
    assert_eq!(none["certificate"], "infeasible");
    explore(&["--objective", "dsp"]).assert_refused("needs the longest time");
    explore(&["--limit", "latency=1ms"]).assert_refused("is for --objective with a resource");
}

#[test]
fn a_search_beats_the_points_of_the_wide_attention() {
    let folder = root().join("fixtures/codesign/wide");
    let explore = |more: &[&str]| {
        let source = ["explore", "kernels/attention.cpp", "--top", "attention"];
        let card = ["--platform", "u280", "--clock", "300 MHz", "--tool", "2023.2"];
        derate_in(&folder, &[&source[..], &card, &["--format", "json"], more].concat()).json()
    };
    let points = explore(&["--space", "points.csv"]);
    let best_point = points["best"]["objective"].as_f64().unwrap();
    assert_eq!(points["ranking"].as_array().unwrap().len(), 10);
    // The axes that matter, so that a build without optimisation is fast; the bench searches all loops.
    let found = explore(&[
        "--vary",
        "pipeline:score/score_columns=as-written,1",
        "--vary",
        "unroll:combine/combine_terms=1,16,64",
        "--vary",
        "unroll:weigh/weight_columns=1,4",
    ]);
    let best = found["best"]["objective"].as_f64().unwrap();
    assert!(best_point >= 1.5 * best, "{best} cycles against {best_point} of the best point");
    assert!(found["best"]["share"].as_f64().unwrap() <= 1.0);
}

#[test]
fn a_search_goes_on_where_it_ended() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(root().join("fixtures/kernels/product.cpp"), folder.path().join("product.cpp"))
        .unwrap();
    let explore_at = |clock: &str, limit: &str, more: &[&str]| {
        let args =
            ["explore", "product.cpp", "--limit", limit, "--format", "json", "--top", "product"];
        let args =
            [&args[..], &["--platform", "u280", "--clock", clock, "--tool", "2023.2"]].concat();
        derate_in(folder.path(), &[&args[..], more].concat())
    };
    let explore = |limit: &str, more: &[&str]| explore_at("300 MHz", limit, more);
    // A busy machine takes longer than the default.
    let patient = ["--seconds", "600"];
    let whole = explore("dsp=64", &patient).json();
    let resume = ["--resume", "search.json"];
    let short = explore("dsp=64", &[&resume[..], &["--seconds", "0.000001"]].concat()).json();
    assert!(short["certificate"]["gap"].is_object(), "{}", short["certificate"]);
    let rest = explore("dsp=64", &[resume, patient].concat()).json();
    assert_eq!((&rest["certificate"], &rest["best"]), (&whole["certificate"], &whole["best"]));
    assert_eq!(rest["evaluated"], whole["evaluated"], "nothing is scheduled twice");
    explore("dsp=65", &resume).assert_refused("is the search of other designs or limits");
    explore_at("250 MHz", "dsp=64", &resume)
        .assert_refused("is the search of other designs or limits");
    explore("dsp=64", &["--resume", "product.cpp"]).assert_refused("it is not overwritten");
}

#[test]
fn page_workbook_chart_and_table_are_written() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(root().join("fixtures/kernels/product.cpp"), folder.path().join("product.cpp"))
        .unwrap();
    let wrote = derate_in(folder.path(), &["explore", "product.cpp", "--out", "found"]);
    assert_eq!(wrote.code, 0, "{}", wrote.stderr);
    for name in ["exploration.html", "exploration.xlsx", "designs.svg", "tables/designs.csv"] {
        assert!(folder.path().join("found").join(name).is_file(), "{name}: {}", wrote.stderr);
    }
    let chart = fs::read_to_string(folder.path().join("found/designs.svg")).unwrap();
    assert!(chart.contains("Front") && chart.contains("best"), "the points are against the front");
}

/// The as-built project with a v++ configuration, or without one, and what gives its `mlp` more units.
fn copy_linked(folder: &Path, link: Option<&str>) -> PathBuf {
    let project = copy_project("codesign", folder).join("as-built");
    let text = fs::read_to_string(project.join("derate.toml")).unwrap();
    // Four calls a layer: four units share them.
    let text =
        text.replace("serves = [\"vision.fc1\"]\n", "serves = [\"vision.fc1\"]\ncalls = 48\n");
    let named = link.map_or("[hls]\n", |_| "[hls]\nconnectivity = \"link/u280.cfg\"\n");
    fs::write(project.join("derate.toml"), text.replace("[hls]\n", named)).unwrap();
    if let Some(link) = link {
        fs::create_dir(project.join("link")).unwrap();
        fs::write(project.join("link/u280.cfg"), link).unwrap();
    }
    project
}

const OPEN_UNITS: [&str; 10] = [
    "explore",
    ".",
    "--vary",
    "mlp.units=1,2,4",
    "--limit",
    "bram18=9000",
    "--limit",
    "ff=9e9",
    "--limit",
    "lut=9e9",
];

/// Applies the diff that gives `mlp` the units of `--objective`: time and resources are those that were promised.
fn build_units(project: &Path, more: &[&str]) -> (serde_json::Value, String) {
    let explore =
        |last: &str| derate_in(project, &[&OPEN_UNITS[..], more, &["--format", last]].concat());
    let found = explore("json").json();
    let diff = explore("diff").stdout;
    apply_diff(project, &diff);
    let again = derate_in(project, &["estimate", ".", "--format", "json"]).json();
    let totals = &again["kernel_design"]["totals"];
    let promised = found["best"]["time"].as_f64().or(found["best"]["objective"].as_f64()).unwrap();
    let built = totals["latency"]["value"].as_f64().unwrap();
    assert!((built / promised - 1.0).abs() < 1e-9, "{built} where {promised} was promised");
    for resource in ["dsp", "bram18", "lut", "ff"] {
        let all = totals["resources"].as_array().unwrap();
        let built = all.iter().find(|one| one["resource"] == resource).unwrap();
        let built = built["used"]["value"].as_f64().unwrap();
        let promised = found["best"]["usage"][resource].as_f64().unwrap();
        assert!(
            (built - promised).abs() < 0.5,
            "{built} {resource} where {promised} were promised"
        );
    }
    (found, fs::read_to_string(project.join("link/u280.cfg")).unwrap_or_default())
}

#[test]
fn the_link_of_the_diff_makes_the_units_that_were_promised() {
    let folder = tempfile::tempdir().unwrap();
    let link = "platform=xilinx_u280_gen3x16_xdma_1_202211_1\n[connectivity]\nnk=attention:1\nnk=mlp:1:mlp_a\nsp=mlp_a.x:HBM[0]\nsp=mlp_a.w:HBM[1]\nslr=mlp_a:SLR1\n";
    let project = copy_linked(folder.path(), Some(link));
    let (found, text) = build_units(&project, &[]);
    assert!(text.contains("nk=attention:1\nnk=mlp:2:mlp_a.mlp_b\n"), "{text}");
    assert!(text.contains("sp=mlp_a.w:HBM[1]\nsp=mlp_b.x:HBM[0]\nsp=mlp_b.w:HBM[1]\n"), "{text}");
    let assumed = found["assumed"].to_string();
    for said in
        ["link/u280.cfg: new units get banks", "mlp_b those of mlp_a", "no slr= says where mlp_b"]
    {
        assert!(assumed.contains(said), "{assumed}");
    }
}

#[test]
fn units_of_the_link_go_with_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    // The link alone says that there are four.
    let link = "[connectivity]\nnk=mlp:4\nsp=mlp_1.x:HBM[0]\nsp=mlp_4.x:HBM[3]\nslr=mlp_4:SLR1\n\n[profile]\ndata=mlp:mlp_4:all\n";
    let project = copy_linked(folder.path(), Some(link));
    let estimate = derate_in(&project, &["estimate", ".", "--format", "json"]).json();
    let mlp = &estimate["kernel_design"]["kernels"][2];
    assert_eq!((&mlp["name"], &mlp["units"]), (&"mlp".into(), &4.into()));
    let (found, text) = build_units(&project, &["--objective", "ff", "--limit", "latency=3600s"]);
    assert!(text.starts_with("[connectivity]\nnk=mlp:1\nsp=mlp_1.x:HBM[0]\n\n[profile]"), "{text}");
    let assumed = found["assumed"].to_string();
    assert!(assumed.contains("mlp_2, mlp_3, mlp_4 go"), "{assumed}");
    assert!(assumed.contains("link/u280.cfg:8 `data=mlp:mlp_4:all` names a unit"), "{assumed}");
}

#[test]
fn without_a_link_the_line_to_add_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let project = copy_linked(folder.path(), None);
    let (found, _) = build_units(&project, &[]);
    assert!(found["assumed"].to_string().contains("nk=mlp:2"), "{}", found["assumed"]);
}
